"""The Dice Rumble sheet: attributes dealt out, forty points of talents, weapons (DR-01 to DR-07, DR-18)."""

from bisect import bisect_left
from collections.abc import Iterator, Mapping
from functools import partial
from itertools import permutations
from typing import TYPE_CHECKING, Any

from django.utils.translation import gettext_lazy as _

from rulesets.dice_rumble import hints, measures, widgets
from rulesets.dice_rumble.house import DiceRumbleHouse
from rulesets.dice_rumble.talents import (
    ARMS,
    ATTRIBUTES,
    BALLISTICS,
    BASE,
    BRAWL,
    CONSTITUTION,
    FURTHER_TALENTS,
    KNOWN_TALENTS,
    UNTRAINED,
    WILLPOWER,
    Attributes,
    Talent,
    Weapon,
    normalized_name,
)
from rulesets.kit import (
    DROP,
    Finding,
    Ledger,
    Measure,
    Mend,
    Offer,
    Sheet,
    Spent,
    Step,
    Wording,
    cached_text,
    derived,
    error,
    field,
    join,
    rows,
    rule,
    warning,
)

if TYPE_CHECKING:
    from rulesets.dice_rumble.play.state import DiceRumblePlay

ATTRIBUTES_STEP = Step("attributes", _("Attributes"), _(
    "One attribute is outstanding, another is good, two are ordinary."))
TALENTS = Step("talents", _("Talents"), _(
    "What you have learned. The five on offer cannot hold all your points, so add talents of your own. Each has its "
    "usual attribute; for a roll you can choose another."))
WEAPONS = Step("weapons", _("Weapons"), _("They cost nothing; your table decides which ones there are."))
SPENT_WITH = {
    "strength": _("Talents with Strength"), "dexterity": _("Talents with Dexterity"),
    "mind": _("Talents with Mind"), "charisma": _("Talents with Charisma"), None: _("Talents without an attribute"),
}


class DiceRumble(Sheet):
    """Attributes, talents and weapons."""

    attributes: Attributes = field(
        _("Attributes"), step=ATTRIBUTES_STEP, deal="attributes",
        help=_("Choose which attribute gets which value; a value that is already taken swaps places."))
    talents: list[Talent] = rows(
        _("Talents"), step=TALENTS, row_name=_("Talent"), add_label=_("Custom talent"),
        presets={name: {"name": name, "attribute": key} for name, key in KNOWN_TALENTS.items()},
        samples=tuple({"name": name, "attribute": key} for name, key in FURTHER_TALENTS))
    weapons: list[Weapon] = rows(
        _("Weapons"), [], step=WEAPONS, row_name=_("Weapon"),
        samples=tuple({"name": name, "talent": talent, "damage": damage} for name, talent, damage in ARMS))

    def value(self, attribute: str | None) -> int | None:
        """Return the value of an attribute, None while it is not chosen."""
        return getattr(self.attributes, attribute) if attribute else None

    def talent(self, name: str) -> Talent | None:
        """Return the sheet's talent with this name, else an untrained talent that the source names, else None."""
        wanted = normalized_name(name)
        for one in self.talents:
            if normalized_name(one.name) == wanted:
                return one
        return UNTRAINED.get(wanted)

    @property
    def constitution(self) -> int:
        """The points of the talent that adds to life (DR-04)."""
        return found.points if (found := self.talent(CONSTITUTION)) else 0

    @property
    def willpower(self) -> int:
        """The points of the talent that adds to mental health (DR-05)."""
        return found.points if (found := self.talent(WILLPOWER)) else 0

    def threshold(self, talent: Talent) -> int | None:
        """Return the sum of attribute and talent (DR-07); None while the attribute is not chosen."""
        value = self.value(talent.attribute)
        return None if value is None else value + talent.points

    def ledger(self, house: DiceRumbleHouse) -> Ledger:
        """Return the points spent on talents, grouped by the usual attribute."""
        points = dict.fromkeys(SPENT_WITH, 0)
        for one in self.talents:
            points[one.attribute] += one.points
        return Ledger(house.budget, tuple(Spent(title, "talents", points[key]) for key, title in SPENT_WITH.items()
                                          if key or points[key]))

    @derived("talent_points_spent", _("Points spent"), "DR-02", tile=False)
    def points_spent(self, house: DiceRumbleHouse | None = None) -> int:
        """Return the sum of the points of all talents."""
        return sum([one.points for one in self.talents])

    @derived("talent_points_left", _("Points left"), "DR-02", tile=False)
    def points_left(self, house: DiceRumbleHouse) -> int:
        """Return the points left; negative if too many are spent."""
        return house.budget - self.points_spent()

    @derived("life", _("Life points"), "DR-04", how=_("Strength {0.attributes.strength} + Konstitution "
                                                      "{0.constitution} + 5"))
    def life(self, house: DiceRumbleHouse | None = None) -> int | None:
        """Return the life points at full health; None while strength is not chosen."""
        value = self.attributes.strength
        return None if value is None else value + self.constitution + BASE

    @derived("mental_health", _("Mental health"), "DR-05", how=_("Mind {0.attributes.mind} + Willenskraft "
                                                                 "{0.willpower} + 5"))
    def mental_health(self, house: DiceRumbleHouse | None = None) -> int | None:
        """Return full mental health; None while mind is not chosen."""
        value = self.attributes.mind
        return None if value is None else value + self.willpower + BASE

    @derived("fate_points", _("Fate points"), "DR-06", "DR-17", how=_("The number you start each adventure with"))
    def fate_points(self, house: DiceRumbleHouse | None = None) -> int:
        """Return the fate points, which are the same for every player."""
        return (house or self.house_or(DiceRumbleHouse)).fate_points

    @derived("thresholds", _("Threshold"), "DR-07", of="talents")
    def thresholds(self, house: DiceRumbleHouse | None = None) -> dict[str, Any]:
        """Return {talent: attribute + talent}."""
        return {one.name: self.threshold(one) for one in self.talents}

    @rule("DR-01")
    def values_not_dealt(self, house: DiceRumbleHouse) -> Iterator[Finding]:
        """Yield an error unless each value of the house rules is given to one attribute."""
        held = [*vars(self.attributes).values()]
        if None not in held and sorted(held) == sorted(house.attributes):
            return
        missing = ", ".join(str(title) for key, title in ATTRIBUTES.items() if self.value(key) is None)
        numbers = ", ".join(map(str, self.left_to_give(house, held) if missing else house.attributes))
        message = _("Not chosen yet: {missing}; still to hand out: {numbers}.") if missing else \
            _("The attributes have {found}; they must be {numbers}, in any order.")
        yield error(message, "attributes", self.sharing_mends(house, held), lacking=bool(missing), missing=missing,
                    numbers=numbers, found=", ".join(map(str, held)))

    @staticmethod
    def left_to_give(house: DiceRumbleHouse, held: list[int | None]) -> list[int]:
        """Return the values of the house rules that no attribute has yet; all if an attribute has any other value."""
        left = [*house.attributes]
        for value in held:
            if value in left:
                left.remove(value)
            elif value is not None:
                return [*house.attributes]
        return left or [*house.attributes]

    def sharing_mends(self, house: DiceRumbleHouse, held: list[int | None]) -> Iterator[Mend]:
        """Yield the ways to share the values out that change the fewest attributes; none if no value is chosen.

        If values are only missing, those chosen stay.
        """
        ways = set(permutations(house.attributes)) if held.count(None) < len(held) else set()
        least = min((_changes(held, way)[0] for way in ways), default=0)
        ways = {way for way in ways if _changes(held, way)[0] == least}
        for way in sorted(sorted(ways, reverse=True), key=partial(_changes, held)):
            changes = zip(ATTRIBUTES, way, held, strict=True)
            yield Mend(_share_text(way), {f"attributes.{key}": new for key, new, old in changes if new != old})

    @rule("DR-02")
    def budget(self, house: DiceRumbleHouse) -> Iterator[Finding]:
        """Yield an error if more points are spent than the budget allows."""
        spent = self.points_spent()
        if (over := spent - house.budget) > 0:
            yield error(
                _("{spent} points are spent on talents, but only {budget} are allowed; take back {over}."), "",
                self.saving_mends(house, over), spent=spent, budget=house.budget, over=over,
            )

    def saving_mends(self, house: DiceRumbleHouse, over: int) -> Iterator[Mend]:
        """Yield ways to save `over` points: lower one talent, or the largest ones evenly."""
        by_points = sorted(enumerate(self.talents), key=lambda item: item[1].points, reverse=True)
        lower = str(_("Lower {talent} from {points} to {to}"))
        for index, one in [item for item in by_points if item[1].points >= over][:3]:
            to = min(house.talent_cap, one.points - over)
            yield Mend(lower, {f"talents.{index}.points": to}, talent=one.label, points=one.points, to=to)
        levelled = _points_after_taking([one.points for one in self.talents], over)
        yield Mend(_("Take {n} points off the highest talents"),
                   {f"talents.{index}.points": points for index, points in enumerate(levelled)}, n=over)

    @rule("DR-03")
    def repeated_names(self, house: DiceRumbleHouse) -> Iterator[Finding]:
        """Yield an error if two talents have the same name."""
        names = [normalized_name(one.name) for one in self.talents]
        if len(set(names)) == len(names):
            return
        first: dict[str, int] = {}
        for index, (name, one) in enumerate(zip(names, self.talents, strict=True)):
            before = first.setdefault(name, index)
            if not name or before == index:
                continue
            yield error(_("{talent} is listed twice; each talent may appear only "
                          "once."), join("talents", index, "name"),
                        self.merge_mends(before, index, house.talent_cap), talent=one.label)

    def merge_mends(self, first: int, second: int, cap: int) -> Iterator[Mend]:
        """Yield ways to merge two talents into one."""
        both = min(cap, self.talents[first].points + self.talents[second].points)
        yield Mend(_("Merge both into one with {n} points"),
                   {f"talents.{first}.points": both, f"talents.{second}": DROP}, n=both)
        yield Mend(_("Drop the second one"), {f"talents.{second}": DROP})

    @rule("DR-18")
    def unknown_talents(self, house: DiceRumbleHouse) -> Iterator[Finding]:
        """Yield a finding for a weapon whose talent is neither on the sheet nor named by the source."""
        for index, one in enumerate(self.weapons):
            if (used := normalized_name(one.talent)) and self.talent(used):
                continue
            message = _("{weapon} is used with “{talent}”, which is not a talent on this sheet; choose one that "
                        "is.") if \
                used else _("{weapon} has no talent to use it with yet.")
            yield warning(message, join("weapons", index, "talent"), self.talent_mends(index, one), weapon=one.label,
                          talent=one.talent.strip())

    def talent_mends(self, index: int, weapon: Weapon) -> Iterator[Mend]:
        """Yield the talents that a weapon could be used with."""
        use, called = str(_("Use {weapon} with {talent}")), str(weapon.label)
        yield from (Mend(use, {f"weapons.{index}.talent": talent.name}, weapon=called, talent=talent.label)
                    for talent in self.talents if normalized_name(talent.name))

    def offered_words(self) -> Mapping[str, tuple[str, ...]]:
        """Return the suggestions for a weapon's talent: those of a fight first, then the sheet's own."""
        own = [one.name.strip() for one in self.talents if one.name.strip()]
        return {"weapons.talent": tuple(dict.fromkeys((BRAWL, BALLISTICS, *own)))}

    def hints(self, house: DiceRumbleHouse) -> Iterator[tuple[str, Wording]]:
        """Yield the thresholds and chances, now and with one point more."""
        yield from hints.for_sheet(self, house)

    def measures(self, house: DiceRumbleHouse) -> Iterator[Measure]:
        """Yield the figures that compare the character with its party."""
        yield from measures.for_sheet(self)

    def attribute_values(self) -> list[tuple[str, Wording, int | None]]:
        """Return (key, title, value) of the attributes, the highest first."""
        return sorted(((key, title, self.value(key)) for key, title in ATTRIBUTES.items()),
                      key=lambda item: -(item[2] or 0))

    def roll_offers(self, play: "DiceRumblePlay") -> Iterator[Offer]:
        """Yield the tests, then the rolls of a fight; initiative is an act, because its die is stored."""
        yield from widgets.for_sheet(self, play)


@cached_text
def _share_text(way: tuple[int, ...]) -> str:
    """Return one way to share the values out, in words."""
    return ", ".join(f"{title} {value}" for title, value in zip(ATTRIBUTES.values(), way, strict=True))


def _changes(held: list[int | None], way: tuple[int, ...]) -> tuple[int, int]:
    """Return (number of attributes changed, sum of the changes); attributes not chosen yet do not count."""
    changes = [abs(a - b) for a, b in zip(held, way, strict=True) if a is not None and a != b]
    return len(changes), sum(changes)


def _points_after_taking(points: list[int], over: int) -> list[int]:
    """Return the points of all talents after `over` of them are taken, each from the largest."""
    levels = range(max(points, default=0))
    level = bisect_left(levels, -over, key=lambda level: -sum([max(0, one - level) for one in points]))
    rest = over - sum(max(0, one - level) for one in points)
    levelled = []
    for one in points:
        taken = one >= level and rest > 0
        levelled.append(min(one, level) - taken)
        rest -= taken
    return levelled

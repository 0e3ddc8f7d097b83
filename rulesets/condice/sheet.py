"""The ConDice sheet: thirty points over attacks, four attributes and special abilities (CD-01 to CD-10)."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from django.utils.translation import gettext_lazy as _

from rulesets.condice import hints, measures, rolls
from rulesets.condice.ability import ATTRIBUTES, bought
from rulesets.condice.catalogue import AnyAbility
from rulesets.condice.house import ConDiceHouse
from rulesets.condice.play import turn
from rulesets.condice.wasted import wasted
from rulesets.kit import (
    DROP,
    CheckedPart,
    Finding,
    Ledger,
    Measure,
    Mend,
    Name,
    Offer,
    Points,
    Sheet,
    Spent,
    Step,
    Text,
    Wording,
    derived,
    error,
    field,
    join,
    parts,
    rows,
    rule,
    slots,
    warning,
)

if TYPE_CHECKING:
    from rulesets.condice.play.state import ConDicePlay

VALUES = Step("values", _("Values"), _("What keeps the character standing, and how far they get."))
ATTACKS = Step("attacks", _("Attacks"), _("Each point buys a die, or a square of range beyond the adjacent squares."))
ABILITIES = Step("abilities", _("Abilities"), _("What makes the character unique. You can buy extra range for most "
                                                "of them."))
AREAS = {"attacks": _("Attacks"), **ATTRIBUTES, "abilities": _("Special abilities")}


class Attack(CheckedPart):
    """An attack: its dice, and its range beyond the adjacent fields (CD-02)."""

    name: Name = field(_("Name"), samples=(
        _("Punch"), _("Fireball"), _("Longbow"), _("Thorn lash"), _("Ice splinters")),
        help=_("What it looks like is up to you."))
    dice: Points = bought(_("Dice"), 1, help=_("A point each."))
    range: Points = bought(_("Extra range"), 1, 0, help=_("Distance beyond the adjacent squares, a point each."))
    description: Text = field(_("Description"), "", long=True, help=_("Optional."))

    @property
    def label(self) -> Wording:
        """The name, or what stands in for it."""
        return self.name.strip() or _("Unnamed attack")

    @property
    def reach(self) -> int:
        """Fields: the adjacent ones and those bought beyond (CD-02)."""
        return 1 + self.range

    told = frozenset({"dice", "range"})

    def what(self) -> Wording:
        """Return the dice and range, as the sheet says them (CD-02)."""
        return f"{rolls.DICE.format(n=self.dice)}, {rolls.RANGE.format(n=self.reach)}"

    def price(self, house: ConDiceHouse) -> int:
        """A point a die and a field (CD-02)."""
        return self.dice + self.range

    @rule("CD-02")
    def named(self, house: ConDiceHouse) -> Iterator[Finding]:
        """Attacks are told apart by their names."""
        if not self.name.strip():
            yield warning(_("The attack has no name yet."), "name")

    @rule("CD-02")
    def armed(self, house: ConDiceHouse) -> Iterator[Finding]:
        """Range alone harms nobody."""
        if not self.dice:
            yield warning(_("{attack} has no dice, so it does no damage."), "dice",
                          [Mend(_("Give {attack} 1 die"), {"dice": 1}, attack=self.label),
                           Mend(_("Drop {ability}"), {"": DROP}, ability=self.label)], attack=self.label)


class ConDice(Sheet):
    """Points spent, area by area (CD-01)."""

    defence: Points = bought(_("Defence"), 1, 0, step=VALUES, help=_("Each point takes 1 off the damage of attacks."))
    life: Points = bought(_("Life"), 1, 0, step=VALUES, help=_("Each point is two life points."))
    mental_resistance: Points = bought(
        _("Mental resistance"), 1, 0, step=VALUES,
        help=_("Each point is a die against mental attacks and takes 1 off mental damage."),
    )
    movement: Points = bought(_("Movement"), 1, 0, step=VALUES, help=_("Squares per movement, diagonals included."))
    attacks: list[Attack] = rows(_("Attacks"), step=ATTACKS, one=_("Attack"))
    abilities: list[AnyAbility] = rows(_("Special abilities"), step=ABILITIES, one=_("Special ability"))

    def ledger(self, house: ConDiceHouse) -> Ledger:
        """Six areas, as the source lists them."""
        return Ledger(house.budget, tuple(Spent(AREAS[key], key, points) for key, points in self.areas(house).items()))

    def areas(self, house: ConDiceHouse) -> dict[str, int]:
        """Return {key: points} of the six."""
        return {"attacks": sum([attack.price(house) for attack in self.attacks]), "defence": self.defence,
                "life": self.life, "mental_resistance": self.mental_resistance, "movement": self.movement,
                "abilities": sum([one.price(house) for one in self.abilities])}

    @derived("points_spent", _("Points spent"), "CD-01", tile=False)
    def points_spent(self, house: ConDiceHouse) -> int:
        """Return the points over all areas."""
        return sum(self.areas(house).values())

    @derived("points_left", _("Points left"), "CD-01", tile=False)
    def points_left(self, house: ConDiceHouse) -> int:
        """Return the points unspent; negative where too many are spent."""
        return house.budget - self.points_spent(house)

    @derived("defence", _("Defence"), "CD-03", how=_("{0.defence} × 1"))
    def defence_value(self, house: ConDiceHouse) -> int:
        """Return the damage that an attack loses."""
        return self.defence

    @derived("life", _("Life points"), "CD-04", how=_("{0.life} × 2 life points"))
    def life_points(self, house: ConDiceHouse | None = None) -> int:
        """Return the life points at full health."""
        return 2 * self.life

    @derived("mental_resistance", _("Mental resistance"), "CD-05", how=_("{0.mental_resistance} × 1"))
    def resistance(self, house: ConDiceHouse) -> int:
        """Return the dice, or reduction of mental damage."""
        return self.mental_resistance

    @derived("movement", _("Movement"), "CD-06", how=_("{0.movement} × 1 square"), as_squares=True)
    def fields_moved(self, house: ConDiceHouse) -> int:
        """Return the fields in one movement."""
        return self.movement

    @derived("attacks", _("Attacks"), "CD-02")
    def attack_values(self, house: ConDiceHouse) -> list[dict[str, int | str]]:
        """Return the dice and range of each attack."""
        return [{"name": attack.name, "dice": attack.dice, "range": attack.reach} for attack in self.attacks]

    @derived("abilities", _("Special abilities"), "CD-07", "CD-08")
    def ability_costs(self, house: ConDiceHouse) -> list[dict[str, int | str]]:
        """Return the cost of each ability, bought range included."""
        return [{"ability": one.ability, "cost": one.price(house)} for one in self.abilities]

    @rule("CD-01")
    def budget(self, house: ConDiceHouse) -> Iterator[Finding]:
        """More points than the budget."""
        spent = self.points_spent(house)
        if (over := spent - house.budget) > 0:
            yield error(_("{spent} points are spent, but only {budget} are allowed; take back {over}."), "",
                        self.savings(house, over), spent=spent, budget=house.budget, over=over)

    def savings(self, house: ConDiceHouse, over: int) -> Iterator[Mend]:
        """Yield the ways to save `over` points: one figure lowered, one ability dropped, or a bit everywhere."""
        priced = sorted(self.priced(house), key=lambda item: item.spare, reverse=True)
        lowered = [item for item in priced if item.spare >= over][:3]
        for item in lowered:
            to = item.lowered(over)
            yield Mend(_("Lower {what} from {value} to {to}"), {item.path: to}, what=item, value=item.value, to=to)
        dear = sorted((row.price(house), join(key, index), row.label) for key in ("abilities", "attacks")
                      for index, row in enumerate(getattr(self, key)))
        for cost, path, what in [row for row in dear if row[0] >= over and row[1].startswith("abilities")][:1]:
            yield Mend(_("Drop {ability} (saves {n})"), {path: DROP}, ability=what, n=cost)
        yield Mend(_("Take {n} points off the highest values"), self.everywhere(priced, dear, over), n=over)

    def everywhere(self, priced: list["Priced"], dear: list[tuple[int, str, Any]], over: int) -> dict[str, Any]:
        """The patch that lowers the largest figures first, and drops the dearest rows where that is not enough."""
        dropped, left = [], over - sum(item.spare for item in priced)
        for cost, path, _what in reversed(dear):
            if left > 0:
                dropped.append(path)
                left -= cost - sum(item.spare for item in priced if item.path.startswith(f"{path}."))
        left = over - sum(cost for cost, path, _what in dear if path in dropped)
        patch = dict.fromkeys(dropped, DROP)
        for item in priced:
            if left > 0 and item.spare and item.path.rpartition(".")[0] not in dropped:
                part = min(left, item.spare)
                patch[item.path] = item.lowered(part)
                left -= part
        return patch

    def priced(self, house: ConDiceHouse) -> Iterator["Priced"]:
        """Yield every figure that points buy, with what can be taken off it."""
        for prefix, part in parts(self):
            prices = part.prices(house) if hasattr(part, "prices") else {}
            for key, slot in slots(type(part)).items():
                if slot.ask.price is not None:
                    floor = max(slot.ask.included, slot.ask.least or 0, key in ("life", "movement", "dice"))
                    owner = "" if part is self else part.label
                    yield Priced(join(prefix, key), owner, slot.ask.title, getattr(part, key), floor,
                                 prices.get(key, slot.ask.price))

    @rule("CD-10")
    def missing(self, house: ConDiceHouse) -> Iterator[Finding]:
        """Legal, but hard to play."""
        if not self.life:
            yield warning(_("Life is 0: the character starts at 0 life points and gets an action or a movement each "
                            "turn, never both."), "life", [Mend(_("Put 1 point into life"), {"life": 1})])
        if not self.movement:
            yield warning(_("Movement is 0: the character cannot move."), "movement",
                          [Mend(_("Put 1 point into movement"), {"movement": 1})])
        if not self.attacks and not self.abilities:
            punch = Attack(name=str(_("Punch")), dice=1).model_dump()
            yield warning(_("There is no attack and no ability: the character cannot do anything to an opponent."),
                          "attacks", [Mend(_("Add a punch with 1 die"), {"attacks": [punch]})])

    @rule("CD-02", "CD-07")
    def for_nothing(self, house: ConDiceHouse) -> Iterator[Finding]:
        """Yield what points were spent on without any use."""
        yield from wasted(self)

    def hints(self, house: ConDiceHouse) -> Iterator[tuple[str, Wording]]:
        """Yield the chances against typical opponents, now and with one point more."""
        yield from hints.of(self)

    def measures(self, house: ConDiceHouse) -> Iterator[Measure]:
        """Yield how it compares with a party."""
        yield from measures.of(self)

    def widgets(self, play: "ConDicePlay") -> Iterator[Offer]:
        """Attacks first, then abilities, then what is rolled against the character, and the table's own rolls.

        What is paid for as it is rolled (CD-31) is an act.
        """
        for index, attack in enumerate(self.attacks):
            yield rolls.Attack.asking(attack.label, f"attacks.{index}", attack.what(), dice=attack.dice,
                                      reach=attack.reach, leads=turn.open_to(play, turn.struck))
        for index, one in enumerate(self.abilities):
            if roll := one.roll(self.house_or(ConDiceHouse)):
                cls, filled = roll
                filled |= {"missing": play.most(self) - play.left(self)} if cls is rolls.DrainLife else {}
                yield cls.asking(one.label, f"abilities.{index}", one.brief(filled.get("dice")),
                                 leads=turn.after(self, play, one, cls),
                                 reach=1 + one.range if one.reach == "bought" else 0, **filled)
        yield rolls.MentalDefence.asking(dice=self.mental_resistance)
        yield rolls.Success.asking(rare=True)
        yield rolls.MentalDamage.asking(rare=True, leads=turn.open_to(play, turn.struck))
        yield rolls.AttributeLoss.asking(rare=True)
        yield rolls.LossPoints.asking(rare=True)


@dataclass(frozen=True)
class Priced:
    """A figure that points buy."""

    path: str
    owner: Any
    title: Any
    value: int
    floor: int
    """The part of it that should remain: a movement, a die, what the ability needs."""
    price: int

    @property
    def spare(self) -> int:
        """Points that can be had back."""
        return self.price * max(0, self.value - self.floor)

    def lowered(self, over: int) -> int:
        """The figure after at least `over` points are taken back."""
        return self.value - -(-over // self.price)

    def __str__(self) -> str:
        """Return the name of what gives way, with its owner."""
        return f"{self.owner}: {self.title}" if self.owner else str(self.title)

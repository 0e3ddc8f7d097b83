"""The state of a character at the table (DS-10, DS-32, DS-50, DS-54 to DS-59)."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, Literal

from django.utils.translation import gettext_lazy as _
from pydantic import model_validator

from rulesets.daemmersturm import board, headings, line, notices
from rulesets.daemmersturm.catalogue import KINDS, RESOURCES, Poisonable, Resource
from rulesets.daemmersturm.texts import OpenRange
from rulesets.kit import HIGHEST, ROWS, Count, Finding, Gauge, Name, Nudge, Part, Play, SheetKey, Wording, field, rows

if TYPE_CHECKING:
    from rulesets.daemmersturm.sheet import Daemmersturm

ELEMENTS = {"fire": _("Fire"), "water": _("Water"), "earth": _("Earth"), "air": _("Air")}
Element = Literal["fire", "water", "earth", "air"]
CONDITIONS = {"sickness": _("Sickness"), "cramps": _("Cramps"), "faint": _("Unconscious"), "other": _("Something else")}
ConditionKind = Literal["sickness", "cramps", "faint", "other"]
SICK, FAINT = 5, 6  # The malus of sickness, and the highest defence while unconscious (DS-58).
SOUGHT = 10
"""The number that the cover roll of a character seeking protection must reach (DS-44)."""
POOLS = {"action_points": _("Action points"), "focus_points": _("Focus points"), "magic_points": _("Magic points")}
Pool = Literal["action_points", "focus_points", "magic_points"]


class Condition(Part):
    """A condition that lasts some turns or until it is ended, with its damage over time if any (DS-45, DS-58)."""

    kind: ConditionKind = field(_("Kind"), "other", choices=CONDITIONS)
    name: Name = field(_("What it is"), "")
    turns: Count | None = field(_("Turns left"), None, help=_("Leave empty to last until you end it."))
    damage: OpenRange = field(_("Damage over time"), "")
    due: bool = field(_("Damage is due"), default=False)

    @property
    def label(self) -> Wording:
        """The name, or the kind."""
        return self.name.strip() or CONDITIONS[self.kind]


class WeaponState(Part):
    """A state of one of the weapons, identified by its row because two may have the same name (DS-29)."""

    weapon: Name = field(_("Weapon"), "")
    place: Count = field(_("Weapon's row"), 0, help=_("0: the first one of that name."))

    @property
    def label(self) -> Wording:
        """The weapon's name, or a placeholder."""
        return self.weapon or _("Unnamed weapon")

    def at(self, sheet: "Daemmersturm") -> int | None:
        """Return the index of its weapon in the sheet; None if it is no longer there."""
        names = [one.name.strip() for one in sheet.weapons]
        # For a weapon without a name, older states store the placeholder, in the language of that time.
        called = names if self.weapon in names else [str(one.label) for one in sheet.weapons]
        if 0 < self.place <= len(called) and called[self.place - 1] == self.weapon:
            return self.place - 1
        # Older states store only the name, and rows may have moved.
        return called.index(self.weapon) if self.weapon in called else None


class PoisonedWeapon(WeaponState):
    """Poison on a weapon (DS-59)."""

    kind: Poisonable = field(_("Kind"), choices={"none": _("Other"), **KINDS})
    poison: Name = field(_("Poison"), "")
    lasting: bool = field(_("Lasting"), default=False)


class Unready(WeaponState):
    """A weapon that must be reloaded or fixed, or that is destroyed (DS-22, DS-26)."""

    steps: Count = field(_("Actions left"))
    gone: bool = field(_("Destroyed"), default=False)


class PendingCounterAttack(Part):
    """A counter-attack on an attacker that fumbled, due or made with its damage not rolled yet (DS-22, DS-05a)."""

    by: Name = field(_("Who fumbled"), "")
    source: SheetKey = field(_("Sheet of the one who fumbled"), "", unwritten=True)
    made: bool = field(_("Made, damage not rolled yet"), default=False)
    moves: bool = field(_("May move away instead"), default=True)


class Item(Part):
    """An item at hand that is used up: potions, poisons, ropes, grenades (DS-58 to DS-60)."""

    name: Name = field(_("Name"))
    number: Count = field(_("How many"), 1)
    potion: bool = field(_("A potion"), default=False)


class Spell(Part):
    """A spell with its figures, as noted at the table (DS-03, DS-20, DS-27)."""

    name: Name = field(_("Name"))
    w: Count | None = field(_("W number"), None)
    damage: OpenRange = field(_("Damage"), "")
    targets: OpenRange = field(_("Targets"), "")
    healing: OpenRange = field(_("Healing"), "")

    @property
    def label(self) -> str:
        """The name."""
        return self.name

    def what(self) -> str:
        """Return the W number, damage, targets and healing, as far as there are any."""
        words = [_("W {n}+").format(n=self.w)] if self.w is not None else []
        words += [told.format(range=value) for told, value in (
            (_("damage {range}"), self.damage), (_("targets {range}"), self.targets),
            (_("healing {range}"), self.healing)) if value]
        return ", ".join(map(str, words))


class DaemmersturmPlay(Play):
    """The state of play; figures that are not set are those of the profile."""

    on_board = frozenset({"melee", "ranged", "magic", "shield", "armour"})
    folded = headings.SPECIAL, headings.SENSES
    life: Count | None = field(_("Life points now"), None)
    start: Count | None = field(_("Life at the start of the fight"), None)
    down: bool = field(_("Out of the fight"), default=False)
    exhaustion_due: bool = field(_("Exhaustion roll due"), default=False)
    exhausted_by: Literal["life", "mana"] | None = field(
        _("Why it is due"), None, choices={"life": _("Life points"), "mana": _("Mana")})
    action_points: Count = field(_("Action points spent"), 0)
    focus_points: Count = field(_("Focus points spent"), 0)
    magic_points: Count = field(_("Magic points spent"), 0)
    resource: Resource | None = field(_("Magic resource of this fight"), None, choices=RESOURCES)
    element: Element | None = field(_("Element of the round"), None, choices=ELEMENTS)
    element_points: Count = field(_("Points left for it"), 0)
    shadow_used: Count = field(_("Shadow points used this round"), 0)
    shadow_owed: Count = field(_("Damage still to deal for shadow"), 0)
    channelling: Count | None = field(_("Rounds of channelling left"), None)
    disturbed: bool = field(_("Channelling disturbed"), default=False)
    disturbances: Count = field(_("Hits still to roll for"), 0)
    sheltered: Count = field(_("Turns spent seeking protection"), 0)
    counters: list[PendingCounterAttack] = rows(_("Counter-attacks after a fumble"), [])
    acted: bool = field(_("Action of this turn used"), default=False, unwritten=True)
    cover: Count = field(_("Cover number"), 0, help=_("0: none."))
    potions: Count = field(_("Potions in this Kampfabschnitt"), 0)
    conditions: list[Condition] = rows(_("Conditions"), [])
    poisons: list[PoisonedWeapon] = rows(_("Poisoned weapons"), [])
    unready: list[Unready] = rows(_("Not ready"), [])
    items: list[Item] = rows(_("Items"), [])
    spells: list[Spell] = rows(_("Spells"), [])

    @model_validator(mode="before")
    @classmethod
    def convert_older_state(cls, data: Any) -> Any:
        """Convert older states, which store how many counter-attacks are due and if one is made, but no attacker."""
        due = data.get("counters", 0) if isinstance(data, dict) else []
        if not isinstance(due, int) or not {"counters", "struck"} & {*data}:
            return data
        rest = {key: value for key, value in data.items() if key not in ("counters", "struck")}
        made = [{"made": True}] if data.get("struck") else []
        return {**rest, "counters": [{}] * min(due, ROWS - len(made)) + made}

    @model_validator(mode="after")
    def in_order(self) -> "DaemmersturmPlay":
        """Raise ValueError if there are element points without an element or a disturbance without channelling."""
        if (self.element_points and not self.element) or (self.disturbed and self.channelling is None):
            raise ValueError(_("Element points need an element; a disturbance needs channelling."))
        return self

    def evolve(self, **changes: Any) -> "DaemmersturmPlay":
        """Return a copy with these fields changed."""
        return self.model_copy(update=changes)

    def max_life(self, sheet: "Daemmersturm") -> int:
        """Return the life at the start of the fight (DS-10)."""
        return sheet.life if self.start is None else self.start

    def life_left(self, sheet: "Daemmersturm") -> int:
        """Return the life points left."""
        return self.max_life(sheet) if self.life is None else min(self.life, self.max_life(sheet))

    def with_life(self, sheet: "Daemmersturm", life: int) -> "DaemmersturmPlay":
        """Return the state with life set, between 0 and that at the start; 0 puts the character out (DS-32)."""
        most = self.max_life(sheet)
        down = self.down or life <= 0
        due = self.exhaustion_due and not down
        after = self.evolve(life=None if life >= most else max(0, life), exhaustion_due=due,
                            exhausted_by=self.exhausted_by if due else None)
        return after.put_out_of_fight() if down else after

    def put_out_of_fight(self) -> "DaemmersturmPlay":
        """Return the state of a character out of the fight, which ends all that it had begun (DS-32)."""
        return self.evolve(down=True, channelling=None, disturbed=False, disturbances=0, sheltered=0, cover=0,
                           counters=[], shadow_owed=0)

    def with_damage(self, sheet: "Daemmersturm", points: int) -> "DaemmersturmPlay":
        """Return the state with life lowered; damage disturbs channelling (DS-54)."""
        after = self.with_life(sheet, self.life_left(sheet) - points)
        if not points or after.channelling is None:
            return after
        return after.evolve(disturbed=True, disturbances=min(HIGHEST, self.owed + 1))

    @property
    def owed(self) -> int:
        """The number of due rolls for whether the spell holds, one for each hit (DS-54)."""
        return max(self.disturbances, int(self.disturbed))

    @property
    def cover_roll(self) -> int:
        """The number a cover roll must reach: the lower of the GM's and 10 for seeking protection; 0 without cover."""
        return min(filter(None, (self.cover, self.sheltered and SOUGHT)), default=0)

    def exhausted(self, sheet: "Daemmersturm") -> bool:
        """Return True if life sank to 5 or less in this fight; starting with so little does not count (DS-50)."""
        return notices.EXHAUSTED >= self.life_left(sheet) < self.max_life(sheet)

    def row_for_weapon(self, kind: str, sheet: "Daemmersturm", index: int) -> Any:
        """Return the row for one of the sheet's weapons in a list ("poisons", "unready"), None if there is none."""
        return next((one for one in getattr(self, kind) if one.at(sheet) == index), None)

    @property
    def malus(self) -> int:
        """The malus that sickness puts on all values but life (DS-58)."""
        return SICK if any(condition.kind == "sickness" for condition in self.conditions) else 0

    @property
    def faint(self) -> bool:
        """True while a condition keeps the character from moving and acting (DS-58)."""
        return any(condition.kind == "faint" for condition in self.conditions)

    def resource_in_use(self, sheet: "Daemmersturm") -> str:
        """Return the magic resource of this fight (DS-06)."""
        return self.resource or sheet.resource

    def pool_size(self, sheet: "Daemmersturm", pool: str) -> int:
        """Return the points of a full pool in a Kampfabschnitt, by the base bonus (`sheet` without conditions)."""
        return getattr(sheet.model_copy(update={"resource": self.resource_in_use(sheet)}), pool)()

    def points_left(self, sheet: "Daemmersturm", pool: str) -> int:
        """Return the points of a pool that are left; shadow is not spent, it limits a round (DS-57)."""
        shadow = pool == "magic_points" and self.resource_in_use(sheet) == "shadow"
        return max(0, self.pool_size(sheet, pool) - (self.shadow_used if shadow else getattr(self, pool)))

    def to_text(self, sheet: "Daemmersturm", name: str) -> tuple[Wording, str] | None:
        """Return (title, profile line with the life and points left), None if all are full (DS-07)."""
        most = {"life": sheet.life, **{pool: getattr(sheet, pool)() for pool in POOLS}}
        left = {"life": self.life_left(sheet), **{pool: self.points_left(sheet, pool) for pool in POOLS}}
        return (_("Profile line as it stands now"), line.profile_text(sheet, name, left)) if left != most else None

    def gauges(self, sheet: "Daemmersturm") -> Iterator[Gauge]:
        """Yield the life and the three pools."""
        yield Gauge("life", _("Life points"), self.life_left(sheet), self.max_life(sheet),
                    self.nudge(sheet, "damage", points=1), self.nudge(sheet, "heal", points=1))
        for pool, title in POOLS.items():
            if most := self.pool_size(sheet, pool):
                yield Gauge(pool, title, self.points_left(sheet, pool), most, *self.nudges(sheet, pool))

    def nudges(self, sheet: "Daemmersturm", pool: str) -> tuple[Nudge | None, Nudge | None]:
        """Return the nudges to spend and regain a point; light has a test instead (DS-55), shadow is not regained."""
        own = {"shadow": "use-shadow", "elements": "use-element", "light": ""}
        spend = own.get(self.resource_in_use(sheet), "spend") if pool == "magic_points" else "spend"
        less = self.nudge(sheet, spend, pool, points=1, what="") if spend == "spend" else \
            self.nudge(sheet, spend, points=1) if spend else None
        return less, None if spend == "use-shadow" else self.nudge(sheet, "get-back", pool, points=1)

    def effective(self, sheet: "Daemmersturm") -> "Daemmersturm":
        """Return the sheet with the chosen resource and the effects of conditions on its values (DS-58)."""
        changes = {"resource": self.resource} if self.resource else {}
        for key in ("melee", "ranged", "magic"):
            skill = getattr(sheet, key)
            attack, defence = max(-HIGHEST, skill.attack - self.malus), max(0, skill.defence - self.malus)
            if self.faint:
                defence = min(FAINT, defence)
            if (attack, defence) != (skill.attack, skill.defence):
                changes[key] = skill.model_copy(update={"attack": attack, "defence": defence})
        return sheet.model_copy(update=changes) if changes else sheet

    def board(self, sheet: "Daemmersturm") -> Any:
        """Return the next acts, the current figures, protection, what the armour forbids, the states of weapons."""
        return {"next_buttons": [*board.next_buttons(sheet, self)], "next_acts": board.NEXT_ACTS,
                "figures": [*board.figures(sheet, self.effective(sheet))], "protection": [*board.protection(sheet)],
                "prohibition": sheet.armour_prohibition, "weapons": [*board.weapons(sheet, self)]}

    def notices(self, sheet: "Daemmersturm") -> Iterator[Finding]:
        """Yield what is due, and what limits the turn."""
        yield from notices.for_sheet(sheet, self)

"""Damage, to one or to many, and what a critical hit or a fumble does to it (DS-21 to DS-24, DS-27, DS-33)."""

from collections import defaultdict
from collections.abc import Iterator, Mapping
from fractions import Fraction
from typing import Annotated, Any, ClassVar, Literal

from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext_lazy
from pydantic import Field

from rulesets.daemmersturm import headings
from rulesets.daemmersturm.rolls.body import Exhaustion
from rulesets.daemmersturm.rolls.protection import Armour, Cover, Shield
from rulesets.daemmersturm.texts import Range, span
from rulesets.dice import Outcome, Tray, totals
from rulesets.kit import ATTACK_PHRASES, HIGHEST, Luck, Offer, Roll, field

DAMAGE = ngettext_lazy("{n} damage", "{n} damage", "n")
CRITICALS = {
    0: _("No critical hit"),
    1: _("1 (1-5 extra damage)"),
    2: _("2 (double damage)"),
    3: _("3 (double damage and 1-10 extra)"),
    4: _("4 (triple damage)"),
    5: _("5 (triple damage, at least 20)"),
    6: _("6 (triple damage, at least 30, and an exhaustion roll)"),
}
"""The meaning of the die of a critical hit (DS-21)."""
FACTOR = (1, 1, 2, 2, 3, 3, 3)
MORE = {1: 5, 3: 10}
LEAST = {5: 20, 6: 30}
"""By the die of the critical hit: the factor of the damage, the sides of the added die, the minimum."""
Source = Literal["other", "melee", "behind", "ranged", "magic", "explosive", "artillery"]
SOURCES = {
    "other": _("Something else"), "melee": _("Melee"), "behind": _("Melee, from behind"), "ranged": _("A shot"),
    "magic": _("Magic"), "explosive": _("An explosive"), "artillery": _("Artillery"),
}
"""Sources of damage, on which protection depends (DS-41 to DS-43)."""
UNSHIELDED = ("behind", "explosive", "artillery")
"""Sources whose damage neither shield nor armour stops (DS-24, DS-27, DS-42)."""
Victim = Literal["target", "own", "friend"]
VICTIMS = {"target": _("The target"), "own": _("Whoever rolls"), "friend": _("An ally")}
"""Victims of damage (DS-22, DS-28)."""
MAX_SINGLE_OFFERS = 12
"""The most targets for which damage is offered one by one."""
ROLLS = 20
"""The most damage rolls that may be added up in one hit; from behind there are two (DS-24)."""


class Damage(Roll):
    """DS-23, DS-24, DS-21: the weapon's range, rolled once or more, then changed by a critical hit."""

    range: Range = field(_("Damage range"), samples=("1-10", "1-6"))
    rolls: Annotated[int, Field(ge=1, le=ROLLS)] = field(_("Damage rolls"), 1, help=_("From behind: 2."))
    critical: Annotated[int, Field(ge=0, le=6)] = field(
        _("Critical hit die"), 0, help=_("0 if the hit is not critical."))
    source: Source = field(_("From what"), "other", choices=SOURCES)
    victim: Victim = field(_("Who it hits"), "target", choices=VICTIMS)
    title, unit = _("Damage"), DAMAGE
    rules: ClassVar[tuple[str, ...]] = ("DS-23", "DS-24", "DS-21")
    group, forfeited = headings.AFTER, True

    def throw(self, tray: Tray) -> Outcome:
        """Throw all damage rolls together, then the extra die of a critical hit."""
        faces = span(self.range)
        base = sum(tray.die(faces) for _roll in range(self.rolls))
        more = tray.die(MORE[self.critical]) if self.critical in MORE else 0
        return Outcome(self.harm(base, more), base=base)

    def what_is_luck(self) -> Luck:
        """Return "more" if the target takes the damage, else "less"."""
        return "more" if self.victim == "target" else "less"

    def harm(self, base: int, more: int) -> int:
        """Return the damage rolled as changed by the critical hit; `more` is its extra die."""
        return max(base * FACTOR[self.critical] + more, LEAST.get(self.critical, 0))

    def count(self) -> Mapping[Any, int | Fraction]:
        """Return {damage: number of ways} by adding up sums, because there may be too many faces to replay."""
        found = defaultdict(int)
        added = range(1, MORE[self.critical] + 1) if self.critical in MORE else (0,)
        for base, ways in totals(self.rolls, tuple(span(self.range))):
            # A critical hit with an extra die has no minimum, so the die can be added last: there are 200,000 sums.
            harm = self.harm(base, 0)
            for more in added:
                found[harm + more] += ways
        return found

    def tell(self, outcome: Outcome) -> str:
        """Return the damage, after a critical hit with the number rolled and the effect on it."""
        if not self.critical:
            return self.label(outcome.value)
        return _("{base} rolled, critical hit {what}: {damage}").format(
            base=outcome.figures["base"], what=CRITICALS[self.critical], damage=self.label(outcome.value))

    def follow(self, outcome: Outcome) -> Iterator[Offer]:
        """Yield the armour roll, which comes after the damage because it depends on it (DS-40, DS-42)."""
        if outcome.value and self.source not in UNSHIELDED:
            note = _("The armour of whoever was hit; not where shields are ignored.")
            yield Armour.offer(note=note, damage=min(outcome.value, HIGHEST))


class StrikeBack(Damage):
    """DS-22: the damage of a melee fumble's target that hits back, if no character was targeted that could choose."""

    range: Range = field(_("Damage range of the target's weapon"), samples=("1-10", "1-6"))
    source: Source = field(_("From what"), "melee", choices=SOURCES)
    victim: Victim = field(_("Who it hits"), "own", choices=VICTIMS)
    title, rules = _("The target strikes back and hits"), ("DS-22", "DS-23")


class CounterAttack(Roll):
    """DS-22: the attack of a melee fumble's target, which hits automatically, without a die."""

    title, rules, group = _("Counter-attack"), ("DS-22",), headings.ATTACK
    outcomes, good, log_phrases = {"hit": _("hit")}, ("hit",), ATTACK_PHRASES

    def throw(self, tray: Tray) -> Outcome:
        """Return a hit without any throw."""
        return Outcome("hit")

    def tell(self, outcome: Outcome) -> str:
        """Return the outcome without figures."""
        return str(_("It hits automatically"))

    def follow(self, outcome: Outcome) -> Iterator[Offer]:
        """Yield the rolls that follow any hit."""
        yield Shield.offer(note=_("The target's, if it has one."))
        yield Damage.offer(rolls=1, critical=0, source="melee", victim="target")


class Targets(Roll):
    """DS-27, DS-33: the number of targets that are hit."""

    range: Range = field(_("Range of targets"), samples=("1-4", "1-3"))
    critical: Annotated[int, Field(ge=0, le=6)] = field(
        _("Critical hit die"), 0, help=_("0 if the hit is not critical."))
    friends: bool = field(_("The targets are on your own side"), default=False)
    title, rules = _("Targets"), ("DS-27", "DS-33", "DS-31")
    group, forfeited = headings.AFTER, True
    unit = ngettext_lazy("{n} target", "{n} targets", "n")

    def throw(self, tray: Tray) -> Outcome:
        """Throw one die over the range, on which all numbers are equally likely."""
        return Outcome(tray.die(span(self.range)))

    def what_is_luck(self) -> Luck:
        """Return "more", but "less" if the targets are on the actor's own side."""
        return "less" if self.friends else "more"

    def tell(self, outcome: Outcome) -> str:
        """Return the number of targets, and of creatures in a swarm, of which three count as one target."""
        return _("{targets} (in a swarm up to {n})").format(targets=self.label(outcome.value), n=3 * outcome.value)

    def follow(self, outcome: Outcome) -> Iterator[Offer]:
        """Yield the protection and the damage of each target (DS-40)."""
        yield Cover.offer(note=_("Each target's; 10+ for anyone seeking protection."))
        yield Shield.offer(note=_("Each target's, against a spell only."))
        if self.friends:
            yield Damage.offer(_("Damage to yourself"), "own", victim="own", note=_(
                "If the GM counts you among the targets; then one fewer of the others is hit."))
        known: dict[str, Any] = {"critical": self.critical} if self.critical else {}
        known["victim"] = "friend" if self.friends else "target"
        for number in range(1, min(outcome.value, MAX_SINGLE_OFFERS) + 1):
            yield Damage.offer(_("Damage to target {n}").format(n=number), str(number), **known)


class Critical(Roll):
    """DS-21: the die of a critical hit."""

    area: bool = field(_("An area spell"), default=False)
    title, rules, group = _("Critical hit"), ("DS-21", "DS-27"), headings.AFTER
    good, chance_label, forfeited, luckiest = (4, 5, 6), _("triple damage"), True, "more"

    def throw(self, tray: Tray) -> Outcome:
        """Throw one die."""
        return Outcome(tray.die(6))

    def tell(self, outcome: Outcome) -> str:
        """Return the effect of the number."""
        return str(CRITICALS[outcome.value])

    def follow(self, outcome: Outcome) -> Iterator[Offer]:
        """Yield the damage of the critical hit, for each target in an area; a normal enemy may go down on a 6."""
        if self.area:
            yield Targets.offer(note=_("The critical hit counts for everyone's damage."), branch="area",
                                critical=outcome.value, friends=False)
        yield Damage.offer(note=_("For a spell on one target.") if self.area else "", branch="single",
                           critical=outcome.value, victim="target")
        if outcome.value == 6:
            yield Exhaustion.offer(note=_("For a normal enemy, at once."), without_target=True)


class CriticalHeal(Roll):
    """DS-21: the factor of a critical heal."""

    title, rules, unit = _("Critical heal"), ("DS-21",), _("times {n}")
    group = headings.AFTER

    def throw(self, tray: Tray) -> Outcome:
        """Throw a 2 or a 3."""
        return Outcome(tray.die(range(2, 4)))

    def follow(self, outcome: Outcome) -> Iterator[Offer]:
        """Yield the roll for the amount of healing, multiplied by the result (DS-21)."""
        yield Healing.offer(factor=outcome.value)


class Healing(Roll):
    """DS-10, DS-21: the life points that a heal restores, times 2 or 3 if it is critical."""

    range: Range = field(_("Range of the healing"), samples=("1-10", "1-6"))
    factor: Annotated[int, Field(ge=1, le=3)] = field(_("Multiplier"), 1, help=_("2 or 3 if the heal is critical."))
    title, rules = _("Amount of healing"), ("DS-10", "DS-21")
    unit = ngettext_lazy("{n} life point", "{n} life points", "n")
    group = headings.AFTER

    def throw(self, tray: Tray) -> Outcome:
        """Throw one die over the range and multiply it."""
        base = tray.die(span(self.range))
        return Outcome(base * self.factor, base=base)

    def tell(self, outcome: Outcome) -> str:
        """Return the healing; after a critical heal with the throw and the factor."""
        if self.factor == 1:
            return self.label(outcome.value)
        return _("{base} rolled, times {n}: {healed}").format(
            base=outcome.figures["base"], n=self.factor, healed=self.label(outcome.value))


class Escalation(Roll):
    """DS-22, DS-28: the consequences of a fumble."""

    area: bool = field(_("Explosive or artillery"), default=False)
    title, rules, group = _("Fumble escalation"), ("DS-22", "DS-28"), headings.AFTER
    good, chance_label = (2, 3), _("your own side spared")

    def throw(self, tray: Tray) -> Outcome:
        """Throw 1 to 3."""
        return Outcome(tray.die(3))

    def tell(self, outcome: Outcome) -> str:
        """Return whether the actor's own side takes the damage."""
        if outcome.value == 1:
            return str(_("1: all the damage hits your own side; an ally in the line of fire is spared") if self.area
                       else _("1: all the damage hits the caster; an ally in the line of fire is spared"))
        return _("{n}: your own side is spared the damage").format(n=outcome.value)

    def follow(self, outcome: Outcome) -> Iterator[Offer]:
        """Yield, after a 1, the damage to the caster, or to as many of the own side as an explosion has targets."""
        if outcome.value == 1 and self.area:
            yield Targets.offer(_("Targets on your own side"), friends=True)
        elif outcome.value == 1:
            yield Shield.offer(note=_("The caster's."))
            yield Damage.offer(_("Damage to the caster"), victim="own")

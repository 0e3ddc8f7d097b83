"""Explosives, artillery and area spells; potions and poison (DS-27, DS-58, DS-59)."""

from collections.abc import Iterator
from typing import Literal

from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from rulesets.daemmersturm import headings
from rulesets.daemmersturm.catalogue import KINDS, POISON_BONUS, Poisonable
from rulesets.daemmersturm.rolls.damage import Critical, CriticalHeal, Damage, Escalation, Targets
from rulesets.daemmersturm.rolls.protection import Cover, Shield
from rulesets.daemmersturm.texts import Bonus, Faces, faces, summand
from rulesets.dice import Outcome, Tray
from rulesets.kit import Count, Extreme, Offer, Roll, field, numeral

SIDE_EFFECTS = {
    1: _("1 (sickness, all values except life −5 for four turns)"),
    2: _("2 (cramps, no actions for three turns)"),
    3: _("3 (unconscious for three turns, all defences 6)"),
    4: _("4 (loses 10 life at once)"),
    5: _("5 (no side effect)"),
}
"""The effects of a further potion in the same Kampfabschnitt (DS-58)."""


FUMBLES = {
    "explosive": _("It goes off early."), "artillery": _("The artillery explodes."),
    "spell": _("Escalation; heals and strengthening spells cannot fumble."),
}
"""The meaning of a fumble of the W roll (DS-22)."""


class WRoll(Roll):
    """DS-27: whether an explosive, a piece of artillery or a spell works."""

    bonus: Bonus = field(_("Bonus"), help=_("The ranged bonus; for spells, the magic bonus."))
    target: Count = field(_("W number"), start=12)
    kind: Literal["explosive", "artillery", "spell"] = field(
        _("Kind"), "explosive",
        choices={"explosive": KINDS["explosive"], "artillery": KINDS["artillery"], "spell": _("Spell")})
    criticals: Faces = field(
        _("Critical numbers"), "20", help=_("Only for a spell; explosives and artillery have none."))
    fumbles: Faces = field(_("Fumble numbers"), "1", help=_("Leave empty for heals and strengthening spells."))
    slug = "w-roll"
    title, rules, sides = _("W roll"), ("DS-27", "DS-21", "DS-22"), 20
    group = headings.ATTACK
    outcomes = {"critical": _("critical success"), "success": _("success"), "failure": _("failure"),
                "fumble": _("fumble")}
    good, chance_label = ("critical", "success"), pgettext_lazy("daemmersturm chance", "success")
    chain = "attack"

    def extreme(self, outcome: Outcome) -> Extreme:
        """DS-27: mark a spell's critical success, and a fumble."""
        return headings.EXTREMES.get(outcome.value, "")

    def throw(self, tray: Tray) -> Outcome:
        """Throw the dice; a 1 fumbles, only a spell may be critical, and a number that is both just fails."""
        natural = tray.die(20)
        critical = self.kind == "spell" and natural in faces(self.criticals)
        fumble = natural in faces(self.fumbles)
        if critical or fumble:
            value = "failure" if critical and fumble else "critical" if critical else "fumble"
        else:
            value = "success" if natural != 1 and natural + self.bonus >= self.target else "failure"
        return Outcome(value, natural=natural)

    def tell(self, outcome: Outcome) -> str:
        """Return the sum and the number that it must reach, in words."""
        natural = outcome.figures["natural"]
        told = _("{natural} {bonus} = {total} against {target}+: {outcome}").format(
            natural=natural, bonus=summand(self.bonus), total=numeral(natural + self.bonus),
            target=self.target, outcome=self.label(outcome.value))
        return f"{told}. {FUMBLES[self.kind]}" if outcome.value == "fumble" else told

    def follow(self, outcome: Outcome) -> Iterator[Offer]:
        """Yield the roll for the number of targets; after a critical spell, its dice; after a fumble, escalation."""
        # Explosives and artillery ignore shields, and armour with them.
        then: dict[str, None] = {} if self.kind == "spell" else {"shield": None, "armour": None}
        if outcome.value == "fumble":
            spell = self.kind == "spell"
            note = "" if spell else _("On 1 it hits the area of the crew or the thrower.")
            yield Escalation.offer(note=note, then=then, area=not spell)
        elif outcome.value == "critical":
            yield Critical.offer(note=_("For a spell that harms."), area=True)
            yield CriticalHeal.offer(note=_("For a spell that heals."))
        if outcome.value == "success":
            yield Targets.offer(note=_("Whatever their defences; explosives and artillery ignore shields."),
                                then=then, branch="area", friends=False)
            if self.kind == "spell":
                yield Shield.offer(note=_("The target's, if it has one."), branch="single")
                yield Cover.offer(note=_("The target's, if it is in cover; not in melee."), branch="single")
                yield Damage.offer(note=_("For a spell on one target."), branch="single", critical=0,
                                   victim="target")


class Potion(Roll):
    """DS-58: the side effects of every potion after the first."""

    title, rules = _("Side effects of a potion"), ("DS-58",)
    good, chance_label = (5,), _("no side effect")
    group = headings.AFTER

    def throw(self, tray: Tray) -> Outcome:
        """Throw 1 to 5."""
        return Outcome(tray.die(5))

    def tell(self, outcome: Outcome) -> str:
        """Say what it does."""
        return str(SIDE_EFFECTS[outcome.value])


class Poison(Roll):
    """DS-59: whether the poison on a weapon works."""

    weapon: Poisonable = field(
        _("Weapon"), "none", choices={"none": _("Other"), **{kind: KINDS[kind] for kind in KINDS}})
    title, rules, sides = _("Poison"), ("DS-59",), 20
    group, chance_label = headings.AFTER, pgettext_lazy("daemmersturm chance", "effective")
    outcomes = {"works": pgettext_lazy("poison", "works"), "fails": _("does not work")}

    def throw(self, tray: Tray) -> Outcome:
        """Throw the die with the weapon's bonus; 15 succeeds."""
        total = tray.die(20) + POISON_BONUS.get(self.weapon, 0)
        return Outcome("works" if total >= 15 else "fails", total=total)

    def tell(self, outcome: Outcome) -> str:
        """Return the total, then what it means."""
        return f"{outcome.figures['total']}: {self.label(outcome.value)}"

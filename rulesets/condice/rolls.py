"""The rolls of ConDice: successes on six-sided dice (CD-40 to CD-48, CD-53)."""

from collections import Counter
from collections.abc import Container, Mapping
from fractions import Fraction
from itertools import accumulate
from typing import Any, ClassVar

from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext_lazy, pgettext_lazy

from rulesets.dice import Odds, Outcome, Tray, totals
from rulesets.kit import ATTACK_PHRASES, HIGHEST, Count, Roll, Wording, field

WORTH = (0, 0, 0, 1, 1, 2)
"""Successes by face: 4 and 5 count once, a 6 twice (CD-40)."""

DEFENCE, RESISTANCE = 3, 2
"""The defence and mental resistance of a typical opponent."""
ATTACKS, MIND, LIFE, EFFECTS, TABLE = _("Attacks"), _("Mind and abilities"), _("Life"), _("Effects"), _("At the table")
"""The headings under which rolls and acts stand."""

SUCCESSES = ngettext_lazy("{n} success", "{n} successes", "n")
DAMAGE = ngettext_lazy("{n} damage", "{n} damage", "n")
DICE = ngettext_lazy("{n} die", "{n} dice", "n")
RANGE = ngettext_lazy("range {n} square", "range {n} squares", "n")
LIFE_POINTS = ngettext_lazy("{n} life point", "{n} life points", "n")
OF_LIFE = pgettext_lazy("condice chance", "life")


class Success(Roll):
    """CD-40: successes of a pool."""

    dice: Count = field(_("Dice"), least=1)
    title, rules, unit = _("Success roll"), ("CD-40",), SUCCESSES
    group, chance_label = TABLE, pgettext_lazy("condice chance", "success")

    def throw(self, tray: Tray) -> Outcome:
        """Return the number of successes."""
        return Outcome(tray.total(self.dice, WORTH))

    def count(self) -> Mapping[Any, int | Fraction]:
        """Count by sums instead of single dice, because a pool may have hundreds of them."""
        return Counter(dict(totals(self.dice, WORTH)))


class _Damage(Roll):
    """Successes minus what protects, never below 0."""

    unit = DAMAGE
    group, chance_label, log_phrases = ATTACKS, pgettext_lazy("condice chance", "hit"), ATTACK_PHRASES

    def against(self, tray: Tray, dice: int, protection: int) -> Outcome:
        """Return the damage of `dice` against a protection value."""
        successes = tray.total(dice, WORTH)
        return Outcome(max(0, successes - protection), successes=successes)

    def counted(self, dice: int, protection: int) -> Counter:
        """Return {damage: ways to roll it}, computed from sums: pools of hundreds of dice are too many to replay."""
        found = Counter()
        for successes, ways in totals(dice, WORTH):
            found[max(0, successes - protection)] += ways
        return found

    def tell(self, outcome: Outcome) -> str:
        """Return the successes, then the damage left of them."""
        return f"{SUCCESSES.format(n=outcome.figures['successes'])}, {self.label(outcome.value)}"


class Attack(_Damage):
    """CD-41: an attack against a target within range."""

    dice: Count = field(_("Dice"), least=1)
    defence: Count = field(_("Defence of the target"), 0, target_figure="defence", start=DEFENCE)
    extra_dice: Count = field(_("Extra dice"), 0, help=_("As agreed at the table."))
    title, rules = _("Attack"), ("CD-41",)

    def pool(self) -> int:
        """Return the number of dice, extra ones included."""
        return self.dice + self.extra_dice

    def throw(self, tray: Tray) -> Outcome:
        """Damage after the target's defence."""
        return self.against(tray, self.pool(), self.defence)

    def count(self) -> Mapping[Any, int | Fraction]:
        """Count by sums of successes, because a pool may have hundreds of dice."""
        return self.counted(self.pool(), self.defence)


class MentalDamage(_Damage):
    """CD-43: a mental attack that harms."""

    dice: Count = field(_("Dice"), least=1)
    resistance: Count = field(_("Mental resistance of the target"), 0, target_figure="mental_resistance",
                              start=RESISTANCE)
    title, rules, group = _("Mental attack with damage"), ("CD-43",), MIND

    def throw(self, tray: Tray) -> Outcome:
        """Damage after the target's mental resistance."""
        return self.against(tray, self.dice, self.resistance)

    def count(self) -> Mapping[Any, int | Fraction]:
        """Count by sums of successes, because a pool may have hundreds of dice."""
        return self.counted(self.dice, self.resistance)


class DrainLife(MentalDamage):
    """CD-29: life taken from the unwilling, a mental attack; nobody loses more than is left."""

    life: Count = field(_("Life points of the target"), HIGHEST, target_figure="life_points", start=10)
    missing: Count = field(_("Life points that you lack"), HIGHEST, start=10)
    title, rules = _("Take life by force"), ("CD-29",)

    def throw(self, tray: Tray) -> Outcome:
        """Return the damage, and as `taken` the part that the target has and the taker lacks."""
        outcome = super().throw(tray)
        return Outcome(outcome.value, **outcome.figures, taken=min(outcome.value, self.life, self.missing))


class Explosion(_Damage):
    """CD-53: one pool against each adjacent field."""

    dice: Count = field(_("Dice, and damage to yourself"))
    defence: Count = field(_("Defence of the target"), 0, target_figure="defence", start=DEFENCE)
    title, rules = _("Explosion"), ("CD-53", "CD-31")

    def throw(self, tray: Tray) -> Outcome:
        """Damage to one neighbour."""
        return self.against(tray, self.dice, self.defence)


class MentalAttack(Roll):
    """CD-42: a mental attack without damage; the defender rolls too, a tie defends."""

    dice: Count = field(_("Dice"), least=1)
    resistance: Count = field(_("Mental resistance of the target"), target_figure="mental_resistance", start=RESISTANCE)
    title, rules, group = _("Mental attack"), ("CD-42", "CD-54"), MIND
    chance_label: ClassVar[Wording] = pgettext_lazy("condice chance", "success")
    outcomes = {"works": _("works"), "fails": _("fails")}

    def own_dice(self, thrown: int) -> Container[int]:
        """Return the positions of the attacker's dice, which come first (CD-49)."""
        return range(self.dice)

    def throw(self, tray: Tray) -> Outcome:
        """Roll for both sides."""
        attack, defence = tray.total(self.dice, WORTH), tray.total(self.resistance, WORTH)
        return Outcome("works" if attack > defence else "fails", attack=attack, defence=defence)

    def count(self) -> Counter[str]:
        """Count by running sums, because hundreds of dice a side would make millions of pairs."""
        below = dict(enumerate(accumulate(ways for _sum, ways in totals(self.resistance, WORTH)), 1))
        works = sum(ways * below.get(min(attack, len(below)), 0) for attack, ways in totals(self.dice, WORTH))
        return Counter(works=works, fails=6 ** (self.dice + self.resistance) - works)

    def tell(self, outcome: Outcome) -> str:
        """Return the successes of both sides and the outcome."""
        figures = outcome.figures
        return _("{attack} against {defence}: {outcome}").format(**figures, outcome=self.label(outcome.value))


class BreakFree(MentalAttack):
    """CD-54: both sides roll again; the victim stays held only if the attack works once more."""

    title, rules = _("Breaking free"), ("CD-54", "CD-42")
    outcomes = {"held": _("stays held"), "free": _("breaks free")}
    good, chance_label = ("free",), pgettext_lazy("condice chance", "free")

    def throw(self, tray: Tray) -> Outcome:
        """The mental attack once more."""
        outcome = super().throw(tray)
        return Outcome("held" if outcome.value == "works" else "free", **outcome.figures)

    def count(self) -> Counter[str]:
        """Return the ways to stay held and to be free: those in which the attack works or fails."""
        found = super().count()
        return Counter(held=found["works"], free=found["fails"])


class BreakLoose(BreakFree):
    """CD-54: breaking free as the victim rolls it: its own dice are those of the resistance (CD-49)."""

    dice: Count = field(_("Attack dice"), least=1)
    resistance: Count = field(_("Your mental resistance"))

    def own_dice(self, thrown: int) -> Container[int]:
        """Return the positions of the resistance dice, which come last."""
        return range(self.dice, thrown)


class MentalDefence(Roll):
    """CD-44: the target of a mental attack rolls its own resistance."""

    dice: Count = field(_("Mental resistance"))
    successes: Count = field(_("Attacker's successes"), least=1)
    title, rules, group = _("Mental defence"), ("CD-44",), MIND
    outcomes = {"defended": _("defended"), "overcome": _("overcome")}

    def throw(self, tray: Tray) -> Outcome:
        """Return the own successes; as many as the attacker's, or more, defend."""
        own = tray.total(self.dice, WORTH)
        return Outcome("defended" if own >= self.successes else "overcome", successes=own)

    def tell(self, outcome: Outcome) -> str:
        """Return the own successes, then the outcome."""
        return f"{SUCCESSES.format(n=outcome.figures['successes'])}: {self.label(outcome.value)}"


class Healing(Roll):
    """CD-48: one die, whose result is the life points that each character regains."""

    characters: Count = field(_("Characters healed"), 1, least=1)
    title, rules, unit, group = _("Healing"), ("CD-48", "CD-24"), LIFE_POINTS, MIND

    def gist(self, odds: Odds) -> str:
        """Return the gist with the unit of the mean."""
        return f"{super().gist(odds)} {OF_LIFE}"

    def pool(self) -> int:
        """One die."""
        return 1

    def throw(self, tray: Tray) -> Outcome:
        """One die."""
        return Outcome(tray.die(6))


class OwnHealing(Healing):
    """CD-24, CD-48: the die by which a character heals itself; the extra characters regain as much."""

    title = _("Own healing")


class AttributeLoss(Roll):
    """CD-46: the attribute that loses points at 0 life; the GM rolls."""

    title, rules, group = _("Attribute that loses points"), ("CD-46", "CD-49"), TABLE
    repeatable = False
    outcomes = {
        "movement": _("Movement"),
        "attack": _("One attack"),
        "defence": _("Defence"),
        "life": _("Life"),
        "mental_resistance": _("Mental resistance"),
        "ability": _("One special ability"),
    }

    def throw(self, tray: Tray) -> Outcome:
        """Return the attribute at the place of the die's face in `outcomes`."""
        return Outcome(list(self.outcomes)[tray.die(6) - 1])


class LossPoints(Roll):
    """CD-46: how many points the attribute loses."""

    title, rules, group = _("Points lost"), ("CD-46", "CD-49"), TABLE
    repeatable = False
    unit, luckiest = ngettext_lazy("{n} point", "{n} points", "n"), "less"

    def throw(self, tray: Tray) -> Outcome:
        """One die."""
        return Outcome(tray.die(6))

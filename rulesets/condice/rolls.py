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

SUCCESSES_BY_FACE = (0, 0, 0, 1, 1, 2)
"""The successes for the faces 1 to 6: 4 and 5 count once, a 6 twice (CD-40)."""

TYPICAL_DEFENCE, TYPICAL_RESISTANCE = 3, 2
"""The defence and mental resistance of a typical opponent."""
# The headings under which rolls and acts are listed.
ATTACKS_HEADING = _("Attacks")
MIND_HEADING = _("Mind and abilities")
LIFE_HEADING = _("Life")
EFFECTS_HEADING = _("Effects")
TABLE_HEADING = _("At the table")

SUCCESSES = ngettext_lazy("{n} success", "{n} successes", "n")
DAMAGE = ngettext_lazy("{n} damage", "{n} damage", "n")
DICE = ngettext_lazy("{n} die", "{n} dice", "n")
RANGE = ngettext_lazy("range {n} square", "range {n} squares", "n")
LIFE_POINTS = ngettext_lazy("{n} life point", "{n} life points", "n")
OF_LIFE = pgettext_lazy("condice chance", "life")


class Success(Roll):
    """CD-40: the successes of a pool of dice."""

    dice: Count = field(_("Dice"), least=1)
    title, rules, unit = _("Success roll"), ("CD-40",), SUCCESSES
    group, chance_label = TABLE_HEADING, pgettext_lazy("condice chance", "success")

    def throw(self, tray: Tray) -> Outcome:
        """Return the number of successes."""
        return Outcome(tray.total(self.dice, SUCCESSES_BY_FACE))

    def count(self) -> Mapping[Any, int | Fraction]:
        """Return the weight of each sum; a pool may have hundreds of dice, too many to replay one by one."""
        return Counter(dict(totals(self.dice, SUCCESSES_BY_FACE)))


class _Damage(Roll):
    """Base of the rolls for damage: successes minus a protection value, never below 0."""

    unit = DAMAGE
    group, chance_label, log_phrases = ATTACKS_HEADING, pgettext_lazy("condice chance", "hit"), ATTACK_PHRASES

    def throw_against(self, tray: Tray, dice: int, protection: int) -> Outcome:
        """Throw `dice` dice and return the damage against a protection value."""
        successes = tray.total(dice, SUCCESSES_BY_FACE)
        return Outcome(max(0, successes - protection), successes=successes)

    def count_against(self, dice: int, protection: int) -> Counter:
        """Return {damage: ways to roll it}, computed from sums, because pools may have hundreds of dice."""
        weights = Counter()
        for successes, ways in totals(dice, SUCCESSES_BY_FACE):
            weights[max(0, successes - protection)] += ways
        return weights

    def tell(self, outcome: Outcome) -> str:
        """Return the successes and the damage in words."""
        return f"{SUCCESSES.format(n=outcome.figures['successes'])}, {self.label(outcome.value)}"


class Attack(_Damage):
    """CD-41: an attack against a target within range."""

    dice: Count = field(_("Dice"), least=1)
    defence: Count = field(_("Defence of the target"), 0, target_figure="defence", start=TYPICAL_DEFENCE)
    extra_dice: Count = field(_("Extra dice"), 0, help=_("As agreed at the table."))
    title, rules = _("Attack"), ("CD-41",)

    def pool(self) -> int:
        """Return the number of dice, extra ones included."""
        return self.dice + self.extra_dice

    def throw(self, tray: Tray) -> Outcome:
        """Return the damage after the target's defence."""
        return self.throw_against(tray, self.pool(), self.defence)

    def count(self) -> Mapping[Any, int | Fraction]:
        """Return {damage: ways to roll it}."""
        return self.count_against(self.pool(), self.defence)


class MentalDamage(_Damage):
    """CD-43: a mental attack that does damage."""

    dice: Count = field(_("Dice"), least=1)
    resistance: Count = field(_("Mental resistance of the target"), 0, target_figure="mental_resistance",
                              start=TYPICAL_RESISTANCE)
    title, rules, group = _("Mental attack with damage"), ("CD-43",), MIND_HEADING

    def throw(self, tray: Tray) -> Outcome:
        """Return the damage after the target's mental resistance."""
        return self.throw_against(tray, self.dice, self.resistance)

    def count(self) -> Mapping[Any, int | Fraction]:
        """Return {damage: ways to roll it}."""
        return self.count_against(self.dice, self.resistance)


class DrainLife(MentalDamage):
    """CD-29: the mental attack that takes life from the unwilling, never more than they have left."""

    life: Count = field(_("Life points of the target"), HIGHEST, target_figure="life_points", start=10)
    missing: Count = field(_("Life points that you lack"), HIGHEST, start=10)
    title, rules = _("Take life by force"), ("CD-29",)

    def throw(self, tray: Tray) -> Outcome:
        """Return the damage, with `taken` as the life moved: at most what the target has and what the actor lacks."""
        outcome = super().throw(tray)
        return Outcome(outcome.value, **outcome.figures, taken=min(outcome.value, self.life, self.missing))


class Explosion(_Damage):
    """CD-53: one pool of dice against every adjacent square."""

    dice: Count = field(_("Dice, and damage to yourself"))
    defence: Count = field(_("Defence of the target"), 0, target_figure="defence", start=TYPICAL_DEFENCE)
    title, rules = _("Explosion"), ("CD-53", "CD-31")

    def throw(self, tray: Tray) -> Outcome:
        """Return the damage to one neighbour."""
        return self.throw_against(tray, self.dice, self.defence)


class MentalAttack(Roll):
    """CD-42: a mental attack without damage; the defender rolls too and wins ties."""

    dice: Count = field(_("Dice"), least=1)
    resistance: Count = field(_("Mental resistance of the target"), target_figure="mental_resistance",
                              start=TYPICAL_RESISTANCE)
    title, rules, group = _("Mental attack"), ("CD-42", "CD-54"), MIND_HEADING
    chance_label: ClassVar[Wording] = pgettext_lazy("condice chance", "success")
    outcomes = {"works": _("works"), "fails": _("fails")}

    def own_dice(self, thrown: int) -> Container[int]:
        """Return the positions of the attacker's dice, which come first (CD-49)."""
        return range(self.dice)

    def throw(self, tray: Tray) -> Outcome:
        """Throw the dice of both sides; the attack works if it has more successes."""
        attack, defence = tray.total(self.dice, SUCCESSES_BY_FACE), tray.total(self.resistance, SUCCESSES_BY_FACE)
        return Outcome("works" if attack > defence else "fails", attack=attack, defence=defence)

    def count(self) -> Counter[str]:
        """Return {outcome: ways}, by cumulative sums, because hundreds of dice a side would make millions of pairs."""
        defences = totals(self.resistance, SUCCESSES_BY_FACE)
        ways_below = dict(enumerate(accumulate(ways for _sum, ways in defences), 1))
        works = sum(ways * ways_below.get(min(attack, len(ways_below)), 0)
                    for attack, ways in totals(self.dice, SUCCESSES_BY_FACE))
        return Counter(works=works, fails=6 ** (self.dice + self.resistance) - works)

    def tell(self, outcome: Outcome) -> str:
        """Return the successes of both sides and the outcome."""
        figures = outcome.figures
        return _("{attack} against {defence}: {outcome}").format(**figures, outcome=self.label(outcome.value))


class BreakFree(MentalAttack):
    """CD-54: both sides roll again, and the victim stays held only if the attack works again. The holder rolls."""

    title, rules = _("Breaking free"), ("CD-54", "CD-42")
    outcomes = {"held": _("stays held"), "free": _("breaks free")}
    good, chance_label = ("free",), pgettext_lazy("condice chance", "free")

    def throw(self, tray: Tray) -> Outcome:
        """Throw the mental attack again, and return whether the victim stays held."""
        outcome = super().throw(tray)
        return Outcome("held" if outcome.value == "works" else "free", **outcome.figures)

    def count(self) -> Counter[str]:
        """Return {outcome: ways}: as many to stay held as for the attack to work, the rest to break free."""
        ways = super().count()
        return Counter(held=ways["works"], free=ways["fails"])


class BreakFreeAsVictim(BreakFree):
    """CD-54: breaking free when the victim rolls; its own dice are those of the resistance (CD-49)."""

    slug = "break-loose"

    dice: Count = field(_("Attack dice"), least=1)
    resistance: Count = field(_("Your mental resistance"))

    def own_dice(self, thrown: int) -> Container[int]:
        """Return the positions of the resistance dice, which come last (CD-49)."""
        return range(self.dice, thrown)


class MentalDefence(Roll):
    """CD-44: the target of a mental attack rolls its resistance against the attacker's successes."""

    dice: Count = field(_("Mental resistance"))
    successes: Count = field(_("Attacker's successes"), least=1)
    title, rules, group = _("Mental defence"), ("CD-44",), MIND_HEADING
    outcomes = {"defended": _("defended"), "overcome": _("overcome")}

    def throw(self, tray: Tray) -> Outcome:
        """Return the outcome with the defender's successes; a tie defends."""
        successes = tray.total(self.dice, SUCCESSES_BY_FACE)
        return Outcome("defended" if successes >= self.successes else "overcome", successes=successes)

    def tell(self, outcome: Outcome) -> str:
        """Return the defender's successes and the outcome in words."""
        return f"{SUCCESSES.format(n=outcome.figures['successes'])}: {self.label(outcome.value)}"


class Healing(Roll):
    """CD-48: one die for the number of life points that each character regains."""

    characters: Count = field(_("Characters healed"), 1, least=1)
    title, rules, unit, group = _("Healing"), ("CD-48", "CD-24"), LIFE_POINTS, MIND_HEADING

    def gist(self, odds: Odds) -> str:
        """Return the odds in a few words, with the unit of the mean."""
        return f"{super().gist(odds)} {OF_LIFE}"

    def pool(self) -> int:
        """Return 1: healing always rolls one die."""
        return 1

    def throw(self, tray: Tray) -> Outcome:
        """Return the result of one die."""
        return Outcome(tray.die(6))


class OwnHealing(Healing):
    """CD-24, CD-48: the die with which a character heals itself; the extra characters regain as much."""

    title = _("Own healing")


class AttributeLoss(Roll):
    """CD-46: the attribute that loses points at 0 life; the GM rolls."""

    title, rules, group = _("Attribute that loses points"), ("CD-46", "CD-49"), TABLE_HEADING
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
        """Return the attribute whose number in `outcomes`, counted from 1, the die shows."""
        return Outcome(list(self.outcomes)[tray.die(6) - 1])


class LossPoints(Roll):
    """CD-46: how many points the attribute loses."""

    title, rules, group = _("Points lost"), ("CD-46", "CD-49"), TABLE_HEADING
    repeatable = False
    unit, luckiest = ngettext_lazy("{n} point", "{n} points", "n"), "less"

    def throw(self, tray: Tray) -> Outcome:
        """Return the result of one die."""
        return Outcome(tray.die(6))

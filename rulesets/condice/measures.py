"""Figures that compare a character with its party: best attack, endurance, mental defence (CD-41, CD-42)."""

from collections.abc import Iterator
from fractions import Fraction
from functools import lru_cache
from typing import TYPE_CHECKING

from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext_lazy

from rulesets.condice import rolls
from rulesets.condice.hints import ATTACK_DICE, MENTAL_DICE
from rulesets.condice.rolls import TYPICAL_DEFENCE
from rulesets.kit import MEAN_DAMAGE, Measure, best, mean_of, survival_chance

if TYPE_CHECKING:
    from rulesets.condice.sheet import ConDice

ATTACK_COUNT = 6
"""The number of attacks that the character has to survive."""
_ATTACK = _("Damage with the best attack against defence {defence}")
_STANDS = ngettext_lazy("Still standing after {n} attack with {dice} dice",
                        "Still standing after {n} attacks with {dice} dice", "n")
_MIND = _("Withstands a mental attack with {dice} dice")


def for_sheet(sheet: "ConDice") -> Iterator[Measure]:
    """Yield the measures; the damage of a character without attacks is 0."""
    mean, index = best((_mean_damage(one.dice), index) for index, one in enumerate(sheet.attacks))
    path, source = ("", "") if index is None else (f"attacks.{index}", sheet.attacks[index].label)
    yield Measure("attack", _ATTACK.format(defence=TYPICAL_DEFENCE), mean, path=path, source=source,
                  short=MEAN_DAMAGE)
    yield Measure("stands", _STANDS.format(n=ATTACK_COUNT, dice=ATTACK_DICE),
                  _chance_to_stand(sheet.life_points(), sheet.defence), chance=True, path="life")
    yield Measure("mind", _MIND.format(dice=MENTAL_DICE), _chance_to_withstand(sheet.mental_resistance), chance=True,
                  path="mental_resistance")


@lru_cache(1024)
def _mean_damage(dice: int) -> Fraction:
    return mean_of(rolls.Attack(dice=dice, defence=TYPICAL_DEFENCE).odds())


@lru_cache(1024)
def _chance_to_stand(life: int, defence: int) -> Fraction:
    return survival_chance(life, rolls.Attack(dice=ATTACK_DICE, defence=defence).odds(), ATTACK_COUNT)


@lru_cache(1024)
def _chance_to_withstand(resistance: int) -> Fraction:
    return rolls.MentalAttack(dice=MENTAL_DICE, resistance=resistance).odds().chances.get("fails", Fraction(0))

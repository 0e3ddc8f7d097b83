"""Figures to compare a character with its party: best attack, staying power, mental defence (CD-41, CD-42)."""

from collections.abc import Iterator
from fractions import Fraction
from functools import lru_cache
from typing import TYPE_CHECKING

from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext_lazy

from rulesets.condice import rolls
from rulesets.condice.hints import ATTACK, MENTAL
from rulesets.condice.rolls import DEFENCE
from rulesets.kit import MEAN_DAMAGE, Measure, best, mean_of, survival_chance

if TYPE_CHECKING:
    from rulesets.condice.sheet import ConDice

BLOWS = 6
"""The number of attacks that a character is tested against."""
_ATTACK = _("Damage with the best attack against defence {defence}")
_STANDS = ngettext_lazy("Still standing after {n} attack with {dice} dice",
                        "Still standing after {n} attacks with {dice} dice", "n")
_MIND = _("Withstands a mental attack with {dice} dice")


def of(sheet: "ConDice") -> Iterator[Measure]:
    """Yield the measures; the damage of a character without attacks is 0."""
    mean, index = best((_damage(one.dice), index) for index, one in enumerate(sheet.attacks))
    path, source = ("", "") if index is None else (f"attacks.{index}", sheet.attacks[index].label)
    yield Measure("attack", _ATTACK.format(defence=DEFENCE), mean, path=path, source=source,
                  short=MEAN_DAMAGE)
    yield Measure("stands", _STANDS.format(n=BLOWS, dice=ATTACK), _stands(sheet.life_points(), sheet.defence),
                  chance=True, path="life")
    yield Measure("mind", _MIND.format(dice=MENTAL), _firm(sheet.mental_resistance), chance=True,
                  path="mental_resistance")


@lru_cache(1024)
def _damage(dice: int) -> Fraction:
    return mean_of(rolls.Attack(dice=dice, defence=DEFENCE).odds())


@lru_cache(1024)
def _stands(life: int, defence: int) -> Fraction:
    return survival_chance(life, rolls.Attack(dice=ATTACK, defence=defence).odds(), BLOWS)


@lru_cache(1024)
def _firm(resistance: int) -> Fraction:
    return rolls.MentalAttack(dice=MENTAL, resistance=resistance).odds().chances.get("fails", Fraction(0))

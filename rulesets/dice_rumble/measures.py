"""Figures to compare a character with its party: best weapon, staying power, best talent (DR-07, DR-12, DR-13)."""

from collections.abc import Iterator
from fractions import Fraction
from functools import lru_cache
from typing import TYPE_CHECKING

from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext_lazy

from rulesets.dice_rumble import rolls
from rulesets.dice_rumble.hints import chance
from rulesets.dice_rumble.talents import BRAWL
from rulesets.kit import HIGHEST, MEAN_DAMAGE, Measure, Wording, best, mean_of, survival_chance

if TYPE_CHECKING:
    from rulesets.dice_rumble.sheet import DiceRumble

OPPONENT, DUELS = 6, 3
"""The threshold of a typical opponent, and the number of duels with one that a character is tested against."""
_ATTACK = _("Damage with the best attack without a reaction")
_STANDS = ngettext_lazy("Still standing after {n} duel with threshold {threshold}",
                        "Still standing after {n} duels with threshold {threshold}", "n")
_TEST = _("Succeeds with the best talent")


def for_sheet(sheet: "DiceRumble") -> Iterator[Measure]:
    """Yield the measures, without those that need an attribute that is not chosen yet."""
    arms = [*_arms(sheet)]
    mean, weapon = best((_damage(threshold, damage), (path, label)) for threshold, damage, path, label in arms)
    if weapon:
        yield Measure("attack", _ATTACK, mean, path=weapon[0], source=weapon[1], short=MEAN_DAMAGE)
    if (life := sheet.life()) is not None and arms:
        yield Measure("stands", _STANDS.format(n=DUELS, threshold=OPPONENT),
                      _stands(life, max(threshold for threshold, *_rest in arms)), chance=True)
    known = [(index, one, threshold) for index, one in enumerate(sheet.talents)
             if (threshold := sheet.threshold(one)) is not None]
    good, talent = best((chance(threshold), (f"talents.{index}", one.label)) for index, one, threshold in known)
    if talent:
        yield Measure("test", _TEST, good, chance=True, path=talent[0], source=talent[1])


def _arms(sheet: "DiceRumble") -> Iterator[tuple[int, int, str, Wording]]:
    """Yield (threshold, damage, path, name) of each weapon, and of bare hands."""
    arms = [(one.talent, one.damage, f"weapons.{index}", one.label) for index, one in enumerate(sheet.weapons)]
    for name, damage, path, label in [*arms, (BRAWL, 0, "", _("Unarmed"))]:
        talent = sheet.talent(name)
        threshold = None if talent is None else sheet.threshold(talent)
        if threshold is not None:
            yield min(HIGHEST, threshold), damage, path, label


@lru_cache(1024)
def _damage(threshold: int, weapon: int) -> Fraction:
    return mean_of(rolls.Attack(threshold=threshold, weapon=weapon).odds())


@lru_cache(1024)
def _stands(life: int, threshold: int) -> Fraction:
    return survival_chance(life, rolls.DuelDamage(threshold=OPPONENT, opponent=threshold).odds(), DUELS)

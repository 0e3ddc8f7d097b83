"""Hints on what a point is worth: chances against a typical opponent, now and with one more point."""

from collections.abc import Callable, Iterator
from fractions import Fraction
from functools import lru_cache
from typing import TYPE_CHECKING

from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext_lazy

from rulesets.condice import rolls
from rulesets.condice.rolls import TYPICAL_DEFENCE, TYPICAL_RESISTANCE
from rulesets.kit import HIGHEST, Wording, cached_text, decimal, join, percent

if TYPE_CHECKING:
    from rulesets.condice.sheet import ConDice

ATTACK_DICE, MENTAL_DICE = 5, 4
"""The dice of a typical opponent's attack, and of its mental attack."""

_DICE = ngettext_lazy(
    "{n} die: {mean} successes on average; it does damage against defence {defence} {chance} of the time "
    "({more} with one more die).",
    "{n} dice: {mean} successes on average; they do damage against defence {defence} {chance} of the time "
    "({more} with one more die).", "n",
)
_NO_DICE = _("No dice yet; with the first one, the chance of damage against defence {defence} is {more}.")
_FIRST = _("No dice yet; one alone does nothing against defence {defence}.")
_DEFENCE = _("An attack with {dice} dice does damage {chance} of the time ({more} with one more point).")
_LIFE = ngettext_lazy("{n} life point ({more} with one more point).",
                      "{n} life points ({more} with one more point).", "n")
_RESISTANCE = _("A mental attack with {dice} dice works {chance} of the time ({more} with one more point).")
_MOVEMENT = ngettext_lazy("{n} square per movement ({more} with one more point).",
                          "{n} squares per movement ({more} with one more point).", "n")
_MENTAL = _("Against mental resistance {resistance} it works {chance} of the time ({more} with one more die).")


def for_sheet(sheet: "ConDice") -> Iterator[tuple[str, str]]:
    """Yield (path, text) for each figure that can be raised by a point."""
    yield "defence", _defence(sheet.defence)
    yield "life", _LIFE.format(n=2 * sheet.life, more=2 * sheet.life + 2)
    yield "mental_resistance", _resistance(sheet.mental_resistance)
    yield "movement", _MOVEMENT.format(n=sheet.movement, more=sheet.movement + 1)
    for index, attack in enumerate(sheet.attacks):
        yield join("attacks", index), _attack(attack.dice)
    for index, one in enumerate(sheet.abilities):
        if dice := getattr(one, "dice", 0):
            yield join("abilities", index), _mental(dice)


@cached_text
def _defence(points: int) -> Wording:
    chances = _now_and_next(lambda defence: _damage_chance(ATTACK_DICE, defence), points)
    return _DEFENCE.format(dice=ATTACK_DICE, **chances)


@cached_text
def _resistance(points: int) -> Wording:
    chances = _now_and_next(lambda resistance: _mental_chance(MENTAL_DICE, resistance), points)
    return _RESISTANCE.format(dice=MENTAL_DICE, **chances)


@cached_text
def _attack(dice: int) -> Wording:
    chances = _now_and_next(lambda number: _damage_chance(number, TYPICAL_DEFENCE), dice)
    if not dice and not _damage_chance(1, TYPICAL_DEFENCE):
        return _FIRST.format(defence=TYPICAL_DEFENCE)
    if not dice:
        return _NO_DICE.format(defence=TYPICAL_DEFENCE, **chances)
    mean = rolls.Success(dice=dice).odds().mean or 0
    return _DICE.format(n=dice, mean=decimal(mean), defence=TYPICAL_DEFENCE, **chances)


@cached_text
def _mental(dice: int) -> Wording:
    chances = _now_and_next(lambda number: _mental_chance(number, TYPICAL_RESISTANCE), dice)
    return _MENTAL.format(resistance=TYPICAL_RESISTANCE, **chances)


def _now_and_next(chance: Callable[[int], Fraction | int], points: int) -> dict[str, str]:
    """Return {"chance": the percentage with these points, "more": that with one more point}."""
    points = min(points, HIGHEST - 1)
    return {"chance": percent(chance(points)), "more": percent(chance(points + 1))}


# Cached, because the chance with one more point is needed again once that point is bought.
@lru_cache(256)
def _damage_chance(dice: int, defence: int) -> Fraction | int:
    return rolls.Attack(dice=dice, defence=defence).odds().at_least(1)


@lru_cache(256)
def _mental_chance(dice: int, resistance: int) -> Fraction | int:
    return rolls.MentalAttack(dice=dice, resistance=resistance).odds().chances.get("works", 0)

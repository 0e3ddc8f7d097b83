"""What a point does: chances against typical opponents, now and with one more."""

from collections.abc import Iterator
from functools import lru_cache

from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext_lazy

from rulesets.condice import rolls
from rulesets.kit import HIGHEST, decimal, join, percent

DEFENCE, ATTACK, MENTAL, RESISTANCE = 3, 5, 4, 2
"""The opponents that hints speak of: a defence, an attack's dice, a mental attack's dice, a mental resistance."""
KEPT = 1024
"""Chances that are remembered: a change of a sheet leaves nearly all of them what they were."""

_DICE = ngettext_lazy(
    "{n} die: {mean} successes on average, damage against defence {defence} in {chance}; one more: {more}.",
    "{n} dice: {mean} successes on average, damage against defence {defence} in {chance}; one more: {more}.", "n",
)
_NO_DICE = _("No dice yet: the first one does damage against defence {defence} in {more}.")
_DEFENCE = _("An attack with {dice} dice does damage in {chance}; with one more point in {more}.")
_LIFE = ngettext_lazy("{n} life point; one more point: {more}.", "{n} life points; one more point: {more}.", "n")
_RESISTANCE = _("A mental attack with {dice} dice works in {chance}; with one more point in {more}.")
_MOVEMENT = ngettext_lazy("{n} field a movement; one more point: {more}.",
                          "{n} fields a movement; one more point: {more}.", "n")
_MENTAL = _("Against mental resistance {resistance} it works in {chance}; with one more die in {more}.")


def of(sheet) -> Iterator[tuple[str, str]]:
    """(path, text) for everything whose next point changes a chance."""
    hurt, works = _twice(_harm, ATTACK, sheet.defence, of_second=True), _twice(
        _mental, MENTAL, sheet.mental_resistance, of_second=True)
    yield "defence", _DEFENCE.format(dice=ATTACK, **hurt)
    yield "life", _LIFE.format(n=2 * sheet.life, more=2 * sheet.life + 2)
    yield "mental_resistance", _RESISTANCE.format(dice=MENTAL, **works)
    yield "movement", _MOVEMENT.format(n=sheet.movement, more=sheet.movement + 1)
    for index, attack in enumerate(sheet.attacks):
        chances = _twice(_harm, attack.dice, DEFENCE)
        mean = decimal(_mean(attack.dice))
        text = _DICE.format(n=attack.dice, mean=mean, defence=DEFENCE, **chances) if attack.dice else \
            _NO_DICE.format(defence=DEFENCE, **chances)
        yield join("attacks", index), text
    for index, one in enumerate(sheet.abilities):
        dice = getattr(one, "dice", 0)
        if dice:
            yield join("abilities", index), _MENTAL.format(resistance=RESISTANCE, **_twice(_mental, dice, RESISTANCE))


def _twice(chance, dice: int, against: int, *, of_second=False) -> dict[str, str]:
    """A chance now, and with one more of what one buys."""
    dice, against = min(dice, HIGHEST - 1), min(against, HIGHEST - 1)
    more = chance(dice, against + 1) if of_second else chance(dice + 1, against)
    return {"chance": percent(chance(dice, against)), "more": percent(more)}


@lru_cache(KEPT)
def _harm(dice: int, defence: int):
    return rolls.Attack(dice=dice, defence=defence).odds().at_least(1)


@lru_cache(KEPT)
def _mental(dice: int, resistance: int):
    return rolls.MentalAttack(dice=dice, resistance=resistance).odds().chances.get("works", 0)


@lru_cache(KEPT)
def _mean(dice: int):
    return rolls.Success(dice=dice).odds().mean

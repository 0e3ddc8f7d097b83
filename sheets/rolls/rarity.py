"""How rare an outcome is, in one sentence."""

from fractions import Fraction
from typing import Any

from django.utils.translation import gettext as _

from rulesets.dice import Odds
from rulesets.kit import Roll
from rulesets.work import TooMuch
from sheets.rolls.odds_chart import cached_by_roll, odds_of


def rarity(roll: Roll, value: Any) -> str:
    """“That much or more: in 28 of 100 rolls”; "" where the budget does not suffice or nothing else can fall."""
    try:
        return _rarity(roll, value)
    except TooMuch:
        return ""


@cached_by_roll
def _rarity(roll: Roll, value: Any) -> str:
    odds = odds_of(roll)
    if value not in odds.weights or len(odds.weights) == 1:
        return ""
    reading, chance = _read(odds, value)
    return f"{reading}: {_often(chance)}"


def _read(odds: Odds, value: Any) -> tuple[str, Fraction]:
    """How an outcome is compared with the others, and the chance of that: words and even odds only with themselves."""
    exactly, more = odds.chances[value], odds.at_least(value) if isinstance(value, int) else Fraction(1)
    less = 1 - more + exactly
    if value not in odds.numbers or len({*odds.weights.values()}) == 1 or value == min(odds.numbers):
        return _("Exactly that"), exactly
    if len(odds.numbers) < len(odds.weights) or more <= less:
        return _("That much or more"), more
    return _("That much at the most"), less


def _often(chance: Fraction) -> str:
    """A chance of more than 0 and less than 1 as so many of a hundred, or of a thousand where it is small."""
    if chance >= Fraction(199, 200):
        return _("in more than 99 of 100 rolls")
    if chance >= Fraction(1, 100):
        return _("in {n} of 100 rolls").format(n=round(100 * chance))
    if chance >= Fraction(1, 1000):
        return _("in {n} of 1,000 rolls").format(n=round(1000 * chance))
    return _("more rarely than in 1 of 1,000 rolls")

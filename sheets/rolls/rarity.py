"""How rare an outcome is, in one sentence, and whether one hopes for it."""

from fractions import Fraction
from typing import Any

from django.utils.text import capfirst
from django.utils.translation import gettext as _

from rulesets.dice import Odds
from rulesets.kit import Roll
from rulesets.work import TooMuch
from sheets.rolls.odds_chart import cached_by_roll, odds_of


def rarity(roll: Roll, value: Any) -> str:
    """“1 damage or more: in 28 of 100 rolls”; "" where all fall alike or the budget does not suffice."""
    try:
        return _rarity(roll, value)
    except TooMuch:
        return ""


def met(roll: Roll, value: Any) -> bool:
    """Whether an outcome is what one hopes for; False where the budget does not suffice to know that."""
    try:
        return roll.meets(value, odds_of(roll))
    except TooMuch:
        return False


@cached_by_roll
def _rarity(roll: Roll, value: Any) -> str:
    odds = odds_of(roll)
    if value not in odds.weights or len({*odds.weights.values()}) == 1:
        return ""
    label = capfirst(roll.label(value))
    reading, chance = _number(odds, value, label) if value in odds.numbers else _word(roll, odds, value, label)
    return f"{reading}: {_often(chance)}"


def _number(odds: Odds, value: int, label: str) -> tuple[str, Fraction]:
    """How a number is compared with the others, and the chance of that: the least with itself."""
    exactly, more = odds.chances[value], odds.at_least(value)
    if value == min(odds.numbers):
        return _("Exactly {outcome}").format(outcome=label) if label.isdecimal() else label, exactly
    if len(odds.numbers) < len(odds.weights) or more <= 1 - more + exactly:
        return _("{outcome} or more").format(outcome=label), more
    return _("{outcome} or less").format(outcome=label), 1 - more + exactly


def _word(roll: Roll, odds: Odds, value: Any, label: str) -> tuple[str, Fraction]:
    """How a word is compared: where some are good, from it to the best, or to the worst; else with itself alone."""
    words = [one for one in roll.outcomes if one in odds.weights]
    if len(words) > 2 and roll.good and not odds.numbers:
        best_first = words if words[0] in roll.good else words[::-1]
        place = best_first.index(value)
        beyond = best_first[:place] if value in roll.good else best_first[place + 1:]
        if beyond:
            reading = _("{outcome} or better") if value in roll.good else _("{outcome} or worse")
            return reading.format(outcome=label), sum((odds.chances[one] for one in (value, *beyond)), Fraction())
    return label, odds.chances[value]


def _often(chance: Fraction) -> str:
    """A chance of more than 0 and less than 1 as so many of a hundred, or of a thousand where it is small."""
    if chance >= Fraction(199, 200):
        return _("in more than 99 of 100 rolls")
    if chance >= Fraction(1, 100):
        return _("in {n} of 100 rolls").format(n=round(100 * chance))
    if chance >= Fraction(1, 1000):
        return _("in {n} of 1,000 rolls").format(n=round(1000 * chance))
    return _("more rarely than in 1 of 1,000 rolls")

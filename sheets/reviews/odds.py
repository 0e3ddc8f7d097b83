"""What became of a roll's odds, in as few words as tell it."""

from collections.abc import Iterator, Sequence
from fractions import Fraction
from functools import lru_cache, reduce
from typing import Any

from django.utils.translation import gettext as _

from rulesets.dice import Odds
from rulesets.kit import Roll, decimal, percent
from sheets.reviews.told import Figure

LISTED = 2
"""Outcomes that are told of a roll that was not there before, or is gone: the likeliest ones."""


def shifts(before: Roll | None, after: Roll | None) -> Iterator[Figure]:
    """What became of the odds: the mean of numbers; of words the chance of those that tell the two apart best.

    Nothing where both are the same roll. A roll that is there on one side alone is told by its likeliest outcomes.
    """
    if before == after:
        return
    either = after or before
    old, new = (one and _odds(type(one), one.model_dump_json()) for one in (before, after))
    words = [value for value in either.outcomes if any(one and value in one.chances for one in (old, new))]
    for some in _decisive(words, old, new):
        label = reduce(lambda one, other: _("{one} or {other}").format(one=one, other=other), map(either.label, some))
        yield from _differing(str(label), *(one and percent(_chance(one, some)) for one in (old, new)))
    means = [one and _mean(one) for one in (old, new)]
    if any(one is not None for one in means):
        title = _("otherwise on average") if words else _("on average")
        yield from _differing(title, *(None if one is None else decimal(one) for one in means))
    if either.beside:
        beside = [one and percent(_besides(type(one), one.model_dump_json())) for one in (before, after)]
        yield from _differing(str(either.beside[2]), *beside)


def _differing(title: str, before: str | None, after: str | None) -> Iterator[Figure]:
    if before != after:
        yield Figure(title, before, after)


def _decisive(words: Sequence[Any], old: Odds | None, new: Odds | None) -> list[Sequence[Any]]:
    """The outcomes to tell: where they are parted into those declared first and the rest, the parting that moved most.

    Of the two sides of it the shorter one is told.
    """
    if old is None or new is None:
        odds = (old or new).chances
        return [[value] for value in sorted(words, key=lambda value: -odds.get(value, 0))[:LISTED]]
    parted = [(words[:at], words[at:]) for at in range(1, len(words) + 1)]
    shift, best = max(((abs(_chance(new, first) - _chance(old, first)), (first, rest)) for first, rest in parted),
                      key=lambda one: one[0], default=(0, None))
    if not shift:
        return []
    first, rest = best
    return [rest if 0 < len(rest) < len(first) else first]


def _chance(odds: Odds, values: Sequence[Any]) -> Fraction:
    return sum((odds.chances.get(value, Fraction(0)) for value in values), Fraction(0))


def _mean(odds: Odds) -> Fraction | None:
    """The mean of the outcomes that are numbers, where one of them comes; None without any."""
    numbers = {value: chance for value, chance in odds.chances.items() if isinstance(value, int)}
    whole = sum(numbers.values())
    return sum(value * chance for value, chance in numbers.items()) / whole if whole else None


# A history compares the same states again and again, and each of their rolls.
@lru_cache(512)
def _odds(roll: type[Roll], given: str) -> Odds:
    return roll.model_validate_json(given).odds()


@lru_cache(512)
def _besides(roll: type[Roll], given: str) -> Fraction:
    return sum(roll.model_validate_json(given).both().values(), Fraction(0))

"""The change of a roll's odds, as briefly as possible."""

from collections.abc import Iterator, Sequence
from fractions import Fraction
from functools import reduce
from math import lcm
from typing import Any

from django.utils.translation import gettext as _
from pydantic import ValidationError

from rulesets.cached import cached_by_size
from rulesets.dice import Odds
from rulesets.kit import Roll, decimal, percent
from rulesets.work import TooMuch
from sheets.diff.changes import Figure
from sheets.rolls.widgets import Widget

NONE = Fraction(0)
LISTED = 2
"""The number of outcomes that are shown of a roll that was added or removed: the likeliest ones."""
HIGHEST = 200
"""The largest value for which odds are calculated: no game gets that far, and a hundred such rolls take long."""
TRIED = range(4, 21, 4)
"""The answers that are tried for an open figure if the first one shows no difference."""


def shifts(before: Widget | None, after: Widget | None) -> Iterator[Figure]:
    """Yield the change of the odds: the mean of numbers, and the chance of the words that differ most clearly.

    Equal rolls yield nothing. If only one state has the roll, its likeliest outcomes are yielded. If the first answers
    show no difference, an open figure gets the answer that shows the largest one.
    """
    old, new = (one.complete if one else None for one in (before, after))
    if old == new:
        return
    if any(type(value) is int and abs(value) > HIGHEST for one in (old, new) if one for value in vars(one).values()):
        yield Figure(_("odds"), None, _("not calculated for values above {n}").format(n=HIGHEST))
        return
    try:
        found = list(_told(old, new)) or (list(_answered(before, after)) if before and after and old and new else [])
    except TooMuch:
        found = [Figure(_("odds"), None, _("not calculated: too many at once"))]
    yield from found


def _answered(before: Widget, after: Widget) -> Iterator[Figure]:
    """Yield the change of the odds for the answer to an open figure with the largest one; the middle of equal ones."""
    for key, slot in after.offer.asks.items():
        if slot.kind == "number" and slot.required and key in before.offer.asks:
            pairs = {answer: pair for answer in TRIED if (pair := _taken(before, after, {key: answer}))}
            apart = {answer: _distance(*pair) for answer, pair in pairs.items()}
            if most := max(apart.values(), default=0):
                tied = [answer for answer, distance in apart.items() if distance == most]
                answer = tied[len(tied) // 2]
                yield from (Figure(f"{one.title} ({slot.ask.title} {answer})", one.before, one.after)
                            for one in _told(*pairs[answer]))
                return


def _taken(before: Widget, after: Widget, answers: dict[str, int]) -> tuple[Roll, Roll] | None:
    try:
        return before.offer.take(**before.values | answers), after.offer.take(**after.values | answers)
    except ValidationError:
        return None


def _distance(old: Roll, new: Roll) -> Fraction:
    """Return the distance between two rolls: the sum of the differences over all outcomes."""
    a, b = (_odds(one).chances for one in (old, new))
    return sum((abs(a.get(value, NONE) - b.get(value, NONE)) for value in {*a, *b}), NONE)


def _told(before: Roll | None, after: Roll | None) -> Iterator[Figure]:
    either = after or before
    if either is None:
        return
    odds = old, new = [_odds(one) if one else None for one in (before, after)]
    words = [value for value in either.outcomes if any(one and value in one.chances for one in odds)]
    for some in _decisive(words, old, new):
        label = reduce(lambda one, other: _("{one} or {other}").format(one=one, other=other), map(either.label, some))
        yield from _apart(str(label), [percent(_chance(one, some)) if one else None for one in odds])
    means = [_mean(one) if one else None for one in odds]
    if any(one is not None for one in means):
        title = _("otherwise on average") if words else _("on average")
        yield from _apart(title, [None if one is None else decimal(one) for one in means])
    if either.second_reading:
        yield from _apart(str(either.second_reading[2]),
                          [percent(_beside(one)) if one else None for one in (before, after)])


def _apart(title: str, both: list[str | None]) -> Iterator[Figure]:
    if both[0] != both[1]:
        yield Figure(title, *both)


def _decisive(words: Sequence[Any], old: Odds | None, new: Odds | None) -> list[Sequence[Any]]:
    """Return the groups of outcomes to show; for a roll that only one state has, each of the likeliest by itself.

    Otherwise the outcomes, as declared, are split where the chance of the first ones changed most, and the smaller half
    is the only group.
    """
    if old is None or new is None:
        chances = alone.chances if (alone := old or new) else {}
        return [[value] for value in sorted(words, key=lambda value: -chances.get(value, NONE))[:LISTED]]
    moved = {at: abs(_chance(new, words[:at]) - _chance(old, words[:at])) for at in range(1, len(words) + 1)}
    at = max(moved, key=lambda at: moved[at], default=0)
    if not at or not moved[at]:
        return []
    return [words[at:] if 0 < len(words) - at < at else words[:at]]


def _chance(odds: Odds, values: Sequence[Any]) -> Fraction:
    return sum((odds.chances.get(value, Fraction(0)) for value in values), Fraction(0))


def _mean(odds: Odds) -> Fraction | None:
    """Return the mean of the outcomes that are numbers, given that one of them occurs; None if there are none."""
    numbers = {value: chance for value, chance in odds.chances.items() if isinstance(value, int)}
    # Integers over one denominator, because the fractions of many dice are slow to add.
    among = lcm(*(chance.denominator for chance in numbers.values()))
    ways = {value: chance.numerator * (among // chance.denominator) for value, chance in numbers.items()}
    return Fraction(sum(value * way for value, way in ways.items()), sum(ways.values())) if ways else None


def _odds(roll: Roll) -> Odds:
    return _reckoned(type(roll), roll.model_dump_json())


def _beside(roll: Roll) -> Fraction:
    return sum(roll.joint_chances().values(), Fraction(0))


# Cached, because a history compares many states, in which most rows have the same rolls.
@cached_by_size
def _reckoned(roll: type[Roll], given: str) -> Odds:
    return roll.model_validate_json(given).odds()

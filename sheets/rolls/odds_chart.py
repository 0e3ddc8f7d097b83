"""The exact odds of a roll as a chart with one bar per outcome, and the rarity of an outcome as a sentence."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from fractions import Fraction
from functools import wraps
from itertools import groupby
from typing import Any, TypeVar

from django.utils.text import capfirst
from django.utils.translation import get_language
from django.utils.translation import gettext as _

from rulesets.cached import cached_by_size
from rulesets.dice import Odds
from rulesets.kit import ContestOdds, Roll, percent
from rulesets.work import TooMuch

MAX_BARS = 13
"""The most bars of a chart; if there are more outcomes, the last ones share a bar."""
Result = TypeVar("Result")


@dataclass(frozen=True)
class OddsBar:
    """A bar of the chart: its height as a percentage of the highest, and whether its outcome was thrown."""

    label: str
    chance: str
    height: float
    was_thrown: bool
    joint_chance: str = ""
    """The chance of this outcome together with the roll's second reading, "" if it has none."""
    joint_height: float = 0
    """The share of the second reading in the height."""
    hoped_for: bool | None = None
    """True if this outcome is hoped for; None if the roll does not say which ones are."""
    meaning: str = ""
    """The meaning of the outcome if its label is just a number."""


def cached_by_roll(compute: Callable[..., Result]) -> Callable[..., Result]:
    """Cache a function's results for equal rolls in the same language: odds and their texts depend on no more."""
    @cached_by_size
    def computed(cls: type[Roll], parameters: str, _language: str | None, *more: Any) -> Result:
        return compute(cls.model_validate_json(parameters), *more)

    @wraps(compute)
    def cached(roll: Roll, *more: Any) -> Result:
        return computed(type(roll), roll.model_dump_json(), get_language(), *more)

    return cached


@cached_by_size
def _cached_odds(cls: type[Roll], parameters: str) -> Odds:
    return cls.model_validate_json(parameters).odds()


def odds_of(roll: Roll) -> Odds:
    """Return the odds of a roll, which are cached. Raise TooMuch beyond the limit of work."""
    return _cached_odds(type(roll), roll.model_dump_json())


def odds_bars(roll: Roll | ContestOdds, outcome: Any = None) -> tuple[OddsBar, ...]:
    """Return the chart of a roll or of the odds of a contest; empty if that would exceed the limit of work."""
    if not isinstance(roll, Roll):
        return _simple_chart(roll, outcome)
    try:
        return (_chart_with_readings if roll.second_reading else _cached_simple_chart)(roll, outcome)
    except TooMuch:
        return ()


def hoped_percent(bars: Iterable[OddsBar]) -> float | None:
    """Return the share of hoped-for outcomes in the bars as a percentage; None if the roll does not name any."""
    judged = [bar for bar in bars if bar.hoped_for is not None]
    return round(100 * sum(bar.height for bar in judged if bar.hoped_for) / sum(bar.height for bar in judged), 1) \
        if judged else None


def odds_summary(roll: Roll) -> tuple[str, str]:
    """Return a roll's odds in a few words, as (first part, rest); empty texts beyond the limit of work."""
    try:
        return _odds_summary(roll)
    except TooMuch:
        return "", ""


@cached_by_roll
def _odds_summary(roll: Roll) -> tuple[str, str]:
    first, _comma, rest = roll.gist(odds_of(roll)).partition(", ")
    return first, rest


def _simple_chart(roll: Roll | ContestOdds, outcome: Any) -> tuple[OddsBar, ...]:
    if (odds := odds_of(roll) if isinstance(roll, Roll) else roll.odds()) is None:
        return ()
    weights, tail = [*odds.weights.items()], ()
    hoped = roll.hoped_for(odds) if isinstance(roll, Roll) else ()
    if len(weights) > MAX_BARS:
        weights, tail = weights[:MAX_BARS - 1], weights[MAX_BARS - 1:]
    bars = [(roll.label(value) if roll.outcomes else str(value), weight, value == outcome,
             value in hoped if hoped else None) for value, weight in weights]
    if tail:
        bars.append((f"{tail[0][0]}+", sum(weight for _value, weight in tail),
                     any(value == outcome for value, _weight in tail), False if hoped else None))
    highest = max(weight for _label, weight, *_rest in bars)
    return tuple(OddsBar(label, percent(Fraction(weight, odds.whole)), round(100 * weight / highest, 2), was_thrown,
                         hoped_for=hoped_for) for label, weight, was_thrown, hoped_for in bars)


_cached_simple_chart = cached_by_roll(_simple_chart)


@cached_by_roll
def _chart_with_readings(roll: Roll, outcome: Any) -> tuple[OddsBar, ...]:
    """Return the chart of a roll with two readings: each outcome with its share of the second one.

    Neighbouring outcomes with the same label share a bar.
    """
    odds, joint_chances = odds_of(roll), roll.joint_chances()
    chances, hoped = odds.chances, roll.hoped_for(odds)
    found = [(label, [*values]) for label, values in groupby(chances, roll.label)]
    sums = [tuple(sum(some.get(value, 0) for value in values) for some in (chances, joint_chances))
            for _label, values in found]
    highest = max(chance for chance, _joint in sums)
    return tuple(OddsBar(label, percent(chance), round(float(100 * chance / highest), 2), outcome in values,
                         percent(joint), round(float(100 * joint / highest), 2),
                         values[0] in hoped if hoped else None, roll.meaning(values[0]))
                 for (label, values), (chance, joint) in zip(found, sums, strict=True))


@cached_by_roll
def second_reading(roll: Roll) -> tuple[Any, str] | None:
    """Return the name of a roll's second reading and its total chance; None if it has none."""
    return (roll.second_reading[2], percent(sum(roll.joint_chances().values()))) if roll.second_reading else None


def rarity(roll: Roll, value: Any) -> str:
    """Return a text such as "1 damage or more: in 28 of 100 rolls"; "" if all outcomes are equally likely.

    It is also "" if that would exceed the limit of work.
    """
    try:
        return _rarity(roll, value)
    except TooMuch:
        return ""


def is_hoped_for(roll: Roll, value: Any) -> bool:
    """Return True if an outcome is hoped for; False if that would exceed the limit of work."""
    try:
        return roll.is_hoped_for(value, odds_of(roll))
    except TooMuch:
        return False


@cached_by_roll
def _rarity(roll: Roll, value: Any) -> str:
    odds = odds_of(roll)
    if value not in odds.weights or len({*odds.weights.values()}) == 1:
        return ""
    label = capfirst(roll.label(value))
    text, chance = _compare_number(odds, value, label) if value in odds.numbers else _compare_named_outcome(
        roll, odds, value, label)
    return f"{text}: {frequency(chance)}"


def _compare_number(odds: Odds, value: int, label: str) -> tuple[str, Fraction]:
    """Return (text, chance) of a number or more, of a number or less, or of exactly the least one."""
    exactly, more = odds.chances[value], odds.at_least(value)
    if value == min(odds.numbers):
        return _("Exactly {outcome}").format(outcome=label) if label.isdecimal() else label, exactly
    if len(odds.numbers) < len(odds.weights) or more <= 1 - more + exactly:
        return _("{outcome} or more").format(outcome=label), more
    return _("{outcome} or less").format(outcome=label), 1 - more + exactly


def _compare_named_outcome(roll: Roll, odds: Odds, value: Any, label: str) -> tuple[str, Fraction]:
    """Return (text, chance) of a word or better, of a word or worse, or of that word alone."""
    named_outcomes = [one for one in roll.outcomes if one in odds.weights]
    alike = [one for one in named_outcomes if roll.label(one) == roll.label(value)]
    text, counted = label, alike
    if len(named_outcomes) > 2 and roll.good and not odds.numbers:
        best_first = named_outcomes if named_outcomes[0] in roll.good else named_outcomes[::-1]
        places = [best_first.index(one) for one in alike]
        found = best_first[:max(places) + 1] if value in roll.good else best_first[min(places):]
        if len(found) > len(alike):
            compared = _("{outcome} or better") if value in roll.good else _("{outcome} or worse")
            text, counted = compared.format(outcome=label), found
    return text, sum((odds.chances[one] for one in counted), Fraction())


def frequency(chance: Fraction) -> str:
    """Return a chance as a frequency in 100 rolls, or in 1,000 if it is small."""
    if chance >= Fraction(199, 200):
        return _("in more than 99 of 100 rolls")
    if chance >= Fraction(1, 100):
        return _("in {n} of 100 rolls").format(n=round(100 * chance))
    if chance >= Fraction(1, 1000):
        return _("in {n} of 1,000 rolls").format(n=round(1000 * chance))
    return _("less often than in 1 of 1,000 rolls")

"""Luck: what fell, beside what the odds promised.

Each roll scores 0 to 20, by how many of twenty like it come out worse; of those that come out alike half count, and
halves of a point are rounded up. Scores of any rolls can thus be added, and the exact chances of the sum say how lucky
somebody was.
"""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import reduce
from operator import itemgetter

from django.utils.functional import cached_property

from rulesets.odds import Odds, Value
from rulesets.work import DIGIT, spend

BEST = 20
"""The highest score."""
BITS = 64
"""The bits of the chance of a sum of scores."""
SLOT = 17 * 8
"""The bits of a product of two such chances, of which a long number holds many side by side."""
Ranks = Mapping[Value, int]
"""The outcomes that can be told apart, {outcome: rank}, the best with the highest."""
Scores = tuple[tuple[int, int], ...]
"""((score, weight), ...) of a roll, the scores ascending."""
Sums = tuple[int, int]
"""The least sum of scores, and a number with the chances of it and of each higher one, `SLOT` bits for each."""


@dataclass(frozen=True)
class Chance:
    """An outcome beside all others of its roll: its score, and the chances of at least as good and as bad a one."""

    score: int
    as_good: Fraction
    as_bad: Fraction


@dataclass(frozen=True)
class RollLuck:
    """A roll whose outcomes differ in luck: the scores, and the place of each outcome among them."""

    scores: Scores
    outcomes: Mapping[Value, Chance]

    @classmethod
    def of(cls, odds: Odds, ranks: Ranks) -> "RollLuck | None":
        """Return the luck in a roll; None if no outcome is better than another."""
        by_rank: Counter[int] = Counter()
        for value, weight in odds.weights.items():
            by_rank[ranks[value]] += weight
        if len(by_rank) < 2:
            return None
        below, places, scores = 0, {}, Counter[int]()
        for rank in sorted(by_rank):
            alike = by_rank[rank]
            score = (BEST * (2 * below + alike) + odds.whole) // (2 * odds.whole)
            places[rank] = Chance(score, Fraction(odds.whole - below, odds.whole), Fraction(below + alike, odds.whole))
            scores[score] += alike
            below += alike
        return cls(tuple(sorted(scores.items())), {value: places[ranks[value]] for value in odds.weights})

    @cached_property
    def mean(self) -> Fraction:
        """The mean score: half of `BEST` but for rounding."""
        return self._mean(1)

    @cached_property
    def variance(self) -> Fraction:
        """The mean square of how far a score lies from the mean."""
        return self._mean(2) - self.mean**2

    def _mean(self, power: int) -> Fraction:
        whole = sum(weight for _score, weight in self.scores)
        return Fraction(sum(score**power * weight for score, weight in self.scores), whole)


def percentile(rolls: Iterable[Scores], total: int) -> float:
    """Return the chance that these rolls add up to less than a total, and half the chance that they do to the same.

    For up to 2,000 rolls the error is less than 10**-11. Raise TooMuch beyond the limit of work.
    """
    least, chances = _sums(rolls)
    at = max(0, total - least + 1) * SLOT
    up_to, below = (_added_up(chances & ((1 << bits) - 1)) for bits in (at, max(0, at - SLOT)))
    return float(Fraction(up_to + below, 2 * _added_up(chances)))


def _sums(rolls: Iterable[Scores]) -> Sums:
    """Return the chances of the sums of rolls."""
    found = sorted((_power(scores, times) for scores, times in Counter(rolls).items()), key=itemgetter(1))
    while len(found) > 1:
        # Pairs of about the same size, for then long numbers are multiplied least often.
        found = [reduce(_both, found[at:at + 2]) for at in range(0, len(found), 2)]
    return found[0] if found else (0, 1 << BITS)


def _power(scores: Scores, times: int) -> Sums:
    """Return the chances of the sums of so many equal rolls."""
    if times == 1:
        return _one(scores)
    half = _power(scores, times // 2)
    found = _both(half, half)
    return _both(found, _one(scores)) if times % 2 else found


def _one(scores: Scores) -> Sums:
    """Return the chances of one roll."""
    whole, least = sum(weight for _score, weight in scores), scores[0][0]
    return least, sum(((weight << BITS) // whole) << SLOT * (score - least) for score, weight in scores)


def _both(first: Sums, second: Sums) -> Sums:
    """Return the chances of the sums of two; those less than 2**-`BITS` count as 0."""
    bits = first[1].bit_length() + second[1].bit_length()
    spend(int((bits // DIGIT) ** 1.6))
    kept = int.from_bytes((b"\xff" * (BITS // 8 + 1)).ljust(SLOT // 8, b"\0") * (bits // SLOT + 1), "little")
    chances = (first[1] * second[1] >> BITS) & kept
    zeros = ((chances & -chances).bit_length() - 1) // SLOT
    return first[0] + second[0] + zeros, chances >> zeros * SLOT


def _added_up(chances: int) -> int:
    """Return the sum of all chances, which is less than a slot holds: that of the digits of a number."""
    return chances % ((1 << SLOT) - 1)

"""Luck: the dice that fell compared with the odds.

Each outcome of a roll scores 0 to 20 points: twenty times the sum of the chance of a worse outcome and half the chance
of an equal one, rounded to the nearest point. Every roll scores about 10 on average, so the points of different rolls
can be added up, and the percentile of the sum is the luck of an evening.

The sum's exact distribution is packed into one long integer, `SLOT_BITS` for the chance of each sum. Multiplying two
such integers convolves the distributions (Kronecker substitution), which Python does far faster than loops over lists.
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
CHANCE_BITS = 64
"""The precision of a chance: a fixed-point number of so many bits after the point."""
SLOT_BITS = 17 * 8
"""The room for each chance in a packed distribution: the product of two chances and the carry of adding many."""
Ranks = Mapping[Value, int]
"""The rank of each outcome, {outcome: rank}; a better outcome has a higher rank, equally good ones share one."""
Scores = tuple[tuple[int, int], ...]
"""The distribution of one roll's score, ((score, weight), ...) in ascending order of scores."""
Packed = tuple[int, int]
"""The distribution of a sum: the lowest possible sum, and the chances of it and all higher sums in one integer."""


@dataclass(frozen=True)
class Chance:
    """An outcome's score, and the chances of rolling at least as well and at least as badly."""

    score: int
    as_good: Fraction
    as_bad: Fraction


@dataclass(frozen=True)
class RollLuck:
    """A roll with better and worse outcomes: the distribution of its score, and the chance of each outcome."""

    scores: Scores
    outcomes: Mapping[Value, Chance]

    @classmethod
    def of(cls, odds: Odds, ranks: Ranks) -> "RollLuck | None":
        """Return the scores of a roll; None if all its outcomes are equally good."""
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
        """The mean score: half of `BEST`, apart from rounding."""
        return self._mean(1)

    @cached_property
    def variance(self) -> Fraction:
        """The variance of the score."""
        return self._mean(2) - self.mean**2

    def _mean(self, power: int) -> Fraction:
        whole = sum(weight for _score, weight in self.scores)
        return Fraction(sum(score**power * weight for score, weight in self.scores), whole)


def percentile(rolls: Iterable[Scores], total: int) -> float:
    """Return the chance that these rolls score less than `total` together, plus half the chance of exactly `total`.

    For up to 2,000 rolls the error is less than 10**-11. Raise TooMuch beyond the limit of work.
    """
    lowest, chances = _distribution(rolls)
    end = max(0, total - lowest + 1) * SLOT_BITS
    up_to, below = (_sum_of_slots(chances & ((1 << bits) - 1)) for bits in (end, max(0, end - SLOT_BITS)))
    return float(Fraction(up_to + below, 2 * _sum_of_slots(chances)))


def _distribution(rolls: Iterable[Scores]) -> Packed:
    """Return the distribution of the sum of all rolls."""
    found = sorted((_repeated(scores, times) for scores, times in Counter(rolls).items()), key=itemgetter(1))
    while len(found) > 1:
        # Multiplying numbers of about the same length takes the least work.
        found = [reduce(_convolve, found[at:at + 2]) for at in range(0, len(found), 2)]
    return found[0] if found else (0, 1 << CHANCE_BITS)


def _repeated(scores: Scores, times: int) -> Packed:
    """Return the distribution of the sum of equal rolls, by repeated squaring."""
    if times == 1:
        return _packed(scores)
    half = _repeated(scores, times // 2)
    found = _convolve(half, half)
    return _convolve(found, _packed(scores)) if times % 2 else found


def _packed(scores: Scores) -> Packed:
    """Return the distribution of one roll."""
    whole, lowest = sum(weight for _score, weight in scores), scores[0][0]
    return lowest, sum(((weight << CHANCE_BITS) // whole) << SLOT_BITS * (score - lowest) for score, weight in scores)


def _convolve(first: Packed, second: Packed) -> Packed:
    """Return the distribution of the sum of two; chances less than 2**-`CHANCE_BITS` become 0."""
    bits = first[1].bit_length() + second[1].bit_length()
    spend(int((bits // DIGIT) ** 1.6))
    slot_mask = (b"\xff" * (CHANCE_BITS // 8 + 1)).ljust(SLOT_BITS // 8, b"\0")
    mask = int.from_bytes(slot_mask * (bits // SLOT_BITS + 1), "little")
    chances = (first[1] * second[1] >> CHANCE_BITS) & mask
    empty = ((chances & -chances).bit_length() - 1) // SLOT_BITS
    return first[0] + second[0] + empty, chances >> empty * SLOT_BITS


def _sum_of_slots(chances: int) -> int:
    """Return the sum of all chances. It fits into a slot, so it is the number modulo a slot's highest value."""
    return chances % ((1 << SLOT_BITS) - 1)

"""A fight to the end: exact chances of who is left standing when two strike until one has no life left.

The states are the lives of both. A turn may leave both as they were, and so may all turns of a round; the chances of
such endless rounds are summed as the geometric series that they are, not cut off.
"""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import lcm

WORK = 320_000
"""The most steps that one fight takes; that is about a second."""


@dataclass(frozen=True)
class Blow:
    """What a turn may do: (life that the first loses, life that the second loses, weight), and the weights' sum."""

    rows: tuple[tuple[int, int, int], ...]
    whole: int

    @classmethod
    def of(cls, chances: Mapping[tuple[int, int], Fraction]) -> "Blow":
        """A blow from {(lost by the first, lost by the second): chance}; the chances make 1."""
        whole = lcm(*(chance.denominator for chance in chances.values()))
        return cls(tuple((*lost, int(chance * whole)) for lost, chance in chances.items() if chance), whole)


Turn = Callable[[int, int], Blow]
"""The blow of a turn by the lives that the first and the second have at its start."""
_Ends = tuple[Fraction, Fraction]
"""The chances that the first is left standing, and that neither is; the latter mostly is 0, and so costs nothing."""
_WON, _LOST, _NEITHER = (Fraction(1), Fraction(0)), (Fraction(0), Fraction(0)), (Fraction(0), Fraction(1))


def standing(first: int, second: int, turns: Sequence[Turn]) -> list[dict[str, Fraction]]:
    """The chances that the `first`, the `second` or `neither` is left standing alone, by the turn that comes first.

    The turns are taken in a circle. `neither` is a fight without an end, or one in which both fall at once.
    OverflowError where it takes more than `WORK` steps.
    """
    if first * second * sum(len(turn(first, second).rows) for turn in turns) > WORK:
        raise OverflowError(f"more than {WORK} steps")
    known: dict[tuple[int, int], list[_Ends]] = {}
    for i in range(1, first + 1):
        for j in range(1, second + 1):
            known[i, j] = _solved([turn(i, j) for turn in turns], i, j, known)
    return [{"first": won, "second": 1 - won - never, "neither": never} for won, never in known[first, second]]


def _solved(blows: list[Blow], i: int, j: int, known: Mapping) -> list[_Ends]:
    """The ends by whose turn it is, from those of all states with less life."""
    stays, moved = [], []
    for number, blow in enumerate(blows, 1):
        after, stay = Counter(), 0
        for mine, theirs, weight in blow.rows:
            if mine or theirs:
                after[max(0, i - mine), max(0, j - theirs)] += weight
            else:
                stay += weight
        following = number % len(blows)
        ends = [(_end(state, following, known), weight) for state, weight in after.items()]
        stays.append(Fraction(stay, blow.whole))
        moved.append(tuple(_mean([(end[which], weight) for end, weight in ends], blow.whole) for which in (0, 1)))
    return _circled(stays, moved)


def _end(state: tuple[int, int], turn: int, known: Mapping) -> _Ends:
    i, j = state
    return known[state][turn] if i and j else _WON if i else _LOST if j else _NEITHER


def _mean(found: list[tuple[Fraction, int]], whole: int) -> Fraction:
    """The weighted sum over one denominator: sums of fractions would look for it anew with each."""
    common = lcm(*(chance.denominator for chance, _weight in found))
    total = sum(weight * chance.numerator * (common // chance.denominator) for chance, weight in found)
    return Fraction(total, common * whole)


def _circled(stays: list[Fraction], moved: list[_Ends]) -> list[_Ends]:
    """The ends at each turn where every turn either moves on for good or leaves all to the next one."""
    reach, ends = Fraction(1), [Fraction(0), Fraction(0)]
    for stay, gone in zip(stays, moved, strict=True):
        ends = [end + reach * part for end, part in zip(ends, gone, strict=True)]
        reach *= stay
    at = tuple(end / (1 - reach) for end in ends) if reach != 1 else _NEITHER
    found = []
    for stay, gone in zip(reversed(stays), reversed(moved), strict=True):
        at = tuple(part + stay * end for part, end in zip(gone, at, strict=True))
        found.append(at)
    return found[::-1]

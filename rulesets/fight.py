"""The exact odds of a fight in which two sides strike until one has no life left.

A state is the life of both sides. A turn may leave both unhurt, and so may all turns of a round; the chances of such
endless rounds are summed as geometric series. All chances are whole numbers over one common denominator, so that each
step is a multiplication and every division is exact.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import accumulate
from math import gcd, lcm, prod
from operator import mul

from django.utils.functional import cached_property

from rulesets.work import STEP, TooMuch, digits, spend

STATES = 50_000
"""The most states of a fight, counted for each turn."""
VISIT_WORK, STATE_WORK = 300, 1_200
"""The work of visiting a state, and of computing it apart from its steps."""


@dataclass(frozen=True)
class Blow:
    """The damage of a turn: rows of (life the first loses, life the second loses, weight), and the sum of weights."""

    rows: tuple[tuple[int, int, int], ...]
    whole: int

    @classmethod
    def from_chances(cls, chances: Mapping[tuple[int, int], Fraction]) -> "Blow":
        """Return a blow from {(life the first loses, life the second loses): chance}, whose sum is 1."""
        whole = lcm(*(chance.denominator for chance in chances.values()))
        return cls.from_weights({lives: chance.numerator * (whole // chance.denominator)
                                 for lives, chance in chances.items()})

    @classmethod
    def from_weights(cls, weights: Mapping[tuple[int, int], int]) -> "Blow":
        """Return a blow from {(life the first loses, life the second loses): weight}, with reduced weights."""
        common = gcd(*weights.values())
        return cls(tuple((*lost, weight // common) for lost, weight in weights.items() if weight),
                   sum(weights.values()) // common)

    @cached_property
    def stay_weight(self) -> int:
        """The weight of a turn that hurts nobody."""
        return sum(weight for mine, theirs, weight in self.rows if not (mine or theirs))


Turn = Callable[[int, int], Blow]
"""A function (life of the first, life of the second) that returns the blow of a turn."""


def outcome_chances(first: int, second: int, turns: Sequence[Turn]) -> list[dict[str, Fraction]]:
    """Return {winner ("first", "second" or "neither"): chance} for each turn with which the fight may begin.

    After the last turn comes the first again. "neither" is a fight without an end, or one in which both fall at once.
    Raise TooMuch if the fight has too many states or takes too much work.
    """
    if first * second * len(turns) > STATES:
        raise TooMuch(f"more than {STATES} states")
    spend(first * second * len(turns) * VISIT_WORK)
    fight = _Fight(first, second, turns)
    spend(fight.cost * (1 + fight.undecided))
    won = fight.chances(first=1)
    never = fight.chances(neither=1) if fight.undecided else [Fraction(0)] * len(won)
    return [{"first": chance, "second": 1 - chance - none, "neither": none}
            for chance, none in zip(won, never, strict=True)]


class _Strike:
    """A blow at sides with a given life, as weights by the life lost; no side loses more life than it has."""

    def __init__(self, blow: Blow, first: int, second: int) -> None:
        alone, self.both = ([0] * (first + 1), [0] * (second + 1)), []
        for lost in blow.rows:
            mine, theirs, weight = min(lost[0], first), min(lost[1], second), lost[2]
            if mine and theirs:
                self.both.append((mine, theirs, weight))
            elif mine or theirs:
                alone[not mine][mine or theirs] += weight
        # [side][life]: the weight of losing at least this much life.
        self.at_least = [[*accumulate(reversed(weights))][::-1] for weights in alone]
        self.weights = [_without_trailing_zeros(weights[1:]) for weights in alone]
        self.steps = sum(_mean_length(len(weights), life) for weights, life in
                             zip(self.weights, (first, second), strict=True)) + len(self.both)
        """The mean number of steps of `weighted_sum` over all states."""

    def weighted_sum(self, i: int, j: int, rows: list[list[int]], columns: list[list[int]]) -> int:
        """Return the weighted sum of the values of all next states in which someone was hurt."""
        total, (mine, theirs) = 0, self.weights
        if mine:
            column = columns[j]
            total = self.at_least[0][i] * column[0] + sum(map(mul, mine, column[i - 1:max(0, i - 1 - len(mine)):-1]))
        if theirs:
            row = rows[i]
            total += self.at_least[1][j] * row[0] + sum(map(mul, theirs, row[j - 1:max(0, j - 1 - len(theirs)):-1]))
        for lost, struck, weight in self.both:
            total += weight * rows[max(0, i - lost)][max(0, j - struck)]
        return total


def _mean_length(length: int, life: int) -> int:
    """Return the mean number of terms of a sum over `length` weights that ends at the life left, 1 to `life`."""
    return length - length * min(length, life) // (2 * life)


def _without_trailing_zeros(weights: list[int]) -> list[int]:
    while weights and not weights[-1]:
        weights.pop()
    return weights


class _Round:
    """The blows of all turns of a round, shared by the states in which they are the same.

    With s the weight of hurting nobody and D the sum of a blow's weights, the value of a turn is (weighted sum of the
    states in which someone is hurt + s * value of the next turn) / D. Around the circle, that gives an equation for the
    value of the first turn, whose divisor is `decisive`; the values of the others follow from it.
    """

    def __init__(self, blows: Sequence[Blow], first: int, second: int) -> None:
        self.strikes = [_Strike(blow, first, second) for blow in blows]
        self.wholes, self.stays = [blow.whole for blow in blows], [blow.stay_weight for blow in blows]
        self.decisive = prod(self.wholes) - prod(self.stays)
        """The weight of a round in which someone is hurt; 0 if nobody can be hurt."""
        self.shares = [prod(self.stays[:turn]) * prod(self.wholes[turn + 1:]) for turn in range(len(blows))]
        losses = [[lost[side] for blow in blows for lost in blow.rows if lost[side]] for side in (0, 1)]
        self.least = [min(lost, default=0) for lost in losses]
        """The least life that each side can lose in one blow, 0 if it can lose none."""
        self.blows = blows
        self.states: list[tuple[int, int]] = []
        """(life of the first, life of the second) of each state with these blows."""

    def cost(self, size: int) -> int:
        """Return the work of one state with these blows if its numbers have `size` digits."""
        return sum(STATE_WORK + strike.steps * (STEP + size * digits(whole)) + 3 * size * digits(self.decisive)
                   for strike, whole in zip(self.strikes, self.wholes, strict=True))

    def values(self, sums: list[int], endless: int) -> list[int]:
        """Return the value of every turn, given their weighted sums and the value of a fight without an end."""
        value = sum(map(mul, self.shares, sums)) // self.decisive if self.decisive else endless
        values = [value]
        for turn in range(len(sums) - 1, 0, -1):
            value = (sums[turn] + self.stays[turn] * value) // self.wholes[turn] if self.decisive else endless
            values.append(value)
        return [values[0], *values[:0:-1]]


class _Fight:
    """All states of a fight, and the common denominator of their chances."""

    def __init__(self, first: int, second: int, turns: Sequence[Turn]) -> None:
        self.rounds: dict[tuple[int, ...], _Round] = {}
        """{ids of the blows: round}."""
        self.rounds_at = [[self._round(i, j, [turn(i, j) for turn in turns], (first, second))
                           for j in range(1, second + 1)]
                          for i in range(1, first + 1)]
        rounds = self.rounds.values()
        self.undecided = any(not round_.decisive or any(strike.both for strike in round_.strikes) for round_ in rounds)
        self.powers = [(round_.decisive, self._visits(round_)) for round_ in rounds if round_.decisive]

    @property
    def cost(self) -> int:
        """The work of computing the chances of one outcome, including their reduction."""
        # Only estimate the length of the denominator: computing it may take longer than all the rest.
        size = sum(digits(number) * times for number, times in self.powers)
        return sum(len(round_.states) * round_.cost(size) for round_ in self.rounds.values()) + size**2

    @cached_property
    def whole(self) -> int:
        """The common denominator of all chances."""
        return prod(number ** times for number, times in self.powers)

    def _round(self, i: int, j: int, blows: list[Blow], lives: tuple[int, int]) -> "_Round":
        key = tuple(map(id, blows))
        if key not in self.rounds:
            self.rounds[key] = _Round(blows, *lives)
        self.rounds[key].states.append((i, j))
        return self.rounds[key]

    def _visits(self, round_: "_Round") -> int:
        """Return the most states with the blows of a round that one fight can pass through."""
        least = [min((other.least[side] for other in self.rounds.values() if other.least[side]), default=0)
                 for side in (0, 1)]
        lives: list[tuple[int, ...]] = [*zip(*round_.states, strict=True)]
        return 1 + sum((max(own) - min(own)) // loss for own, loss in zip(lives, least, strict=True) if loss)

    def chances(self, *, first: int = 0, neither: int = 0) -> list[Fraction]:
        """Return the chance of one outcome for each turn with which the fight may begin."""
        won, never = first * self.whole, neither * self.whole
        lives = len(self.rounds_at), len(self.rounds_at[0])
        turns = range(len(self.rounds_at[0][0].wholes))
        # Values by [turn][i][j] and by [turn][j][i], so that a blow at either side is a sum along one list.
        rows = [[[never] + [0] * lives[1]] + [[won] for _i in range(lives[0])] for _turn in turns]
        columns = [[[never] + [won] * lives[0]] + [[0] for _j in range(lives[1])] for _turn in turns]
        for i, line in enumerate(self.rounds_at, 1):
            for j, round_ in enumerate(line, 1):
                sums = [strike.weighted_sum(i, j, rows[turn - len(turns) + 1], columns[turn - len(turns) + 1])
                        for turn, strike in enumerate(round_.strikes)]
                for turn, value in enumerate(round_.values(sums, never)):
                    rows[turn][i].append(value)
                    columns[turn][j].append(value)
        return [Fraction(rows[turn][-1][-1], self.whole) for turn in turns]

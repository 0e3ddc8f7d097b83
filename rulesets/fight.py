"""A fight to the end: exact chances of who is left standing when two strike until one has no life left.

The states are the lives of both. A turn may leave both as they were, and so may all turns of a round; the chances of
such endless rounds are summed as the geometric series that they are, not cut off. Chances are whole numbers over one
denominator that suffices for all states, so that a step is one multiplication, and each division leaves no rest.
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
"""The most states that are looked at, each turn's counted."""
LOOK, STATE = 300, 1_200
"""The cost of looking at a state at all, and of reckoning it beside its steps."""


@dataclass(frozen=True)
class Blow:
    """The harm a turn may do: (life the first loses, life the second loses, weight), and the sum of the weights."""

    rows: tuple[tuple[int, int, int], ...]
    whole: int

    @classmethod
    def of(cls, chances: Mapping[tuple[int, int], Fraction]) -> "Blow":
        """A blow from {(lost by the first, lost by the second): chance}; the chances make 1."""
        whole = lcm(*(chance.denominator for chance in chances.values()))
        return cls.weighed({lost: chance.numerator * (whole // chance.denominator) for lost, chance in chances.items()})

    @classmethod
    def weighed(cls, weights: Mapping[tuple[int, int], int]) -> "Blow":
        """A blow from {(lost by the first, lost by the second): weight}, in the smallest weights that say the same."""
        common = gcd(*weights.values())
        return cls(tuple((*lost, weight // common) for lost, weight in weights.items() if weight),
                   sum(weights.values()) // common)

    @cached_property
    def stay(self) -> int:
        """The weight of what hurts nobody."""
        return sum(weight for mine, theirs, weight in self.rows if not (mine or theirs))


Turn = Callable[[int, int], Blow]
"""The blow of a turn by the lives that the first and the second have at its start."""


def standing(first: int, second: int, turns: Sequence[Turn]) -> list[dict[str, Fraction]]:
    """The chances that the `first`, the `second` or `neither` is left standing alone, by the turn that comes first.

    The turns are taken in a circle. `neither` is a fight without an end, or one in which both fall at once.
    `TooMuch` where that is too much work.
    """
    if first * second * len(turns) > STATES:
        raise TooMuch(f"more than {STATES} states")
    spend(first * second * len(turns) * LOOK)
    fight = _Fight(first, second, turns)
    spend(fight.cost * (1 + fight.undecided))
    won = fight.chances(first=1)
    never = fight.chances(neither=1) if fight.undecided else [Fraction(0)] * len(won)
    return [{"first": chance, "second": 1 - chance - none, "neither": none}
            for chance, none in zip(won, never, strict=True)]


class _Strike:
    """A blow at sides with so much life: weights by the life that is lost, what is more than enough in one."""

    def __init__(self, blow: Blow, first: int, second: int) -> None:
        alone, self.both = ([0] * (first + 1), [0] * (second + 1)), []
        for lost in blow.rows:
            mine, theirs, weight = min(lost[0], first), min(lost[1], second), lost[2]
            if mine and theirs:
                self.both.append((mine, theirs, weight))
            elif mine or theirs:
                alone[not mine][mine or theirs] += weight
        # [life]: the weight of losing at least as much.
        self.fells = [[*accumulate(reversed(weights))][::-1] for weights in alone]
        self.weights = [_trimmed(weights[1:]) for weights in alone]
        self.steps = sum(_mean(len(weights), life) for weights, life in
                             zip(self.weights, (first, second), strict=True)) + len(self.both)
        """The steps of `gone` in the mean over all states."""

    def gone(self, i: int, j: int, rows: list[list[int]], columns: list[list[int]]) -> int:
        """The sum of what follows if somebody is hurt, each with its weight."""
        found, (mine, theirs) = 0, self.weights
        if mine:
            column = columns[j]
            found = self.fells[0][i] * column[0] + sum(map(mul, mine, column[i - 1:max(0, i - 1 - len(mine)):-1]))
        if theirs:
            row = rows[i]
            found += self.fells[1][j] * row[0] + sum(map(mul, theirs, row[j - 1:max(0, j - 1 - len(theirs)):-1]))
        for lost, struck, weight in self.both:
            found += weight * rows[max(0, i - lost)][max(0, j - struck)]
        return found


def _mean(length: int, life: int) -> int:
    """Return the mean length of a line of so many weights that ends with the life that is left."""
    return length - length * min(length, life) // (2 * life)


def _trimmed(weights: list[int]) -> list[int]:
    while weights and not weights[-1]:
        weights.pop()
    return weights


class _Circle:
    """The blows of all turns at a state, once round.

    With s the weight of staying and D the whole of a blow, what a turn leads to is (gone + s * the next turn's) / D;
    once round that is an equation for one turn, whose divisor is `open`, and so is every other turn's.
    """

    def __init__(self, blows: Sequence[Blow], first: int, second: int) -> None:
        self.strikes = [_Strike(blow, first, second) for blow in blows]
        self.wholes, self.stays = [blow.whole for blow in blows], [blow.stay for blow in blows]
        self.open = prod(self.wholes) - prod(self.stays)
        """The weight that leads out of the state once round; 0 where none does."""
        self.shares = [prod(self.stays[:turn]) * prod(self.wholes[turn + 1:]) for turn in range(len(blows))]
        losses = [[lost[side] for blow in blows for lost in blow.rows if lost[side]] for side in (0, 1)]
        self.least = [min(lost, default=0) for lost in losses]
        """The least that either side loses at once, 0 where it loses nothing."""
        self.blows = blows
        self.states: list[tuple[int, int]] = []
        """The lives of both at every such state."""

    def cost(self, size: int) -> int:
        """The work of one such state, its numbers having so many digits."""
        return sum(STATE + strike.steps * (STEP + size * digits(whole)) + 3 * size * digits(self.open)
                   for strike, whole in zip(self.strikes, self.wholes, strict=True))

    def ends(self, gone: list[int], endless: int) -> list[int]:
        """Return what every turn leads to, given what each leads to where it hurts somebody."""
        at = sum(map(mul, self.shares, gone)) // self.open if self.open else endless
        found = [at]
        for turn in range(len(gone) - 1, 0, -1):
            at = (gone[turn] + self.stays[turn] * at) // self.wholes[turn] if self.open else endless
            found.append(at)
        return [found[0], *found[:0:-1]]


class _Fight:
    """All states of a fight, and the one denominator of their chances."""

    def __init__(self, first: int, second: int, turns: Sequence[Turn]) -> None:
        self.circles: dict[tuple[int, ...], _Circle] = {}
        """By their blows, each by its id."""
        self.at = [[self._circle(i, j, [turn(i, j) for turn in turns], (first, second)) for j in range(1, second + 1)]
                   for i in range(1, first + 1)]
        circles = self.circles.values()
        self.undecided = any(not circle.open or any(strike.both for strike in circle.strikes) for circle in circles)
        self.powers = [(circle.open, self._visits(circle)) for circle in circles if circle.open]

    @property
    def cost(self) -> int:
        """The work that the chances of one end take; each is put into its lowest terms as well."""
        # How long the denominator will be: to make it before it is paid for may take longer than all else.
        size = sum(digits(number) * times for number, times in self.powers)
        return sum(len(circle.states) * circle.cost(size) for circle in self.circles.values()) + size**2

    @cached_property
    def whole(self) -> int:
        """The one denominator."""
        return prod(number ** times for number, times in self.powers)

    def _circle(self, i: int, j: int, blows: list[Blow], lives: tuple[int, int]) -> "_Circle":
        key = tuple(map(id, blows))
        if key not in self.circles:
            self.circles[key] = _Circle(blows, *lives)
        self.circles[key].states.append((i, j))
        return self.circles[key]

    def _visits(self, circle: "_Circle") -> int:
        """Return how often a fight is in such a state at most: each blow takes life, and the states lie in a range."""
        least = [min((circle.least[side] for circle in self.circles.values() if circle.least[side]), default=0)
                 for side in (0, 1)]
        lives: list[tuple[int, ...]] = [*zip(*circle.states, strict=True)]
        return 1 + sum((max(own) - min(own)) // loss for own, loss in zip(lives, least, strict=True) if loss)

    def chances(self, *, first: int = 0, neither: int = 0) -> list[Fraction]:
        """The chance of one end at the beginning, by the turn that comes first."""
        won, never = first * self.whole, neither * self.whole
        lives = len(self.at), len(self.at[0])
        turns = range(len(self.at[0][0].wholes))
        # [turn][i][j] and [turn][j][i]: a blow's harm to either side is a sum along a line.
        rows = [[[never] + [0] * lives[1]] + [[won] for _i in range(lives[0])] for _turn in turns]
        columns = [[[never] + [won] * lives[0]] + [[0] for _j in range(lives[1])] for _turn in turns]
        for i, line in enumerate(self.at, 1):
            for j, circle in enumerate(line, 1):
                gone = [strike.gone(i, j, rows[turn - len(turns) + 1], columns[turn - len(turns) + 1])
                        for turn, strike in enumerate(circle.strikes)]
                for turn, end in enumerate(circle.ends(gone, never)):
                    rows[turn][i].append(end)
                    columns[turn][j].append(end)
        return [Fraction(rows[turn][-1][-1], self.whole) for turn in turns]

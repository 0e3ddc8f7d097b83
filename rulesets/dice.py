"""Dice and exact odds.

A mechanic asks a `Tray` for dice and returns an `Outcome`. The same function rolls random dice and is replayed over all
faces for its odds, so that odds and rolls cannot differ.
"""

import secrets
from collections import Counter, defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate, combinations_with_replacement
from math import comb, factorial, lcm, prod
from operator import sub
from typing import Any, NamedTuple, NoReturn, TypeVar

from rulesets.cached import cached_by_size
from rulesets.odds import Chances, Odds, Value
from rulesets.work import STEP, TooMuch, digits, spend

__all__ = [
    "BRANCH", "BRANCHES", "REPLAYS", "Again", "Chances", "Die", "LoadedTray", "Odds", "Outcome", "Pool",
    "RealTray", "Tray", "Value", "multisets", "replayed", "thrown", "totals",
]

REPLAYS = 500_000
"""The most branches that are replayed; a roll with more branches has to define its own `count`."""
BRANCH, BRANCHES = 2_500, 200
"""The work of one branch, and the number of branches whose work is counted together."""
WORD = 4
"""The number of bytes of a random word, from which one face is drawn."""
Pool = tuple[int, ...]
"""Faces, highest first."""


@dataclass(frozen=True)
class Outcome:
    """The result of a roll: its value, and the figures that led to it."""

    value: Any
    """A `Value`: an int if the roll ends in a number, a str if it ends in a word."""
    figures: Mapping[str, Any]

    def __init__(self, value: Value, **figures: Any) -> None:
        object.__setattr__(self, "value", value)
        object.__setattr__(self, "figures", figures)

    @classmethod
    def stored(cls, value: Any, figures: Mapping[str, Any]) -> "Outcome":
        """Return an outcome from stored JSON, with lists turned back into tuples."""
        return cls(value, **{key: _tuples(one) for key, one in figures.items()})


def _tuples(value: Any) -> Any:
    return tuple(map(_tuples, value)) if isinstance(value, list) else value


class Again(Exception):
    """Raised if a throw does not count and is repeated, such as a tie in a duel."""


class Tray:
    """The source of dice. The faces of a die are 1 to `sides`, or a range such as `range(0, 6)`."""

    def face(self, faces: range) -> int:
        """Return a random face; all are equally likely."""
        raise NotImplementedError

    def die(self, sides: int | range) -> int:
        """Throw one die and return its face."""
        return self.face(faces_of(sides))

    def pool(self, count: int, sides: int | range) -> Pool:
        """Throw `count` dice and return their faces, highest first."""
        return tuple(sorted((self.face(faces_of(sides)) for _ in range(count)), reverse=True))

    def total(self, count: int, worth: Sequence[int]) -> int:
        """Throw `count` dice and return the sum of `worth[face - 1]`."""
        return sum(worth[self.face(faces_of(len(worth))) - 1] for _ in range(count))

    def again(self) -> NoReturn:
        """Repeat the throw because this one does not count."""
        raise Again


def faces_of(sides: int | range) -> range:
    return sides if isinstance(sides, range) else range(1, sides + 1)


class Die(NamedTuple):
    """A thrown die: its first and last face, and the face that it shows; `stays` if it is left from an earlier roll."""

    first: int
    last: int
    face: int
    stays: bool = False


class RealTray(Tray):
    """Dice from random bytes.

    `fallen` has the faces of the current throw in order, `tries` a list of faces for each earlier throw that did not
    count, and `dice` all dice of all throws in order.
    """

    def __init__(self, source: Callable[[int], bytes] = secrets.token_bytes) -> None:
        self.source = source
        self.tries: list[list[int]] = []
        self.fallen: list[int] = []
        self.dice: list[Die] = []

    def face(self, faces: range) -> int:
        """Return an unbiased face; words at or above the greatest multiple of the number of faces are drawn again."""
        size = len(faces)
        limit = 256**WORD // size * size
        while (number := int.from_bytes(self.source(WORD))) >= limit:
            pass
        return self.lay(faces, faces[number % size])

    def lay(self, faces: range, face: int, *, stays: bool = False) -> int:
        """Record a die that shows this face, and return the face."""
        self.fallen.append(face)
        self.dice.append(Die(faces[0], faces[-1], face, stays))
        return face

    def again(self) -> NoReturn:
        """Move the faces of this throw to `tries`, and repeat the throw."""
        self.tries.append(self.fallen)
        self.fallen = []
        raise Again


class LoadedTray(RealTray):
    """Dice with given faces, for tests and for checks of receipts."""

    def __init__(self, *faces: int) -> None:
        super().__init__()
        self.left = list(faces)

    def face(self, faces: range) -> int:
        """Return the next given face. Raise ValueError if the die does not have it or none is left."""
        if not self.left or self.left[0] not in faces:
            raise ValueError(f"{self.left[:1]} is not a face of a die {faces.start} to {faces.stop - 1}")
        return self.lay(faces, self.left.pop(0))


def thrown(throw: Callable[[Tray], Outcome], tray: RealTray | None = None) -> tuple[Outcome, RealTray]:
    """Make a roll; return its outcome and the tray with the faces thrown."""
    tray = tray or RealTray()
    while True:
        try:
            return throw(tray), tray
        except Again:
            continue


_Answer = TypeVar("_Answer")


class _Replay(Tray):
    """A tray that goes through every combination of choices, one branch at a time."""

    def __init__(self) -> None:
        self.stack: list[list[Any]] = []
        """[choices, index of the current one] for each throw of the current branch."""

    def begin(self) -> None:
        self.depth = 0
        self.weight = 1
        self.among = 1

    def advance(self) -> bool:
        """Move on to the next branch; return False when there is none."""
        del self.stack[self.depth:]
        while self.stack:
            self.stack[-1][1] += 1
            if self.stack[-1][1] < len(self.stack[-1][0]):
                return True
            self.stack.pop()
        return False

    def ask(self, choices: Callable[[], tuple[tuple[_Answer, int], ...]], among: int) -> _Answer:
        if self.depth == len(self.stack):
            self.stack.append([choices(), 0])
        options, index = self.stack[self.depth]
        self.depth += 1
        value: _Answer
        value, weight = options[index]
        self.weight *= weight
        self.among *= among
        return value

    def face(self, faces: range) -> int:
        return self.ask(lambda: tuple((face, 1) for face in faces), len(faces))

    def pool(self, count: int, sides: int | range) -> Pool:
        faces = faces_of(sides)
        return self.ask(lambda: multisets(count, faces), len(faces) ** count)

    def total(self, count: int, worth: Sequence[int]) -> int:
        return self.ask(lambda: totals(count, tuple(worth)), len(worth) ** count)


def replayed(
    throw: Callable[[Tray], Outcome], key: Callable[[Outcome], Any] = lambda outcome: outcome.value
) -> dict[Any, int]:
    """Return {key of an outcome: weight} of a mechanic over all faces; throws that are repeated do not count.

    Raise TooMuch if there are more than `REPLAYS` branches or the limit of work is reached.
    """
    tray = _Replay()
    masses: defaultdict[tuple[Any, int], int] = defaultdict(int)
    for number in range(REPLAYS):
        if number % BRANCHES == BRANCHES - 1:
            spend(BRANCH * BRANCHES)
        tray.begin()
        try:
            value = key(throw(tray))
        except Again:
            pass
        else:
            masses[value, tray.among] += tray.weight
        if not tray.advance():
            whole = lcm(*(among for _value, among in masses))
            weights: Counter[Any] = Counter()
            for (value, among), mass in masses.items():
                weights[value] += mass * (whole // among)
            return weights
    raise TooMuch(f"more than {REPLAYS} branches")


@cached_by_size
def multisets(count: int, faces: range) -> tuple[tuple[Pool, int], ...]:
    """Return every sorted pool with the number of ways to throw it."""
    spend(comb(count + len(faces) - 1, count) * BRANCH)
    ways = factorial(count)
    found = combinations_with_replacement(sorted(faces, reverse=True), count)
    return tuple((pool, ways // prod(map(factorial, Counter(pool).values()))) for pool in found)


@cached_by_size
def totals(count: int, worth: tuple[int, ...]) -> tuple[tuple[int, int], ...]:
    """Return every sum of `count` dice, each counted as `worth[face - 1]`, with the number of ways to throw it.

    These are the coefficients of a power of the generating polynomial, computed by J. C. P. Miller's recurrence: exact,
    and fast for hundreds of dice. If the worths are consecutive numbers, one for each face, running sums are faster.
    """
    low = min(worth)
    faces = [worth.count(low + more) for more in range(max(worth) - low + 1)]
    most, size = (len(faces) - 1) * count, digits(len(worth) ** count)
    if {*faces} == {1}:
        spend(count * most * (STEP // 2 + size))
        ways = [1] + [0] * most
        for _die in range(count):
            # With one more die, the ways to a sum are those to the last len(faces) sums: a difference of running sums.
            run = [*accumulate(ways)]
            ways = [*run[:len(faces)], *map(sub, run[len(faces):], run)]
    else:
        spend(most * len(faces) * 8 * (STEP + size))
        ways, others = [faces[0] ** count], [(i, many) for i, many in enumerate(faces) if i and many]
        for at in range(1, most + 1):
            way = 0
            for i, many in others:
                if i <= at:
                    way += (i * (count + 1) - at) * many * ways[at - i]
            ways.append(way // (at * faces[0]))
    return tuple((low * count + more, way) for more, way in enumerate(ways) if way)

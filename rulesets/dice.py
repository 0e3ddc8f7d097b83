"""Dice: a tray with three verbs, the real one and the one that counts, and exact odds.

A mechanic asks a `Tray` for dice and answers an `Outcome`. The same function rolls with real bytes and is replayed
over all faces for its odds, so that odds and rolls cannot part ways.
"""

import secrets
from collections import Counter, defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate, combinations_with_replacement
from math import comb, factorial, lcm, prod
from operator import sub
from typing import Any, NoReturn, TypeVar

from rulesets.cached import cached_by_size
from rulesets.odds import Chances, Odds, Value
from rulesets.work import STEP, TooMuch, digits, spend

__all__ = [
    "BRANCH", "BRANCHES", "REPLAYS", "Again", "Chances", "LoadedTray", "Odds", "Outcome", "Pool", "RealTray", "Tray",
    "Value", "multisets", "replayed", "thrown", "totals",
]

REPLAYS = 500_000
"""The most branches that the counting tray replays; a roll that needs more states its own count."""
BRANCH, BRANCHES = 2_500, 200
"""The work of a branch, and how many are paid for at once."""
Pool = tuple[int, ...]
"""Faces, highest first."""


@dataclass(frozen=True)
class Outcome:
    """The result of a roll: the outcome that odds answer, and the figures that led to it."""

    value: Any
    """A `Value`: a roll that answers numbers has an int, one that answers words a str."""
    figures: Mapping[str, Any]

    def __init__(self, value: Value, **figures: Any) -> None:
        object.__setattr__(self, "value", value)
        object.__setattr__(self, "figures", figures)

    @classmethod
    def stored(cls, value: Any, figures: Mapping[str, Any]) -> "Outcome":
        """As it came back from JSON, where it was kept: a list is the tuple again that it was."""
        return cls(value, **{key: _tuples(one) for key, one in figures.items()})


def _tuples(value: Any) -> Any:
    return tuple(map(_tuples, value)) if isinstance(value, list) else value


class Again(Exception):
    """Raised if the throw does not count and is made once more (a tie in a duel)."""


class Tray:
    """A place for dice to fall. Faces are 1 to `sides`, or a range that is given (`range(0, 6)`)."""

    def face(self, faces: range) -> int:
        """Return a random face; all are equally likely."""
        raise NotImplementedError

    def die(self, sides: int | range) -> int:
        """Throw one die and return its face."""
        return self.face(_faces(sides))

    def pool(self, count: int, sides: int | range) -> Pool:
        """Throw `count` dice and return their faces, highest first."""
        return tuple(sorted((self.face(_faces(sides)) for _ in range(count)), reverse=True))

    def total(self, count: int, worth: Sequence[int]) -> int:
        """The sum over `count` dice of what each face is worth; `worth[0]` belongs to the face 1."""
        return sum(worth[self.face(_faces(len(worth))) - 1] for _ in range(count))

    def again(self) -> NoReturn:
        """Drop this throw and make it once more."""
        raise Again


def _faces(sides: int | range) -> range:
    return sides if isinstance(sides, range) else range(1, sides + 1)


class RealTray(Tray):
    """Dice from a source of random bytes. `fallen` keeps what fell in order, each try that did not count apart."""

    def __init__(self, source: Callable[[int], bytes] = secrets.token_bytes) -> None:
        self.source = source
        self.tries: list[list[int]] = []
        self.fallen: list[int] = []

    def face(self, faces: range) -> int:
        """A face without bias: bytes beyond the last whole multiple of the faces are drawn anew."""
        size = len(faces)
        width = (size.bit_length() + 7) // 8
        limit = 256**width // size * size
        while (number := int.from_bytes(self.source(width))) >= limit:
            pass
        self.fallen.append(faces[number % size])
        return self.fallen[-1]

    def again(self) -> NoReturn:
        """Keep the try for the log."""
        self.tries.append(self.fallen)
        self.fallen = []
        raise Again


class LoadedTray(RealTray):
    """Dice whose faces are written out beforehand (tests, and figures that fell on a real table)."""

    def __init__(self, *faces: int) -> None:
        super().__init__()
        self.left = list(faces)

    def face(self, faces: range) -> int:
        """The next face on the list (ValueError if the die does not have it or none is left)."""
        if not self.left or self.left[0] not in faces:
            raise ValueError(f"{self.left[:1]} is not a face of a die {faces.start} to {faces.stop - 1}")
        self.fallen.append(self.left.pop(0))
        return self.fallen[-1]


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
    """Answers each question with its next choice until every branch was taken. Weights are whole numbers."""

    def __init__(self) -> None:
        self.stack: list[list[Any]] = []
        """One [choices, index] for each question that the current branch asks."""

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
        faces = _faces(sides)
        return self.ask(lambda: multisets(count, faces), len(faces) ** count)

    def total(self, count: int, worth: Sequence[int]) -> int:
        return self.ask(lambda: totals(count, tuple(worth)), len(worth) ** count)


def replayed(
    throw: Callable[[Tray], Outcome], key: Callable[[Outcome], Any] = lambda outcome: outcome.value
) -> dict[Any, int]:
    """Weight of every outcome of a mechanic by replaying it over all faces; throws made again carry none.

    `TooMuch` where there are more than `REPLAYS` branches, or more than the limit of work allows.
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
    """Every sorted pool with the number of ways in which it falls."""
    spend(comb(count + len(faces) - 1, count) * BRANCH)
    ways = factorial(count)
    found = combinations_with_replacement(sorted(faces, reverse=True), count)
    return tuple((pool, ways // prod(map(factorial, Counter(pool).values()))) for pool in found)


@cached_by_size
def totals(count: int, worth: tuple[int, ...]) -> tuple[tuple[int, int], ...]:
    """Every sum of `count` dice, each worth what its face says, with the number of ways in which it falls.

    The coefficients of the generating polynomial's power, each from those before it (J. C. P. Miller's recurrence):
    exact, and quick for hundreds of dice. Where each sum of a die has one face, running sums are quicker still.
    """
    low = min(worth)
    faces = [worth.count(low + more) for more in range(max(worth) - low + 1)]
    most, size = (len(faces) - 1) * count, digits(len(worth) ** count)
    if {*faces} == {1}:
        spend(count * most * (STEP // 2 + size))
        ways = [1] + [0] * most
        for _die in range(count):
            # What a die adds: all sums up to here, without those further down than it has faces.
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

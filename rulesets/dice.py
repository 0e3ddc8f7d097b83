"""Dice: a tray with three verbs, the real one and the one that counts, and exact odds.

A mechanic asks a `Tray` for dice and answers an `Outcome`. The same function rolls with real bytes and is replayed
over all faces for its odds, so that odds and rolls cannot part ways.
"""

import secrets
from collections import Counter, defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from itertools import accumulate, combinations_with_replacement
from math import comb, factorial, lcm, prod
from operator import sub
from typing import Any

from django.utils.functional import cached_property

from rulesets.work import STEP, TooMuch, digits, spend

REPLAYS = 500_000
"""The most branches that the counting tray replays; a roll that needs more states its own count."""
BRANCH, BRANCHES = 2_500, 200
"""The work of a branch, and how many are paid for at once."""


@dataclass(frozen=True)
class Outcome:
    """What came of a roll: the outcome that odds answer, and the figures that led to it."""

    value: int | str
    figures: Mapping[str, Any]

    def __init__(self, value, **figures):
        object.__setattr__(self, "value", value)
        object.__setattr__(self, "figures", figures)


class Again(Exception):
    """The throw does not count and is made once more (a tie in a duel)."""


class Tray:
    """Where dice fall. Faces are 1 to `sides`, or a range of the table's own (`range(0, 6)`)."""

    def face(self, faces: range) -> int:
        """One face, uniformly."""
        raise NotImplementedError

    def die(self, sides: int | range) -> int:
        """One die whose face the mechanic reads."""
        return self.face(_faces(sides))

    def pool(self, count: int, sides: int | range) -> tuple[int, ...]:
        """The faces of `count` dice, highest first."""
        return tuple(sorted((self.face(_faces(sides)) for _ in range(count)), reverse=True))

    def total(self, count: int, worth: Sequence[int]) -> int:
        """The sum over `count` dice of what each face is worth; `worth[0]` belongs to the face 1."""
        return sum(worth[self.face(_faces(len(worth))) - 1] for _ in range(count))

    def again(self):
        """Drops this throw and makes it once more."""
        raise Again


def _faces(sides: int | range) -> range:
    return sides if isinstance(sides, range) else range(1, sides + 1)


class RealTray(Tray):
    """Dice from a source of random bytes. `fallen` keeps what fell in order, each try that did not count apart."""

    def __init__(self, source: Callable[[int], bytes] = secrets.token_bytes):
        self.source = source
        self.tries: list[list[int]] = []
        self.fallen: list[int] = []

    def face(self, faces):
        """A face without bias: bytes beyond the last whole multiple of the faces are drawn anew."""
        size = len(faces)
        width = (size.bit_length() + 7) // 8
        limit = 256**width // size * size
        while (number := int.from_bytes(self.source(width))) >= limit:
            pass
        self.fallen.append(faces[number % size])
        return self.fallen[-1]

    def again(self):
        """Keeps the try for the log."""
        self.tries.append(self.fallen)
        self.fallen = []
        raise Again


class LoadedTray(RealTray):
    """Dice whose faces are written out beforehand (tests, and figures that fell on a real table)."""

    def __init__(self, *faces: int):
        super().__init__()
        self.left = list(faces)

    def face(self, faces):
        """The next face on the list (ValueError if the die does not have it or none is left)."""
        if not self.left or self.left[0] not in faces:
            raise ValueError(f"{self.left[:1]} is not a face of a die {faces.start} to {faces.stop - 1}")
        self.fallen.append(self.left.pop(0))
        return self.fallen[-1]


def thrown(throw: Callable[[Tray], Outcome], tray: RealTray | None = None) -> tuple[Outcome, RealTray]:
    """One roll: its outcome, and the tray with what fell."""
    tray = tray or RealTray()
    while True:
        try:
            return throw(tray), tray
        except Again:
            continue


class _Replay(Tray):
    """Answers each question with its next choice until every branch was taken. Weights are whole numbers."""

    def __init__(self):
        self.stack: list[list] = []
        """One [choices, index, denominator] for each question that the current branch asks."""

    def begin(self):
        self.depth = 0
        self.weight = 1
        self.among = 1

    def advance(self) -> bool:
        """Moves on to the next branch; False when there is none."""
        del self.stack[self.depth:]
        while self.stack:
            self.stack[-1][1] += 1
            if self.stack[-1][1] < len(self.stack[-1][0]):
                return True
            self.stack.pop()
        return False

    def ask(self, choices: Callable[[], tuple], among: int):
        if self.depth == len(self.stack):
            self.stack.append([choices(), 0, among])
        options, index, _ = self.stack[self.depth]
        self.depth += 1
        value, weight = options[index]
        self.weight *= weight
        self.among *= among
        return value

    def face(self, faces):
        return self.ask(lambda: tuple((face, 1) for face in faces), len(faces))

    def pool(self, count, sides):
        faces = _faces(sides)
        return self.ask(lambda: multisets(count, faces), len(faces) ** count)

    def total(self, count, worth):
        return self.ask(lambda: totals(count, tuple(worth)), len(worth) ** count)


def replayed(
    throw: Callable[[Tray], Outcome], key: Callable[[Outcome], Any] = lambda outcome: outcome.value
) -> dict[Any, int]:
    """Weight of every outcome of a mechanic by replaying it over all faces; throws made again carry none.

    `TooMuch` where there are more than `REPLAYS` branches, or too many for the budget.
    """
    tray, masses = _Replay(), defaultdict(int)
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
            whole, weights = lcm(*(among for _value, among in masses)), Counter()
            for (value, among), mass in masses.items():
                weights[value] += mass * (whole // among)
            return weights
    raise TooMuch(f"more than {REPLAYS} branches")


@lru_cache(64)
def multisets(count: int, faces: range) -> tuple[tuple[tuple[int, ...], int], ...]:
    """Every sorted pool with the number of ways in which it falls."""
    spend(comb(count + len(faces) - 1, count) * BRANCH)
    ways = factorial(count)
    found = combinations_with_replacement(sorted(faces, reverse=True), count)
    return tuple((pool, ways // prod(map(factorial, Counter(pool).values()))) for pool in found)


@lru_cache(64)
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


class Chances(Mapping):
    """Chances by outcome as fractions; each is put into its lowest terms only when it is asked for."""

    def __init__(self, weights: Mapping[Any, int], whole: int):
        self.weights, self.whole = weights, whole

    def __getitem__(self, value) -> Fraction:
        return Fraction(self.weights[value], self.whole)

    def __iter__(self):
        return iter(self.weights)

    def __len__(self) -> int:
        return len(self.weights)


@dataclass(frozen=True)
class Odds:
    """Exact probabilities by outcome: words in their declared order, then numbers ascending; none is impossible."""

    chances: Mapping[int | str, Fraction]

    @classmethod
    def counted(cls, weights: Mapping[Any, Any], order: tuple = ()) -> "Odds":
        """Odds from weights of any sum."""
        spend(len(weights) * 8 * STEP)
        if any(isinstance(weight, Fraction) for weight in weights.values()):
            common = lcm(*(Fraction(weight).denominator for weight in weights.values()))
            weights = {key: int(weight * common) for key, weight in weights.items()}
        words = [key for key in order if key in weights]
        ordered = [*words, *sorted(weights.keys() - set(words))]
        return cls(Chances({key: weights[key] for key in ordered if weights[key]}, sum(weights.values())))

    @cached_property
    def whole(self) -> int:
        """What the weights of all outcomes make together."""
        if isinstance(self.chances, Chances):
            return self.chances.whole
        return lcm(*(chance.denominator for chance in self.chances.values()))

    @cached_property
    def weights(self) -> Mapping[int | str, int]:
        """Whole weights by outcome, for those who go on reckoning: sums of fractions would cost far more."""
        if isinstance(self.chances, Chances):
            return self.chances.weights
        return {value: chance.numerator * (self.whole // chance.denominator) for value, chance in self.chances.items()}

    @cached_property
    def mean(self) -> Fraction | None:
        """The mean outcome; None where outcomes are words."""
        if all(isinstance(value, int) for value in self.weights):
            return Fraction(sum(value * weight for value, weight in self.weights.items()), self.whole)
        return None

    def at_least(self, least: int) -> Fraction:
        """The chance of a number of at least `least`."""
        return Fraction(sum(weight for value, weight in self.weights.items() if value >= least), self.whole)

    def asdict(self, least: int | None = None, most: int | None = None) -> dict:
        """The shape of interface.md; of the outcomes that are numbers only those from `least` to `most`."""
        wanted = [value for value in self.weights if not isinstance(value, int) or (
            (least is None or value >= least) and (most is None or value <= most))]
        spend(len(wanted) * (20 * STEP + 4 * digits(self.whole) ** 2))
        return {
            "outcomes": [
                {"outcome": value, "probability": str(chance), "value": float(chance)}
                for value, chance in ((value, self.chances[value]) for value in wanted)
            ],
            "mean": None if self.mean is None else str(self.mean),
        }

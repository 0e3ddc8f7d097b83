"""The dice of a stored roll as they lie there: of which kind each is, with which it fell, and many as heaps."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from itertools import groupby

from rulesets.dice import Again, LoadedTray, Pool
from rulesets.kit import Roll

MOST = 24
"""Dice that lie there one by one; more are heaps of equal faces."""
POOLS = 4
"""Pools that stay apart where there are heaps."""


@dataclass(frozen=True)
class FallenDie:
    """A die as it lies there, or so many `times` the same one."""

    face: int
    sides: int = 6
    """0 where the die is of no usual kind, such as one of 0 to 5."""
    colour: str = ""
    own: bool = True
    pool: int = 0
    """Which of the throw's pools it fell with, 0 where it fell by itself."""
    worth: int | None = None
    """How often it counts where some dice count for nothing and some twice; None where that is not so."""
    times: int = 1
    card: bool = False
    """Whether it is a card that was drawn, which shows its back."""
    called: str = ""
    """What its pool is called, said of the first of it."""


def fallen_dice(roll: Roll, faces: Sequence[int]) -> tuple[tuple[FallenDie, ...], ...]:
    """The dice of each pool as they fell, which is their order in the log too. Of cards their backs."""
    if roll.cards_fall:
        drawn = FallenDie(0, 0, card=True)
        return ((drawn,) * len(faces) if len(faces) <= MOST else (replace(drawn, times=len(faces)),),) if faces else ()
    tray = _Retold(*faces)
    try:
        roll.throw(tray)
    except (ValueError, Again):
        # Another version of the system threw other dice.
        tray.kinds = []
    kinds = tray.kinds if len(tray.kinds) == len(faces) else [
        (roll.sides if 1 <= face <= roll.sides else 0, 0, None) for face in faces]
    colours, own = roll.colours(), roll.own(len(faces))
    if len(colours) != len(faces):
        colours = ("",) * len(faces)
    dice = [FallenDie(face, sides, colour, place in own, pool, worth) for place, (face, (sides, pool, worth), colour)
            in enumerate(zip(faces, kinds, colours, strict=True))]
    pools = [tuple(pool) for _alike, pool in groupby(dice, lambda die: (die.pool, die.own))]
    if len(dice) > MOST:
        heaped = map(_sorted, pools if len(pools) <= POOLS else [[replace(die, pool=1) for die in dice]])
        pools = [tuple(replace(die, times=times) for die, times in Counter(pool).items()) for pool in heaped]
    if len(pools) == len(roll.pools_called):
        pools = [(replace(first, called=str(called)), *others) for called, (first, *others)
                 in zip(roll.pools_called, pools, strict=True)]
    return tuple(pools)


def _sorted(dice: Iterable[FallenDie]) -> tuple[FallenDie, ...]:
    return tuple(sorted(dice, key=lambda die: -die.face if die.pool else 0))


class _Retold(LoadedTray):
    """Dice that fall once more as they did, to see what dice they were."""

    def __init__(self, *faces: int):
        super().__init__(*faces)
        self.kinds: list[tuple[int, int, int | None]] = []
        """(sides, pool, worth) of each die."""
        self.pools, self.among = 0, 0

    def face(self, faces: range) -> int:
        """Notes what die it is."""
        self.kinds.append((len(faces) if faces.start == 1 else 0, self.among, None))
        return super().face(faces)

    def pool(self, count: int, sides: int | range) -> Pool:
        """A pool of its own."""
        with self._together():
            return super().pool(count, sides)

    def total(self, count: int, worth: Sequence[int]) -> int:
        """The same for dice that are added up."""
        first = len(self.kinds)
        with self._together():
            total = super().total(count, worth)
        if {0, 1} <= {*worth} <= {0, 1, 2} and (count > 1 or 2 in worth):
            self.kinds[first:] = [(sides, pool, worth[face - 1]) for (sides, pool, _worth), face
                                  in zip(self.kinds[first:], self.fallen[first:], strict=True)]
        return total

    @contextmanager
    def _together(self) -> Iterator[None]:
        self.pools += 1
        self.among = self.pools
        yield
        self.among = 0

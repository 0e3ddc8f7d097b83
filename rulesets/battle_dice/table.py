"""The counts of battle dice, stored: reckoning them takes minutes where there is Flink (see `reckoning`).

One row a Flink from 0, number of attack dice and number of defence dice from 1, in this order; a row holds the ways of
each damage, the least first, in as many bytes as all ways together need. So its place follows from what it is for.
"""

from collections import Counter
from functools import cache
from itertools import accumulate, product
from pathlib import Path

FILE = Path(__file__).parent / "battle.odds"
MOST, SWIFT = 40, 10
"""The largest pools and the largest Flink that are stored."""
Pool = tuple[int, int]
"""Attack dice, defence dice."""


def counts(attack: int, defence: int, flink: int) -> Counter:
    """Return {damage: number of ways} of pools of dice; KeyError beyond what was reckoned."""
    if flink not in range(SWIFT + 1):
        raise KeyError(flink)
    places, size = _places()
    width = _width(attack, defence)
    with FILE.open("rb") as file:
        file.seek(flink * size + places[attack, defence])
        return Counter({n: int.from_bytes(file.read(width)) for n in _damage(attack, defence)})


def write(flink: int, found: dict[Pool, Counter]) -> None:
    """Store the counts of one Flink, after those of less Flink were stored."""
    with FILE.open("ab" if flink else "wb") as file:
        for pool in _pools():
            file.writelines(found[pool][n].to_bytes(_width(*pool)) for n in _damage(*pool))


def _pools() -> product:
    return product(range(1, MOST + 1), repeat=2)


def _damage(attack: int, defence: int) -> range:
    """Return what can come of it: attack dice without a defence die are damage in any case."""
    return range(max(0, attack - defence), attack + 1)


def _width(attack: int, defence: int) -> int:
    return ((6 ** (attack + defence)).bit_length() + 7) // 8


@cache
def _places() -> tuple[dict[Pool, int], int]:
    """Return where the row of each pool begins among those of one Flink, and how long these are in total."""
    sizes = {pool: len(_damage(*pool)) * _width(*pool) for pool in _pools()}
    return dict(zip(sizes, accumulate(sizes.values(), initial=0), strict=False)), sum(sizes.values())

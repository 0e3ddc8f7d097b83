"""The stored odds of battle dice, because computing them with Flink takes minutes (see `compute_odds_table`).

The file has one row for each Flink from 0, number of attack dice from 1 and number of defence dice from 1, in this
order. A row holds, from the least possible damage up, the number of throws that do each damage; each number takes as
many bytes as the number of all throws needs.
"""

from collections import Counter
from functools import cache
from itertools import accumulate, product
from pathlib import Path

FILE = Path(__file__).parent / "battle.odds"
MAX_DICE, MAX_FLINK = 40, 10
"""The most dice of a side, and the most Flink, for which odds are stored."""
Pool = tuple[int, int]
"""(attack dice, defence dice)."""


def read_counts(attack: int, defence: int, flink: int) -> Counter:
    """Return {damage: number of throws} for these numbers of dice. Raise KeyError if they are not stored."""
    if flink not in range(MAX_FLINK + 1):
        raise KeyError(flink)
    offsets, size = _offsets()
    width = _count_width(attack, defence)
    with FILE.open("rb") as file:
        file.seek(flink * size + offsets[attack, defence])
        return Counter({n: int.from_bytes(file.read(width)) for n in _damage_range(attack, defence)})


def write_counts(flink: int, counts: dict[Pool, Counter]) -> None:
    """Append the counts for one value of Flink to the file; 0 starts a new file, so write the values in order."""
    with FILE.open("ab" if flink else "wb") as file:
        for pool in _all_pools():
            file.writelines(counts[pool][n].to_bytes(_count_width(*pool)) for n in _damage_range(*pool))


def _all_pools() -> product:
    return product(range(1, MAX_DICE + 1), repeat=2)


def _damage_range(attack: int, defence: int) -> range:
    """Return the possible damage: an attack die without a defence die always does 1."""
    return range(max(0, attack - defence), attack + 1)


def _count_width(attack: int, defence: int) -> int:
    """Return the bytes that each number in a row takes."""
    return ((6 ** (attack + defence)).bit_length() + 7) // 8


@cache
def _offsets() -> tuple[dict[Pool, int], int]:
    """Return ({pool: offset of its row within one Flink}, size of all rows of one Flink) in bytes."""
    sizes = {pool: len(_damage_range(*pool)) * _count_width(*pool) for pool in _all_pools()}
    return dict(zip(sizes, accumulate(sizes.values(), initial=0), strict=False)), sum(sizes.values())

"""The counts of battle dice with Flink, stored: reckoning them takes minutes (see `reckoning`)."""

import lzma
from collections import Counter
from functools import cache
from pathlib import Path

FILE = Path(__file__).parent / "battle.odds"
Key = tuple[int, int, int]
"""Attack dice, defence dice, Flink."""


def counts(attack: int, defence: int, flink: int) -> Counter:
    """{damage: number of ways} of pools with Flink; KeyError beyond what was reckoned."""
    return Counter(dict(enumerate(_stored()[attack, defence, flink])))


@cache
def _stored() -> dict[Key, list[int]]:
    lines = lzma.decompress(FILE.read_bytes()).decode("ascii").splitlines()
    rows = ([int(number, 36) for number in line.split()] for line in lines)
    return {(attack, defence, flink): ways for attack, defence, flink, *ways in rows}


def write(found: dict[Key, Counter]) -> None:
    """Stores counts: a line each, what it is for and how many ways each damage has, all to the base of 36."""
    lines = (" ".join(_base36(number) for number in (*key, *(ways[n] for n in range(key[0] + 1))))
             for key, ways in sorted(found.items()) if key[0] and key[1])
    FILE.write_bytes(lzma.compress("\n".join(lines).encode("ascii"), preset=9))


def _base36(number: int) -> str:
    digits = ""
    while True:
        number, last = divmod(number, 36)
        digits = "0123456789abcdefghijklmnopqrstuvwxyz"[last] + digits
        if not number:
            return digits

"""Exact counts of battle dice, with Flink or without, for every pool up to a size at once (BD-14, BD-15).

Dice fall face by face from the 6 down, those of the defence first. Where as many defence as attack dice have fallen,
all that could be saved above is settled, for the defence dice of one face suffice to be raised to it; so what must be
carried is short: by how many the attack is ahead, and a profile of what points could save since it was not.
`profile[dice][points]` is the most that is saved if so many dice are raised to the last face. Still there are too many
to go through while somebody waits: `python -m rulesets.battle_dice.reckoning` reckons them once (ten minutes, 2 GB of
memory) and writes `battle.odds`, which `table` reads.
"""

import sys
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from math import comb
from typing import Any

from rulesets.battle_dice import table
from rulesets.battle_dice.table import MOST, SWIFT

BITS = (6 ** (2 * MOST)).bit_length()
"""Room for one count."""
Pools = dict[tuple[tuple, int], dict[tuple[int, int], int]]
"""{(profile, how far the attack is ahead): {(attack dice, defence dice) so far: counts by damage, packed into one}}."""


def counts(most: int, flink: int) -> dict[tuple[int, int], Counter]:
    """Return {(attack dice, defence dice): {damage: number of ways}} of all pools up to `most` dice a side."""
    pools: Pools = {(((0,) * (flink + 1),) * (flink + 1), 0): {(0, 0): 1}}
    for meet, strike in [(_met, _struck)] * 4 + [(_met_by_twos, _struck_by_twos), (_met_by_ones, _struck_by_ones)]:
        pools = _attacked(_defended(pools, most, meet), most, strike)
    return {pool: Counter(dict(enumerate(_unpacked(packed)))) for cells in pools.values()
            for pool, packed in cells.items()}


def _defended(pools: Pools, most: int, meet: Callable) -> Pools:
    """The defence dice of one face; what is saved for certain by then is taken off the damage."""
    after: Pools = defaultdict(lambda: defaultdict(int))
    while pools:
        (profile, ahead), cells = pools.popitem()
        for met in range(most + 1):
            left = max(0, ahead - met)
            new, saved = meet(profile, left, met)
            into = after[new, left]
            for (attack, defence), packed in cells.items():
                if defence + met <= most:
                    into[attack, defence + met] += packed * comb(defence + met, met) >> BITS * saved
    return after


def _attacked(pools: Pools, most: int, strike: Callable) -> Pools:
    """The attack dice of one face; each that no defence die is left for is damage."""
    after: Pools = defaultdict(lambda: defaultdict(int))
    while pools:
        (profile, left), cells = pools.popitem()
        intos: dict = {}
        for (attack, defence), packed in cells.items():
            for more in range(attack, most + 1):
                ahead = max(0, more - defence)
                if ahead not in intos:
                    intos[ahead] = after[strike(profile, left, ahead), ahead]
                intos[ahead][more, defence] += packed * comb(more, attack) << BITS * (ahead - left)
    return after


def _met(profile: tuple, left: int, met: int) -> tuple[tuple, int]:
    """Return what points could save above by the number of dice raised to this face; those points are set aside.

    Dice raised to the face above come from here: those that show this face, `met`, or were raised to it.
    """
    flink = len(profile) - 1
    return tuple(profile[min(flink, met + dice) if left else flink][:flink + 1 - dice]
                 for dice in range(flink + 1)), 0


def _struck(profile: tuple, left: int, ahead: int) -> tuple:
    """The best by points, for each number of dice raised to this face: up to `ahead`, the first `left` in vain."""
    best, found = profile[0], []
    for dice, above in enumerate(profile):
        if dice <= ahead:
            gain = max(0, dice - left)
            best = best[:dice] + tuple(max(old, new + gain) for old, new in zip(best[dice:], above, strict=True))
        found.append(best)
    return tuple(found)


def _met_by_twos(profile: tuple, left: int, met: int) -> tuple[tuple, int]:
    """With all points used, there being but one face more: what is saved without raising any die to a 2, and beyond."""
    most = [row[-1] for row in _met(profile, left, met)[0]]
    return tuple(saved - most[0] for saved in most), most[0]


def _struck_by_twos(profile: tuple, left: int, ahead: int) -> tuple:
    """Return the best for each number of ones that could be raised to a 2."""
    return tuple(max(profile[dice] + max(0, dice - left) for dice in range(min(ones, ahead) + 1))
                 for ones in range(len(profile)))


def _met_by_ones(profile: tuple, _left: int, met: int) -> tuple[tuple, int]:
    return (), profile[min(len(profile) - 1, met)]


def _struck_by_ones(*_args: Any) -> tuple:
    """Nothing is raised to a 1."""
    return ()


def _unpacked(packed: int) -> Iterator[int]:
    while packed:
        yield packed & (1 << BITS) - 1
        packed >>= BITS


def main() -> None:
    """Compute and write the table, telling how far it is."""
    for flink in range(SWIFT + 1):
        table.write(flink, counts(MOST, flink))
        sys.stdout.write(f"Flink {flink} of {SWIFT}\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()

"""Exact counts of battle dice with Flink, for every pool up to a size at once (BD-14, BD-15).

The best use of Flink hangs on all dice together, so what the dice of 6, then of 5 and so on mean for it is carried
along as a profile: `profile[q][c]` is the most damage that can still be saved among the faces so far with c points,
if at most q dice were raised to the last face. Few enough profiles differ to go through all of them, but too many to
do so while somebody waits: `python -m rulesets.battle_dice.reckoning` reckons them once (some minutes)
and writes `battle.odds`, which `table` reads.
"""

import sys
from collections import Counter, defaultdict
from functools import cache
from math import comb

from rulesets.battle_dice import table
from rulesets.battle_dice.rolls import REACH, SWIFT

BITS = 128
"""Room for one count: 6 ** 40 has 104 bits."""
FACES = range(6, 2, -1)
"""Faces whose profiles are carried on; a 2 ends them, for there is nothing below a 1 to be raised to it."""
Pools = dict[tuple[int, int], dict[tuple, int]]
"""{(attack dice, defence dice) so far: {profile: counts by damage, packed into one number}}."""


def counts(most: int, flink: int) -> dict[tuple[int, int], Counter]:
    """{(attack dice, defence dice): {damage: number of ways}} of all pools up to `most` dice a side."""
    profiles: Pools = {(0, 0): {((0,) * (flink + 1),) * (flink + 1): 1}}
    grown = cache(_grown)
    for _face in FACES:
        profiles = _next(profiles, most, grown)
    ended: Pools = _next(profiles, most, cache(_ended))
    found: dict = defaultdict(Counter)
    for (attack, defence), by_gain in ended.items():
        for attack_ones in range(most - attack + 1):
            for defence_ones in range(most - defence + 1):
                pools = attack + attack_ones, defence + defence_ones
                ways = comb(pools[0], attack_ones) * comb(pools[1], defence_ones)
                open_ = max(0, pools[0] - max(attack, pools[1]))
                for gains, packed in by_gain.items():
                    gain = gains[min(flink, defence_ones)]
                    for lost, number in enumerate(_unpacked(packed)):
                        if number:
                            found[pools][lost + open_ - gain] += number * ways
    return found


def _next(before: Pools, most: int, grow) -> Pools:
    """The dice of one more face on both sides."""
    after: Pools = defaultdict(lambda: defaultdict(int))
    for (attack, defence), profiles in before.items():
        for more in range(most - attack + 1):
            for met in range(most - defence + 1):
                behind = attack + more - defence - met
                ways = comb(attack + more, more) * comb(defence + met, met)
                shift = BITS * max(0, attack + more - max(attack, defence + met))
                into = after[attack + more, defence + met]
                for profile, packed in profiles.items():
                    flink = len(profile) - 1
                    new = grow(profile, min(max(0, behind), flink), min(max(0, behind - more), flink), min(met, flink))
                    into[new] += packed * ways << shift
    return after


def _raised(profile: tuple, behind: int, gap: int, met: int):
    """The best by points, for each number of dice raised to this face: up to `behind`, the first `gap` in vain.

    Dice raised to the face above must have come from here: those that show this face, `met`, or were raised to it.
    """
    flink = len(profile) - 1
    best = (0,) * (flink + 1)
    for dice in range(flink + 1):
        if dice <= behind:
            above, gain = profile[min(flink, met + dice)], max(0, dice - gap)
            best = tuple(max(best[points], above[points - dice] + gain) if points >= dice else best[points]
                         for points in range(flink + 1))
        yield best


def _grown(profile: tuple, behind: int, gap: int, met: int) -> tuple:
    return tuple(_raised(profile, behind, gap, met))


def _ended(profile: tuple, behind: int, gap: int, met: int) -> tuple:
    """What is saved with all points, by the number of ones that could be raised."""
    return tuple(best[-1] for best in _raised(profile, behind, gap, met))


def _unpacked(packed: int):
    while packed:
        yield packed & (1 << BITS) - 1
        packed >>= BITS


def main() -> None:
    """Reckons and writes the table; tells how far it is."""
    found = {}
    for flink in range(1, SWIFT + 1):
        for (attack, defence), ways in counts(REACH, flink).items():
            found[attack, defence, flink] = ways
        sys.stdout.write(f"Flink {flink} of {SWIFT}\n")
        sys.stdout.flush()
    table.write(found)


if __name__ == "__main__":
    main()

"""Compute the exact odds of battle dice, with and without Flink, for all numbers of dice at once (BD-14, BD-15).

`python -m rulesets.battle_dice.compute_odds_table` does it once, in ten minutes and 2 GB of memory, and writes
`battle.odds`, which `odds_table` reads.

Dice are added face by face from the 6 down, for each face first the defence dice, then the attack dice. They are
compared in order, so an attack die does damage if there are then more attack dice than defence dice (the attack is
"ahead"). Flink saves some of this damage by raising defence dice of lower faces. As soon as the attack is no longer
ahead, the defence dice of the last face are enough for all damage above that can be saved, and only the points matter.
So a short state suffices: by how many dice the attack is ahead, and a profile of the damage that Flink can save since
then. `profile[dice][points]` is the most damage that `points` points save if `dice` lower defence dice are raised to
the last face.
"""

import sys
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from math import comb
from typing import Any

from rulesets.battle_dice import odds_table
from rulesets.battle_dice.odds_table import MAX_DICE, MAX_FLINK

BITS = (6 ** (2 * MAX_DICE)).bit_length()
"""The bits reserved for each count in a packed number."""
Pools = dict[tuple[tuple, int], dict[tuple[int, int], int]]
"""{(profile, dice by which the attack is ahead): {(attack dice, defence dice) so far: packed counts by damage}}."""


def compute_counts(most: int, flink: int) -> dict[tuple[int, int], Counter]:
    """Return {(attack dice, defence dice): {damage: number of throws}} for up to `most` dice a side."""
    pools: Pools = {(((0,) * (flink + 1),) * (flink + 1), 0): {(0, 0): 1}}
    faces = [(_after_defence, _after_attack)] * 4 + [
        (_after_defence_of_twos, _after_attack_of_twos), (_after_defence_of_ones, _after_attack_of_ones)]
    for after_defence, after_attack in faces:
        pools = _add_attack_dice(_add_defence_dice(pools, most, after_defence), most, after_attack)
    return {pool: Counter(dict(enumerate(_unpack(packed)))) for cells in pools.values()
            for pool, packed in cells.items()}


def _add_defence_dice(pools: Pools, most: int, after_defence: Callable) -> Pools:
    """Return the pools with every number of defence dice of the next face added.

    Damage that is saved in any case is subtracted at once.
    """
    result: Pools = defaultdict(lambda: defaultdict(int))
    while pools:
        (profile, ahead), cells = pools.popitem()
        for dice in range(most + 1):
            still_ahead = max(0, ahead - dice)
            new_profile, saved = after_defence(profile, still_ahead, dice)
            new_cells = result[new_profile, still_ahead]
            for (attack, defence), packed in cells.items():
                if defence + dice <= most:
                    new_cells[attack, defence + dice] += packed * comb(defence + dice, dice) >> BITS * saved
    return result


def _add_attack_dice(pools: Pools, most: int, after_attack: Callable) -> Pools:
    """Return the pools with every number of attack dice of the next face added, and the damage that they do."""
    result: Pools = defaultdict(lambda: defaultdict(int))
    while pools:
        (profile, ahead), cells = pools.popitem()
        cells_by_ahead: dict = {}
        for (attack, defence), packed in cells.items():
            for total in range(attack, most + 1):
                now_ahead = max(0, total - defence)
                if now_ahead not in cells_by_ahead:
                    cells_by_ahead[now_ahead] = result[after_attack(profile, ahead, now_ahead), now_ahead]
                cells_by_ahead[now_ahead][total, defence] += packed * comb(total, attack) << BITS * (now_ahead - ahead)
    return result


def _after_defence(profile: tuple, ahead: int, dice: int) -> tuple[tuple, int]:
    """Return the profile after `dice` defence dice of the next face, and 0: no damage is saved in any case yet.

    Dice that are raised to the face above come from those of this face and from those raised to this face.
    """
    flink = len(profile) - 1
    return tuple(profile[min(flink, dice + raised) if ahead else flink][:flink + 1 - raised]
                 for raised in range(flink + 1)), 0


def _after_attack(profile: tuple, ahead_before: int, ahead: int) -> tuple:
    """Return the profile after attack dice of a face.

    Up to `ahead` dice are worth raising to it; the first `ahead_before` of them save nothing.
    """
    best, rows = profile[0], []
    for raised, above in enumerate(profile):
        if raised <= ahead:
            gain = max(0, raised - ahead_before)
            best = best[:raised] + tuple(max(old, new + gain) for old, new in zip(best[raised:], above, strict=True))
        rows.append(best)
    return tuple(rows)


def _after_defence_of_twos(profile: tuple, ahead: int, dice: int) -> tuple[tuple, int]:
    """Return (additional damage saved, by the number of ones raised to twos; damage saved without raising any).

    Only one face is left, so all points are spent, and each row of the profile shrinks to its last number.
    """
    most = [row[-1] for row in _after_defence(profile, ahead, dice)[0]]
    return tuple(saved - most[0] for saved in most), most[0]


def _after_attack_of_twos(profile: tuple, ahead_before: int, ahead: int) -> tuple:
    """Return the most damage saved by raising some of the ones to twos, by the number of ones."""
    return tuple(max(profile[raised] + max(0, raised - ahead_before) for raised in range(min(ones, ahead) + 1))
                 for ones in range(len(profile)))


def _after_defence_of_ones(profile: tuple, _ahead: int, dice: int) -> tuple[tuple, int]:
    """Return an empty profile, and the damage saved by raising some of these ones."""
    return (), profile[min(len(profile) - 1, dice)]


def _after_attack_of_ones(*_args: Any) -> tuple:
    """Return an empty profile: nothing is raised to a 1."""
    return ()


def _unpack(packed: int) -> Iterator[int]:
    """Yield the counts in a packed number, those of the least damage first."""
    while packed:
        yield packed & (1 << BITS) - 1
        packed >>= BITS


def main() -> None:
    """Compute and write the table, and print the progress."""
    for flink in range(MAX_FLINK + 1):
        odds_table.write_counts(flink, compute_counts(MAX_DICE, flink))
        sys.stdout.write(f"Flink {flink} of {MAX_FLINK}\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()

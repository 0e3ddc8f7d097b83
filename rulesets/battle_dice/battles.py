"""The comparison of battle dice, the best use of Flink, and the exact odds of both (BD-14, BD-15).

The search for the best use of Flink works with thresholds: for each face, the number of dice that show it or more.
Raising a die from v - 1 to v adds 1 to the count of threshold v, so Flink X adds X to the sum of the counts. No attack
die is above 6, so no defence die needs to be.
"""

from collections import Counter
from functools import lru_cache

from rulesets.battle_dice import odds_table


def damage(attack: tuple[int, ...], defence: tuple[int, ...]) -> int:
    """Return the damage of dice that are both sorted from the highest (BD-14).

    It is 1 for each pair in which the attack die is greater, and 1 for each attack die without a defence die.
    """
    return sum(a > d for a, d in zip(attack, defence, strict=False)) + max(0, len(attack) - len(defence))


def useful_flink(attack: int, defence: int, flink: int) -> int:
    """Return the Flink that can help (BD-15): at most 5 points for each pair of dice, which turn a 1 into a 6."""
    return min(flink, 5 * min(attack, defence))


def raise_defence(attack: tuple[int, ...], defence: tuple[int, ...], flink: int) -> tuple[int, ...]:
    """Return the defence dice after the best use of Flink, sorted from the highest (BD-15).

    The best use leaves the least damage and, among those, spends the fewest points.
    """
    if not flink or not damage(attack, defence):
        return defence
    flink = useful_flink(len(attack), len(defence), flink)
    attack_counts = [sum(face >= v for face in attack) for v in range(8)]
    defence_counts = [sum(face >= v for face in defence) for v in range(8)]

    @lru_cache(None)
    def least(v: int, above: int, left: int) -> tuple[int, int, tuple[int, ...]]:
        """Return (damage, points used, counts) of the thresholds from v down.

        `above` defence dice are above v, and `left` points can still be spent.
        """
        if v == 1:
            return max(0, attack_counts[1] - max(attack_counts[2], defence_counts[1])), 0, ()
        found = []
        fewest = max(defence_counts[v], above)
        for count in range(fewest, min(defence_counts[1], max(fewest, attack_counts[v])) + 1):
            points = count - defence_counts[v]
            if points <= left:
                lower_damage, lower_points, lower_counts = least(v - 1, count, left - points)
                own_damage = max(0, attack_counts[v] - max(attack_counts[v + 1], count))
                found.append((lower_damage + own_damage, lower_points + points, (count, *lower_counts)))
        return min(found, default=(len(attack) + 1, 0, ()))

    counts = least(6, 0, flink)[2]
    return tuple(1 + sum(count > place for count in counts) for place in range(len(defence)))


def damage_counts(attack: int, defence: int, flink: int) -> Counter:
    """Return {damage: number of throws}; the counts are read from the stored table if both sides have dice."""
    if attack and defence:
        return odds_table.read_counts(attack, defence, useful_flink(attack, defence, flink))
    return Counter({attack: 6 ** (attack + defence)})

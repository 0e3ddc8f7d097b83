"""Battle dice compared, the best use of Flink, and exact counts of both (BD-14, BD-15).

Everything is said in thresholds: so many dice show v or more. Adding 1 to a die that shows v - 1 raises the count of v
by one, so Flink X raises counts by X in all, and they still fall from threshold to threshold. A die above 6 would do
no more than a 6, for no attack die beats a 6.
"""

from collections import Counter
from functools import lru_cache

from rulesets.battle_dice import table


def damage(attack: tuple[int, ...], defence: tuple[int, ...]) -> int:
    """Pairs in which the attack die is greater, and attack dice without a defence die; both fall (BD-14)."""
    return sum(a > d for a, d in zip(attack, defence, strict=False)) + max(0, len(attack) - len(defence))


def helping(attack: int, defence: int, flink: int) -> int:
    """Return how many points of Flink can help at most: 5 make a 6 of any die, and only dice met need it (BD-15)."""
    return min(flink, 5 * min(attack, defence))


def best(attack: tuple[int, ...], defence: tuple[int, ...], flink: int) -> tuple[int, ...]:
    """The defence dice, falling, after a use of Flink that leaves the least damage with the fewest points (BD-15)."""
    if not flink or not damage(attack, defence):
        return defence
    flink = helping(len(attack), len(defence), flink)
    strong = [sum(face >= v for face in attack) for v in range(8)]
    safe = [sum(face >= v for face in defence) for v in range(8)]

    @lru_cache(None)
    def least(v: int, above: int, left: int) -> tuple[int, int, tuple[int, ...]]:
        """Return (damage, points used, counts) of the thresholds from v down, where `above` dice are above v."""
        if v == 1:
            return max(0, strong[1] - max(strong[2], safe[1])), 0, ()
        found = []
        for count in range(max(safe[v], above), min(safe[1], max(safe[v], strong[v], above)) + 1):
            points = count - safe[v]
            if points <= left:
                lost, more, rest = least(v - 1, count, left - points)
                found.append((lost + max(0, strong[v] - max(strong[v + 1], count)), more + points, (count, *rest)))
        return min(found, default=(len(attack) + 1, 0, ()))

    counts = least(6, 0, flink)[2]
    return tuple(1 + sum(count > place for count in counts) for place in range(len(defence)))


def count(attack: int, defence: int, flink: int) -> Counter:
    """Return {damage: number of ways} of pools of six-sided dice; from the table where both sides have any."""
    if attack and defence:
        return table.counts(attack, defence, helping(attack, defence, flink))
    return Counter({attack: 6 ** (attack + defence)})

"""Chances found otherwise than by the program."""

from collections import Counter
from fractions import Fraction


def counted(values):
    """Chances by plain counting of equally likely values."""
    tally = Counter(values)
    return {value: Fraction(count, tally.total()) for value, count in tally.items()}


def oracle(die):
    """An icepool die as chances."""
    return {value: Fraction(ways, die.denominator()) for value, ways in die.items() if ways}

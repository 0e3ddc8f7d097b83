"""Measures: the figures that matter when a sheet is compared with a party, each an exact fraction."""

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from typing import TypeVar

from django.utils.translation import gettext_lazy as _

from rulesets.kit.former_names import accept_former_arguments
from rulesets.kit.words import Wording, decimal, percent
from rulesets.odds import Odds

_Of = TypeVar("_Of")
MEAN_DAMAGE = _("Avg. damage")
"""A short title for the mean damage of an attack."""


@accept_former_arguments({"less": "lower_is_stronger"})
@dataclass(frozen=True)
class Measure:
    """A figure of a sheet that can be compared with the same figure of another sheet: a title and an exact fraction.

    A higher figure is stronger, unless `lower_is_stronger`.
    """

    key: str
    title: Wording
    exact: Fraction
    chance: bool = False
    """True for a chance of 0 to 1, which is shown as a percentage; anything else is shown as a number."""
    lower_is_stronger: bool = False
    """True if a lower figure is stronger."""
    path: str = ""
    """The path on the sheet that it comes from, such as the row of the best attack; "" for the whole sheet."""
    source: Wording = ""
    """The name of that row; "" if it has none."""
    short: Wording = ""
    """A short title beside that name, such as "Avg. damage"; "" if the title is short enough."""

    @property
    def shown(self) -> str:
        """The figure as people read it."""
        return percent(self.exact, 0) if self.chance else decimal(self.exact, 1)

    def beats(self, other: "Measure") -> bool:
        """Return True if this is stronger than another measure with the same key."""
        return self.exact < other.exact if self.lower_is_stronger else self.exact > other.exact


def mean_of(odds: Odds) -> Fraction:
    """Return the mean of the outcomes that are numbers, all others counted as 0."""
    return Fraction(sum(value * weight for value, weight in odds.numbers.items()), odds.whole)


def survival_chance(life: int, harm: Odds, times: int) -> Fraction:
    """Return the chance that any life is left after taking `harm` `times` times; outcomes that are words do no harm."""
    if life < 1:
        return Fraction(0)
    lives = {life: 1}
    unhurt = harm.whole - sum(harm.numbers.values())
    for _time in range(times):
        after: dict[int, int] = {}
        for left, ways in lives.items():
            after[left] = after.get(left, 0) + ways * unhurt
            for lost, weight in harm.numbers.items():
                if lost < left:
                    after[left - lost] = after.get(left - lost, 0) + ways * weight
        lives = after
    return Fraction(sum(lives.values()), harm.whole ** times)


def best(found: Iterable[tuple[Fraction, _Of]]) -> tuple[Fraction, _Of | None]:
    """Return the pair (figure, its source) with the largest figure, the first of equals; (0, None) if there is none."""
    strongest: tuple[Fraction, _Of | None] = (Fraction(0), None)
    for exact, one in found:
        if strongest[1] is None or exact > strongest[0]:
            strongest = (exact, one)
    return strongest

"""The ledger of what a budget went into, in points or in whatever a system counts."""

from collections.abc import Mapping
from dataclasses import dataclass

from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext_lazy

from rulesets.kit.words import Wording


@dataclass(frozen=True)
class Unit:
    """A unit that a ledger counts, in words that take `spent`, `budget`, `left` and `over`."""

    title: Wording
    spent: Wording
    of: Wording
    left: Wording
    unspent: Wording
    over: Wording


POINTS = Unit(_("Points"), _("{spent} of {budget} points"), _("of {budget} points left"),
              _("{left} of {budget} points left."), _("Unspent"), ngettext_lazy(
                  "point too many; {budget} are allowed", "points too many; {budget} are allowed", "over"))


@dataclass(frozen=True)
class Spent:
    """A line of the ledger: what was bought, where it stands, what it cost."""

    title: Wording
    path: str
    points: int


@dataclass(frozen=True)
class Ledger:
    """Every point accounted for: the budget, and what it went into."""

    budget: int
    lines: tuple[Spent, ...]
    unit: Unit = POINTS

    @property
    def spent(self) -> int:
        """Points spent in all."""
        return sum(line.points for line in self.lines)

    @property
    def left(self) -> int:
        """Points unspent; below 0 where too many are spent."""
        return self.budget - self.spent

    @property
    def over(self) -> int:
        """Points too many; 0 where there are none."""
        return max(0, -self.left)

    @property
    def itemised(self) -> bool:
        """True if its lines are rows of the sheet, and so say nothing that those do not."""
        return any("." in line.path for line in self.lines)

    @property
    def words(self) -> Mapping[str, str]:
        """The words of the unit with the figures: `title`, `spent` of the budget, what is `left` or `over`."""
        figures = self._figures()
        return {key: str(word.format(**figures)) for key, word in vars(self.unit).items()}

    def told(self, key: str) -> str:
        """Return one of the words, with the figures."""
        return str(getattr(self.unit, key).format(**self._figures()))

    def _figures(self) -> dict[str, int]:
        spent = self.spent
        left = self.budget - spent
        return {"spent": spent, "budget": self.budget, "left": left, "over": max(0, -left)}

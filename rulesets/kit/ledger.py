"""The ledger of a sheet: the budget of points, or of another unit, and how it is spent."""

from collections.abc import Mapping
from dataclasses import dataclass

from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext_lazy

from rulesets.kit.former_names import accept_former_arguments
from rulesets.kit.words import Wording


@accept_former_arguments({"of": "budget_left", "left": "left_sentence"})
@dataclass(frozen=True)
class Unit:
    """The texts for a unit that a ledger counts; each may contain `spent`, `budget`, `left` and `over`."""

    title: Wording
    spent: Wording
    budget_left: Wording
    left_sentence: Wording
    unspent: Wording
    over: Wording


POINTS = Unit(_("Points"), _("{spent} of {budget} points"), _("of {budget} points left"),
              _("{left} of {budget} points left."), _("Unspent"), ngettext_lazy(
                  "point too many; {budget} are allowed", "points too many; {budget} are allowed", "over"))


@dataclass(frozen=True)
class Spent:
    """A line of the ledger: the title of what was bought, its path in the sheet, and its cost."""

    title: Wording
    path: str
    points: int


@dataclass(frozen=True)
class Ledger:
    """The budget of a sheet, and a line for everything bought with it."""

    budget: int
    lines: tuple[Spent, ...]
    unit: Unit = POINTS

    @property
    def spent(self) -> int:
        """The number of points spent."""
        return sum(line.points for line in self.lines)

    @property
    def left(self) -> int:
        """The number of points left; negative if too many are spent."""
        return self.budget - self.spent

    @property
    def over(self) -> int:
        """The number of points spent above the budget, or 0."""
        return max(0, -self.left)

    @property
    def lines_are_rows(self) -> bool:
        """True if its lines are rows of the sheet, which shows them anyway."""
        return any("." in line.path for line in self.lines)

    @property
    def words(self) -> Mapping[str, str]:
        """The texts of the unit with their figures filled in, {text: wording}."""
        figures = self._figures()
        return {key: str(word.format(**figures)) for key, word in vars(self.unit).items()}

    def text(self, key: str) -> str:
        """Return one of these texts."""
        return str(getattr(self.unit, key).format(**self._figures()))

    def _figures(self) -> dict[str, int]:
        spent = self.spent
        left = self.budget - spent
        return {"spent": spent, "budget": self.budget, "left": left, "over": max(0, -left)}

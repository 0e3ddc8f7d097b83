"""Points: the ledger of where they went, and the gauges of what is left at the table."""

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Spent:
    """A line of the ledger: what was bought, where it stands, what it cost."""

    title: Any
    path: str
    points: int


@dataclass(frozen=True)
class Ledger:
    """Every point accounted for: the budget, and what it went into."""

    budget: int
    lines: tuple[Spent, ...]

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


@dataclass(frozen=True)
class Gauge:
    """Something that comes and goes at the table: the derived value it belongs to, what is left, how much there is."""

    key: str
    title: Any
    left: int
    most: int = 0
    """How much there is at the most; 0 where it has no end."""

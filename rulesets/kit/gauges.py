"""Gauges of what is left at the table, with the acts that lower and raise them."""

from dataclasses import dataclass

from rulesets.kit.offers import Filled, Offer
from rulesets.kit.words import Wording


@dataclass(frozen=True)
class Nudge:
    """One press, of a gauge or on a board: the act as the sheet offers it, and what the press answers."""

    offer: Offer
    by: Filled


@dataclass(frozen=True)
class Place:
    """One place of a gauge: what stands there, "" for nothing yet; whether something falls due; what empties it."""

    word: Wording = ""
    due: bool = False
    end: Nudge | None = None


@dataclass(frozen=True)
class Gauge:
    """Something that comes and goes at the table: the derived value it belongs to, what is left, how much there is."""

    key: str
    title: Wording
    left: int
    most: int = 0
    """The most that there can be; 0 where it has no end."""
    less: Nudge | None = None
    """The press that lowers it by one; None where no rule allows one."""
    more: Nudge | None = None
    """The press that raises it by one."""
    burden: bool = False
    """True if it is the worse the more there is, until there is no room for more."""
    places: tuple[Place, ...] = ()
    """Its places one by one, where what fills them has a name; then they are drawn in place of a figure."""
    filling: Offer | None = None
    """The offer that asks for the name of what fills the next of them."""

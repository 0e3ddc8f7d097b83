"""Gauges: values at the table that acts lower and raise."""

from dataclasses import dataclass

from rulesets.kit.former_names import accept_former_arguments
from rulesets.kit.offers import Filled, Offer
from rulesets.kit.words import Wording


@accept_former_arguments({"by": "answers"})
@dataclass(frozen=True)
class Nudge:
    """A button of a gauge or a board: the offered act, and the answers to its questions."""

    offer: Offer
    answers: Filled


@accept_former_arguments({"due": "needs_name"})
@dataclass(frozen=True)
class Place:
    """One place of a gauge: its filling's name, and the button that empties it; `needs_name` if the name is missing."""

    word: Wording = ""
    needs_name: bool = False
    end: Nudge | None = None


@accept_former_arguments({"left": "current"})
@dataclass(frozen=True)
class Gauge:
    """A value that changes at the table: the derived value it belongs to, its current amount, and the maximum."""

    key: str
    title: Wording
    current: int
    most: int = 0
    """The maximum; 0 if there is none."""
    less: Nudge | None = None
    """The button that lowers it by one; None if no rule allows that."""
    more: Nudge | None = None
    """The button that raises it by one."""
    burden: bool = False
    """True if a higher value is worse, until the maximum is reached."""
    places: tuple[Place, ...] = ()
    """Its places, if what fills them has names; they are then shown instead of a number."""
    filling: Offer | None = None
    """The offer that fills the next place and asks for its name."""

"""Turns and rounds at a table: who is on, and what begins, ends and is spent with them."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import ClassVar, Literal

from rulesets.kit.fields import Part
from rulesets.kit.offers import Offer
from rulesets.kit.shapes import Play, Sheet
from rulesets.kit.words import Wording


@dataclass(frozen=True)
class Seated:
    """A character at the table: its name, its sheet as written, its state of play."""

    name: str
    sheet: Sheet
    play: Play


class Turns(Part):
    """How a system goes round the table; by default the GM sets the order, and turns change nothing.

    What answers offers names acts, or rolls, with nothing left to ask: of a turn for its seat, of a round for all
    `seats` at the table. Each is done where the act is offered at that moment.
    """

    order: ClassVar[Wording] = ""
    """What the order of turns goes by, the lowest first; "" where the GM sets it."""
    together: ClassVar[Literal["", "side", "all"]] = ""
    """Who is on at once: "" one seat after another, "side" a side in any order, then the other one, "all" everybody."""

    def place(self, seat: Seated) -> int | None:
        """The figure that says when it is somebody's turn; None while there is none."""
        return None

    def turn_place(self, seat: Seated) -> int | None:
        """The same while turns are counted, where a system orders them by another figure than those who sit there."""
        return self.place(seat)

    def due(self, seat: Seated) -> bool:
        """Whether a turn is still due to somebody in this round who has had none: not to whoever is down."""
        return True

    def round_begins(self, seats: Sequence[Seated]) -> Iterator[Offer]:
        """What a round begins with."""
        return iter(())

    def turn_begins(self, seat: Seated) -> Iterator[Offer]:
        """What a turn begins with; whomever it is not due to any more after that has none."""
        return iter(())

    def turn_ends(self, seat: Seated) -> Iterator[Offer]:
        """What it ends with."""
        return iter(())

    def round_ends(self, seats: Sequence[Seated]) -> Iterator[Offer]:
        """What it ends with; the end of a fight ends its round, too."""
        return iter(())

    def holds(self, seat: Seated) -> Iterator[Offer]:
        """How somebody holds back whose turn comes later in the round.

        By default they change places with the next, or come after all others where several are on at once.
        """
        return iter(())

    def spent(self, seat: Seated) -> Wording:
        """What somebody who acts now has spent in this turn already, "" while nothing is."""
        return ""

"""Turns and rounds at a table: their order, and the acts that they begin and end with."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import ClassVar, Literal

from rulesets.kit.fields import Part
from rulesets.kit.offers import Offer
from rulesets.kit.own import OwnPlay, OwnSheet
from rulesets.kit.rolls import Roll
from rulesets.kit.words import Wording


@dataclass(frozen=True)
class Seated:
    """A character at the table: its name, its sheet as written, its state of play."""

    name: str
    sheet: OwnSheet
    play: OwnPlay
    acted: bool = False
    """True for somebody who is on and has made one of the system's `actions` since."""


class Turns(Part):
    """The turns of a system: by default the GM sets the order, and they change nothing.

    Methods that answer offers name acts, or rolls, with nothing left to ask. Those of a turn are done for its seat,
    those of a round for all seats, each where it is offered at that moment.
    """

    order: ClassVar[Wording] = ""
    """The figure that the order of turns goes by, the lowest first; "" where the GM sets it."""
    together: ClassVar[Literal["", "side", "all"]] = ""
    """Those who are on at once: "" one seat after another, "side" a side in any order, then the other, "all" all."""

    actions: ClassVar[tuple[type[Roll], ...]] = ()
    """The rolls that use up a turn and leave nothing of that in the state of play."""

    def place(self, seat: Seated) -> int | None:
        """Return the figure that orders a seat's turn; None while it has none."""
        return None

    def turn_place(self, seat: Seated) -> int | None:
        """Return the same figure while turns are counted, for a system that then uses another one."""
        return self.place(seat)

    def due(self, seat: Seated) -> bool:
        """True while a turn is due in this round to somebody who has had none: not to whoever is down."""
        return not self.out(seat)

    def out(self, seat: Seated) -> bool:
        """Return True if the rules take a seat out of the fight; nobody is aimed at it unless they choose it."""
        return False

    def round_begins(self, seats: Sequence[Seated]) -> Iterator[Offer]:
        """Yield the acts that a round begins with."""
        return iter(())

    def turn_begins(self, seat: Seated) -> Iterator[Offer]:
        """The acts that a turn begins with; whomever it is not due to any more after that has none."""
        return iter(())

    def turn_ends(self, seat: Seated) -> Iterator[Offer]:
        """Yield the acts that a turn ends with."""
        return iter(())

    def round_ends(self, seats: Sequence[Seated]) -> Iterator[Offer]:
        """The acts that a round ends with; the end of a fight ends its round, too."""
        return iter(())

    def holds(self, seat: Seated) -> Iterator[Offer]:
        """The act by which somebody holds back, whose turn then comes later in the round.

        By default they change places with the next, or come after all others where several are on at once.
        """
        return iter(())

    def spent(self, seat: Seated) -> Wording:
        """Return a line saying that the seat has used up its current turn; "" if it has not."""
        return ""

    def unable(self, seat: Seated) -> Wording:
        """A line for somebody who can do nothing now, whoever is on, "" while that is not so; they may all the same."""
        return ""

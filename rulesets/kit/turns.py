"""Turns and rounds at a table: their order, and the acts that they begin and end with."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Literal

from rulesets.kit.fields import Part
from rulesets.kit.former_names import accept_former_names, rename_former
from rulesets.kit.offers import Offer
from rulesets.kit.own import OwnPlay, OwnSheet
from rulesets.kit.rolls import Roll
from rulesets.kit.words import Wording

FORMER = {"out": "is_out", "holds": "delay_offers", "spent": "turn_used_note", "unable": "unable_note"}
"""{former name in a Turns: name}; a system may use the former ones for one more release, with a warning."""


@dataclass(frozen=True)
class Seated:
    """A character at the table: its name, its sheet as written, its state of play."""

    name: str
    sheet: OwnSheet
    play: OwnPlay
    acted: bool = False
    """True if it is this character's turn and it has already made one of the system's `actions`."""


class Turns(Part):
    """The turns of a system; by default the GM sets the order, and turns have no effect.

    Methods that yield offers must yield completely filled acts or rolls. Those of a turn are done for its seat, those
    of a round for all seats, each if it is offered at that moment.
    """

    order: ClassVar[Wording] = ""
    """The figure by which turns are ordered, the lowest first; "" if the GM sets the order."""
    together: ClassVar[Literal["", "side", "all"]] = ""
    """Those whose turn it is at the same time: "" a single seat, "side" everyone on one side, "all" everyone."""

    actions: ClassVar[tuple[type[Roll], ...]] = ()
    """The rolls that use up a turn without recording it in the state of play."""

    def __init_subclass__(cls, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        rename_former(cls, FORMER)

    def place(self, seat: Seated) -> int | None:
        """Return the figure that orders a seat's turn; None while it has none."""
        return None

    def turn_place(self, seat: Seated) -> int | None:
        """Return the figure that orders a turn once turns are being counted; by default the same as `place`."""
        return self.place(seat)

    def due(self, seat: Seated) -> bool:
        """Return whether a seat that has had no turn this round still gets one; by default unless it `is_out`."""
        return not self.is_out(seat)

    def is_out(self, seat: Seated) -> bool:
        """Return True if the rules take a seat out of the fight; it is then not preselected as a target."""
        return False

    def round_begins(self, seats: Sequence[Seated]) -> Iterator[Offer]:
        """Yield the acts that a round begins with."""
        return iter(())

    def turn_begins(self, seat: Seated) -> Iterator[Offer]:
        """Yield the acts that a turn begins with; a seat for which no turn is `due` after them loses its turn."""
        return iter(())

    def turn_ends(self, seat: Seated) -> Iterator[Offer]:
        """Yield the acts that a turn ends with."""
        return iter(())

    def round_ends(self, seats: Sequence[Seated]) -> Iterator[Offer]:
        """Yield the acts that a round ends with; the end of a fight ends its round, too."""
        return iter(())

    def delay_offers(self, seat: Seated) -> Iterator[Offer]:
        """Yield the act by which a seat delays its turn to later in the round.

        By default it changes places with the next one, or comes last if several have their turn at the same time.
        """
        return iter(())

    def turn_used_note(self, seat: Seated) -> Wording:
        """Return a line saying that the seat has used up its current turn; "" if it has not."""
        return ""

    def unable_note(self, seat: Seated) -> Wording:
        """Return a line saying that the seat can do nothing now, whosever turn it is, else ""; it prevents nothing."""
        return ""


accept_former_names(Turns, FORMER)

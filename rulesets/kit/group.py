"""A party at one table: what it counts in common, whose turn it is, what all of its characters do at once."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import ClassVar

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


class Table(Part):
    """What a party has in common: the fields are its counters, whole numbers with bounds, each with a default.

    A counter that the system's Play has under the same name is the party's own while a sheet is in a party.
    """

    secret: ClassVar[frozenset[str]] = frozenset()
    """The counters that GMs alone see."""
    opponents_join: ClassVar[bool] = True
    """Whether what all do at once is done for opponents, too."""
    order: ClassVar[Wording] = ""
    """What the order of turns goes by, the lowest first; "" where the GM sets it."""

    def place(self, seat: Seated) -> int | None:
        """The figure that says when it is somebody's turn; None while there is none."""
        return None

    def rolls(self, seats: Sequence[Seated]) -> Iterator[Offer]:
        """The rolls that are made once for the party as a whole."""
        return iter(())

    def rounds(self, seats: Sequence[Seated]) -> Iterator[Offer]:
        """The rolls and acts that are done for each sheet at once; an act for those alone whom it is offered."""
        return iter(())

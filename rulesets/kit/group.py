"""A party at one table: its common counters, and what all of its characters do at once."""

from collections.abc import Iterator, Sequence
from typing import ClassVar

from rulesets.kit.offers import Offer
from rulesets.kit.shapes import Act
from rulesets.kit.turns import Seated, Turns


class Table(Turns):
    """The common state of a party: its fields are counters, whole numbers with bounds, each with a default.

    A counter that the system's Play has under the same name is the party's own while a sheet is in a party.
    """

    secret: ClassVar[frozenset[str]] = frozenset()
    """The counters that GMs alone see."""
    opponents_join: ClassVar[bool] = True
    """True if rolls and acts done for all at once include opponents."""
    begins: ClassVar[tuple[type[Act], ...]] = ()
    """The acts that a GM may do for all as a scene begins."""
    ends: ClassVar[tuple[type[Act], ...]] = ()
    """The acts that a GM may do for all as a scene ends."""

    def rolls(self, seats: Sequence[Seated]) -> Iterator[Offer]:
        """Yield the rolls that are made once for the party as a whole."""
        return iter(())

    def rounds(self, seats: Sequence[Seated]) -> Iterator[Offer]:
        """Yield the rolls and acts that are done for each sheet at once; an act only where it is offered."""
        return iter(())

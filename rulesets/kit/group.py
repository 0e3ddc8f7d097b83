"""The common state of a party at its table, and rolls and acts that all characters do at once."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, ClassVar

from rulesets.kit.former_names import accept_former_names, rename_former
from rulesets.kit.offers import Offer
from rulesets.kit.shapes import Act
from rulesets.kit.turns import Seated, Turns

FORMER = {"begins": "scene_start_acts", "ends": "scene_end_acts", "taking_back": "restored_counters"}
"""{former name in a Table: name}; a system may use the former ones for one more release, with a warning."""


class Table(Turns):
    """The common state of a party: its fields are counters with bounds and defaults.

    If the Play of the system has a counter of the same name, sheets in the party use the party's.
    """

    secret: ClassVar[frozenset[str]] = frozenset()
    """The counters that only GMs see."""
    opponents_join: ClassVar[bool] = True
    """True if rolls and acts done for all at once include opponents."""
    scene_start_acts: ClassVar[tuple[type[Act], ...]] = ()
    """The acts that a GM may do for everyone at the beginning of a scene."""
    scene_end_acts: ClassVar[tuple[type[Act], ...]] = ()
    """The acts that a GM may do for everyone at the end of a scene."""

    def __init_subclass__(cls, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        rename_former(cls, FORMER)

    def restored_counters(self, counters: Mapping[str, Any]) -> Mapping[str, Any]:
        """Return the counters that taking back an act changes, with their new values, given those that it would change.

        By default an act takes back its own changes.
        """
        return counters

    def rolls(self, seats: Sequence[Seated]) -> Iterator[Offer]:
        """Yield the rolls that are made once for the whole party."""
        return iter(())

    def rounds(self, seats: Sequence[Seated]) -> Iterator[Offer]:
        """Yield the rolls and acts done for all sheets at once; an act only for sheets to which it is offered."""
        return iter(())


accept_former_names(Table, FORMER)

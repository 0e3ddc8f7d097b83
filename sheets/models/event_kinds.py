"""The kinds of event, a dataclass for each: its fields are the columns of `Event` that such an event fills.

Every event is `Pressed`, and may also be `Rolled`, `Acted`, `ChangedForGood` or `TurnPassed`, or several of these. An
act with its roll is one event, both `Rolled` and `Acted`; a roll that was `Stopped` is neither.
"""

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, TypedDict
from uuid import UUID

from rulesets.kit import Data

if TYPE_CHECKING:
    from django.contrib.auth.models import User


@dataclass(frozen=True)
class EventKind:
    """The column values of one kind of event, for `Event.of` and `Event.add`."""

    @property
    def columns(self) -> dict[str, Any]:
        """The stored values, {column: value}."""
        return vars(self)


@dataclass(frozen=True)
class Pressed(EventKind):
    """Something was pressed, or happened automatically."""

    who: "User | None"
    """The user who did it."""
    key: UUID
    """An idempotency key: a press that arrives twice is recorded once."""
    widget: str
    """The name of the pressed widget on the page."""
    title: str
    """The title of the pressed widget, in that user's language."""
    titles: dict[str, str] = field(default_factory=dict)
    """{language: title}; {} in events of older versions."""
    row: str = ""
    """The identification of the row that it was about; "" if there was none, and in events of older versions."""
    hidden: bool = False
    """True if only GMs see it."""


@dataclass(frozen=True)
class Rolled(EventKind):
    """Dice were rolled."""

    roll: str
    """The slug of the roll."""
    given: Data
    """Its parameters, except the veiled ones."""
    faces: list[int]
    """The faces of the dice that count, in order, except the veiled ones."""
    tries: list[list[int]]
    """The dice of each earlier throw of this roll that did not count."""
    outcome: Any
    """The outcome, one of those that odds are computed for."""
    figures: Data
    """The figures that led to the outcome."""


@dataclass(frozen=True)
class Acted(EventKind):
    """An act changed the state of play."""

    act: str
    """The slug of the act."""
    done: Data | None
    """The answers that the act asked for, except the veiled ones; None in events of older versions."""
    before: Data | None
    """The state of play before the act; None if the act, and all before it, cannot be undone."""
    text: str
    """The act's own text, in the language of the user who did it."""
    said: dict[str, Any]
    """`text` in each language, and under "others" the text for everybody but the owner, if that differs."""
    group: dict[str, list[Any]] = field(default_factory=dict)
    """The party's counters that it changed, {counter: [before, after]}."""


@dataclass(frozen=True)
class Stopped(EventKind):
    """A roll was stopped by its target before it was made."""

    text: str
    """The response that stopped it, in the language of that request."""
    said: dict[str, Any]
    """{language: the same text}."""


@dataclass(frozen=True)
class ChangedForGood(EventKind):
    """An act changed the sheet's own data, too."""

    before_data: Data
    """The sheet's data before the act."""
    version: int
    """The version of the sheet that the act created."""
    before_revision: int | None = None
    """The number of the revision that was played, if one had been approved."""


class TurnOrder(TypedDict):
    """The fields of a scene that hold the order of turns."""

    order: list[str]
    """The keys of the sheets that the GM has moved to the front."""
    round: int
    """The number of the round, 0 while turns are not counted."""
    on: list[str]
    """The keys of the sheets whose turn it is."""
    done: list[str] | None
    """The keys of the sheets that have had their turn in this round; None means all that precede `on` in the order."""
    held: list[str]
    """The keys of the sheets that delay their turn in this round."""


@dataclass(frozen=True)
class TurnPassed(EventKind):
    """The turn passed on; the acts that this caused are events with this one as `step_of`."""

    before: TurnOrder
    after: TurnOrder
    of: list[str]
    """The keys of the sheets whose turn ended."""

    @property
    def columns(self) -> dict[str, Any]:
        """The stored values; all fields are in one column."""
        return {"turn": vars(self)}

    @property
    def changes_round(self) -> bool:
        """True if a round has begun, or the last one has ended."""
        return self.after["round"] != self.before["round"]

    @property
    def begins_round(self) -> bool:
        """True if another round has begun."""
        return bool(self.after["round"]) and self.changes_round

"""The kinds of event, a shape for each: its fields are the columns of `Event` that such an event fills.

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
    """Something was pressed, or happened by itself."""

    who: "User | None"
    """The one who did it."""
    key: UUID
    """An idempotency key: a press that arrives twice is recorded once."""
    widget: str
    """The name of what was pressed, as the page had it."""
    title: str
    """The title of what was pressed, in the language of whoever did it."""
    titles: dict[str, str] = field(default_factory=dict)
    """The same in each language; none in events of older versions."""
    row: str = ""
    """The row that it was about, by what that is; "" where it was about none, and in events of older versions."""
    hidden: bool = False
    """True if GMs alone see it."""


@dataclass(frozen=True)
class Rolled(EventKind):
    """Dice were rolled."""

    roll: str
    """The slug of the roll."""
    given: Data
    """Its parameters, but for those that are veiled."""
    faces: list[int]
    """The dice that count, as they fell, but for those that are veiled."""
    tries: list[list[int]]
    """The dice of each earlier throw of this roll that did not count."""
    outcome: Any
    """The outcome, of those that odds are counted for."""
    figures: Data
    """The figures that led to the outcome."""


@dataclass(frozen=True)
class Acted(EventKind):
    """An act changed the state of play."""

    act: str
    """The slug of the act."""
    done: Data | None
    """The answers that the act asked for, but for those that are veiled; None in events of older versions."""
    before: Data | None
    """The state of play before the act; None if the act, and all before it, cannot be undone."""
    text: str
    """The act's own words, in the language of whoever did it."""
    said: dict[str, Any]
    """`text` in each language, and under "others" the text for everybody but the owner, if that differs."""
    group: dict[str, list[Any]] = field(default_factory=dict)
    """The party's counters that it changed, {counter: [before, after]}."""


@dataclass(frozen=True)
class Stopped(EventKind):
    """A roll was stopped by its target before it fell, and has come to nothing."""

    text: str
    """By what it was stopped, in the language of whoever did it."""
    said: dict[str, Any]
    """The same in each language."""


@dataclass(frozen=True)
class ChangedForGood(EventKind):
    """An act changed the sheet itself, too."""

    before_data: Data
    """The sheet's data before."""
    version: int
    """The version of the sheet that it made."""
    before_revision: int | None = None
    """The number of the revision that was played, if one had been approved."""


class TurnOrder(TypedDict):
    """The turn as a scene has it."""

    order: list[str]
    """The keys of the sheets that the GM lets go first."""
    round: int
    """The number of the round, 0 where turns are not counted."""
    on: list[str]
    """The keys of the sheets whose turn it is."""
    done: list[str] | None
    """The keys of those that have had their turn in this round; None: all that precede `on` in the order."""
    held: list[str]
    """The keys of those that delay their turn in this round."""


@dataclass(frozen=True)
class TurnPassed(EventKind):
    """The turn passed on; what that did to each sheet are events that are a `step_of` this one."""

    before: TurnOrder
    after: TurnOrder
    of: list[str]
    """The keys of the sheets whose turn ended."""

    @property
    def columns(self) -> dict[str, Any]:
        """All of it is in one column."""
        return {"turn": vars(self)}

    @property
    def changes_round(self) -> bool:
        """True if a round has begun, or the last one has ended."""
        return self.after["round"] != self.before["round"]

    @property
    def begins_round(self) -> bool:
        """True if another round has begun."""
        return bool(self.after["round"]) and self.changes_round

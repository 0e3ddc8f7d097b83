"""A line of what happened at a party's table."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from itertools import accumulate

from django.conf import settings
from django.utils import translation

from rulesets.kit import Act, Roll
from sheets.models import Event
from sheets.rolls.fallen_dice import MOST


@dataclass(frozen=True)
class Came:
    """What came of something at one of those whom it was aimed at."""

    name: str
    state: str
    """"open", "applied" or "dismissed"."""
    words: str
    """What the act that it became says of itself, "" where that is not for whoever looks."""
    undoable: int | None = None
    """The key of that act, for those who may take it back."""


@dataclass(frozen=True)
class LogLine:
    """A line of the log in the reader's language."""

    event: Event
    who: str
    title: str
    text: str
    sides: int
    dice: list[tuple[int, str, int]]
    """(face, colour, times) of each die, or where they are many of each heap of equal ones."""
    redone: bool = False
    """Whether a repeat has taken its place."""
    came: tuple[Came, ...] = ()
    """What came of it at those whom it was aimed at."""
    undoable: bool = False
    """Whether it can be taken back now, by whoever looks."""
    together: bool = False
    """Whether it was done for several at once, and whoever looks may take it back for all."""

    def __str__(self) -> str:
        return ": ".join(filter(None, (self.who, self.title, self.text or self.event.words)))


def first_within(events: Sequence[Event], dice: int) -> list[Event]:
    """The first of some events that have at most so many dice together, of each no more than lie there one by one."""
    so_far = accumulate(min(len(event.faces), MOST) for event in events)
    return [event for event, fallen in zip(events, so_far, strict=True) if fallen <= dice]


@cache
def titles(cls: type[Roll] | type[Act]) -> frozenset[str]:
    """Return the title of a roll or an act in each language; an older event keeps the words of whoever made it."""
    found = set()
    for language, _name in settings.LANGUAGES:
        with translation.override(language):
            found.add(str(cls.title))
    return frozenset(found)

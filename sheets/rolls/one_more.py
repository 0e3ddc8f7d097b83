"""One more: a roll whose dice have met somebody else as well, and its name."""

from collections.abc import Mapping
from dataclasses import replace
from uuid import UUID

from sheets.models import Event
from sheets.rolls.widgets import Widget, key_of

ALSO = "also-"
"""The part that marks, with what comes behind it, the widget name of a roll whose dice have met one more."""


def name_of_one_more(widget: Widget, key: UUID) -> str:
    """Return the widget name of a roll whose dice meet one more, in the event of that key.

    It is a name of its own, so that what follows from the same dice is told apart by whom they have met.
    """
    return key_of(replace(widget.offer, key=f"{ALSO}{key.hex[:8]}-{widget.key}"))


def with_one_more(widget: Widget, last: Mapping[str, Event], event: Event) -> list[Widget]:
    """Return the roll of a widget as its dice, which fell in an event, have met each of the others since."""
    begins, ends = key_of(replace(widget.offer, key=ALSO)), f"-{widget.key}"
    found = sorted((one.pk, name) for name, one in last.items()
                   if one.pk > event.pk and name.startswith(begins) and name.endswith(ends)
                   and "-" not in name[len(begins):-len(ends)])
    keys = (name[len(begins) - len(ALSO):] for _pk, name in found)
    return [Widget(replace(widget.offer, key=key, row=None), given=last[name].given) for key, (_pk, name) in zip(
        keys, found, strict=True)]

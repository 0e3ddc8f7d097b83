"""Rolls whose dice are compared with one more target, and their widgets."""

from collections.abc import Mapping
from dataclasses import replace
from uuid import UUID

from sheets.models import Event
from sheets.rolls.widgets import Widget, key_of

ALSO_PREFIX = "also-"
"""The part of a widget's name that marks a roll compared with one more target."""


def name_of_one_more(widget: Widget, key: UUID) -> str:
    """Return the widget name of a roll whose dice are compared with one more target in the event of that key.

    Each target gets a name of its own, so that the rolls that follow can be told apart.
    """
    return key_of(replace(widget.offer, key=f"{ALSO_PREFIX}{key.hex[:8]}-{widget.key}"))


def with_one_more(widget: Widget, last: Mapping[str, Event], event: Event) -> list[Widget]:
    """Return the roll of a widget once for each further target that its dice were compared with since an event."""
    begins, ends = key_of(replace(widget.offer, key=ALSO_PREFIX)), f"-{widget.key}"
    found = sorted((one.pk, name) for name, one in last.items()
                   if one.pk > event.pk and name.startswith(begins) and name.endswith(ends)
                   and "-" not in name[len(begins):-len(ends)])
    keys = (name[len(begins) - len(ALSO_PREFIX):] for _pk, name in found)
    return [Widget(replace(widget.offer, key=key, row=None), given=last[name].given) for key, (_pk, name) in zip(
        keys, found, strict=True)]

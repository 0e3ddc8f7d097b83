"""Rolls whose dice are compared with further targets, and their widgets."""

from collections.abc import Mapping
from dataclasses import replace
from uuid import UUID

from sheets.models import Event
from sheets.rolls.widgets import Widget, key_of

FURTHER_TARGET_PREFIX = "also-"
"""The part of a widget's key that marks a roll compared with a further target."""


def further_target_key(widget: Widget, event_key: UUID) -> str:
    """Return the key of the widget for a roll whose dice the event with this key compares with a further target.

    Each target gets a key of its own, so that the rolls that follow can be told apart.
    """
    return key_of(replace(widget.offer, key=f"{FURTHER_TARGET_PREFIX}{event_key.hex[:8]}-{widget.key}"))


def further_target_widgets(widget: Widget, last_events: Mapping[str, Event], event: Event) -> list[Widget]:
    """Return a copy of the widget for each further target that its dice were compared with since an event."""
    prefix, suffix = key_of(replace(widget.offer, key=FURTHER_TARGET_PREFIX)), f"-{widget.key}"
    found = sorted((one.pk, name) for name, one in last_events.items()
                   if one.pk > event.pk and name.startswith(prefix) and name.endswith(suffix)
                   and "-" not in name[len(prefix):-len(suffix)])
    keys = (name[len(prefix) - len(FURTHER_TARGET_PREFIX):] for _pk, name in found)
    return [Widget(replace(widget.offer, key=key, row=None), given=last_events[name].given) for key, (_pk, name) in zip(
        keys, found, strict=True)]

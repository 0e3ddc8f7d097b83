"""The last acts of the sheets at a table, as their events tell: which of them can be taken back."""

from collections.abc import Iterable, Iterator, Sequence, Set
from typing import Any

from rulesets.grouping import by_key
from sheets.models import Event


def _source(event: Event) -> int | None:
    """Return the key of the event whose effect an act has applied, None if it applied none."""
    return event.applied_effect.event_id if hasattr(event, "applied_effect") else None


def last_acts(recent: Iterable[Event], sheets: Set[Any]) -> set[int]:
    """Return the keys of the last two acts of each of some sheets: one can be taken back, or could be until now.

    An act that applied an effect can be taken back where that came from, so its source is among them.
    """
    acts = [event for event in recent if event.sheet_id in sheets and event.act and not event.undone]
    found = (some[:2] for some in by_key((event.sheet_id, event) for event in acts).values())
    return {key for some in found for event in some for key in (event.pk, _source(event)) if key}


def undoable_acts(read: Sequence[Event]) -> list[Event]:
    """Return the last act of each sheet, newest first, unless what is undone with it is no longer the last elsewhere.

    Undone with it are the acts that applied its effects on others and, if it applied an effect itself, the act of that.
    `read` are the newest events of a table, the newest first.
    """
    acts = [event for event in read if event.act and not event.undone and event.sheet_id]
    by_sheet = by_key((event.sheet_id, event) for event in acts)
    return [event for event in acts
            if event == by_sheet[event.sheet_id][0] and _are_last(_together(event, acts), by_sheet)]


def _are_last(events: list[Event], by_sheet: dict[Any, list[Event]]) -> bool:
    """Return True if some acts are the newest of their sheets, however many each has of them."""
    groups = by_key((event.sheet_id, event.pk) for event in events)
    return all({event.pk for event in by_sheet[sheet][:len(keys)]} == {*keys} for sheet, keys in groups.items())


def _together(event: Event, acts: list[Event]) -> list[Event]:
    """Return what `sheets.press.undo.together` undoes with an act, as far as it is among some acts."""
    there, root = {one.pk: one for one in acts}, event
    while (above := there.get(_source(root) or 0)) and not above.again_id and above.sheet_id != root.sheet_id:
        root = above
    below = [*_below(root, acts)]
    return [root, *below] if root != event else [event, *(one for one in below if one.sheet_id != event.sheet_id)]


def _below(event: Event, acts: list[Event]) -> Iterator[Event]:
    """Yield the acts that applied an event's effects, and those that applied theirs."""
    for one in acts:
        if _source(one) == event.pk:
            yield one
            yield from _below(one, acts)

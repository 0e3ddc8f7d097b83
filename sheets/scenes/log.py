"""The log of a scene: the events that happen while it is open; each of its rolls has a number."""

import json
from collections.abc import Sequence

from django.contrib.auth.models import User
from django.db import connection

from sheets.models import Event, Party, Scene
from sheets.models.compiled_queries import insert
from sheets.models.scene_numbers import number_events
from sheets.models.webhooks import EVENT, record_happening

DICE = "UPDATE sheets_receipt SET event_id = %s, dice = %s WHERE id = %s"
"""Raw SQL, because Django would take longer to compile this than the database to run it."""


def record(event: Event, *, opens: bool = True) -> None:
    """Save a new event in an open scene of its party, which must be locked (see `number_events`).

    A roll gets the next number of the scene; hidden rolls are numbered separately. With `opens`, a scene is opened if
    there is none. An event without a party belongs to no scene.
    """
    _add_new([event], opens=opens)
    insert(event)
    _store_receipts([event])
    _note([event])


def record_all(events: Sequence[Event]) -> None:
    """Save new events of one locked party in order; open a scene if there is none."""
    if events:
        _add_new(events)
        Event.objects.bulk_create(events)
        _store_receipts(events)
        _note(events)


def _note(events: Sequence[Event]) -> None:
    """Note events for the webhooks of their party."""
    for event in events:
        if (party := event.sheet.party if event.sheet else event.party) and not event.hidden:
            record_happening(party, EVENT, "roll.made", "effect.pending", "scene.opened", event=event.pk)


def _store_receipts(events: Sequence[Event]) -> None:
    """Store the dice of signed rolls that were saved just now, and which event each receipt belongs to."""
    for event in events:
        if receipt := event.opened:
            receipt.event = event
            with connection.cursor() as cursor:
                cursor.execute(DICE, [event.pk, json.dumps(receipt.dice), receipt.pk])


def _add_new(events: Sequence[Event], *, opens: bool = True) -> None:
    """Put events into the scene, except for rolls that were put there before their dice fell."""
    new = [one for one in events if one.opened is None]
    number_events(new, [one for one in new if one.roll], opens=opens)


def open_scene(party: Party, user: User, name: str = "", *, by_itself: bool = False, apart: bool = False) -> Scene:
    """Open a scene of a locked party for a user: the main one if that is not open, or one `apart` from it."""
    scene = Scene.objects.create(party=party, name=name, by_itself=by_itself, apart=apart, opener=user)
    record_happening(party, "scene.opened", scene=scene.pk)
    return scene

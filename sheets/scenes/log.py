"""The log of a scene: what happens while it is open belongs to it, and each roll has a number there."""

from collections.abc import Sequence
from uuid import UUID

from django.db import connection

from sheets.models import Event, Party, Scene

NUMBERING = """
UPDATE sheets_scene SET rolls = rolls + %s, hidden_rolls = hidden_rolls + %s WHERE party_id = %s AND ended IS NULL
RETURNING id, rolls, hidden_rolls
"""


def record(event: Event, *, opens: bool = True) -> None:
    """Save a new event in the open scene of its party, which is held.

    A roll takes the next number there, a hidden one the next of its own row. With `opens` a scene is opened where there
    is none; without a party there is nothing to be in.
    """
    _enter([event], opens=opens)
    event.save()


def record_all(events: Sequence[Event]) -> None:
    """Save some new events of one party, which is held, in their order; open a scene if there is none."""
    if events:
        _enter(events)
        Event.objects.bulk_create(events)


def _enter(events: Sequence[Event], *, opens: bool = True) -> None:
    if (party := events[0].party_id) is None:
        return
    rolls, hidden = ([one for one in events if one.roll and one.hidden is kind] for kind in (False, True))
    found = _next(party, len(rolls), len(hidden))
    if found is None and opens and events[0].party:
        open_scene(events[0].party, by_itself=True)
        found = _next(party, len(rolls), len(hidden))
    if found is None:
        return
    scene, last, last_hidden = found
    for event in events:
        event.scene_id = scene
    for number, event in enumerate(reversed(rolls)):
        event.number = last - number
    for number, event in enumerate(reversed(hidden)):
        event.hidden_number = last_hidden - number


def open_scene(party: Party, name: str = "", *, by_itself: bool = False) -> Scene:
    """Open a scene of a party that is held and has none."""
    return Scene.objects.create(party=party, name=name, by_itself=by_itself)


def _next(party: UUID, rolls: int, hidden: int) -> tuple[int, int, int] | None:
    with connection.cursor() as cursor:
        cursor.execute(NUMBERING, [rolls, hidden, Scene.party.field.get_db_prep_value(party, connection)])
        return cursor.fetchone()

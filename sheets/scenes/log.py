"""The log of a scene: the events that happen while it is open; each of its rolls has a number."""

from collections.abc import Sequence
from uuid import UUID

from django.db import connection

from sheets.models import Event, Party, Scene

NUMBERING = """
UPDATE sheets_scene SET rolls = rolls + %s, hidden_rolls = hidden_rolls + %s WHERE party_id = %s AND ended IS NULL
RETURNING id, rolls, hidden_rolls
"""


def record(event: Event, *, opens: bool = True) -> None:
    """Save a new event in the open scene of its party, which must be locked.

    A roll gets the next number of the scene; hidden rolls are numbered separately. With `opens`, a scene is opened if
    there is none. An event without a party belongs to no scene.
    """
    _add_to_scene([event], opens=opens)
    event.save()


def record_all(events: Sequence[Event]) -> None:
    """Save new events of one locked party in order; open a scene if there is none."""
    if events:
        _add_to_scene(events)
        Event.objects.bulk_create(events)


def _add_to_scene(events: Sequence[Event], *, opens: bool = True) -> None:
    if (party := events[0].party_id) is None:
        return
    rolls, hidden = ([one for one in events if one.roll and one.hidden is kind] for kind in (False, True))
    numbers = _take_numbers(party, len(rolls), len(hidden))
    if numbers is None and opens and events[0].party:
        open_scene(events[0].party, by_itself=True)
        numbers = _take_numbers(party, len(rolls), len(hidden))
    if numbers is None:
        return
    scene, last_roll, last_hidden = numbers
    for event in events:
        event.scene_id = scene
    for number, event in enumerate(reversed(rolls)):
        event.number = last_roll - number
    for number, event in enumerate(reversed(hidden)):
        event.hidden_number = last_hidden - number


def open_scene(party: Party, name: str = "", *, by_itself: bool = False) -> Scene:
    """Open a scene of a locked party that has no open one."""
    return Scene.objects.create(party=party, name=name, by_itself=by_itself)


def _take_numbers(party: UUID, rolls: int, hidden: int) -> tuple[int, int, int] | None:
    with connection.cursor() as cursor:
        cursor.execute(NUMBERING, [rolls, hidden, Scene.party.field.get_db_prep_value(party, connection)])
        return cursor.fetchone()

"""The log of a scene: the events that happen while it is open; each of its rolls has a number."""

from collections.abc import Sequence
from uuid import UUID

from django.db import connection
from django.db.models import F

from sheets.models import Event, Party, Receipt, Scene

NUMBERING = """
UPDATE sheets_scene SET rolls = rolls + %s, hidden_rolls = hidden_rolls + %s WHERE party_id = %s AND ended IS NULL
RETURNING id, uuid, rolls, hidden_rolls
"""


def record(event: Event, *, opens: bool = True) -> None:
    """Save a new event in the open scene of its party, which must be locked.

    A roll gets the next number of the scene; hidden rolls are numbered separately. With `opens`, a scene is opened if
    there is none. An event without a party belongs to no scene.
    """
    _add_new([event], opens=opens)
    event.save()
    _store_receipts([event])


def record_all(events: Sequence[Event]) -> None:
    """Save new events of one locked party in order; open a scene if there is none."""
    if events:
        _add_new(events)
        Event.objects.bulk_create(events)
        _store_receipts(events)


def _store_receipts(events: Sequence[Event]) -> None:
    """Store the dice of signed rolls that were saved just now, and which event each receipt belongs to."""
    for event in events:
        if receipt := event.opened:
            receipt.event = event
            receipt.save(update_fields=["event", "dice"])


def _add_new(events: Sequence[Event], *, opens: bool = True) -> None:
    """Put events into the scene, except for rolls that were put there before their dice fell."""
    new = [one for one in events if one.opened is None]
    _add_to_scene(new, [one for one in new if one.roll], opens=opens)


def enter_roll(event: Event, *, opens: bool = False) -> UUID | None:
    """Put a roll that is about to be made into the open scene of its party, with the next number there.

    Return the scene's uuid, None if it is in no scene.
    """
    return _add_to_scene([event], [event], opens=opens)


def _add_to_scene(events: Sequence[Event], numbered: Sequence[Event], *, opens: bool = True) -> UUID | None:
    if not events or (party := events[0].party_id) is None:
        return None
    rolls, hidden = ([one for one in numbered if one.hidden is kind] for kind in (False, True))
    numbers = _take_numbers(party, len(rolls), len(hidden))
    if numbers is None and opens and events[0].party:
        opened = open_scene(events[0].party, by_itself=True)
        for event in events:
            event.opened_scene = opened
        numbers = _take_numbers(party, len(rolls), len(hidden))
    if numbers is None:
        return None
    scene, uuid, last_roll, last_hidden = numbers
    for event in events:
        event.scene_id = scene
    for number, event in enumerate(reversed(rolls)):
        event.number = last_roll - number
    for number, event in enumerate(reversed(hidden)):
        event.hidden_number = last_hidden - number
    return UUID(str(uuid))


def count_again(receipt: Receipt) -> None:
    """Count the roll of a receipt in its scene again, after the savepoint of its event was rolled back."""
    counter = "hidden_rolls" if receipt.log.startswith("hidden:") else "rolls"
    if receipt.scene and not Scene.objects.filter(pk=receipt.scene.pk).update(**{counter: F(counter) + 1}):
        # It was opened in that savepoint.
        setattr(receipt.scene, counter, 1)
        receipt.scene.save(force_insert=True)


def open_scene(party: Party, name: str = "", *, by_itself: bool = False) -> Scene:
    """Open a scene of a locked party that has no open one."""
    return Scene.objects.create(party=party, name=name, by_itself=by_itself)


def _take_numbers(party: UUID, rolls: int, hidden: int) -> tuple[int, UUID | str, int, int] | None:
    with connection.cursor() as cursor:
        cursor.execute(NUMBERING, [rolls, hidden, Scene.party.field.get_db_prep_value(party, connection)])
        return cursor.fetchone()

"""The numbers of rolls in a scene; if no main scene is open, the first event opens one."""

from collections.abc import Sequence
from uuid import UUID

from django.db import connection
from django.db.models import F

from sheets.models import Event, Receipt, Scene

NUMBERING = "UPDATE sheets_scene SET rolls = rolls + %s, hidden_rolls = hidden_rolls + %s WHERE party_id = %s"
MAIN, ONE = "ended IS NULL AND NOT apart", "ended IS NULL AND id = %s"
RETURNING = "RETURNING id, rolls, hidden_rolls"


def number_events(events: Sequence[Event], rolls: Sequence[Event], *, opens: bool = True) -> None:
    """Put unsaved events of one locked party into an open scene; number the `rolls` among them.

    This is the scene of the first event, else that of the event's sheet, else the main one. Hidden rolls are numbered
    separately. With `opens`, a main scene is opened if none is open.
    """
    if not events or (party := events[0].party_id) is None:
        return
    seat = events[0].scene_id or (events[0].sheet.scene_id if events[0].sheet else None)
    shown, hidden = ([one for one in rolls if one.hidden is kind] for kind in (False, True))
    numbers = _take_numbers(party, seat, len(shown), len(hidden)) or (
        _take_numbers(party, None, len(shown), len(hidden)) if seat else None)
    if numbers is None and opens and events[0].party:
        Scene.objects.create(party=events[0].party, by_itself=True, opener=events[0].who)
        numbers = _take_numbers(party, None, len(shown), len(hidden))
    if numbers is None:
        return
    pk, last_roll, last_hidden = numbers
    for event in events:
        event.scene_id = pk
    for number, event in enumerate(reversed(shown)):
        event.number = last_roll - number
    for number, event in enumerate(reversed(hidden)):
        event.hidden_number = last_hidden - number


def count_again(receipt: Receipt) -> None:
    """Count the roll of a receipt in its scene again, after the savepoint of its event was rolled back."""
    counter = "hidden_rolls" if receipt.log.startswith("hidden:") else "rolls"
    if receipt.scene and not Scene.objects.filter(pk=receipt.scene.pk).update(**{counter: F(counter) + 1}):
        # The scene was created in that savepoint.
        setattr(receipt.scene, counter, 1)
        receipt.scene.save(force_insert=True)


def _take_numbers(party: UUID, seat: int | None, rolls: int, hidden: int) -> tuple[int, int, int] | None:
    """Return (scene key, last number, last hidden number), raised for these rolls; None if the scene is not open.

    The scene is the one with the key `seat`, or else the main one.
    """
    key = Scene.party.field.get_db_prep_value(party, connection)
    with connection.cursor() as cursor:
        cursor.execute(f"{NUMBERING} AND {ONE if seat else MAIN} {RETURNING}",
                       [rolls, hidden, key, *([seat] if seat else [])])
        return cursor.fetchone()

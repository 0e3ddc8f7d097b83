"""The numbers of rolls in a scene, which is opened by the first event where none is open."""

from collections.abc import Sequence
from uuid import UUID

from django.db import connection
from django.db.models import F

from sheets.models import Event, Receipt, Scene

NUMBERING = """
UPDATE sheets_scene SET rolls = rolls + %s, hidden_rolls = hidden_rolls + %s WHERE party_id = %s AND ended IS NULL
RETURNING id, rolls, hidden_rolls
"""


def number_events(events: Sequence[Event], rolls: Sequence[Event], *, opens: bool = True) -> None:
    """Put unsaved events of one locked party into its open scene; number the `rolls` among them.

    Hidden rolls are numbered separately. With `opens`, a scene is opened if there is none.
    """
    if not events or (party := events[0].party_id) is None:
        return
    shown, hidden = ([one for one in rolls if one.hidden is kind] for kind in (False, True))
    numbers = _take_numbers(party, len(shown), len(hidden))
    if numbers is None and opens and events[0].party:
        Scene.objects.create(party=events[0].party, by_itself=True, opener=events[0].who)
        numbers = _take_numbers(party, len(shown), len(hidden))
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
        # It was opened in that savepoint.
        setattr(receipt.scene, counter, 1)
        receipt.scene.save(force_insert=True)


def _take_numbers(party: UUID, rolls: int, hidden: int) -> tuple[int, int, int] | None:
    with connection.cursor() as cursor:
        cursor.execute(NUMBERING, [rolls, hidden, Scene.party.field.get_db_prep_value(party, connection)])
        return cursor.fetchone()

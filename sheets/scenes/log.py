"""The log of a scene: what happens while it is open belongs to it, and each roll has a number there."""

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
    if event.party_id:
        _enter(event, opens=opens)
    event.save()


def _enter(event: Event, *, opens: bool) -> None:
    rolls, hidden = bool(event.roll) and not event.hidden, bool(event.roll) and event.hidden
    found = _next(event.party_id, rolls=rolls, hidden=hidden)
    if found is None and opens:
        open_scene(event.party, by_itself=True)
        found = _next(event.party_id, rolls=rolls, hidden=hidden)
    if found:
        event.scene_id, number, hidden_number = found
        event.number, event.hidden_number = number if rolls else None, hidden_number if hidden else None


def open_scene(party: Party, name: str = "", *, by_itself: bool = False) -> Scene:
    """Open a scene of a party that is held and has none."""
    return Scene.objects.create(party=party, name=name, by_itself=by_itself)


def _next(party, *, rolls: bool, hidden: bool) -> tuple[int, int, int] | None:
    with connection.cursor() as cursor:
        key = Scene.party.field.get_db_prep_value(party, connection)
        cursor.execute(NUMBERING, [int(rolls), int(hidden), key])
        return cursor.fetchone()

"""What is stored is counted in bytes as it is stored: inserts whole, updates by what they grow."""

import json
from uuid import uuid4

import pytest
from django.db import connection

from builder.stored_size import StoredSize
from sheets.history import saves
from sheets.models import Change, Event, Sheet
from tests.support.guest import Guest, example

pytestmark = pytest.mark.django_db
EMOJI = "🐐" * 5_000
ROOM = 2_000
"""Bytes of all else that a statement writes."""


@pytest.fixture
def sheet():
    return Guest(example()).sheet


def stored(doing):
    """Return what is counted while something is done."""
    kept = StoredSize()
    with connection.execute_wrapper(kept):
        doing()
    return kept.bytes


def test_a_json_text_of_emoji_counts_as_it_is_written(sheet):
    def grow():
        Sheet.objects.filter(pk=sheet.pk).update(typed={"life": EMOJI})
    grown = stored(grow)
    now = len(json.dumps({"life": EMOJI}, ensure_ascii=connection.vendor == "sqlite").encode())
    assert now <= grown + ROOM
    assert grown <= now
    # The same once more adds nothing, a shorter one takes nothing back.
    assert stored(grow) == 0
    assert stored(lambda: Sheet.objects.filter(pk=sheet.pk).update(typed={})) == 0


def test_a_text_counts_in_bytes(sheet):
    assert stored(lambda: Sheet.objects.filter(pk=sheet.pk).update(notes=EMOJI)) == len(EMOJI.encode())


@pytest.mark.database("sqlite")
@pytest.mark.parametrize("dice", [1, 999])
def test_presses_count_for_no_less_than_the_database_grows_by_them(sheet, dice):
    def pages():
        with connection.cursor() as cursor:
            cursor.execute("SELECT page_count - freelist_count FROM pragma_page_count, pragma_freelist_count")
            return cursor.fetchone()[0]

    def press():
        for _press in range(40):
            Event.objects.create(sheet=sheet, key=uuid4(), widget="roll-success", title="Erfolg", faces=[5] * dice)

    before = pages()
    counted = stored(press)
    grown = (pages() - before) * 4_096
    assert grown - 2 * 4_096 <= counted <= 1.5 * (grown + 4_096)


def test_what_the_database_copies_into_the_history_counts_whole(sheet):
    Sheet.objects.filter(pk=sheet.pk).update(typed={"life": EMOJI})
    sheet.refresh_from_db()
    copied = stored(lambda: saves._keep(sheet))
    found = Change.objects.get(sheet=sheet)
    least = len(EMOJI.encode("utf-8"))
    assert found.typed == {"life": EMOJI}
    assert copied > (3 * least if connection.vendor == "sqlite" else least)


def test_many_rows_and_what_cannot_be_looked_up_count_whole(sheet):
    rows = [Change(sheet=sheet, number=n, version=1, name="x" * 100, data={}, typed={"a": "x" * 3_000}) for n in (7, 8)]
    assert 6_000 < stored(lambda: Change.objects.bulk_create(rows)) < 6_000 + 2 * ROOM
    for one in rows:
        one.typed = {"a": "y" * 4_000}
    assert stored(lambda: Change.objects.bulk_update(rows, ["typed"])) > 8_000

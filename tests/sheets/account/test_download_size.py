"""What is taken along is made row by row: a process holds some rows of it, however many there are."""

import io
import json
import tracemalloc
import zipfile
from random import Random
from uuid import uuid4

import pytest
from django.db import connection
from django.utils import timezone

from sheets.export.long_files import MAX_MEMORY, chunks, json_pieces
from sheets.models import Handout, Revision, Scene, Sheet
from tests.support.guest import Guest, example
from tests.support.sheets.table_people import RoundTable

pytestmark = pytest.mark.django_db
ROWS, LONG = 100, 150_000


def most(browser, address):
    """Return the content of a file that is taken along, and the bytes that were in memory at once while it was made."""
    tracemalloc.start()
    try:
        answer = browser.get(address)
        taken = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert answer.status_code == 200
    return answer.getvalue(), taken


def noise(size):
    """Return bytes that do not become fewer by being packed."""
    return Random(1).randbytes(size)  # noqa: S311


def test_hundreds_of_revisions_are_downloaded_some_at_a_time(django_user_model):
    juan = Guest(example(), user=django_user_model.objects.create_user("juan"))
    Revision.objects.bulk_create(Revision(
        sheet_id=juan.pk, number=number, kind="played", name="Juan", data={"notes": noise(LONG // 2).hex()}, house={},
        seal="", rules=1, version=1) for number in range(1, ROWS + 1))
    content, taken = most(juan.client, "/account/download/")
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        kept = json.loads(archive.read(f"sheets/{juan.pk}.all.json"))["revisions"]
    assert [one["number"] for one in kept] == [*range(1, ROWS + 1)]
    assert taken < ROWS * LONG // 2 + MAX_MEMORY


def test_hundreds_of_pictures_of_a_scene_are_taken_along_some_at_a_time(django_user_model):
    table = RoundTable(django_user_model.objects)
    scene = Scene.objects.create(party=table.party)
    Handout.objects.bulk_create(Handout(
        party=table.party, key=uuid4(), by=table.users["gm"], title=f"{number}", text="", for_all=True,
        large=noise(LONG), small=noise(99), made=timezone.now()) for number in range(ROWS))
    content, taken = most(table.browsers["gm"], f"/parties/{table.party.pk}/scenes/{scene.uuid}/log.json")
    told = json.loads(content)
    assert len({one["title"] for one in told["handouts"] if len(one["picture"]) == LONG * 4 // 3}) == ROWS
    assert taken < ROWS * LONG // 4 + MAX_MEMORY


@pytest.mark.parametrize("tree", [
    {}, [], {"one": {"two": [1, {"three": None}], "four": {}}}, {'ä"': "\u2028"}, "text", 3], ids=str)
def test_what_is_written_piece_by_piece_is_the_same_json(tree):
    assert json.loads(b"".join(json_pieces(tree))) == tree


def test_rows_that_come_one_by_one_become_lists():
    tree = {"none": iter(()), "some": iter([1, {"a": [2]}]), "in": {"label": iter("ab")}}
    assert json.loads(b"".join(json_pieces(tree))) == {"none": [], "some": [1, {"a": [2]}], "in": {"label": [*"ab"]}}


def test_rows_are_read_so_many_at_a_time():
    assert [*chunks(range(5), 2)] == [[0, 1], [2, 3], [4]]
    assert [*chunks(range(0), 2)] == []


def test_nothing_is_held_while_a_file_is_made(django_user_model, monkeypatch):
    # The test's own transaction is always there.
    juan, seen = Guest(example(), user=django_user_model.objects.create_user("juan")), []
    depth = len(connection.atomic_blocks)
    monkeypatch.setattr("sheets.account.download.written",
                        lambda _tree: seen.append(len(connection.atomic_blocks)) or b"{}")
    assert juan.client.get("/account/download/").getvalue()
    assert seen == [depth] * Sheet.objects.count()

"""A whole chain of reviews: whatever is done to it behind the program's back is found, the first bad entry named."""

import sys
from itertools import cycle, islice
from random import Random

import pytest
from django.db import connection, transaction
from django.test import override_settings

from sheets.audit_log.chain import chain_faults
from sheets.history.revisions import save_revision
from sheets.models import Head, Review
from tests.support.commands import run
from tests.support.sheets import story as told
from tests.support.sheets.story import Story
from tests.support.sheets.tampering import TAMPERINGS
from tests.support.sheets.tampering.columns import assert_every_column_found
from tests.support.sheets.tampering.values import assert_every_value_found

pytestmark = pytest.mark.django_db
SEED = 20_261


@pytest.fixture(scope="module")
def story(lasting_database):
    """A chain in which everything has happened, made once for all tests of this file."""
    made = Story()
    for name in ("Eins", "Zwei"):
        # Revisions that no entry names.
        told.change(made.second.sheet, name)
        save_revision(told.fresh(made.second.sheet), "finished", made.second.player)
    assert list(chain_faults()) == []
    return made


@pytest.mark.slow
def test_every_tampering_by_sql_is_found_and_the_first_bad_entry_named(story, full):
    rng, done, made = Random(SEED), 0, {}  # noqa: S311
    for name in islice(cycle(TAMPERINGS), 10_000):
        if done >= (1_000 if full else len(TAMPERINGS)):
            break
        with transaction.atomic():
            entries = list(Review.objects.order_by("number"))
            expected = TAMPERINGS[name](rng, entries)
            if expected is not None:
                found = next(chain_faults(), None)
                assert found, f"{name}, to be found at {expected}"
                assert found.number == expected, f"{name}: {found}"
                made[name] = made.get(name, 0) + 1
                done += 1
            transaction.set_rollback(True)
    assert not full or made.keys() == TAMPERINGS.keys()
    assert list(chain_faults()) == []
    if full:
        sys.stdout.write(f"\n{done} tamperings of {len(made)} kinds in a chain of {len(entries)} entries, all found\n")


@pytest.mark.slow
@pytest.mark.alike
def test_every_column_of_every_kind_of_row_is_covered(story, full):
    done = assert_every_column_found(full)
    assert sum(done.values()) >= (135 if full else 60), done


@pytest.mark.slow
@pytest.mark.alike
def test_every_value_that_only_the_bare_database_takes_is_found_in_every_column(story, full):
    done = assert_every_value_found(full)
    assert done > (200 if connection.vendor == "sqlite" else 60) // (1 if full else 2)


@pytest.mark.parametrize("value", ["0", '""', "[]", "null", "false"])
@pytest.mark.parametrize("column", ["seen", "said"])
def test_what_is_empty_is_not_what_was_signed_unless_it_is_no_words_at_all(story, column, value):
    entry = Review.objects.filter(**{column: {}}).last()
    with connection.cursor() as cursor:
        cursor.execute(f"UPDATE sheets_review SET {column} = %s WHERE number = %s", [value, entry.number])  # noqa: S608
    assert [one.number for one in chain_faults()] == [entry.number]


@pytest.mark.database("sqlite")
@pytest.mark.parametrize("number", ["drei", 0.5, b"3", 1e300])
def test_an_entry_without_a_whole_number_is_told_of_beside_the_one_that_is_missing(story, number):
    with connection.cursor() as cursor:
        cursor.execute("UPDATE sheets_review SET number = %s WHERE number = 3", [number])
    said = run("verify_reviews")
    assert said.startswith("first broken: entry 3: entries up to 3 are missing\n")
    assert "entries without a whole number: 1\n" in said


def test_another_key_makes_every_entry_broken(story):
    with override_settings(REVIEW_KEY="another"):
        found, said = list(chain_faults()), run("verify_reviews")
    assert {one.number for one in found} >= set(range(1, Review.objects.count() + 1))
    assert said.code == 1
    assert said.startswith("first broken: entry 1: what it says is not what was signed\n")
    assert "REVIEW_KEY" in said


def test_a_head_that_was_noted_is_held_and_one_of_another_chain_is_told(story):
    now, then = Head.objects.get(), Review.objects.get(number=30)
    for head in (f"{now.number}:{now.mac}", f"30:{then.mac[:16]}"):
        said = run("verify_reviews", "--head", head)
        assert (said.code, said) == (0, f"{now.number} entries hold; head {now.number}:{now.mac[:16]}\n")
    other = "7:" + "0" * 16
    said = run("verify_reviews", "--head", other)
    assert (said.code, said) == (1, f"first broken: entry 7: it is another than in the head {other}\n")


UNREADABLE = {"sqlite": [
    ("review", "seen", '"\\ud800"'), ("review", "said", "1e999"), ("review", "said", "[" * 900 + "]" * 900),
    ("review", "said", "1" * 5_000), ("revision", "data", '{"name": "\\udc00"}'), ("revision", "house", "null"),
    ("revision", "data", "[]"), ("review", "made", "gestern"), ("review", "sheet_key", "kein"),
    ("review", "mac", b"\xff"), ("review", "revision_number", "zwei"), ("revision", "rules", "drei"),
    ("review", "person", b"\x00"),
], "postgresql": [
    ("review", "said", "1e5000"), ("review", "seen", "[" * 5_000 + "]" * 5_000), ("revision", "data", "1e5000"),
    ("review", "made", "infinity"), ("revision", "house", "null"),
]}


@pytest.mark.parametrize(("table", "column", "value"), [pytest.param(*one, marks=pytest.mark.database(vendor))
                                                        for vendor, many in UNREADABLE.items() for one in many])
def test_values_that_the_program_cannot_read_are_named_and_no_traceback(story, table, column, value):
    """What the bare database was given in entry 12, or in its revision, is found at the first entry that it is of."""
    entry = Review.objects.get(number=12)
    kept = ("number", 12) if table == "review" else ("id", entry.revision_id)
    with connection.cursor() as cursor:
        cursor.execute(f"UPDATE sheets_{table} SET {column} = %s WHERE {kept[0]} = %s", [value, kept[1]])  # noqa: S608
    expected = 12 if table == "review" else Review.objects.filter(
        revision=entry.revision_id).order_by("number").values_list("number", flat=True)[0]
    assert next(chain_faults()).number == expected

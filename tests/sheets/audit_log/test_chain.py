"""The chain of reviews: whatever is done to it behind the program's back is found, and the first bad entry named."""

import sys
from io import StringIO
from itertools import cycle, islice
from random import Random

import pytest
from django.core.management import CommandError, call_command
from django.db import connection, transaction
from django.test import override_settings

from rulesets import systems
from sheets.audit_log import chain
from sheets.audit_log.chain import chain_faults
from sheets.history.revisions import keep
from sheets.models import Head, Review
from sheets.status.reviews import review_status
from tests.support.party import Round
from tests.support.sheets import story as told
from tests.support.sheets.story import Story
from tests.support.sheets.tampering import TAMPERINGS
from tests.support.sheets.tampering.columns import CHANGES, SAMPLE

pytestmark = pytest.mark.django_db
SEED = 20_261


@pytest.fixture
def story(db):
    made = Story()
    for name in ("Eins", "Zwei"):
        # Revisions that no entry names.
        told.change(made.second.sheet, name)
        keep(told.fresh(made.second.sheet), "finished", made.second.player)
    assert list(chain_faults()) == []
    return made


def verify(*words):
    """(exit status, what is said)."""
    out = StringIO()
    try:
        call_command("verify_reviews", *words, stdout=out)
    except SystemExit as error:
        return error.code, out.getvalue()
    return 0, out.getvalue()


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
    assert done == sum(made.values())
    assert not full or made.keys() == TAMPERINGS.keys()
    assert list(chain_faults()) == []
    if full:
        sys.stdout.write(f"\n{done} tamperings of {len(made)} kinds in a chain of {len(entries)} entries, all found\n")


def assert_every_column_found(full):
    """Each column of each kind of row, changed alone; answers how many were."""
    done = {}
    for change in CHANGES if full else SAMPLE:
        with transaction.atomic():
            if change.done():
                assert next(chain_faults(), None), str(change)
                done.setdefault(change.model.__name__, []).append(str(change))
            transaction.set_rollback(True)
    assert list(chain_faults()) == []
    if full:
        for table, changes in done.items():
            sys.stdout.write(f"\n{len(changes)} of {table}, all found:\n  " + "\n  ".join(changes) + "\n")
    return {table: len(changes) for table, changes in done.items()}


@pytest.mark.slow
def test_every_column_of_every_kind_of_row_is_covered(story, full):
    done = assert_every_column_found(full)
    assert sum(done.values()) >= (135 if full else 60), done


def test_a_chain_that_goes_on_without_its_head_stays_marked(round_):
    for rows in (Review.objects.all(), Head.objects.all()):
        rows._raw_delete(rows.db)
    told.submit(round_.sheet)
    told.approve(round_.sheet, round_.gm)
    assert next(chain_faults()).number == 1
    assert next(chain_faults()).what == "it does not follow the entry before it"


def test_another_key_makes_every_entry_broken(story):
    with override_settings(REVIEW_KEY="another"):
        found = list(chain_faults())
        status, said = verify()
    assert {one.number for one in found} >= set(range(1, Review.objects.count() + 1))
    assert status == 1
    assert said.startswith("first broken: entry 1: what it says is not what was signed\n")
    assert "REVIEW_KEY" in said


def test_a_head_that_was_noted_earlier_is_held(story):
    now, then = Head.objects.get(), Review.objects.get(number=30)
    said = f"{now.number} entries hold; head {now.number}:{now.mac[:16]}\n"
    assert verify("--head", f"{now.number}:{now.mac}") == (0, said)
    assert verify("--head", f"30:{then.mac[:16]}") == (0, said)


def test_a_tail_cut_off_with_the_head_of_then_is_sound_in_itself_and_betrayed_by_a_noted_head(round_):
    for name in ("eins", "zwei", "drei"):
        told.change(round_.sheet, name)
        told.submit(round_.sheet)
        if name == "zwei":
            then = Head.objects.values().get()
    now = Head.objects.get()
    tail = Review.objects.filter(number__gt=then["number"])
    tail._raw_delete(tail.db)
    Head.objects.update(**then)
    assert verify()[0] == 0
    assert verify("--head", f"{now.number}:{now.mac[:16]}") == (
        1, f"first broken: entry 3: the chain does not reach the head 3:{now.mac[:16]}\n")


def test_a_head_that_was_noted_of_another_chain_is_told(story):
    status, said = verify("--head", "7:" + "0" * 16)
    assert (status, said.splitlines()) == (1, ["first broken: entry 7: it is another than in the head 7:" + "0" * 16])


@pytest.mark.parametrize("head", ["7", "7:", "x:00", "0:00", ":00", "-1:00", "7:xyz", "٧:00", "9" * 30 + ":00"])
def test_a_head_that_is_none_is_refused(db, head):
    with pytest.raises(CommandError, match="is no head"):
        verify(f"--head={head}")
    assert next(chain_faults(head), None)


def test_an_empty_chain_holds(db):
    assert verify() == (0, "0 entries hold; head 0:\n")
    assert verify("--head", "0:")[0] == 0


def assert_named(table, column, value):
    """What the bare database was given in entry 12, or in its revision, is found at the first entry that it is of."""
    entry = Review.objects.get(number=12)
    with connection.cursor() as cursor:
        kept = ("number", 12) if table == "review" else ("id", entry.revision_id)
        cursor.execute(f"UPDATE sheets_{table} SET {column} = %s WHERE {kept[0]} = %s", [value, kept[1]])  # noqa: S608
    expected = 12 if table == "review" else Review.objects.filter(
        revision=entry.revision_id).order_by("number").values_list("number", flat=True)[0]
    assert next(chain_faults()).number == expected


@pytest.mark.parametrize(("table", "column", "value"), [
    ("review", "seen", '"\\ud800"'), ("review", "said", "1e999"), ("review", "said", "[" * 900 + "]" * 900),
    ("review", "said", "1" * 5_000), ("revision", "data", '{"name": "\\udc00"}'), ("revision", "house", "null"),
    ("revision", "data", "[]"), ("review", "made", "gestern"), ("review", "sheet_key", "kein"),
    ("review", "mac", b"\xff"), ("review", "revision_number", "zwei"), ("revision", "rules", "drei"),
    ("review", "person", b"\x00"),
])
@pytest.mark.database("sqlite")
@pytest.mark.slow
def test_values_that_the_program_cannot_read_are_named_and_no_traceback(story, table, column, value):
    assert_named(table, column, value)


@pytest.mark.parametrize(("table", "column", "value"), [
    ("review", "said", "1e5000"), ("review", "seen", "[" * 5_000 + "]" * 5_000), ("revision", "data", "1e5000"),
    ("review", "made", "infinity"), ("revision", "house", "null"),
])
@pytest.mark.database("postgresql")
def test_values_that_the_program_cannot_read_are_named_by_the_other_database_too(story, table, column, value):
    assert_named(table, column, value)


@pytest.mark.parametrize("slug", systems())
def test_every_system_s_sheets_are_approved_and_read_back_as_they_were_sealed(db, slug):
    round_ = Round(slug)
    told.submit(round_.sheet)
    told.approve(round_.sheet, round_.gm, comment="Ja – „gut“ 🏹.")
    assert review_status(told.fresh(round_.sheet)).state == "approved"
    assert list(chain_faults()) == []


def test_an_entry_costs_the_same_however_long_the_chain_is(round_, django_assert_num_queries):
    told.submit(round_.sheet)
    sheet = told.fresh(round_.sheet)
    revision = review_status(sheet).waiting.revision
    for _entry in range(40):
        with django_assert_num_queries(5):  # savepoint, head, entry, head, release
            transaction.atomic()(chain.append)("recalled", round_.player, sheet=sheet, revision=revision)
    assert list(chain_faults()) == []

"""What a GM's pages cost does not grow with what was ever decided, and each question goes by an index."""

import re

import pytest
from django.contrib.auth.models import User
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from rulesets import systems
from sheets.models import Review, Sheet, Standing
from sheets.reviews.queries import PAGE
from sheets.status.reviews import review_status, review_statuses
from tests.support.sheets.decided import SHEETS, WAITING, decided
from tests.support.sheets.plans import planned, read_whole

pytestmark = pytest.mark.django_db
FEW, MANY = 80, 1600
"""Reviews of a GM."""
GROWING = {"sheets_review", "sheets_revision", "sheets_standing", "sheets_sheet"}


@pytest.fixture(scope="module")
def desks(lasting_database):
    """{reviews: (browser of a GM, party, a sheet that waits)}."""
    found = {}
    for reviews in (FEW, MANY):
        gm, player = (User.objects.create_user(f"{who}{reviews}") for who in ("gm", "player"))
        party, browser = decided(systems()["condice"], gm, player, reviews), Client()
        browser.force_login(gm)
        found[reviews] = browser, party, Standing.objects.filter(party=party, waiting__isnull=False).earliest("waiting")
    # Others play as well.
    others = User.objects.bulk_create(User(username=f"u{number}") for number in range(10 * SHEETS))
    Sheet.objects.bulk_create(Sheet(owner=user, ruleset="condice", data={}) for user in others)
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE")
        if connection.vendor == "postgresql":
            # What is small is read as a whole by choice; here it is asked whether an index would do at all.
            cursor.execute("SET LOCAL enable_seqscan = off")
    return found


ADDRESSES = ["/reviews/", "/reviews/?after=1&earlier=1", "/", "/parties/{party}/", "/parties/{party}/table/",
             "/sheets/{sheet}/review/"]


@pytest.mark.every_case
@pytest.mark.parametrize("address", ADDRESSES)
def test_a_page_asks_as_often_after_twenty_times_as_many_reviews_and_reads_no_table_as_a_whole(desks, address):
    asked = []
    for browser, party, standing in desks.values():
        where = address.format(party=party.pk, sheet=standing.sheet_id)
        browser.get(where)
        with CaptureQueriesContext(connection) as queries:
            assert browser.get(where).status_code == 200
        asked.append(len(queries))
    assert asked[0] == asked[1]
    with planned() as plans:
        browser.get(where)
    assert {sql: plan for sql, plan in plans.items() if read_whole(sql, plan, GROWING)} == {}


@pytest.mark.every_case
def test_what_comes_after_a_decision_is_found_by_an_index_and_by_as_many_questions(desks):
    asked = []
    for browser, _party, standing in desks.values():
        where = f"/sheets/{standing.sheet_id}/review/"
        seal = re.search(r'name="_seal" value="(\w+)"', browser.get(where).text)[1]
        with planned() as plans, CaptureQueriesContext(connection) as queries:
            answer = browser.post(where, {"do": "return", "_seal": seal, "comment": "Noch nicht."})
        assert answer["Location"] not in (where, "")
        asked.append(len([one for one in queries if not one["sql"].startswith("EXPLAIN")]))
        assert {sql: plan for sql, plan in plans.items() if read_whole(sql, plan, GROWING)} == {}
    assert asked[0] == asked[1]


def test_of_all_reviews_of_a_sheet_the_newest_of_each_kind_are_read(desks, monkeypatch):
    _browser, party, standing = desks[MANY]
    read, born = [], Review.from_db.__func__
    monkeypatch.setattr(Review, "from_db", classmethod(lambda cls, *row: read.append(1) or born(cls, *row)))
    found = review_statuses(party.sheets.select_related("party"), likely=True)
    assert len(found) == SHEETS
    assert len(read) <= 2 * SHEETS
    assert sum(bool(one.waiting) for one in found.values()) >= WAITING - 1
    assert review_status(standing.sheet).number == Review.objects.filter(sheet=standing.sheet).latest("number").number


def test_of_what_waits_no_more_is_read_than_a_page_shows(desks):
    browser, party, _standing = desks[MANY]
    gone = [one.sheet for one in Standing.objects.filter(party=party, waiting__isnull=False).order_by("waiting")[:3]]
    shown = browser.get("/reviews/").context["waiting"]
    assert len(shown.rows) == PAGE
    # Those that are thrown away are passed over, whichever of them come first.
    for sheet in gone:
        sheet.deleted = sheet.created
        sheet.save()
    later = browser.get("/reviews/").context["waiting"]
    assert len(later.rows) == PAGE
    assert not {one.sheet.pk for one in later.rows} & {sheet.pk for sheet in gone}

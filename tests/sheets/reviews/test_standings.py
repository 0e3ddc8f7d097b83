"""The queue costs what stands on its page: what waits is found without reading what was ever decided."""

import pytest
from django.apps import apps
from django.db import connection
from django.db.migrations.loader import MigrationLoader
from django.test.utils import CaptureQueriesContext

from sheets.audit_log import chain
from sheets.audit_log.standings import rules_key_today
from sheets.models import Review, Sheet, Standing
from sheets.models.reviews import APPROVED, RETURNED, SUBMITTED
from sheets.reviews import queries
from sheets.reviews import services as reviews
from sheets.status.reviews import waiting_for
from tests.support.sheets import story as told

pytestmark = pytest.mark.django_db
MANY = 120


def many(rooms, count, *kinds, first=0):
    """So many more sheets of the player, each with entries of these kinds."""
    if not rooms.sheet.revisions.exists():
        reviews.submit(rooms.sheet, rooms.player)
    like = rooms.sheet.revisions.get(number=1)
    for number in range(first, first + count):
        sheet = Sheet.objects.create(owner=rooms.player, party=rooms.party, ruleset="condice", name=f"Held {number}",
                                     data=rooms.sheet.data)
        kept = type(like).objects.create(sheet=sheet, number=1, version=1, kind="submitted", rules=like.rules,
                                         house=like.house, name=sheet.name, data=like.data, seal=like.seal)
        for kind in kinds:
            chain.append(kind, rooms.gm if kind != SUBMITTED else rooms.player, sheet=sheet, revision=kept)


def asked(rooms, url="/reviews/"):
    with CaptureQueriesContext(connection) as found:
        page = rooms.read("gm", url)
    return len(found), page


def test_a_page_of_the_queue_costs_the_same_after_ten_times_as_many_decisions(rooms):
    many(rooms, queries.PAGE + 5, SUBMITTED)
    many(rooms, 12, SUBMITTED, APPROVED)
    few, _page = asked(rooms)
    many(rooms, MANY, SUBMITTED, APPROVED)
    many(rooms, MANY, SUBMITTED, RETURNED)
    with CaptureQueriesContext(connection) as found:
        page = rooms.read("gm", "/reviews/")
    assert len(found) == few
    assert len(page.context["waiting"].rows) == queries.PAGE
    read = {one.review_status.waiting.sheet_id for one in page.context["waiting"].rows}
    assert len(read) == queries.PAGE
    assert not page.context["overtaken"].rows


def test_the_pages_of_the_queue_hold_each_sheet_once_the_oldest_first(rooms):
    many(rooms, 2 * queries.PAGE + 3, SUBMITTED)
    numbers, url = [], "/reviews/"
    while url:
        page = rooms.read("gm", url).context["waiting"]
        numbers += [one.review_status.waiting.number for one in page.rows]
        url = f"/reviews/?after={page.more}" if page.more else ""
    assert len(numbers) == len(set(numbers)) == 2 * queries.PAGE + 4
    assert numbers == sorted(numbers)


def test_what_is_in_force_today_is_passed_over_and_what_is_not_stands_on_pages(rooms):
    many(rooms, queries.PAGE + 4, SUBMITTED, APPROVED)
    assert not rooms.read("gm", "/reviews/").context["overtaken"].rows
    rooms.party.house = {"budget": 29}
    rooms.party.save()
    first = rooms.read("gm", "/reviews/").context["overtaken"]
    second = rooms.read("gm", f"/reviews/?earlier={first.more}").context["overtaken"]
    assert (len(first.rows), len(second.rows), second.more) == (queries.PAGE, 4, None)


def test_standings_are_found_by_an_index_and_never_by_reading_the_chain(rooms):
    many(rooms, 30, SUBMITTED, APPROVED)
    with CaptureQueriesContext(connection) as found:
        waiting_for(rooms.gm)
    assert "sheets_review" not in found[0]["sql"]


def test_a_migration_finds_the_standing_of_every_sheet_as_the_chain_has_it(rooms):
    rooms.approve()
    rooms.change(life=rooms.sheet.data["life"] - 1)
    told.submit(rooms.sheet)
    many(rooms, 3, SUBMITTED, RETURNED)
    many(rooms, 3, SUBMITTED, APPROVED, "withdrawn", first=3)
    now = sorted(Standing.objects.values_list("sheet", "party", "waiting", "under"))
    assert {one[3] for one in now} == {"", rules_key_today(rooms.sheet.system, rooms.party)}
    Standing.objects.all().delete()
    known = MigrationLoader(None).disk_migrations["sheets", "0048_standings_of_before"]
    known.operations[0].code(apps, None)
    assert sorted(Standing.objects.values_list("sheet", "party", "waiting", "under")) == now


def test_a_sheet_that_is_gone_for_good_leaves_no_standing(rooms):
    rooms.approve()
    rooms.sheet.delete()
    assert not Standing.objects.exists()
    assert Review.objects.exists()

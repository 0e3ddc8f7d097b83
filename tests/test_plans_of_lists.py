"""How the database answers lists to somebody who has many sheets: in order, by an index, and a page of them.

4,000 of one's own, as 100,000 would be read; searches alone look at all of them, and a GM's queue at all that waits.
"""

import re
from html import unescape

import pytest
from django.contrib.auth.models import User
from django.db import connection
from django.test import Client
from django.utils import timezone

from rulesets import systems
from sheets.models import Encounter, Placed, Sheet, Tag
from sheets.models.listed import LISTED
from sheets.parties import services as parties
from tests.support.sheets.plans import planned, read_whole
from tests.test_plans import USES

pytestmark = [pytest.mark.slow, pytest.mark.django_db, pytest.mark.database("postgresql", mostly=True)]
EACH = 1_000
SORTS = re.compile(r"TEMP B-TREE FOR (?:LAST TERM OF )?ORDER BY|Sort\b")
LISTS = ["/", "/sheets/", "/sheets/?sort=created", "/sheets/?sort=called", "/sheets/?state=archived",
         "/sheets/?state=archived&sort=created", "/sheets/?state=archived&sort=called", "/sheets/?state=finished",
         "/sheets/?system=condice", "/sheets/?q=held", "/sheets/?q=held&sort=called", "/sheets/trash/",
         "/opponents/", "/opponents/?system=condice&find=held", "/parties/", "/parties/{party}/",
         "/parties/{party}/ready/", "/parties/{party}/opponents/", "/parties/{party}/opponents/?q=held",
         "/opponents/encounters/{encounter}/"]


@pytest.fixture(scope="module")
def much(lasting_database):
    """A GM with much of everything; (browser, {what stands in addresses})."""
    me, now = User.objects.create_user("mia"), timezone.now()
    document = systems()["condice"].examples["juan"]
    party = parties.found_party(me, "Runde", systems()["condice"])
    kinds = ({"finished": now}, {"archived": now}, {"opponent": True, "finished": now}, {"deleted": now})
    sheets = Sheet.objects.bulk_create([
        Sheet(owner=me, ruleset="condice", name=f"Held {number}", data=document["data"], **kind)
        for kind in kinds for number in range(EACH)], 1000)
    tags = Tag.objects.bulk_create(Tag(owner=me, name=f"t{number}") for number in range(100))
    through = Sheet.tags.through
    through.objects.bulk_create([through(sheet_id=one.pk, tag_id=tags[number % 100].pk)
                                 for number, one in enumerate(sheets)], 1000)
    encounter = Encounter.objects.create(owner=me, ruleset="condice", name="Am Weiher")
    Placed.objects.bulk_create(Placed(encounter=encounter, sheet=one) for one in sheets[2 * EACH:][:20])
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE")
        if connection.vendor == "postgresql":
            connection.check_constraints()
    browser = Client()
    browser.force_login(me)
    return browser, {"party": party.pk, "encounter": encounter.pk}


def looked_at(browser, address):
    """The plans of a list and of the page that follows, {question: lines of its plan}."""
    with planned() as plans:
        answer = browser.get(address)
        assert answer.status_code == 200
        if link := re.search(r'href="(\?[^"]*(?:last|after)=[^"#]+)', answer.text):
            assert browser.get(address.partition("?")[0] + unescape(link[1])).status_code == 200
    return plans


@pytest.mark.every_case
@pytest.mark.parametrize("address", LISTS)
def test_no_list_puts_all_sheets_of_a_person_in_order(much, address):
    browser, known = much
    plans = looked_at(browser, address.format(**known))
    # One party has at most 200 sheets.
    whole = {sql: plan for sql, plan in plans.items() if 'FROM "sheets_sheet"' in sql and "ORDER BY" in sql
             and not re.search(r'"party_id" (?:=|IN)', sql) and any(SORTS.search(line) for line in plan)}
    assert whole == {}


@pytest.mark.parametrize("address", [
    "/sheets/?q=niemand", "/sheets/?q=niemand&sort=called", "/sheets/?state=archived&q=niemand",
    "/opponents/?system=condice&find=niemand", "/opponents/?system=condice&q=niemand",
    "/parties/{party}/opponents/?q=niemand&find=niemand", "/parties/{party}/ready/?q=niemand",
    "/opponents/encounters/{encounter}/?q=niemand&find=niemand"])
def test_a_search_that_finds_nothing_looks_at_ones_own_sheets_by_an_index(much, address):
    browser, known = much
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            # All sheets are one person's here.
            cursor.execute("SET LOCAL enable_seqscan = off")
    searches = {sql: plan for sql, plan in looked_at(browser, address.format(**known)).items()
                if re.search(r'"sought"(?:::text)? LIKE', sql)}
    assert len(searches) >= address.count("niemand")
    # Searches within one party read its rows alone; these parties have none.
    searches = {sql: plan for sql, plan in searches.items() if not re.search(r'"party_id" (?:=|IN)', sql)}
    assert [sql for sql, plan in searches.items() if read_whole(sql, plan, {"sheets_sheet"})] == []


def test_each_index_of_lists_serves_one(much):
    browser, known = much
    plans = [plan for address in LISTS for plan in looked_at(browser, address.format(**known)).values()]
    used = {name for plan in plans for line in plan for name in USES.findall(line)}
    assert {one.name for one in LISTED} - used == set()


def test_tags_are_read_without_the_sheets_that_bear_them(much):
    browser, _known = much
    for address in ("/sheets/?q=niemand", "/opponents/?system=condice&find=niemand"):
        (asked,) = [sql for sql in looked_at(browser, address) if 'FROM "sheets_tag"' in sql]
        assert "sheets_sheet" not in asked


def test_a_place_in_order_has_room_in_an_index_whatever_the_name():
    user = User.objects.create_user("zora")
    for name in ("\ufdfa" * 200, "\uac01" * 200, "\U0001f600" * 200):
        sheet = Sheet.objects.create(owner=user, ruleset="condice", name=name, data={})
        assert len(bytes(sheet.called)) <= 1802

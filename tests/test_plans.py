"""How the database answers the pages that people open every day when there is much: by indexes, and by all of them.

10,000 sheets, 100,000 log lines, 1,000 parties: a tenth of what is large. No page reads a whole table that grows with
what others do, or sorts one; and each index serves a query.
"""

import re
import uuid

import pytest
from django.apps import apps
from django.contrib.auth.models import User
from django.db import connection
from django.db.models import F
from django.test import Client
from django.utils import timezone

from rulesets import systems
from sheets.live.topics import rows
from sheets.models import Event, Head, Member, Notification, Party, Review, Revision, Sheet

pytestmark = [pytest.mark.slow, pytest.mark.django_db]
SHEETS, EVENTS, PARTIES = 10_000, 100_000, 1_000
LARGE = ("sheets_sheet", "sheets_event", "sheets_party", "sheets_member", "sheets_notification", "sheets_revision",
         "sheets_review", "sheets_change", "auth_user", "django_session")


@pytest.fixture(scope="module")
def large(lasting_database):
    """A GM of one of the parties, with sheets in it and in none; (browser, {what stands in addresses})."""
    document, now = systems()["condice"].examples["juan"], timezone.now()
    users = User.objects.bulk_create([User(username=f"u{one}") for one in range(PARTIES)])
    parties = Party.objects.bulk_create([Party(name=f"P{one}", ruleset="condice", invitation=f"i{one}")
                                         for one in range(PARTIES)])
    Member.objects.bulk_create([
        Member(party=party, user=users[(one + other) % PARTIES], role="player" if other else "gm")
        for one, party in enumerate(parties) for other in range(5)])
    sheets = Sheet.objects.bulk_create([
        Sheet(owner=users[one % PARTIES], ruleset="condice", name=f"S{one}", data=document["data"], seen_by="party",
              party=parties[one % PARTIES] if one < SHEETS // 2 else None) for one in range(SHEETS)], 1000)
    Event.objects.bulk_create([Event(sheet=one, party=one.party, key=uuid.uuid4(), widget="x", title="x")
                               for one in sheets], 1000)
    columns = [field.column for field in Event._meta.concrete_fields if field.column != "id"]
    new = {"key": "lower(hex(randomblob(16)))" if connection.vendor == "sqlite" else "gen_random_uuid()"}
    with connection.cursor() as cursor:
        cursor.execute(f"""
            INSERT INTO sheets_event ({", ".join(f'"{one}"' for one in columns)})
            WITH RECURSIVE n(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM n WHERE n < {EVENTS // SHEETS - 1})
            SELECT {", ".join(new.get(one, f'"{one}"') for one in columns)} FROM sheets_event, n""")  # noqa: S608 - columns
    assert Event.objects.count() == EVENTS
    # Some are repeats, or SQLite takes it for granted that all are of the same event.
    Event.objects.filter(pk__in=list(Event.objects.values_list("pk", flat=True)[:1000])).update(again=F("pk"))
    Notification.objects.bulk_create([Notification(user=users[one % PARTIES], kind="joined", data={"party": "x"},
                                                   sheet_key=sheets[one % SHEETS].pk)
                                      for one in range(20 * PARTIES)], 2000)
    revisions = Revision.objects.bulk_create([
        Revision(sheet=sheet, number=1, version=1, kind="submitted", rules=1, name="S", data=document["data"], seal="x")
        for sheet in sheets[:SHEETS // 2]], 1000)
    Review.objects.bulk_create([
        Review(number=number, kind="submitted", made=now, sheet=one.sheet, sheet_key=one.sheet_id,
               party=one.sheet.party, party_key=one.sheet.party_id, revision=one, revision_number=1,
               by=one.sheet.owner, mac=f"{number:064x}")
        for number, one in enumerate(revisions, 1)], 1000)
    Head.objects.update_or_create(pk=1, defaults={"number": len(revisions)})
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE")
        if connection.vendor == "postgresql":
            # What is small is read as a whole by choice; here it is asked whether an index would do at all. SQLite says
            # more: it looks up whatever it can.
            cursor.execute("SET LOCAL enable_seqscan = off")
    browser = Client()
    browser.force_login(users[0])
    return browser, {"party": parties[0].pk, "sheet": sheets[0].pk, "loose": sheets[SHEETS // 2].pk, "user": users[0]}


class Plans:
    """The plans of all that is asked within, {question: lines of its plan}."""

    def __init__(self):
        self.found = {}

    def __call__(self, execute, sql, params, many, context):
        if sql.startswith(("SELECT", "UPDATE", "DELETE")) and sql not in self.found:
            explain = "EXPLAIN QUERY PLAN" if connection.vendor == "sqlite" else "EXPLAIN"
            with connection.cursor() as cursor:
                cursor.execute(f"{explain} {sql}", params)
                self.found[sql] = [str(row[-1]) for row in cursor.fetchall()]
        return execute(sql, params, many, context)


READS = re.compile(r"(?:SCAN|Seq Scan on) (\w+)")


def read_whole(sql, plan):
    """The large tables that a plan goes through; SQLite calls them as the question does."""
    called = {name: table for table, name in re.findall(r'"(\w+)" (?:AS )?"?([A-Z]\d+)"?\b', sql)}
    return {called.get(found, found) for line in plan for found in READS.findall(line)} & set(LARGE)


PAGES = [
    "/", "/sheets/", "/sheets/?q=S1", "/sheets/?system=condice", "/sheets/trash/", "/parties/", "/parties/{party}/",
    "/parties/{party}/table/", "/parties/{party}/evenings/", "/parties/{party}/house/", "/parties/{party}/ready/",
    "/parties/{party}/print/", "/parties/{party}/opponents/", "/reviews/", "/notifications/", "/sheets/{sheet}/",
    "/sheets/{sheet}/history/", "/sheets/{sheet}/review/", "/sheets/{sheet}/landed/", "/sheets/{loose}/", "/account/",
    "/reports/", "/drafts/{sheet}/values/", "/sheets/{sheet}/print/", "/compare/condice/"]


@pytest.mark.parametrize("page", PAGES)
def test_a_page_reads_no_table_as_a_whole_that_grows_with_what_others_do(large, page):
    browser, known = large
    plans = Plans()
    with connection.execute_wrapper(plans):
        answer = browser.get(page.format(**known))
    assert answer.status_code in (200, 404)
    assert {sql: plan for sql, plan in plans.found.items() if read_whole(sql, plan)} == {}


def test_what_watches_reads_no_table_as_a_whole(large):
    _browser, known = large
    plans = Plans()
    with connection.execute_wrapper(plans):
        assert len(rows({known["party"], known["sheet"]})) == 2
    assert [plan for sql, plan in plans.found.items() if read_whole(sql, plan)] == []


def test_a_sheet_or_an_account_that_ends_reads_no_table_as_a_whole(large):
    _browser, known = large
    plans = Plans()
    with connection.execute_wrapper(plans):
        Sheet.objects.get(pk=known["loose"]).delete()
        User.objects.get(pk=known["user"].pk).delete()
    assert any("notification" in sql for sql in plans.found)
    assert {sql: plan for sql, plan in plans.found.items() if read_whole(sql, plan)} == {}


def indexes():
    """{table: {name of an index: its columns}}, those of a condition apart: these serve what has it alone."""
    found = {}
    with connection.cursor() as cursor:
        for model in apps.get_app_config("sheets").get_models():
            partial = {one.name for one in (*model._meta.indexes, *model._meta.constraints)
                       if getattr(one, "condition", None)}
            there = connection.introspection.get_constraints(cursor, model._meta.db_table)
            found[model._meta.db_table] = {
                name: one["columns"] for name, one in there.items()
                if (one["index"] or one["unique"]) and name not in partial and one["columns"]}
    return found


def test_no_index_is_the_beginning_of_another(large):
    # Nor is there one that PostgreSQL would have beside each unique text, to look for its beginning.
    assert [(table, name, other) for table, there in indexes().items() for name, columns in there.items()
            for other, longer in there.items() if name != other and longer[:len(columns)] == columns] == []

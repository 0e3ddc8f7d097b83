"""How the database answers the pages that people open every day when there is much: by indexes, and by all of them.

10,000 sheets, 100,000 log lines, 1,000 parties: a tenth of what is large. No page reads a whole table that grows with
what others do, or sorts one; and each index serves a query.
"""

import re
import uuid

import pytest
from django.apps import apps
from django.contrib.auth.models import AnonymousUser, User
from django.db import connection, transaction
from django.db.models import F, UniqueConstraint
from django.test import Client, RequestFactory
from django.utils import timezone

from builder import drafts
from rulesets import systems
from sheets.access import adopt, editable
from sheets.account.services import delete_account
from sheets.evenings.reminders import remind_of_evenings
from sheets.guests import SESSION_KEY
from sheets.home.reminders import remind_of_waiting
from sheets.live.topics import change_markers
from sheets.models import (
    AskedRoll,
    Event,
    Handout,
    Head,
    Member,
    Notification,
    Party,
    PendingEffect,
    Portrait,
    Report,
    Review,
    Revision,
    Sheet,
    Standing,
)
from sheets.models.listed import LISTED
from sheets.notifications.mail import Mail
from sheets.notifications.push_channel import Push
from sheets.outbox.services import deliver, forget_settled
from sheets.parties.services import end_party
from sheets.parties.webhook_channel import Webhooks
from sheets.parties.webhooks import refresh
from sheets.press.asked import answering_events
from sheets.press.reminders import remind_of_turns
from sheets.removal import remove_sheets
from sheets.reports.services import make_report, reported_sheets
from tests.support.sheets.plans import planned, read_whole

pytestmark = [pytest.mark.slow, pytest.mark.django_db, pytest.mark.database("postgresql", mostly=True)]
SHEETS, EVENTS, PARTIES, GUESTS = 10_000, 100_000, 1_000, 500
CODE = "AAAAABBBBB"
LARGE = ("sheets_sheet", "sheets_event", "sheets_party", "sheets_member", "sheets_notification", "sheets_revision",
         "sheets_review", "sheets_standing", "sheets_change", "auth_user", "django_session")


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
    events = Event.objects.bulk_create([Event(sheet=one, party=one.party, key=uuid.uuid4(), widget="x", title="x")
                                        for one in sheets], 1000)
    PendingEffect.objects.bulk_create([
        PendingEffect(event=one, sheet=one.sheet, act="damage", state="dismissed" if other else "open")
        for one in events[:SHEETS // 10] for other in range(10)], 1000)
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
                                                   about=sheets[one % SHEETS])
                                      for one in range(20 * PARTIES)], 2000)
    revisions = Revision.objects.bulk_create([
        Revision(sheet=sheet, number=1, version=1, kind="submitted", rules=1, name="S", data=document["data"], seal="x")
        for sheet in sheets[:SHEETS // 2]], 1000)
    Review.objects.bulk_create([
        Review(number=number, kind="submitted", made=now, sheet=one.sheet, sheet_key=one.sheet_id,
               party=one.sheet.party, party_key=one.sheet.party_id, revision=one, revision_number=1,
               by=one.sheet.owner, mac=f"{number:064x}")
        for number, one in enumerate(revisions, 1)], 1000)
    Review.objects.create(number=len(revisions) + 1, kind="approved", made=now, sheet=sheets[0], sheet_key=sheets[0].pk,
                          party=parties[0], party_key=parties[0].pk, revision=revisions[0], revision_number=1,
                          by=users[0], mac="f" * 64, code=CODE)
    # Half of them wait, and half were approved under earlier rules.
    Standing.objects.bulk_create([
        Standing(sheet=one.sheet, party=one.sheet.party, waiting=None if number % 2 else number,
                 under="0.x" if number % 2 else "") for number, one in enumerate(revisions, 1)], 1000)
    Head.objects.update_or_create(pk=1, defaults={"number": len(revisions) + 1})
    Sheet.objects.bulk_create([Sheet(guest=f"{one}" * 8, ruleset="condice", data=document["data"])
                               for one in range(GUESTS)], 1000)
    Report.objects.bulk_create([Report(sheet=one, said="x", settled=now if number > 9 else None)
                                for number, one in enumerate(sheets[:GUESTS])])
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE")
        if connection.vendor == "postgresql":
            # Else each test would look whether all of these rows lead to others, and take back that it has.
            connection.check_constraints()
            # What is small is read as a whole by choice; here it is asked whether an index would do at all. SQLite says
            # more: it looks up whatever it can.
            cursor.execute("SET LOCAL enable_seqscan = off")
    browser = Client()
    browser.force_login(users[0])
    return browser, {"party": parties[0].pk, "sheet": sheets[0].pk, "loose": sheets[SHEETS // 2].pk, "user": users[0]}


USES = re.compile(r"(?:USING (?:COVERING )?INDEX|Scan(?: Backward)? using|Bitmap Index Scan on) (\w+)")

def whole(plans):
    """Those of plans that go through a large table."""
    return {sql: plan for sql, plan in plans.items() if read_whole(sql, plan, LARGE)}


PAGES = [
    "/", "/sheets/", "/sheets/?q=S1", "/sheets/?system=condice", "/sheets/trash/", "/opponents/", "/parties/",
    "/parties/{party}/", "/parties/{party}/table/", "/parties/{party}/scenes/", "/parties/{party}/house/",
    "/parties/{party}/ready/", "/parties/{party}/print/", "/parties/{party}/opponents/", "/reviews/",
    "/parties/{party}/webhooks/", "/notifications/", "/sheets/{sheet}/", "/sheets/{sheet}/history/",
    "/sheets/{sheet}/review/", "/sheets/{sheet}/landed/", "/sheets/{sheet}/luck/", "/sheets/{loose}/", "/account/",
    "/reports/", "/drafts/{sheet}/values/", "/sheets/{sheet}/print/", "/compare/condice/"]


@pytest.mark.every_case
@pytest.mark.parametrize("page", PAGES)
def test_a_page_reads_no_table_as_a_whole_that_grows_with_what_others_do(large, page):
    browser, known = large
    with planned() as plans:
        answer = browser.get(page.format(**known))
    assert answer.status_code in (200, 404)
    assert whole(plans) == {}


def test_what_watches_and_a_sheet_or_an_account_that_ends_reads_no_table_as_a_whole(large):
    _browser, known = large
    with planned() as plans:
        assert len(change_markers({known["party"], known["sheet"]})) == 2
        Sheet.objects.get(pk=known["loose"]).delete()
        User.objects.get(pk=known["user"].pk).delete()
    assert any("notification" in sql for sql in plans)
    assert whole(plans) == {}


def test_what_answers_an_asked_roll_is_read_from_when_it_was_asked_on(large):
    _browser, known = large
    asked = AskedRoll.objects.create(party_id=known["party"], sheet_id=known["sheet"], key=uuid.uuid4(), widget="x")
    with planned() as plans:
        assert answering_events([asked]) == {}
    (plan,) = plans.values()
    # Those since then alone, and before them the one that was the last.
    assert any(re.search(r"sheet_id\b.*\bid ?>", line) for line in plan), plan
    assert whole(plans) == {}


OURS = [model for app in ("sheets", "builder") for model in apps.get_app_config(app).get_models()]
UNIQUE = {
    "Party.invitation": "who holds a link joins the party that gave it",
    "Sheet.share": "a link shows one sheet", "Sheet.portrait": "a picture goes with its sheet",
    "Member.member_once": "who joins twice at once is in it once",
    "Member.one_gm": "a party has one GM",
    "Change.change_numbered_once": "undo goes to one state; a state kept again takes its place",
    "Remark.remark_once": "a GM has one note on a sheet",
    "Mailing.user": "nobody is sent two mails", "Reminded.member": "nobody is told twice of what waits",
    "Receiver.mailing": "nor by two receivers", "Receiver.device": "a browser gets its pushes in one order",
    "Receiver.webhook": "a webhook gets its messages in one order",
    "Scene.one_open_main_scene": "a scene that two begin at once is begun once",
    "Scene.scene_share_once": "a link shows one scene", "Scene.uuid": "an address leads to one scene",
    "Event.roll_numbered_once": "no two rolls of a scene have one number",
    "Event.hidden_roll_numbered_once": "no two hidden ones have",
    "AskedRoll.asked_once": "a roll is asked of a sheet once by a press",
    "Message.said_once": "a line that arrives twice is said once",
    "Question.press_is_one_question": "a press asks its target once, however often it arrives",
    "Question.one_open_question": "one roll of a sheet at a time waits for an answer",
    "Handout.key": "a press hands out once",
    "HandoutReader.handout_reader_once": "a handout is opened once by each",
    "Event.press_is_one_event": "a press rolls once, however often it arrives",
    "Event.press_is_one_roll_of_the_party": "so does one of a GM without a sheet",
    "PendingEffect.applied": "an act is what became of one pending effect",
    "Preview.preview_once": "a preview is drawn once in each language",
    "Standing.standing_once": "a sheet has one place in a party's queue",
    "Phrases.user": "a GM has one list of phrases",
    "Tag.tag_once": "a word is put on any number of sheets, and is one",
    "Placed.placed_once": "an opponent stands in an encounter with its number",
    "Revision.revision_numbered_once": "revisions are counted within their sheet",
    "Review.mac": "no entry stands in the chain twice",
    "Review.code": "a check code names one approval",
    "Receipt.event": "a roll has one receipt",
    "Receipt.receipt_numbered_once": "a log gives each number to one roll",
    "Receipt.receipt_token_once": "an address leads to one receipt",
    "TurnReceipt.turn_receipt_token_once": "an address leads to the rolls of one turn",
    "RollKey.roll_key_once": "a published key is one key",
    "DiceLog.user": "a user's dice pages have one log",
    "Evening.one_open_evening": "a party plans one evening at a time",
    "EveningDate.evening_date_once": "a date is there once", "Answer.one_answer_to_a_date": "and answered once by each",
    "UserZone.user": "a user reads dates in one zone", "Feed.user": "a new link ends the old one",
    "Likeness.skeleton": "no two names look the same", "Invitation.token": "a link is one invitation",
}
"""What may be there once, and why the program relies on it."""


def columns_of(model):
    """{name of an index: (whether it is unique, columns, whether it serves what has its condition alone)}."""
    partial = {one.name for one in (*model._meta.indexes, *model._meta.constraints) if getattr(one, "condition", None)}
    with connection.cursor() as cursor:
        there = connection.introspection.get_constraints(cursor, model._meta.db_table)
    return {name: (one["unique"], one["columns"], name in partial) for name, one in there.items()
            if (one["index"] or one["unique"]) and not one["primary_key"] and one["columns"]}


def test_no_index_is_the_beginning_of_another(large):
    # Nor is there one that PostgreSQL would have beside each unique text, to look for its beginning.
    whole = [(model, name, columns) for model in OURS for name, (_unique, columns, part) in columns_of(model).items()
             if not part]
    assert [(name, other) for model, name, columns in whole for there, other, longer in whole
            if model == there and name != other and longer[:len(columns)] == columns] == []


def test_what_may_be_there_once_is_said_with_its_reason():
    constraints = {f"{model.__name__}.{one.name}" for model in OURS for one in model._meta.constraints
                   if isinstance(one, UniqueConstraint)}
    assert set(UNIQUE) == constraints | {
        f"{model.__name__}.{field.name}" for model in OURS for field in model._meta.concrete_fields
        if field.unique and not field.primary_key}


def lead_here(keys):
    """What a database asks by itself when a row goes that others may lead to."""
    for model in OURS:
        for field in model._meta.concrete_fields:
            # The chain only grows.
            if field.remote_field and field.related_model is not Review:
                key = keys.get(field.related_model, 1)
                list(model._base_manager.filter(**{field.attname: key}).values_list("pk")[:1])


def everyday(browser, known):
    """What the program asks of its tables, beside its pages."""
    user, key = known["user"], uuid.UUID(int=1)
    browser.post(f"/sheets/{known['sheet']}/play/", {"w": "roll-attack-attacks-0", "_press": str(uuid.uuid4())})
    browser.get("/verify/", {"code": CODE}, follow=True)
    # A guest looks at what there is, and signs in.
    request = RequestFactory().get("/")
    request.user, request.session = AnonymousUser(), {SESSION_KEY: "x" * 32}
    list(editable(request))
    adopt(request, user)
    drafts.tidy()
    remind_of_turns()
    remind_of_waiting()
    remind_of_evenings()
    assert list(deliver(Mail())) == []
    assert list(deliver(Push())) == []
    assert list(deliver(Webhooks())) == []
    refresh(known["party"])
    assert forget_settled() == 0
    list(reported_sheets())
    make_report(Sheet.objects.get(pk=known["sheet"]), "x", "y")
    # What makes something spends its key, and forgets those that are old.
    browser.post("/parties/", {"name": "Runde", "ruleset": "condice", "_once": str(key)})
    with transaction.atomic():
        remove_sheets([known["loose"]])
    end_party(Party.objects.get(pk=known["party"]), user)
    lead_here({User: user.pk, Sheet: known["sheet"], Party: known["party"], Portrait: key, Handout: 1})
    delete_account(user)


def test_each_index_serves_a_question_of_the_program(large):
    browser, known = large
    with planned() as plans:
        for page in PAGES:
            browser.get(page.format(**known))
        everyday(browser, known)
    used = {name for plan in plans.values() for line in plan for name in USES.findall(line)}
    assert {f"{model.__name__}.{name}": columns for model in OURS
            for name, (unique, columns, _part) in columns_of(model).items()
            if not unique and name not in used and name not in {one.name for one in LISTED}} == {}


@pytest.mark.parametrize("model", [one for one in apps.get_models() if one._meta.constraints or one in OURS])
def test_each_constraint_and_index_of_a_model_is_there_whatever_migrations_did(model):
    with connection.cursor() as cursor:
        there = connection.introspection.get_constraints(cursor, model._meta.db_table)
    assert {one.name for one in (*model._meta.constraints, *model._meta.indexes)} <= {*there}

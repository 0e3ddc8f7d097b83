"""The past that commit 50aac23 left is read by this version: migrated, restored, and every page and line of it."""

import gzip
import json
import lzma
import os
import re
import sqlite3
import subprocess
import sys

import pytest
from django.conf import settings
from django.contrib.auth.models import User
from django.core.management import call_command
from django.test import Client, override_settings
from django.utils import timezone
from django.utils.html import escape
from django.utils.translation import override

from builder.backup import database, restoring
from rulesets import systems
from rulesets.document import read_tree
from sheets.audit_log import chain
from sheets.audit_log.signing import MIGRATED
from sheets.models import Event, Party, Review, Revision, Sheet
from sheets.rolls.stored import event_text
from tests.builder.conftest import doctor_says
from tests.past.keys import HERE, KEYS, THEN
from tests.past.reading import same, told
from tests.sheets.audit_log.test_chain import assert_every_column_found
from tests.support.everyday import each, slow

LANGUAGES = ("de", "en")
RANGE = re.compile(r'<span class="range">([^<]+)</span>')

def unpacked(name):
    return lzma.decompress((HERE / f"{name}.xz").read_bytes())


COUNTED_SINCE = {"53797890-39d2-4c72-9183-f0e524b1a473": {"conditions": 2},
                 "7e2296bc-5f2d-459f-9759-b63789833d0e": {"conditions": 4}}
"""Gauges by sheet: a condition that waits for its word counts already; what is stored is as it was."""


@pytest.fixture(scope="module")
def expected():
    """What 50aac23 told of it; and what rules count otherwise since."""
    found = json.loads(unpacked("told.json"))
    for key, gauges in COUNTED_SINCE.items():
        found["sheets"][key]["gauges"] |= gauges
    return found


@pytest.fixture(scope="module")
def file(tmp_path_factory):
    """The backup."""
    path = tmp_path_factory.mktemp("past") / "past.backup"
    path.write_bytes(gzip.compress(unpacked("past.backup"), 1))
    return path


@pytest.fixture(scope="module")
def restored(file, django_db_setup, django_db_blocker):
    """The backup restored into this database, for all tests that only read; afterwards it is empty again."""
    with django_db_blocker.unblock():
        with override_settings(**KEYS):
            restoring.restore(file, replace=True)
        yield
        emptied()


def emptied():
    """As a database is that was only migrated."""
    call_command("flush", interactive=False, verbosity=0)
    chain.begin()


@pytest.fixture
def then(settings, monkeypatch):
    """The keys and the day of the frozen past."""
    for name, key in KEYS.items():
        setattr(settings, name, key)
    monkeypatch.setattr(timezone, "now", lambda: THEN)


@pytest.fixture
def past(restored, then, db):
    """The frozen past, to be read."""


@pytest.mark.slow
def test_all_that_the_backup_holds_is_there_as_it_was_written(file, past):
    """Every column that there was holds what it held, but for what migrations say they change."""
    header, *rows = map(json.loads, gzip.decompress(file.read_bytes()).splitlines()[:-1])
    seen = 0
    for label, model in database.tables().items():
        if label not in header["columns"]:
            continue  # a table that came later
        names, fields = header["columns"][label], {one.attname: one for one in model._meta.concrete_fields}
        there = {row[0]: row for row in (json.loads(database.as_line(one)) for one in model._base_manager.values_list(
            model._meta.pk.attname, *names))}
        assert set(names) <= set(fields)
        for row in (values for name, values in rows if name == label):
            key = row[names.index(model._meta.pk.attname)]
            assert there[key][1:] == row, (label, key)
            seen += 1
    assert seen == len(rows) > 3_000


def assert_whole(expected):
    """Chain and doctor are well, and what is told is what was told."""
    assert list(chain.chain_faults()) == []
    assert doctor_says() == []
    now = json.loads(json.dumps(told()))
    for what in ("parties", "log", "sheets"):
        assert now[what].keys() == expected[what].keys()
        for key, said in expected[what].items():
            assert same(now[what][key], said), (what, key, now[what][key], said)


@pytest.mark.slow
def test_the_restored_past_tells_what_it_told(past, expected):
    assert_whole(expected)
    assert set(Revision.objects.values_list("signed", flat=True)) == {MIGRATED}
    assert Review.objects.count() > 100
    assert {"approved", "returned", "waiting", "changed", "earlier"} <= {
        one["state"] for one in expected["sheets"].values()}


@pytest.mark.slow
@pytest.mark.database("sqlite")
def test_the_file_is_migrated_from_where_it_stands_and_tells_what_it_told(tmp_path, expected):
    path = tmp_path / "past.sqlite3"
    base = sqlite3.connect(path)
    base.executescript(unpacked("past.sql").decode())
    base.close()
    program = ("import json, sys, django; django.setup(); from django.conf import settings\n"
               f"for name, key in {KEYS!r}.items(): setattr(settings, name, key)\n"
               "from django.core.management import call_command\n"
               "call_command('migrate', verbosity=0); call_command('verify_reviews')\n"
               "try: call_command('doctor')\nexcept Exception as error: print('doctor:', error)\n"
               "from tests.past.reading import told; print(); print(json.dumps(told()))")
    done = subprocess.run([sys.executable, "-c", program], cwd=settings.BASE_DIR, capture_output=True, text=True,
                          check=False, env=os.environ | {
                              "DATABASE_URL": f"sqlite:///{path}", "BOGENSCHMIEDE_MODE": "development",
                              "DJANGO_SETTINGS_MODULE": "builder.settings"})
    assert done.returncode == 0, done.stderr
    said, _blank, tree = done.stdout.rstrip().rpartition("\n\n")
    assert "WRONG" not in said
    assert "doctor:" not in said
    assert "entries hold" in said
    now = json.loads(tree)
    assert all(now[what].keys() == expected[what].keys() and same(now[what], expected[what]) for what in now)


@pytest.mark.slow
@pytest.mark.django_db(transaction=True)
def test_a_restore_of_an_earlier_version_that_fails_halfway_changes_nothing(file, then, monkeypatch):
    Sheet.objects.create(guest="x", ruleset="condice", data={}, name="Noch da")
    before, standing = sorted(database.lines()), database.applied_migrations()
    usual = restoring.migrated

    def stuck(plan):
        if not plan[0][1]:
            raise database.BackupError("stuck")
        return usual(plan)

    monkeypatch.setattr(restoring, "migrated", stuck)
    with pytest.raises(database.BackupError, match="stuck"):
        restoring.restore(file, replace=True)
    assert (sorted(database.lines()), database.applied_migrations()) == (before, standing)
    monkeypatch.undo()


def browser(user, language="de"):
    client = Client(headers={"Accept-Language": language})
    if user:
        client.force_login(user)
    return client


def owning(sheet, expected):
    """The browser of whoever owns a sheet, with the session that a guest had."""
    client = browser(sheet.owner)
    if sheet.owner is None:
        client.cookies["sessionid"] = expected["sessions"]["guest"]
    return client


@each(16)
def test_every_sheet_is_read_printed_and_taken_along_by_its_owner(past, expected, every):
    asked = 0
    for sheet in Sheet.objects.filter(deleted=None).select_related("owner").order_by("ruleset", "pk")[::every]:
        client = owning(sheet, expected)
        name, at = expected["sheets"][str(sheet.pk)]["played"], f"/sheets/{sheet.pk}/"
        for address in ("", "print/", "history/", "review/", "export/", "export.json", "export.md"):
            for language in LANGUAGES if not address else ("de",):
                answer = client.get(at + address, headers={"Accept-Language": language})
                assert answer.status_code == 200, (at + address, sheet.ruleset)
                said = {expected["log"][str(event.pk)][language] for event in sheet.events.order_by("-pk")[:40]}
                # A figure stays in one line with its word, and so does a range.
                shown = RANGE.sub(r"\1", answer.text.replace("\u00a0", " "))
                assert address or [one for one in said if escape(one) not in shown] == []
            if address in ("", "print/"):
                assert escape(name) in answer.text, at + address
            if address == "export.json":
                tree = answer.json()
                assert tree["name"] == name
                assert read_tree(tree).check(mends=False)
            asked += 1
        if sheet.share:
            assert (sheet.share_play, escape(name) in Client().get(f"/shared/{sheet.share}/").text) == (True, True)
    assert asked > 400 // every


def test_a_sheet_of_every_system_of_then_becomes_a_pdf(past):
    sheets = {sheet.ruleset: sheet for sheet in Sheet.objects.filter(owner__username="jürgen", deleted=None)}
    assert len(sheets) == 5
    for sheet in sheets.values():
        answer = browser(sheet.owner).get(f"/sheets/{sheet.pk}/sheet.pdf")
        assert (answer.status_code, answer.getvalue()[:5]) == (200, b"%PDF-"), sheet.ruleset


@pytest.mark.parametrize("language", [pytest.param(LANGUAGES[0], marks=pytest.mark.slow), slow(LANGUAGES[1])])
def test_every_line_of_every_log_is_told(past, language):
    """A roll that the system still knows is told in words, and its page reads it from what was stored."""
    with override(language):
        for event in Event.objects.select_related("party"):
            slug = event.sheet.ruleset if event.sheet_id else event.party.ruleset
            if event.roll:
                systems()[slug].rolls[event.roll].model_validate(event.given)
                assert event_text(systems()[slug], event)
            if event.act:
                assert event.act in systems()[slug].acts, event.act
                assert event.words == event.said[language]


def test_every_approval_and_every_code_is_told(past, expected):
    told_codes = 0
    for entry in Review.objects.exclude(code=None).select_related("sheet"):
        answer = Client(headers={"Accept-Language": "en"}).get(f"/verify/{entry.code}/")
        assert answer.status_code == 200
        assert "Not to be trusted" not in answer.text
        if entry.sheet and expected["sheets"][str(entry.sheet_id)]["code"].replace("-", "") == entry.code:
            assert "Approved" in answer.text
            told_codes += 1
    assert told_codes >= 10


@each(6)
def test_every_table_party_and_person_is_read(past, every):
    for user in User.objects.order_by("pk")[::every]:
        client = browser(user, "en")
        for address in ("/", "/sheets/", "/sheets/trash/", "/parties/", "/reviews/", "/notifications/", "/account/"):
            assert client.get(address).status_code == 200, (user.username, address)
        assert client.get("/account/download/").getvalue()[:2] == b"PK"
        for party in Party.objects.filter(members__user=user):
            for address in ("", "table/", "house/", "ready/"):
                answer = client.get(f"/parties/{party.pk}/{address}")
                assert answer.status_code == 200
                assert escape(party.name) in answer.text, address


@each(6)
def test_every_revision_of_the_past_is_shown_and_compared(past, expected, every):
    there = Sheet.objects.filter(deleted=None, revisions__isnull=False).select_related("owner").distinct()
    for sheet in there.order_by("pk")[::every]:
        client, numbers = owning(sheet, expected), list(sheet.revisions.values_list("number", flat=True))
        for number in numbers:
            assert client.get(f"/sheets/{sheet.pk}/history/", {"of": number}).status_code == 200
        assert client.get(f"/sheets/{sheet.pk}/history/", {"a": numbers[0], "b": "now"}).status_code == 200


def test_a_guest_of_the_past_still_has_the_drafts_with_what_was_typed(past, expected):
    drafts = Sheet.objects.filter(owner=None, deleted=None)
    client = owning(drafts[0], expected)
    assert len({one.ruleset for one in drafts} & set(systems())) == 5
    for one in drafts:
        assert client.get(f"/drafts/{one.pk}/", follow=True).status_code == 200
    assert sum(bool(one.typed) for one in drafts) >= 4


def test_documents_of_the_past_are_read_as_they_were_taken_along():
    documents = json.loads(unpacked("documents.json"))["documents"]
    found = [json.loads(text) for name, text in documents.items() if name.endswith(".json")]
    assert len({tree["ruleset"] for tree in found} & set(systems())) == 5
    for tree in found:
        again = json.loads(json.dumps(read_tree({key: one for key, one in tree.items() if key != "approval"}).asdict()))
        for key in ("name", "ruleset", "data", "play"):
            assert same(again.get(key), tree.get(key)), (tree["name"], key)


@pytest.mark.slow
def test_every_tampering_with_the_past_is_found_too(past, full):
    """Also where the old form did not cover a column: the migration has vouched for it."""
    done = assert_every_column_found(full)
    assert sum(done.values()) >= (135 if full else 60), done

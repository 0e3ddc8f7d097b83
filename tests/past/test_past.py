"""The pasts that earlier commits left are read by this version: migrated, restored, and every page and line of them."""

import gzip
import json
import os
import sqlite3
import subprocess
import sys
from contextlib import closing

import pytest
from django.conf import settings
from django.contrib.auth.models import User
from django.test import Client
from django.utils.translation import override

from builder.backup import database, restoring
from rulesets import systems
from rulesets.document import read_tree
from rulesets.names import UNSEEN
from sheets.audit_log import chain
from sheets.audit_log.signing import MIGRATED
from sheets.faces.pictures import SIZES
from sheets.models import Event, Handout, Party, Review, Revision, Sheet
from sheets.rolls.stored import event_text
from tests.builder.conftest import doctor_says
from tests.past.conftest import FIRST, SECOND, backup_of, both, from_the_first, only
from tests.past.keys import KEYS
from tests.past.moved import MOVED, RENAMED
from tests.past.odd import NAMES
from tests.past.pages import FORMS, LANGUAGES, OF_PARTY, PERSONAL, missing, numbers, owning, shows, turns_of
from tests.past.pressing import browser
from tests.past.reading import PARTS, same, told
from tests.sheets.audit_log.test_chain import assert_every_column_found
from tests.support.everyday import each, slow

pytestmark = pytest.mark.slow


def test_all_that_the_backup_holds_is_there_as_it_was_written(file, past):
    """Every column that there was holds what it held, but for what migrations say they change, and sessions."""
    header, *rows = map(json.loads, gzip.decompress(file.read_bytes()).splitlines()[:-1])
    rows = [(label, row) for label, row in rows if label != database.SESSIONS and not (
        # builder's 0005_unseen looks at these anew.
        label == "builder.Likeness" and any(UNSEEN.search(str(value)) for value in row))]
    seen = 0
    for now, model in database.tables().items():
        label = RENAMED.get(now, now)
        former = {before: renamed for renamed, before in RENAMED.items()}.get(now)
        if label not in header["columns"] or (former and former not in header["columns"]):
            continue  # a table that came later, of which a former one may have had the name
        names, fields = header["columns"][label], {one.attname: one for one in model._meta.concrete_fields}
        kept = [name for name in names if (label, name) not in MOVED]
        there = {row[0]: row for row in (json.loads(database.as_line(one)) for one in model._base_manager.values_list(
            model._meta.pk.attname, *kept))}
        assert set(kept) <= set(fields)
        for row in (dict(zip(names, values, strict=True)) for name, values in rows if name == label):
            key = row[model._meta.pk.attname]
            assert there[key][1:] == [row[name] for name in kept], (label, key)
            assert all(MOVED[label, name](row) for name in names if name not in kept), (label, key)
            seen += 1
    assert seen == len(rows) > 3_000


def assert_whole(expected):
    """Check that chain and doctor are well, and that what is told is what was told."""
    assert list(chain.chain_faults()) == []
    assert doctor_says() == []
    parts = [part for part in PARTS if part in expected]
    now = json.loads(json.dumps(told(parts)))
    for what in parts:
        assert now[what].keys() == expected[what].keys()
        for key, said in expected[what].items():
            assert same(now[what][key], said), (what, key, now[what][key], said)


def test_the_restored_past_tells_what_it_told(past, which, expected):
    assert_whole(expected)
    assert (set(Revision.objects.values_list("signed", flat=True)) == {MIGRATED}) is (which is FIRST)
    assert Review.objects.count() > 100
    assert {"approved", "returned", "waiting", "changed", "earlier"} <= {
        one["state"] for one in expected["sheets"].values()}


@pytest.mark.database("sqlite")
@from_the_first
def test_the_file_is_migrated_from_where_it_stands_and_tells_what_it_told(tmp_path, which, expected):
    path, parts = tmp_path / "past.sqlite3", [part for part in PARTS if part in expected]
    with closing(sqlite3.connect(path)) as base:
        base.executescript(which.unpacked("past.sql").decode())
    program = ("import json, sys, django; django.setup(); from django.conf import settings\n"
               f"for name, key in {KEYS!r}.items(): setattr(settings, name, key)\n"
               "from django.core.management import call_command\n"
               "call_command('migrate', verbosity=0); call_command('verify_reviews')\n"
               "try: call_command('doctor')\nexcept Exception as error: print('doctor:', error)\n"
               f"from tests.past.reading import told; print(); print(json.dumps(told({parts})))")
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
    assert now.keys() == {*parts}
    assert all(now[what].keys() == expected[what].keys() and same(now[what], expected[what]) for what in parts)


@pytest.mark.more
@pytest.mark.django_db(transaction=True)
def test_a_restore_of_an_earlier_version_that_fails_halfway_changes_nothing(tmp_path, settings, monkeypatch):
    settings.SECRET_KEY, settings.REVIEW_KEY = KEYS["SECRET_KEY"], KEYS["REVIEW_KEY"]
    Sheet.objects.create(guest="x", ruleset="condice", data={}, name="Noch da")
    before, standing = sorted(database.lines()), database.applied_migrations()
    usual = restoring.run_migrations

    def stuck(plan):
        if not plan[0][1]:
            raise database.BackupError("stuck")
        return usual(plan)

    monkeypatch.setattr(restoring, "run_migrations", stuck)
    with pytest.raises(database.BackupError, match="stuck"):
        restoring.restore(backup_of(FIRST, tmp_path), replace=True)
    assert (sorted(database.lines()), database.applied_migrations()) == (before, standing)


@each(16)
def test_every_sheet_is_read_printed_and_taken_along_by_its_owner(past, which, expected, every, full):
    """Its page, and all other forms of it, or half of these where all sheets are read outside of a proof."""
    asked = 0
    sheets = Sheet.objects.filter(deleted=None).select_related("owner").order_by("ruleset", "pk")
    for place, sheet in enumerate(sheets[::every]):
        client = owning(sheet)
        name, at = expected["sheets"][str(sheet.pk)]["played"], f"/sheets/{sheet.pk}/"
        for address in ("", *(FORMS if full or every > 1 else FORMS[place % 2::2])):
            for language in LANGUAGES if not address else ("de",):
                answer = client.get(at + address, headers={"Accept-Language": language})
                assert answer.status_code == 200, (at + address, sheet.ruleset)
                if not address:
                    newest = sheet.events.order_by("-pk").values_list("pk", flat=True)[:40]
                    assert missing(answer.text, {expected["log"][str(one)][language] for one in newest}) == []
                asked += 1
            if address in ("", "print/"):
                assert shows(answer.text, name), at + address
            if address == "export.json":
                tree = answer.json()
                assert tree["name"] == name
                assert read_tree(tree).check(mends=False)
        if sheet.share:
            # Whoever held a link of the first past's saw the sheet as it was played.
            assert sheet.share_play is (which is FIRST)
            assert shows(Client().get(f"/shared/{sheet.share}/").text, name)
        for size in SIZES if sheet.portrait_id else ():
            assert client.get(f"{at}portrait-{size}.webp").getvalue()[8:12] == b"WEBP"
    assert asked > 250 // every


def test_a_sheet_of_every_system_of_then_becomes_a_pdf(past):
    sheets = {sheet.ruleset: sheet for sheet in Sheet.objects.filter(owner__username="jürgen", deleted=None)}
    assert len(sheets) == 5
    for sheet in sheets.values():
        answer = browser(sheet.owner).get(f"/sheets/{sheet.pk}/sheet.pdf")
        assert (answer.status_code, answer.getvalue()[:5]) == (200, b"%PDF-"), sheet.ruleset


@pytest.mark.parametrize("language", [LANGUAGES[0], slow(LANGUAGES[1])])
def test_every_line_of_every_log_is_told(past, language):
    """A roll that the system still knows is told in words, and its page reads it from what was stored."""
    slugs = dict([*Sheet.objects.values_list("pk", "ruleset"), *Party.objects.values_list("pk", "ruleset")])
    with override(language):
        for event in Event.objects.all():
            slug = slugs[event.sheet_id or event.party_id]
            if event.roll:
                systems()[slug].rolls[event.roll].model_validate(event.parameters)
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
def test_every_table_party_and_person_is_read(past, every, full):
    """On all pages, or on half of them in the same way."""
    for place, user in enumerate(User.objects.order_by("pk")[::every]):
        client = browser(user, "en")
        for address in PERSONAL if full or every > 1 else PERSONAL[place % 2::2]:
            assert client.get(address).status_code == 200, (user.username, address)
        assert client.get("/account/download/").getvalue()[:2] == b"PK"
        for number, party in enumerate(Party.objects.filter(members__user=user).order_by("pk"), place):
            for address in OF_PARTY if full or every > 1 else OF_PARTY[number % 2::2]:
                answer = client.get(f"/parties/{party.pk}/{address}")
                assert answer.status_code == 200
                assert shows(answer.text, party.name), address


@each(6)
def test_every_revision_of_the_past_is_shown_and_compared(past, expected, every):
    there = Sheet.objects.filter(deleted=None, revisions__isnull=False).select_related("owner").distinct()
    for sheet in there.order_by("pk")[::every]:
        client, numbers = owning(sheet), list(sheet.revisions.values_list("number", flat=True))
        for number in numbers:
            assert client.get(f"/sheets/{sheet.pk}/history/", {"of": number}).status_code == 200
        assert client.get(f"/sheets/{sheet.pk}/history/", {"a": numbers[0], "b": "now"}).status_code == 200


def test_a_guest_of_the_past_still_has_the_drafts_with_what_was_typed(past, expected):
    drafts = Sheet.objects.filter(owner=None, deleted=None)
    client = owning(drafts[0])
    assert len({one.ruleset for one in drafts} & set(systems())) == 5
    for one in drafts:
        assert client.get(f"/drafts/{one.pk}/", follow=True).status_code == 200
    assert sum(bool(one.typed) for one in drafts) >= 4


@both
def test_documents_of_the_past_are_read_as_they_were_taken_along(which):
    documents = json.loads(which.unpacked("documents.json"))["documents"]
    found = [json.loads(text) for name, text in documents.items() if name.endswith(".json")]
    assert len({tree["ruleset"] for tree in found} & set(systems())) == 5
    for tree in found:
        again = json.loads(json.dumps(read_tree({key: one for key, one in tree.items() if key != "approval"}).asdict()))
        for key in ("name", "ruleset", "data", "play"):
            assert same(again.get(key), tree.get(key)), (tree["name"], key)


@only(SECOND)
@each(5)
def test_a_fight_goes_on_where_it_was_and_shows_nobody_more_than_before(past, expected, every):
    """An evening lasts, hits wait, and rolls, opponents and handouts are still for those alone whom they were for."""
    for key, stood in [*expected["tables"].items()][::every]:
        address = f"/parties/{key}/"
        for name, seen in stood["members"].items():
            client = browser(User.objects.get(username=name))
            page = client.get(f"{address}table/").text
            order = seen["order"]
            assert turns_of(page) == {"round": stood["round"], "there": len(order), "turn": [
                place for place, one in enumerate(order) if one == stood["turn"]]}
            assert numbers(page, "dismiss") == seen["waiting"]
            assert page.partition('<ol class="event-list"')[2].count("<time ") == len(seen["log"])
            hidden = [one for one in seen["log"] if expected["log"][str(one)]["hidden"]]
            assert (numbers(page, "reveal"), bool(hidden)) == (sorted(hidden), seen["gm"])
            # One that is seen stands for all of them.
            asked = [one for one in order if one in seen["unseen"] or one == order[0]]
            assert [one for one in asked if client.get(f"/sheets/{one}/").status_code == 404] == seen["unseen"]
            scenes = client.get(f"{address}evenings/", follow=True).text
            assert scenes.count('class="badge good"') == 1
            assert shows(scenes, stood["evening"])
            assert ('value="end:' in scenes) == seen["gm"]
            for one in Handout.objects.filter(party=key).defer("large", "small"):
                given = expected["handouts"][str(one.pk)]
                form = "picture.webp" if given["picture"] else ""
                there = client.get(f"{address}handouts/{one.pk}/{form}").status_code
                assert there == (200 if one.pk in seen["handouts"] else 404)


@only(SECOND)
def test_the_second_past_holds_what_the_first_one_did_not(past, expected):
    """So that no later hand makes it poorer unseen."""
    stood, landings = expected["tables"].values(), expected["landings"].values()
    assert len(stood) == len({*systems()} & {one.ruleset for one in Party.objects.filter(pk__in=expected["tables"])})
    assert all(one["round"] >= 2 and one["turn"] and one["evening"] is not None and one["asked"] for one in stood)
    assert all(any(seen["waiting"] for seen in one["members"].values()) for one in stood)
    assert {state for *_rest, state, _applied in landings} == {"open", "applied", "dismissed"}
    assert {one["for_all"] for one in expected["handouts"].values()} == {True, False}
    assert {one["name"] for one in expected["sheets"].values()} >= {*NAMES}
    assert {name for name, _members in expected["parties"].values()} >= {*NAMES}


@pytest.mark.more
@only(FIRST)
def test_every_tampering_with_the_past_is_found_too(past, full):
    """Also where the old form did not cover a column: the migration has vouched for it."""
    done = assert_every_column_found(full)
    assert sum(done.values()) >= (135 if full else 60), done

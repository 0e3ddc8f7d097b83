"""Nobody is signed in by a backup, and no guest loses their sheets by one."""

import gzip

import pytest
from django.conf import settings
from django.contrib.auth import get_user_model
from django.contrib.sessions.models import Session
from django.core.management import call_command
from django.test import Client

from builder.backup import archive, database, restoring
from sheets.models import Sheet
from tests.support.builder.accounts import PASSWORD, sign_in
from tests.support.guest import Guest, guest_of

pytestmark = [pytest.mark.alike, pytest.mark.django_db(transaction=True)]
SESSION = settings.SESSION_COOKIE_NAME


@pytest.fixture
def browser():
    """One in which Juan is signed in."""
    get_user_model().objects.create_user("juan", password=PASSWORD)
    client = Client()
    sign_in(client)
    return client


@pytest.fixture
def old(browser, tmp_path, monkeypatch):
    """A backup of an earlier version, with sessions, of which a guest's has the key of a sheet."""
    session = Client().session
    session["guest"] = "g" * 32
    session.save()
    Sheet.objects.create(ruleset="condice", guest="g" * 32, data={})
    with monkeypatch.context() as earlier:
        earlier.setattr(database, "SESSIONS", "none")
        archive.back_up(tmp_path / "old")
    return tmp_path / "old"


def signed_in(client):
    return client.get("/account/").status_code == 200


def test_a_backup_holds_no_session(browser, tmp_path):
    key = browser.cookies[SESSION].value
    archive.back_up(tmp_path / "backup")
    with gzip.open(tmp_path / "backup") as packed:
        assert key.encode() not in packed.read()
    assert Session.objects.filter(pk=key).exists()


@pytest.mark.parametrize("which", ["new", "earlier"])
def test_a_cookie_that_was_signed_out_does_not_work_again_after_a_restore_nor_does_one_of_now(
        browser, old, tmp_path, which):
    archive.back_up(tmp_path / "new")
    stolen, here = Client(), Client()
    stolen.cookies[SESSION] = browser.cookies[SESSION].value
    assert signed_in(stolen)
    browser.post("/account/logout/")
    sign_in(here)
    restoring.restore(old if which == "earlier" else tmp_path / "new", replace=True)
    assert [signed_in(one) for one in (browser, stolen, here)] == [False] * 3
    assert not Session.objects.exists()
    assert sign_in(browser).status_code == 302


def test_all_else_of_a_backup_with_sessions_comes_back(old):
    assert archive.verified_summary(old)["counts"]["sessions.Session"] == 2
    before = sorted(database.lines())
    call_command("flush", interactive=False)
    assert restoring.restore(old, replace=False)["counts"]["sessions.Session"] == 2
    assert (sorted(database.lines()), Session.objects.count()) == (before, 0)


def test_sessions_of_a_backup_that_are_not_all_there_are_still_missed(old):
    with gzip.open(old) as packed:
        lines = packed.readlines()
    old.write_bytes(gzip.compress(b"".join(one for one in lines if b'["sessions.Session",' not in one)))
    with pytest.raises(database.BackupError, match="not whole"):
        restoring.restore(old, replace=True)


def test_a_guest_opens_their_sheets_after_a_restore_into_a_fresh_database(tmp_path):
    guest = Guest()
    key = guest_of(guest.client)
    archive.back_up(tmp_path / "backup")
    call_command("flush", interactive=False)
    assert guest.client.get(guest.url("figure")).status_code == 404
    restoring.restore(tmp_path / "backup", replace=False)
    assert (guest.get().status_code, guest.sheet.guest) == (200, key)
    assert Client().get(guest.url("figure")).status_code == 404


def test_an_empty_database_that_somebody_has_looked_at_counts_as_empty(tmp_path):
    archive.back_up(tmp_path / "backup")
    session = Client().session
    session["seen"] = 1
    session.save()
    restoring.restore(tmp_path / "backup", replace=False)
    assert not Session.objects.exists()

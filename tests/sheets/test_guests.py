"""A guest's sheets are found by a cookie of their browser, or by the session of before, which hands over its key."""

import asyncio

import pytest
from django.conf import settings
from django.contrib.auth import get_user_model
from django.contrib.sessions.backends.db import SessionStore
from django.core.handlers.asgi import ASGIRequest
from django.test import Client

from sheets import guests
from sheets.live import stream
from sheets.models import Sheet
from tests.support.builder.accounts import sign_in
from tests.support.guest import Guest, guest_of, let_in, sits

pytestmark = pytest.mark.django_db
NAME = settings.GUEST_COOKIE_NAME


@pytest.fixture
def guest():
    return Guest()


@pytest.fixture
def before():
    """A browser in which a guest made a sheet before there was a cookie."""
    session = SessionStore()
    session["guest"] = "g" * 32
    session.save()
    made = Client()
    made.cookies[settings.SESSION_COOKIE_NAME] = session.session_key
    made.sheet = Sheet.objects.create(ruleset="condice", guest="g" * 32, data=Guest().data)
    return made


def opens(client, pk):
    return client.get(f"/sheets/{pk}/").status_code == 200


@pytest.mark.parametrize("secure", [False, True])
def test_a_guest_is_known_by_a_signed_cookie_for_a_year_and_needs_no_session(settings, secure):
    settings.SESSION_COOKIE_SECURE = secure
    guest = Guest()
    cookie = guest.client.cookies[NAME]
    assert (cookie["httponly"], cookie["samesite"], bool(cookie["secure"]), cookie["path"]) == (
        True, "Lax", secure, "/")
    assert cookie["max-age"] == 365 * 24 * 60 * 60
    assert guest_of(guest.client) == guest.sheet.guest
    assert settings.SESSION_COOKIE_NAME not in guest.client.cookies
    assert opens(guest.client, guest.pk)


def test_a_cookie_that_was_not_signed_here_opens_nothing_and_stays(guest):
    for forged in (guest.sheet.guest, f"{guest.sheet.guest}:1:x", guest.client.cookies[NAME].value + "x", ""):
        other = Client()
        other.cookies[NAME] = forged
        answer = other.get(f"/sheets/{guest.pk}/")
        assert (answer.status_code, NAME in answer.cookies) == (404, False), forged


def test_a_cookie_is_given_out_anew_once_a_day(guest, monkeypatch):
    assert NAME not in guest.client.get(f"/sheets/{guest.pk}/").cookies
    monkeypatch.setattr(guests, "RENEWED", 0)
    assert NAME in guest.client.get(f"/sheets/{guest.pk}/").cookies
    assert guest_of(guest.client) == guest.sheet.guest
    monkeypatch.setattr(guests, "AGE", 0)
    assert not opens(guest.client, guest.pk)


def test_the_key_that_a_session_kept_moves_to_the_cookie_and_leaves_it_only_once_the_browser_has_that(before):
    lost = Client()
    lost.cookies[settings.SESSION_COOKIE_NAME] = before.cookies[settings.SESSION_COOKIE_NAME].value
    assert opens(lost, before.sheet.pk)
    # That answer never came; the browser asks as before.
    assert opens(before, before.sheet.pk)
    assert guest_of(before) == "g" * 32
    assert before.session["guest"] == "g" * 32
    assert opens(before, before.sheet.pk)
    assert "guest" not in before.session
    del before.cookies[settings.SESSION_COOKIE_NAME]
    assert opens(before, before.sheet.pk)


def test_what_such_a_guest_makes_next_is_theirs_too(before):
    before.post("/build/condice/")
    assert Sheet.objects.filter(guest="g" * 32).count() == 2


@pytest.mark.parametrize("kept", ["cookie", "session"])
def test_who_signs_in_takes_the_sheets_along_and_the_browser_forgets_the_guest(guest, before, kept):
    client, pk = (guest.client, guest.pk) if kept == "cookie" else (before, before.sheet.pk)
    user = get_user_model().objects.create_user("juan")
    key = Sheet.objects.get(pk=pk).guest
    let_in(client, user)
    assert (Sheet.objects.get(pk=pk).owner, "guest" in client.session) == (user, False)
    assert not client.cookies.get(NAME) or client.cookies[NAME].value == ""
    client.post("/account/logout/")
    assert not opens(client, pk)
    client.post("/build/condice/")
    assert guest_of(client) != key


def test_who_signs_out_leaves_no_guest_behind(guest):
    user = get_user_model().objects.create_user("juan")
    let_in(guest.client, user)
    # Another tab made something as a guest just before.
    late = Sheet.objects.create(ruleset="condice", guest="l" * 32, data=guest.data)
    sits(guest.client, "l" * 32)
    assert opens(guest.client, late.pk)
    guest.client.post("/account/logout/")
    assert not opens(guest.client, late.pk)


def test_a_sheet_that_is_nobodys_is_not_that_of_somebody_without_a_key(rf):
    request = rf.get("/")
    request.session = {}
    assert guests.guest_key(request) is None


def test_a_stream_knows_a_guest_by_the_cookie_and_one_browser_from_another(guest):
    async def watched(value):
        request = ASGIRequest({
            "type": "http", "method": "GET", "path": f"/live/sheet/{guest.pk}/", "query_string": b"",
            "headers": [(b"host", b"127.0.0.1"), (b"cookie", f"{NAME}={value}".encode())],
            "client": ("127.0.0.1", 1)}, None)
        return stream._watcher(request)

    one, other = (asyncio.run(watched(value)) for value in (guest.client.cookies[NAME].value, "other"))
    assert (guests.guest_key(one.request), guests.guest_key(other.request)) == (guest.sheet.guest, None)
    assert one.buckets[2] != other.buckets[2]


def test_a_wrong_password_takes_nothing_from_a_guest(guest):
    get_user_model().objects.create_user("juan", password="gut-geschmiedet-7")
    assert sign_in(guest.client, password="falsch").status_code == 200
    assert opens(guest.client, guest.pk)

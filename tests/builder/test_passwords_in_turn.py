"""Few passwords are hashed at a time, as each takes a third of a second of a processor, and none while others wait."""

from contextlib import ExitStack

import pytest
from django.contrib.auth import get_user_model
from django.contrib.auth.hashers import MD5PasswordHasher
from django.db import connection
from django.test import Client

from builder import rate_limit, turns
from tests.support.builder.accounts import LOGIN, PASSWORD, SIGNUP, english, people, sign_in, sign_up

pytestmark = pytest.mark.django_db
HERE, THERE = "198.51.100.7", "203.0.113.9"
NEW = {"password1": "noch-besser-8", "password2": "noch-besser-8"}


@pytest.fixture(autouse=True)
def limits(settings, monkeypatch):
    settings.BUDGET = 100
    monkeypatch.setattr(turns, "PATIENCE", 0)
    rate_limit.forget()
    yield
    rate_limit.forget()


@pytest.fixture
def juan():
    return get_user_model().objects.create_user("juan", password=PASSWORD)


@pytest.fixture
def hashed(monkeypatch):
    """In how many transactions within the test's own each password is hashed."""
    found, encode = [], MD5PasswordHasher.encode

    def noted(self, *words):
        found.append(len(connection.savepoint_ids))
        return encode(self, *words)

    monkeypatch.setattr(MD5PasswordHasher, "encode", noted)
    return found


def test_nobodys_writes_wait_while_the_password_of_a_new_account_is_hashed(hashed):
    assert sign_up(Client())["Location"] == "/"
    assert hashed == [0]
    assert get_user_model().objects.get().check_password(PASSWORD)


@pytest.mark.parametrize(("address", "words"), [
    (LOGIN, {"login": "juan", "password": PASSWORD}), (LOGIN, {"login": "nobody", "password": PASSWORD}),
    (SIGNUP, {"username": "anna", "password1": PASSWORD, "password2": PASSWORD}),
    ("/account/reauthenticate/", {"password": PASSWORD}),
    ("/account/password/change/", {"oldpassword": PASSWORD, **NEW}),
])
def test_one_password_is_hashed_at_a_time_from_an_address(juan, hashed, address, words):
    browser = english(REMOTE_ADDR=HERE)
    if "login" not in words and "username" not in words:
        browser.force_login(juan)
    with turns.hashing(HERE):
        answer = browser.post(address, words)
    assert (answer.status_code, answer["Retry-After"], people()) == (429, "2", ["juan"])
    assert "Many passwords are being checked right now" in answer.text
    # Nothing is lost by that.
    assert browser.post(address, words).status_code == (200 if words.get("login") == "nobody" else 302)


def test_few_are_hashed_at_a_time_whoever_asks_and_who_is_refused_has_tried_none(juan, hashed):
    with ExitStack() as others:
        for number in range(turns.HASHES):
            others.enter_context(turns.hashing(f"192.0.2.{number}"))
        answers = {sign_in(Client(REMOTE_ADDR=HERE), password="falsch").status_code for _try in range(7)}
        assert (answers, hashed) == ({429}, [])
    assert sign_in(Client(REMOTE_ADDR=HERE)).status_code == 302

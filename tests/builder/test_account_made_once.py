"""A form of an account that makes something, or sends a mail, does so once however often it arrives."""

import re
from uuid import uuid4

import pytest
from allauth.account.models import EmailAddress
from django.contrib.auth.hashers import make_password
from django.core import mail
from django.test import Client

from builder.models import SpentKey
from tests.support.builder.accounts import PASSWORD, SIGNUP, people, sign_in, sign_up
from tests.support.guest import Guest, words_in

pytestmark = pytest.mark.django_db
RESET, ADDRESSES = "/account/password/reset/", "/account/email/"


def browser(**more):
    return Client(headers={"Accept-Language": "en"}, **more)


def key_on(client, page):
    """The key that the form of a page carries."""
    return re.search(r'name="_once" value="([^"]{36})"', client.get(page).text)[1]


def test_a_double_click_makes_one_account_and_both_answers_lead_to_where_the_first_did():
    guest, late = Guest(), browser()
    sent = {"_once": key_on(guest.client, f"{SIGNUP}?next=/parties/"), "next": "/parties/"}
    assert sign_up(guest.client, **sent)["Location"] == "/parties/"
    assert guest.sheet.owner.username == "juan"
    for client in (guest.client, late):
        answer = sign_up(client, **sent, _twice="1")
        way = client.get(answer["Location"])["Location"]
        assert way == "/account/login/?next=%2Fparties%2F"
        shown = client.get(way)
        # Whoever has not seen the first answer, in which the browser was let in, signs in on the way.
        led = shown if client is guest.client else client.post(way, {"login": "juan", "password": PASSWORD})
        assert led["Location"] == "/parties/"
    assert people() == ["juan"]


def test_without_scripts_a_second_arrival_is_told_that_the_account_is_made_and_holds_no_password():
    client = browser()
    sent = {"_once": key_on(client, SIGNUP)}
    sign_up(client, **sent)
    answer = sign_up(browser(), **sent)
    assert words_in(answer, "That was done already", "taken") == ["That was done already"]
    assert PASSWORD not in answer.text


def test_a_form_that_was_refused_makes_the_account_later_with_the_same_key():
    client = browser()
    sent = {"_once": key_on(client, SIGNUP)}
    assert sign_up(client, "a", **sent).status_code == 200
    assert sign_up(client, "anna", **sent).status_code == 302
    assert people() == ["anna"]


def test_an_account_that_is_made_while_the_first_one_is_under_way_is_told_as_done(monkeypatch):
    client, key = browser(), str(uuid4())

    def hashed(password):
        SpentKey.objects.create(key=key, place="/parties/")
        return make_password(password)

    monkeypatch.setattr("builder.account_forms.make_password", hashed)
    assert words_in(sign_up(client, _once=key), "That was done already")
    assert people() == []


def test_a_second_arrival_sends_no_second_mail_for_a_new_password(django_user_model):
    django_user_model.objects.create_user("anna", email="anna@example.org")
    client = browser()
    sent = {"email": "anna@example.org", "_once": key_on(client, RESET)}
    place = client.post(RESET, sent)["Location"]
    answer = client.post(RESET, {**sent, "_twice": "1"})
    assert client.get(answer["Location"])["Location"] == place
    assert len(mail.outbox) == 1
    assert client.post(RESET, {**sent, "_once": key_on(client, RESET)})["Location"] == place
    assert len(mail.outbox) == 2


def test_a_mail_that_could_not_be_sent_spends_no_key(django_user_model, monkeypatch):
    django_user_model.objects.create_user("anna", email="anna@example.org")
    client = browser(raise_request_exception=False)
    sent = {"email": "anna@example.org", "_once": key_on(client, RESET)}
    with monkeypatch.context() as patch:
        patch.setattr("builder.accounts.AccountAdapter.send_mail", _away)
        assert client.post(RESET, sent).status_code == 500
    client.post(RESET, sent)
    assert len(mail.outbox) == 1


def _away(*_mail, **_more):
    raise OSError("no mail server")


def test_an_address_is_added_once_and_gets_one_mail(django_user_model):
    django_user_model.objects.create_user("juan", password=PASSWORD)
    client = browser()
    sign_in(client)
    client.post("/account/reauthenticate/", {"password": PASSWORD})
    sent = {"email": "juan@example.org", "action_add": "", "_once": key_on(client, ADDRESSES)}
    place = client.post(ADDRESSES, sent)["Location"]
    answer = client.post(ADDRESSES, {**sent, "_twice": "1"})
    assert client.get(answer["Location"])["Location"] == place
    assert [one.email for one in EmailAddress.objects.all()] == ["juan@example.org"]
    assert len(mail.outbox) == 1

"""A form of an account that makes something, or sends a mail, does so once however often it arrives."""

import re
from urllib.parse import urlencode
from uuid import uuid4

import pytest
from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from django.contrib.auth import get_user_model
from django.contrib.auth.hashers import make_password
from django.core import mail
from django.test import Client
from django.urls import resolve, reverse

from builder.models import SpentKey
from builder.sent import PRIVATE
from sheets.models import Mailing
from sheets.notifications.mail import ask
from tests.support.addresses import OPEN
from tests.support.builder.accounts import LOGIN, PASSWORD, SIGNUP, code_of, people, sign_in, sign_up, take_app
from tests.support.database import undone
from tests.support.everybody import same
from tests.support.guest import Guest, words_in
from tests.support.sheets.forms import Forms

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
    assert words_in(answer, "That has already been done", "taken") == ["That has already been done"]
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
    assert words_in(sign_up(client, _once=key), "That has already been done")
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


PAGES = [reverse(name) for name, row in OPEN.items() if name.startswith(("account", "mfa")) and ":" not in name
         and not row.given and "download" not in name]
NEW = "noch-besser-geschmiedet-8"
TYPED = {"username": "carla", "login": "juan", "password": PASSWORD, "oldpassword": PASSWORD, "password1": NEW,
         "password2": NEW, "wanted": "off"}


@pytest.fixture
def everybody(django_user_model):
    """(browser, pages, e-mail address that they type) of all who come to pages of an account."""
    visitor, juan, anna = browser(), browser(), browser()
    for name, client in (("juan", juan), ("anna", anna), ("ben", late := browser())):
        client.force_login(django_user_model.objects.create_user(name, password=PASSWORD))
        client.post("/account/reauthenticate/", {"password": PASSWORD})
    take_app(anna)
    user = django_user_model.objects.get(username="juan")
    for address in ("juan@example.org", "other@example.org"):
        user.emailaddress_set.create(email=address, verified=True, primary=address.startswith("juan"))
    ask(user, "de")
    mail.outbox.clear()
    late.post(ADDRESSES, {"email": "ben@example.org", "action_add": ""})
    visitor.post(RESET, {"email": "juan@example.org"})
    links = re.findall(f"http://testserver({PRIVATE}\\S+/)", "".join(one.body for one in mail.outbox))
    return [(visitor, [*PAGES, *links], "juan@example.org"), (juan, PAGES, "other@example.org"),
            (juan, [ADDRESSES], "new@example.org"), (anna, [one for one in PAGES if "2fa" in one], "")]


def filled(client, pages, email):
    """Yield (address, what is sent there) of each button on these pages."""
    for page in pages:
        answer = client.get(page, follow=page not in PAGES)
        for form in Forms(answer).forms:
            if form.method == "POST" and form.action.startswith(PRIVATE):
                code = {"code": code_of(answer.context["form"].secret)} if "totp_url" in answer.context else {}
                for name, value in form.buttons or [("", "")]:
                    typed = TYPED | {"email": email} | code | {name: value}
                    yield form.action, {key: typed.get(key, said) for key, said in {**form.said, name: value}.items()}


def state():
    """All that an account is, and how many mails were sent."""
    return [[*one.objects.order_by("pk").values_list(*names)] for one, names in (
        (get_user_model(), ("username", "password", "email")), (EmailAddress, ("user", "email", "verified", "primary")),
        (Authenticator, ("user", "type", "data")), (Mailing, ("user",)))], len(mail.outbox)


def test_each_form_of_an_account_that_changes_something_does_it_once_and_leads_where_the_first_press_did(everybody):
    changing, led_astray = set(), []
    for who in everybody:
        for address, sent in filled(*who):
            with undone():
                first, late = same(who[0]), same(who[0])
                before = state()
                place = first.post(address, sent).headers.get("Location")
                after = state()
                if before == after:
                    continue
                changing.add((resolve(address).view_name, *(name for name in sent if name.startswith("action_"))))
                for client in (late, first):
                    answer = client.post(address, {**sent, "_twice": "1"})
                    led = answer.headers.get("Location", "")
                    led = client.get(led)["Location"] if led.startswith("/done/") else led
                    if state() != after or led not in (place, f"{LOGIN}?{urlencode({'next': place})}"):
                        led_astray.append((address, led))
    assert led_astray == []
    assert changing == {
        ("account_signup",), ("account_reset_password",), ("account_reset_password_from_key",),
        ("account_confirm_email",), ("account_email", "action_add"), ("account_email", "action_primary"),
        ("account_email", "action_remove"), ("account_email", "action_send"), ("account_change_password",),
        ("account_mail",), ("account_delete",), ("mfa_activate_totp",), ("mfa_deactivate_totp",),
        ("mfa_generate_recovery_codes",)}

"""A session alone takes no account over: the password is asked for again, and confirmed addresses are told."""

import html
import re

import pytest
from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from django.contrib.auth import get_user_model
from django.core import mail
from django.core.mail import EmailMessage
from django.test import Client

from tests.support.builder.accounts import PASSWORD, english, sign_in, spare_codes, take_app
from tests.support.guest import words_in

pytestmark = pytest.mark.django_db
FIRST, SECOND, THIEF = "juan@example.org", "juan@example.com", "dieb@example.net"
ADDRESSES, AGAIN = "/account/email/", "/account/reauthenticate/"
ADD = {"action_add": "", "email": THIEF}
NEW = {"oldpassword": PASSWORD, "password1": "noch-besser-8", "password2": "noch-besser-8"}


@pytest.fixture
def juan():
    user = get_user_model().objects.create_user("juan", FIRST, PASSWORD)
    user.emailaddress_set.create(email=FIRST, verified=True, primary=True)
    user.emailaddress_set.create(email=SECOND, verified=True)
    return user


@pytest.fixture
def browser(juan):
    """One in which Juan signed in, and in which somebody else sits now."""
    client = english()
    sign_in(client)
    return client


def kept():
    """What lets somebody into an account."""
    return (list(EmailAddress.objects.order_by("pk").values_list("email", "verified", "primary")),
            list(get_user_model().objects.values_list("username", "password")), Authenticator.objects.count())


def told():
    """{address: texts of its mails about changes}, but for what a new address is sent to confirm itself."""
    found = {}
    for one in mail.outbox:
        if "/confirm-email/" not in one.body:
            found.setdefault(one.to[0], []).append(one.body)
    return found


def confirmed(browser, address, form):
    """Return the answer to a change for which the password was asked again."""
    return browser.post(browser.post(address, form)["Location"], {"password": PASSWORD})


@pytest.mark.parametrize(("address", "form"), [
    (ADDRESSES, ADD), (ADDRESSES, {"action_remove": "", "email": SECOND}),
    (ADDRESSES, {"action_primary": "", "email": SECOND}), ("/account/2fa/totp/activate/", {"code": "000000"}),
    ("/account/delete/", {}),
], ids=["add", "remove", "primary", "factor", "end"])
def test_who_does_not_know_the_password_changes_nothing_that_lets_somebody_in(browser, address, form):
    before = kept()
    for _time in range(2):
        assert browser.post(address, form)["Location"].startswith(f"{AGAIN}?next=")
        assert browser.post(AGAIN, {"password": "falsch"}).status_code == 200
    assert (kept(), mail.outbox) == (before, [])


def test_another_password_takes_the_one_of_now(browser):
    before = kept()
    assert browser.post("/account/password/change/", NEW | {"oldpassword": "falsch"}).status_code == 200
    assert (kept(), mail.outbox) == (before, [])


def test_what_was_typed_is_done_after_the_password_from_the_page_that_asks_for_it(browser):
    page = browser.get(browser.post(ADDRESSES, ADD)["Location"]).text
    form = re.search(rf'<form [^>]*action="{AGAIN}".*?</form>', page, re.S)[0]
    following = html.unescape(re.search(r'name="next" value="([^"]*)"', form)[1])
    assert browser.post(AGAIN, {"password": PASSWORD, "next": following})["Location"] == ADDRESSES
    assert EmailAddress.objects.filter(email=THIEF, verified=False).exists()


def test_the_password_counts_for_five_minutes(browser, settings):
    confirmed(browser, ADDRESSES, ADD)
    assert browser.post(ADDRESSES, {"action_remove": "", "email": THIEF})["Location"] == ADDRESSES
    assert settings.ACCOUNT_REAUTHENTICATION_TIMEOUT == 300
    settings.ACCOUNT_REAUTHENTICATION_TIMEOUT = 0
    assert browser.post(ADDRESSES, {"action_remove": "", "email": SECOND})["Location"].startswith(AGAIN)


def test_a_code_of_the_second_factor_does_as_well(juan, settings):
    client = english()
    take_app(client)
    settings.ACCOUNT_REAUTHENTICATION_TIMEOUT = 0
    asked = client.post(ADDRESSES, {"action_remove": "", "email": SECOND})["Location"]
    by_code = re.search(r'href="(/account/2fa/reauthenticate/[^"]*)"', client.get(asked).text)[1]
    settings.ACCOUNT_REAUTHENTICATION_TIMEOUT = 300
    assert client.post(html.unescape(by_code), {"code": spare_codes(juan)[0]})["Location"] == ADDRESSES
    assert not EmailAddress.objects.filter(email=SECOND).exists()


def test_all_confirmed_addresses_are_told_of_every_change_and_of_an_address_before_it_is_confirmed(browser, juan):
    changes = [
        (lambda: confirmed(browser, ADDRESSES, ADD), f"The e-mail address {THIEF} has been added", {FIRST, SECOND}),
        (lambda: browser.post("/account/password/change/", NEW), "Your password has been changed", {FIRST, SECOND}),
        (lambda: browser.post(ADDRESSES, {"action_primary": "", "email": SECOND}),
         f"changed from {FIRST} to {SECOND}", {FIRST, SECOND}),
        # Who is no longer one of those is told, too.
        (lambda: browser.post(ADDRESSES, {"action_remove": "", "email": FIRST}),
         f"Email address {FIRST} has been removed", {FIRST, SECOND}),
    ]
    for change, words, addresses in changes:
        mail.outbox.clear()
        assert change().status_code == 302
        found = told()
        assert found.keys() == addresses, words
        assert [text for texts in found.values() for text in texts if words not in text] == []
        assert [len(texts) for texts in found.values()] == [1, 1]


@pytest.mark.django_db(transaction=True)  # the second factor is told once it is committed
def test_the_end_of_an_account_is_told_and_its_second_factor(juan):
    client = english()
    take_app(client)
    assert words_in(told()[FIRST][0], "Authenticator app activated", "127.0.0.1")[1:]
    mail.outbox.clear()
    client.post("/account/delete/")
    assert not get_user_model().objects.exists()
    assert words_in(told()[FIRST][0], "everything in it have been deleted", "127.0.0.1")[0]


def test_a_mail_about_a_change_is_german_and_says_nothing_that_a_browser_says_of_itself(juan):
    client = Client(headers={"User-Agent": "www.gratis.example"})
    sign_in(client)
    client.post("/account/password/change/", NEW)
    assert words_in(told()[FIRST][0], "An deinem Konto wurde etwas geändert", "Dein Passwort wurde geändert",
                    "gratis") == ["An deinem Konto wurde etwas geändert", "Dein Passwort wurde geändert"]


def test_an_address_that_nobody_confirmed_is_told_nothing(browser):
    EmailAddress.objects.update(verified=False)
    assert browser.post("/account/password/change/", NEW).status_code == 302
    assert mail.outbox == []


def test_a_mail_server_that_is_away_keeps_nobody_from_a_change(browser, juan, monkeypatch, caplog):
    def away(*_arguments, **_more):
        raise ConnectionRefusedError
    monkeypatch.setattr(EmailMessage, "send", away)
    assert browser.post("/account/password/change/", NEW).status_code == 302
    juan.refresh_from_db()
    assert (juan.check_password("noch-besser-8"), "password_changed could not be sent" in caplog.text) == (True, True)


def test_a_name_that_looks_like_a_link_is_none_in_the_mails_of_its_account():
    user = get_user_model().objects.create_user("www.gratis.example", FIRST, PASSWORD)
    client = english()
    sign_in(client, user.username)
    confirmed(client, ADDRESSES, {"action_add": "", "email": THIEF})
    EmailAddress.objects.update(verified=True)
    client.post("/account/logout/")
    client.post("/account/password/reset/", {"email": THIEF})
    bodies = [one.body for one in mail.outbox]
    assert [words_in(text, "www[.]gratis[.]example", "www.gratis.example") for text in bodies] == [
        ["www[.]gratis[.]example"]] * 2


def test_what_is_too_large_for_a_form_is_kept_in_no_session_while_the_password_is_asked_for(browser):
    answer = browser.post("/account/delete/", {"x": "x" * 16_000})
    assert (answer.status_code, "not in a form this site understands" in answer.text) == (400, True)
    assert "account_reauthentication_state" not in browser.session
    assert browser.post("/account/delete/", {"x": "x" * 100})["Location"].startswith(AGAIN)


def test_a_link_that_confirms_an_address_confirms_no_other_one_that_has_its_row_after_a_restore(browser):
    mail.outbox.clear()
    confirmed(browser, ADDRESSES, ADD)
    link = next(word for one in mail.outbox for word in one.body.split() if "/confirm-email/" in word)
    row, path = EmailAddress.objects.latest("pk"), link.removeprefix("http://testserver")
    stranger = get_user_model().objects.create_user("stranger")
    for user, email in ((row.user, "other@example.org"), (stranger, row.email)):
        EmailAddress.objects.filter(pk=row.pk).update(user=user, email=email)
        assert Client().post(path).status_code == 404
    EmailAddress.objects.filter(pk=row.pk).update(user=row.user, email=row.email)
    assert (Client().post(path).status_code, EmailAddress.objects.get(pk=row.pk).verified) == (302, True)

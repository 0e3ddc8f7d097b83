"""Passkeys: they sign in by themselves, are their owner's alone, and nothing that is sent instead of one breaks."""

import json
from random import Random

import pytest
from allauth.mfa.models import Authenticator
from django.contrib.auth import get_user_model
from django.core import mail
from django.test import Client
from fido2.utils import websafe_decode, websafe_encode

from builder.account_forms import MAX_PASSKEYS
from tests.support.builder.accounts import CODE, LOGIN, PASSWORD, english, sign_in
from tests.support.builder.passkey import Passkey

pytestmark = pytest.mark.django_db
ADD, IN, AGAIN = "/account/2fa/webauthn/add/", "/account/2fa/webauthn/login/", "/account/2fa/webauthn/reauthenticate/"


@pytest.fixture
def juan():
    return get_user_model().objects.create_user("juan", "juan@example.org", PASSWORD)


@pytest.fixture
def browser(juan):
    """Juan's, who has just confirmed that it is him."""
    client = english()
    sign_in(client)
    client.post("/account/reauthenticate/", {"password": PASSWORD})
    return client


def add(client, passkey, name="Phone"):
    """Return the answer to a passkey that is added."""
    options = client.get(ADD).context["js_data"]
    return client.post(ADD, {"name": name, "credential": json.dumps(passkey.made(json.loads(json.dumps(options))))})


def enter(client, passkey):
    """Return the answer to a passkey that signs in."""
    options = client.get(IN, headers={"Accept": "application/json"}).json()
    return client.post(IN, {"credential": json.dumps(passkey.used(options))})


def whose(client):
    """Return the name of who is signed in."""
    return client.get("/account/").context["user"].username if "_auth_user_id" in client.session else ""


@pytest.fixture
def passkey(browser):
    """Juan's passkey."""
    one = Passkey()
    assert add(browser, one)["Location"] == "/account/2fa/recovery-codes/"
    return one


def test_a_passkey_signs_in_alone_and_its_account_is_told_of_it(browser, passkey, juan):
    juan.emailaddress_set.create(email=juan.email, verified=True)
    other = Client()
    assert enter(other, passkey).status_code == 302
    assert whose(other) == "juan"
    assert "Phone, added on" in " ".join(browser.get("/account/2fa/").text.split())
    assert browser.get("/account/").context["factor"]
    assert add(browser, Passkey(), "Key").status_code == 302
    assert "A passkey was added to your account" in mail.outbox[-1].body


def test_the_password_alone_is_not_enough_any_more_and_the_passkey_or_a_recovery_code_is(passkey, juan):
    client = english()
    assert sign_in(client)["Location"].startswith(CODE)
    assert whose(client) == ""
    options = client.get(CODE).context["js_data"]
    answer = client.post(CODE, {"credential": json.dumps(passkey.used(json.loads(json.dumps(options))))})
    assert (answer.status_code, whose(client)) == (302, "juan")
    code = Authenticator.objects.get(type="recovery_codes").wrap().get_unused_codes()[0]
    client = english()
    sign_in(client)
    client.post(CODE, {"code": code})
    assert whose(client) == "juan"


def test_a_device_that_verifies_nobody_is_not_taken(browser):
    add(browser, Passkey(verifies=False))
    assert not Authenticator.objects.exists()


def test_a_passkey_whose_device_asks_for_nothing_any_more_does_not_sign_in(passkey):
    passkey.verifies = False
    client = Client()
    assert enter(client, passkey)["Location"] == LOGIN
    assert whose(client) == ""


def test_a_passkey_of_another_site_or_of_nobody_or_a_signature_of_before_does_not_sign_in(passkey, juan):
    client, stranger = Client(), Passkey()
    stranger.owner = passkey.owner
    enter(client, stranger)
    foreign = Passkey("elsewhere.example.org")
    foreign.private, foreign.identity, foreign.owner = passkey.private, passkey.identity, passkey.owner
    enter(client, foreign)
    nobody = Passkey()
    nobody.private, nobody.identity, nobody.owner = passkey.private, passkey.identity, b"999999"
    enter(client, nobody)
    forged = Passkey()
    forged.identity, forged.owner = passkey.identity, passkey.owner
    enter(client, forged)
    assert whose(client) == ""
    options = client.get(IN, headers={"Accept": "application/json"}).json()
    used = {"credential": json.dumps(passkey.used(options))}
    again = Client()
    again.get(IN, headers={"Accept": "application/json"})
    again.post(IN, used)
    assert whose(again) == ""
    client.post(IN, used)
    assert whose(client) == "juan"
    client.post("/account/logout/")
    client.post(IN, used)
    assert whose(client) == ""


@pytest.mark.parametrize("sent", ["", "{", "[]", "null", "1", '"x"', "{}", '{"id": 1}', '{"response": []}', "[[[[",
                                  "\0", '{"id": "a", "rawId": "a", "type": "public-key", "response": {}}'])
def test_nothing_that_is_sent_instead_of_a_passkey_breaks_anything(browser, sent):
    client = Client()
    client.get(IN, headers={"Accept": "application/json"})
    assert client.post(IN, {"credential": sent})["Location"] == LOGIN
    browser.get(ADD)
    assert browser.post(ADD, {"name": "x", "credential": sent}).status_code == 200
    whole = Passkey().made({"creation_options": browser.get(ADD).context["js_data"]["creation_options"]})
    for key in whole["response"]:
        browser.get(ADD)
        broken = whole | {"response": whole["response"] | {key: sent}}
        assert browser.post(ADD, {"name": "x", "credential": json.dumps(broken)}).status_code == 200
    assert not Authenticator.objects.exists()


def test_no_byte_that_is_changed_breaks_anything_or_signs_in(browser, passkey, seeded):
    made = Passkey().made({"creation_options": browser.get(ADD).context["js_data"]["creation_options"]})
    for _time in range(25):
        key = seeded.choice(sorted(made["response"]))
        assert browser.post(ADD, {"name": "x", "credential": json.dumps(changed(made, key, seeded))}).status_code in (
            200, 302)
        client = Client()
        used = passkey.used(client.get(IN, headers={"Accept": "application/json"}).json())
        key = seeded.choice(sorted(used["response"]))
        assert client.post(IN, {"credential": json.dumps(changed(used, key, seeded))}).status_code == 302
        assert whose(client) == ""


@pytest.fixture
def seeded():
    return Random(7)  # noqa: S311 - the same each time


def changed(credential, key, chance):
    """Return a credential with a byte of one of its values changed, cut off or doubled."""
    value = bytearray(websafe_decode(credential["response"][key]))
    at = chance.randrange(len(value))
    value[at:at + 1] = chance.choice([bytes([value[at] ^ 1 << chance.randrange(8)]), b"", bytes([value[at]] * 2)])
    return credential | {"response": credential["response"] | {key: websafe_encode(bytes(value))}}


def test_a_passkey_is_added_renamed_and_removed_by_its_owner_alone_who_has_just_confirmed(browser, passkey):
    key = Authenticator.objects.get(type="webauthn").pk
    get_user_model().objects.create_user("eva", password=PASSWORD)
    other = english()
    sign_in(other, "eva")
    assert other.get(ADD).status_code == 302
    other.post("/account/reauthenticate/", {"password": PASSWORD})
    for page in ("edit", "remove"):
        address = f"/account/2fa/webauthn/keys/{key}/{page}/"
        assert [other.get(address).status_code, other.post(address, {"name": "Mine"}).status_code] == [404, 404]
        assert Client().get(address).status_code == 302
    assert browser.post(f"/account/2fa/webauthn/keys/{key}/edit/", {"name": " Old\n phone"}).status_code == 302
    assert Authenticator.objects.get(pk=key).wrap().name == "Old phone"
    assert browser.post(f"/account/2fa/webauthn/keys/{key}/remove/").status_code == 302
    assert not Authenticator.objects.filter(type="webauthn").exists()
    client = Client()
    enter(client, passkey)
    assert whose(client) == ""


def test_a_passkey_confirms_as_the_password_does(browser, passkey):
    assert browser.post("/account/logout/").status_code == 302
    assert enter(browser, passkey).status_code == 302
    session = browser.session
    session["account_authentication_methods"] = [
        one | {"at": 0} for one in session["account_authentication_methods"]]
    session.save()
    assert "/reauthenticate/" in browser.get(ADD)["Location"]
    options = browser.get(AGAIN).context["js_data"]
    browser.post(AGAIN, {"credential": json.dumps(passkey.used(json.loads(json.dumps(options))))})
    assert browser.get(ADD).status_code == 200


def test_an_account_has_no_more_passkeys_than_fit_on_its_page(browser, passkey):
    for _more in range(MAX_PASSKEYS - 1):
        assert add(browser, Passkey()).status_code == 302
    assert "You have 10 passkeys; remove one first." in add(browser, Passkey()).text
    assert Authenticator.objects.filter(type="webauthn").count() == MAX_PASSKEYS

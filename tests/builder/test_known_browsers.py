"""Whoever tries passwords elsewhere locks out nobody who signed in here before."""

import pytest
from allauth.mfa.models import Authenticator
from allauth.mfa.recovery_codes.internal.auth import RecoveryCodes
from django.contrib.auth import get_user_model
from django.core import mail
from django.core.cache import cache
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from tests.builder.test_accounts import code_for, code_of

pytestmark = pytest.mark.django_db
PASSWORD, NEW = "gut-geschmiedet-7", "noch-besser-8"
STRANGER = {"REMOTE_ADDR": "203.0.113.9"}
LOGIN, CODE = "/account/login/", "/account/2fa/authenticate/"


def sign_in(client, name="juan", password=PASSWORD):
    """Whether it was let in, or to the second step."""
    return client.post(LOGIN, {"login": name, "password": password}).status_code == 302


@pytest.fixture
def juan():
    return get_user_model().objects.create_user("juan", password=PASSWORD)


@pytest.fixture
def home(juan):
    """A browser that Juan has signed in with, and out."""
    client = Client(headers={"Accept-Language": "en"})
    assert sign_in(client)
    client.post("/account/logout/")
    return client


def lock(name="juan"):
    for _try in range(5):
        assert not sign_in(Client(**STRANGER), name, "falsch")


def test_a_known_browser_is_let_in_while_the_name_is_locked_for_all_others(home):
    lock()
    assert not sign_in(Client())
    assert sign_in(home)


def test_the_cookie_is_for_the_site_alone_and_holds_no_password(juan):
    client = Client()
    sign_in(client)
    cookie = client.cookies[f"known-{juan.pk}"]
    assert cookie["httponly"]
    assert cookie["samesite"] == "Lax"
    assert cookie["max-age"] == 365 * 24 * 60 * 60
    assert juan.password not in cookie.value


def test_a_known_browser_has_a_count_of_its_own(home):
    for _try in range(5):
        assert not sign_in(home, password="falsch")
    assert not sign_in(home)
    # The name is locked for nobody by that.
    assert sign_in(Client(**STRANGER))


def test_the_limit_by_address_holds_for_a_known_browser_under_other_names(home):
    get_user_model().objects.create_user("maria", password=PASSWORD)
    for number in range(10):
        sign_in(home, f"name{number}", "falsch")
    assert not sign_in(home, "maria")


@pytest.mark.parametrize("many", [10, 40])
def test_wrong_passwords_behind_the_same_address_lock_a_known_browser_out_no_more(home, many):
    neighbour = Client()
    for number in range(many):
        sign_in(neighbour, f"name{number}", "falsch")
    assert not sign_in(neighbour)
    assert sign_in(home)


def test_who_is_let_in_by_a_known_browser_begins_its_count_anew(home):
    for _time in range(3):
        for _try in range(4):
            assert not sign_in(home, password="falsch")
        assert sign_in(home)
        home.post("/account/logout/")


def test_thirty_sign_ins_a_minute_are_the_most_of_strangers_behind_an_address(juan):
    get_user_model().objects.create_user("maria", password=PASSWORD)
    assert [sign_in(Client()) for _time in range(31)] == [True] * 30 + [False]
    assert not sign_in(Client(), "maria")


def test_a_browser_is_known_for_its_own_account_alone(home):
    get_user_model().objects.create_user("maria", password=PASSWORD)
    lock("maria")
    assert not sign_in(home, "maria")


@pytest.mark.parametrize("value", ["", "x", "x:y", "x:y:z"])
def test_a_cookie_that_was_made_up_is_worth_nothing(juan, value):
    lock()
    client = Client()
    client.cookies[f"known-{juan.pk}"] = value
    assert not sign_in(client)


def test_the_cookie_of_another_account_is_worth_nothing_under_this_ones_name(home, juan):
    maria = get_user_model().objects.create_user("maria", password=PASSWORD)
    lock("maria")
    home.cookies[f"known-{maria.pk}"] = home.cookies[f"known-{juan.pk}"].value
    assert not sign_in(home, "maria")


def test_a_changed_password_ends_it_elsewhere_and_not_where_it_was_changed(home, juan):
    other = Client()
    assert sign_in(other)
    other.post("/account/password/change/", {"oldpassword": PASSWORD, "password1": NEW, "password2": NEW})
    juan.refresh_from_db()
    assert juan.check_password(NEW)
    other.post("/account/logout/")
    lock()
    assert not sign_in(home, password=NEW)
    assert sign_in(other, password=NEW)


@pytest.fixture
def guarded(juan):
    """A browser that Juan signed in with before he took an app, and out."""
    client = Client()
    sign_in(client)
    client.post("/account/reauthenticate/", {"password": PASSWORD})
    secret = client.get("/account/2fa/totp/activate/").context["form"].secret
    client.post("/account/2fa/totp/activate/", {"code": code_of(secret)})
    client.post("/account/logout/")
    return client


def test_wrong_codes_elsewhere_lock_a_known_browser_out_no_more(guarded, juan):
    cache.clear()
    stranger = Client(**STRANGER)
    assert sign_in(stranger)
    for _try in range(6):
        stranger.post(CODE, {"code": "000000"})
    codes = RecoveryCodes(Authenticator.objects.get(user=juan, type="recovery_codes")).get_unused_codes()
    new = Client()
    sign_in(new)
    assert new.post(CODE, {"code": codes[0]}).status_code == 200
    sign_in(guarded)
    assert guarded.post(CODE, {"code": codes[0]})["Location"] == "/"


def test_a_known_browser_has_five_wrong_codes_and_no_more(guarded, juan):
    cache.clear()
    sign_in(guarded)
    for _try in range(5):
        assert guarded.post(CODE, {"code": "000000"}).status_code == 200
    assert guarded.post(CODE, {"code": code_for(juan)}).status_code == 200


def test_a_right_code_of_the_app_lets_a_known_browser_in_and_begins_its_count_anew(guarded, juan):
    cache.clear()
    Authenticator.objects.update(last_used_at=None)
    sign_in(guarded)
    for _try in range(4):
        guarded.post(CODE, {"code": "000000"})
    assert guarded.post(CODE, {"code": code_for(juan)}).status_code == 302


ADDRESSES = ("juan@example.org", "nobody@example.org")


@pytest.fixture
def taken(juan):
    juan.emailaddress_set.create(email=ADDRESSES[0], verified=True, primary=True)


def shape(answer):
    """What can be told of an answer from outside."""
    return answer.status_code, answer.get("Location"), sorted(answer.cookies), sorted(answer.headers)


def test_signing_up_does_not_say_which_addresses_have_accounts(taken):
    told, work = [], []
    for number, address in enumerate(ADDRESSES):
        mail.outbox.clear()
        client = Client(REMOTE_ADDR=f"10.0.0.{number}", headers={"Accept-Language": "en"})
        with CaptureQueriesContext(connection) as found:
            answer = client.post("/account/signup/", {"username": f"other{number}", "email": address,
                                                      "password1": PASSWORD, "password2": PASSWORD})
        page = client.get("/account/email/").text.replace(address, "ADDRESS")
        told.append(([name for name in shape(answer)[2] if not name.startswith("known-")], shape(answer)[:2],
                     len(mail.outbox), "Unverified" in page))
        work.append(len(found))
    assert told[0] == told[1]
    assert told[0][2] == 1
    assert abs(work[0] - work[1]) <= 1


def test_an_address_that_somebody_confirmed_is_confirmed_by_nobody_else(taken, juan):
    client = Client()
    client.post("/account/signup/", {"username": "other", "email": ADDRESSES[0], "password1": PASSWORD,
                                     "password2": PASSWORD})
    link = next(word for word in mail.outbox[0].body.split() if "/confirm-email/" in word)
    client.post(link.removeprefix("http://testserver"))
    other = get_user_model().objects.get(username="other")
    assert not other.emailaddress_set.filter(verified=True).exists()
    mail.outbox.clear()
    Client().post("/account/password/reset/", {"email": ADDRESSES[0]})
    assert [one.to for one in mail.outbox] == [[ADDRESSES[0]]]
    assert "juan" in mail.outbox[0].body


def test_a_forgotten_password_answers_alike_for_every_address_and_sends_one_mail_each(taken):
    told = []
    for number, address in enumerate(ADDRESSES):
        mail.outbox.clear()
        answer = Client(REMOTE_ADDR=f"10.0.0.{number}").post("/account/password/reset/", {"email": address})
        told.append((shape(answer), len(mail.outbox)))
    assert told[0] == told[1]
    assert told[0][1] == 1

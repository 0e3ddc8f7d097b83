"""Whoever tries passwords elsewhere locks out nobody who signed in here before."""

import pytest
from allauth.mfa.models import Authenticator
from django.contrib.auth import get_user_model
from django.core import mail
from django.core.cache import cache
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from tests.support.builder.accounts import (
    CODE,
    PASSWORD,
    code_for,
    english,
    sign_in,
    sign_up,
    spare_codes,
    take_app,
)
from tests.support.everyday import everyday

pytestmark = [pytest.mark.django_db, pytest.mark.alike]
NEW = "noch-besser-8"
STRANGER = {"REMOTE_ADDR": "203.0.113.9"}
def let_in(client, name="juan", password=PASSWORD):
    """Whether it was let in, or to the second step."""
    return sign_in(client, name, password).status_code == 302


@pytest.fixture
def juan():
    return get_user_model().objects.create_user("juan", password=PASSWORD)


@pytest.fixture
def maria():
    return get_user_model().objects.create_user("maria", password=PASSWORD)


@pytest.fixture
def home(juan):
    """A browser that Juan has signed in with, and out."""
    client = english()
    assert let_in(client)
    client.post("/account/logout/")
    return client


def lock(name="juan"):
    for _try in range(5):
        assert not let_in(Client(**STRANGER), name, "falsch")


def test_a_known_browser_is_let_in_while_the_name_is_locked_for_all_others(home, juan):
    lock()
    assert (let_in(Client()), let_in(home)) == (False, True)
    cookie = home.cookies[f"known-{juan.pk}"]
    assert (cookie["httponly"], cookie["samesite"], cookie["max-age"]) == (True, "Lax", 365 * 24 * 60 * 60)
    assert juan.password not in cookie.value


def test_a_known_browser_has_a_count_of_its_own(home):
    assert [let_in(home, password="falsch") for _try in range(5)] == [False] * 5
    assert not let_in(home)
    # The name is locked for nobody by that.
    assert let_in(Client(**STRANGER))


def test_the_limit_by_address_holds_for_a_known_browser_under_other_names(home, maria):
    for number in range(10):
        let_in(home, f"name{number}", "falsch")
    assert not let_in(home, "maria")


@pytest.mark.parametrize("many", everyday([10, 40]))
def test_wrong_passwords_behind_the_same_address_lock_a_known_browser_out_no_more(home, many):
    neighbour = Client()
    for number in range(many):
        let_in(neighbour, f"name{number}", "falsch")
    assert (let_in(neighbour), let_in(home)) == (False, True)


def test_who_is_let_in_by_a_known_browser_begins_its_count_anew(home):
    for _time in range(3):
        assert [let_in(home, password="falsch") for _try in range(4)] == [False] * 4
        assert let_in(home)
        home.post("/account/logout/")


def test_thirty_sign_ins_a_minute_are_the_most_of_strangers_behind_an_address(juan, maria):
    get_user_model().objects.create_user("anna", password=PASSWORD)
    for name in ("juan", "maria", "anna"):
        assert all(let_in(Client(), name) for _time in range(10))
    get_user_model().objects.create_user("bert", password=PASSWORD)
    assert not let_in(Client(), "bert")


def test_an_account_is_let_in_ten_times_a_minute_from_wherever_it_asks_and_another_one_goes_on(home, juan, maria):
    asked = []
    for time in range(5):
        asked.append(let_in(home, "Juan" if time % 2 else "juan"))
        home.post("/account/logout/")
    asked += [let_in(Client(REMOTE_ADDR=f"10.0.0.{time}")) for time in range(5)]
    assert asked == [True] * 9 + [False]
    assert sign_in(home).status_code == 429
    assert let_in(Client(), "maria")


def test_nobody_has_more_tries_at_a_name_by_asking_another_port(juan):
    for port in range(5):
        sign_in(Client(headers={"Host": f"testserver:{8000 + port}"}), password="falsch")
    assert not let_in(Client(**STRANGER))


@pytest.mark.parametrize("value", ["", "x", "x:y", "x:y:z"])
def test_a_cookie_that_was_made_up_is_worth_nothing(juan, value):
    lock()
    client = Client()
    client.cookies[f"known-{juan.pk}"] = value
    assert not let_in(client)


def test_a_browser_is_known_for_its_own_account_alone_whatever_its_cookie_is_called(home, juan, maria):
    lock("maria")
    assert not let_in(home, "maria")
    home.cookies[f"known-{maria.pk}"] = home.cookies[f"known-{juan.pk}"].value
    assert not let_in(home, "maria")


def test_a_changed_password_ends_it_elsewhere_and_not_where_it_was_changed(home, juan):
    other = Client()
    assert let_in(other)
    other.post("/account/password/change/", {"oldpassword": PASSWORD, "password1": NEW, "password2": NEW})
    juan.refresh_from_db()
    assert juan.check_password(NEW)
    other.post("/account/logout/")
    lock()
    assert (let_in(home, password=NEW), let_in(other, password=NEW)) == (False, True)


@pytest.fixture
def guarded(juan):
    """A browser that Juan signed in with before he took an app, and out; what was tried is forgotten."""
    client = Client()
    take_app(client)
    client.post("/account/logout/")
    cache.clear()
    return client


def test_wrong_codes_elsewhere_lock_a_known_browser_out_no_more(guarded, juan):
    stranger, new, code = Client(**STRANGER), Client(), {"code": spare_codes(juan)[0]}
    assert let_in(stranger)
    for _try in range(6):
        stranger.post(CODE, {"code": "000000"})
    let_in(new)
    assert new.post(CODE, code).status_code == 200
    let_in(guarded)
    assert guarded.post(CODE, code)["Location"] == "/"


@pytest.mark.parametrize(("wrong", "status"), [(4, 302), (5, 200)])
def test_a_known_browser_has_five_wrong_codes_and_no_more_and_a_right_one_lets_it_in(guarded, juan, wrong, status):
    Authenticator.objects.update(last_used_at=None)
    let_in(guarded)
    assert [guarded.post(CODE, {"code": "000000"}).status_code for _try in range(wrong)] == [200] * wrong
    assert guarded.post(CODE, {"code": code_for(juan)}).status_code == status


@pytest.mark.parametrize(("address", "words"), [
    ("/account/password/change/", {"oldpassword": "falsch", "password1": NEW, "password2": NEW}),
    ("/account/reauthenticate/", {"password": "falsch"}),
])
def test_who_took_a_session_tries_no_more_passwords_by_it_than_one_who_signs_in(home, juan, taken, address, words):
    thief = Client(**STRANGER)
    thief.force_login(juan)
    for _try in range(5):
        assert thief.post(address, words).status_code == 200
    assert (let_in(Client()), let_in(home)) == (False, True)


def test_a_password_reset_makes_no_browser_known_and_brings_no_more_codes(guarded, juan, taken):
    for new in (NEW, f"{NEW}9"):
        reader = Client(**STRANGER)
        mail.outbox.clear()
        reader.post("/account/password/reset/", {"email": ADDRESSES[0]})
        link = next(word for word in mail.outbox[0].body.split() if "/reset/key/" in word)
        form = reader.get(link.removeprefix("http://testserver"))["Location"]
        assert reader.post(form, {"password1": new, "password2": new}).status_code == 302
        assert f"known-{juan.pk}" not in reader.cookies
        let_in(reader, password=new)
        for _try in range(5):
            reader.post(CODE, {"code": "000000"})
    assert reader.post(CODE, {"code": spare_codes(juan)[0]}).status_code == 200


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
        client = english(REMOTE_ADDR=f"10.0.0.{number}")
        with CaptureQueriesContext(connection) as found:
            answer = sign_up(client, f"other{number}", email=address)
        page = client.get("/account/email/").text.replace(address, "ADDRESS")
        told.append(([name for name in shape(answer)[2] if not name.startswith("known-")], shape(answer)[:2],
                     len(mail.outbox), "Unverified" in page))
        work.append(len(found))
    assert (told[0], told[0][2]) == (told[1], 1)
    assert abs(work[0] - work[1]) <= 1


def test_an_address_that_somebody_confirmed_is_confirmed_by_nobody_else(taken):
    client = Client()
    sign_up(client, "other", email=ADDRESSES[0])
    link = next(word for word in mail.outbox[0].body.split() if "/confirm-email/" in word)
    client.post(link.removeprefix("http://testserver"))
    other = get_user_model().objects.get(username="other")
    assert not other.emailaddress_set.filter(verified=True).exists()
    mail.outbox.clear()
    Client().post("/account/password/reset/", {"email": ADDRESSES[0]})
    assert [(one.to, "juan" in one.body) for one in mail.outbox] == [([ADDRESSES[0]], True)]


def test_a_forgotten_password_answers_alike_for_every_address_and_sends_one_mail_each(taken):
    told = []
    for number, address in enumerate(ADDRESSES):
        mail.outbox.clear()
        answer = Client(REMOTE_ADDR=f"10.0.0.{number}").post("/account/password/reset/", {"email": address})
        told.append((shape(answer), len(mail.outbox)))
    assert (told[0], told[0][1]) == (told[1], 1)


@pytest.mark.slow
def test_networks_of_ipv6_that_lie_together_sign_in_and_up_and_forget_passwords_as_often_as_a_few_of_them(home, maria):
    for number in range(30):
        client = Client(REMOTE_ADDR=f"2001:db8:0:ab{number:02x}::1")
        assert sign_in(client, f"name{number}", "falsch").status_code == 200
        assert client.post("/account/password/reset/", {"email": f"{number}@example.org"}).status_code == 302
    here = {"REMOTE_ADDR": "2001:db8:0:abff::1"}
    assert (sign_in(Client(**here), "maria").status_code, sign_up(Client(**here), "anna").status_code,
            Client(**here).post("/account/password/reset/", {"email": "x@example.org"}).status_code) == (429, 429, 429)
    # Not one who is known there, nor the next one's network.
    home.defaults.update(here)
    assert let_in(home)
    assert let_in(Client(REMOTE_ADDR="2001:db8:0:ac01::1"), "maria")


def test_a_forgotten_password_sends_few_mails_however_many_state_an_address_that_nobody_confirmed():
    for number in range(5):
        user = get_user_model().objects.create_user(f"u{number}", ADDRESSES[0] if number % 2 else "")
        user.emailaddress_set.create(email=ADDRESSES[0])
    Client().post("/account/password/reset/", {"email": ADDRESSES[0].upper()})
    assert [next(name for name in ("u4", "u3", "u2") if name in one.body) for one in mail.outbox] == ["u4", "u3", "u2"]

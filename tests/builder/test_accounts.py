import os
import subprocess
import sys
from datetime import timedelta

import pytest
from allauth.mfa.models import Authenticator
from allauth.mfa.totp.internal.auth import format_hotp_value, hotp_value, yield_hotp_counters_from_time
from django.conf import settings
from django.contrib.auth import get_user_model
from django.core import mail
from django.core.management import CommandError, call_command
from django.db import connection
from django.test import Client
from django.utils import timezone

from builder.models import Invitation
from sheets.access import allow_signup
from sheets.models import Sheet

pytestmark = pytest.mark.django_db
PASSWORD = "gut-geschmiedet-7"
ADDRESS = "/account/signup/"


def sign_up(client, name="juan", **more):
    return client.post(ADDRESS, {"username": name, "password1": PASSWORD, "password2": PASSWORD, **more})


def people():
    return sorted(get_user_model().objects.values_list("username", flat=True))


def code_for(user):
    """The code that an app would show now."""
    secret = Authenticator.objects.get(user=user, type="totp").wrap()
    return code_of(secret.instance.data["secret"])


def code_of(secret):
    return format_hotp_value(hotp_value(secret, next(iter(yield_hotp_counters_from_time()))))


@pytest.fixture
def juan():
    return get_user_model().objects.create_user("juan", password=PASSWORD)


@pytest.fixture
def guarded(client, juan):
    """Juan, signed in with a password and an app, in English."""
    client.defaults["HTTP_ACCEPT_LANGUAGE"] = "en"
    client.post("/account/login/", {"login": "juan", "password": PASSWORD})
    client.post("/account/reauthenticate/", {"password": PASSWORD})
    secret = client.get("/account/2fa/totp/activate/").context["form"].secret
    answer = client.post("/account/2fa/totp/activate/", {"code": code_of(secret)})
    assert answer["Location"] == "/account/2fa/recovery-codes/"
    return client


def test_where_accounts_are_open_anybody_makes_one(client):
    assert sign_up(client)["Location"] == "/"
    assert people() == ["juan"]


@pytest.mark.parametrize("mode", ["closed", "invitation"])
def test_where_accounts_are_not_open_nobody_makes_one_uninvited(client, settings, mode):
    settings.SIGNUP = mode
    assert "Keine neuen Konten" in client.get(ADDRESS).text
    sign_up(client)
    assert people() == []


def test_an_invitation_lets_as_many_in_as_it_says(settings):
    settings.SIGNUP = "invitation"
    token = Invitation.make(uses=2, days=3).token
    for name in ("anna", "bert", "cleo"):
        browser = Client()
        answer = browser.get(f"/invited/{token}/")
        assert answer.status_code == (410 if name == "cleo" else 302)
        sign_up(browser, name)
    assert people() == ["anna", "bert"]


def test_an_invitation_is_spent_by_an_account_and_not_by_a_look_or_a_mistake(client, settings):
    settings.SIGNUP = "invitation"
    token = Invitation.make(uses=1, days=3).token
    client.get(f"/invited/{token}/")
    assert sign_up(client, password2="anders").status_code == 200
    assert Invitation.objects.get().left == 1
    sign_up(client)
    assert (people(), Invitation.objects.get().left) == (["juan"], 0)
    client.post("/account/logout/")
    sign_up(client, "another")
    assert people() == ["juan"]


def test_the_last_use_of_an_invitation_lets_one_of_two_in(settings):
    settings.SIGNUP = "invitation"
    token = Invitation.make(uses=1, days=3).token
    first, second = Client(), Client(raise_request_exception=False)
    for browser in (first, second):
        browser.get(f"/invited/{token}/")
        assert browser.get(ADDRESS).context["form"]
    assert Invitation.spend(token)
    sign_up(second)
    assert people() == []


def test_an_invitation_runs_out_and_is_revoked(client, settings):
    settings.SIGNUP = "invitation"
    old = Invitation.make(uses=1, days=3)
    client.get(f"/invited/{old.token}/")
    Invitation.objects.update(until=timezone.now() - timedelta(seconds=1))
    assert client.get(f"/invited/{old.token}/").status_code == 410
    assert "Keine neuen Konten" in client.get(ADDRESS).text
    assert client.get("/invited/never-was/").status_code == 410


def test_another_kind_of_invitation_counts_where_it_says_so(client, settings, rf):
    settings.SIGNUP = "invitation"
    request = rf.get("/")
    request.session = client.session
    allow_signup(request, "party")
    request.session.save()
    client.cookies[settings.SESSION_COOKIE_NAME] = request.session.session_key
    sign_up(client)
    assert people() == ["juan"]


def test_where_accounts_are_closed_an_invitation_opens_nothing(client, settings):
    settings.SIGNUP = "closed"
    client.get(f"/invited/{Invitation.make(uses=1, days=1).token}/")
    sign_up(client)
    assert people() == []


def test_an_admin_makes_and_revokes_invitations_on_a_page(client, juan):
    juan.is_superuser = True
    juan.save()
    client.force_login(juan)
    client.post("/invitations/", {"do": "make", "uses": "5", "days": "7"})
    made = Invitation.objects.get()
    assert made.left == 5
    assert timedelta(days=6) < made.until - timezone.now() <= timedelta(days=7)
    assert f"http://testserver/invited/{made.token}/" in client.get("/invitations/").text
    client.post("/invitations/", {"do": "revoke", "token": made.token})
    assert not Invitation.objects.exists()


@pytest.mark.parametrize(("uses", "days"), [
    ("0", "7"), ("101", "7"), ("1", "91"), ("viele", "7"), ("", ""), ("٣", "7"),
])
def test_an_invitation_out_of_bounds_is_refused_with_what_was_typed(client, juan, uses, days):
    juan.is_superuser = True
    juan.save()
    client.force_login(juan)
    answer = client.post("/invitations/", {"do": "make", "uses": uses, "days": days})
    assert answer.status_code == 422
    assert "1 bis 100" in answer.text
    assert f'value="{uses}"' in answer.text
    assert not Invitation.objects.exists()


def test_the_command_makes_an_invitation_with_its_link(capsys):
    call_command("invite", uses=3, days=2, site="https://sheets.example.org/")
    assert capsys.readouterr().out == f"https://sheets.example.org/invited/{Invitation.objects.get().token}/\n"
    with pytest.raises(CommandError, match="--uses is 0; it may be 1 to 100"):
        call_command("invite", uses=0)


def test_the_first_admin_is_made_by_a_command_and_signs_in_with_the_password_it_says(client, capsys):
    call_command("admin", "meister")
    password = capsys.readouterr().out.split("password ")[1].split()[0]
    assert client.post("/account/login/", {"login": "meister", "password": password})["Location"] == "/"
    assert client.get("/invitations/").status_code == 200
    call_command("admin", "Meister", revoke=True)
    assert people() == ["meister"]
    assert client.get("/invitations/").status_code == 404


def test_the_command_refuses_a_name_that_cannot_be_one():
    with pytest.raises(CommandError, match="valid username"):
        call_command("admin", "zwei Worte")
    with pytest.raises(CommandError, match="no account"):
        call_command("admin", "niemand", revoke=True)


def test_whoever_lost_the_second_factor_is_let_in_by_a_command(guarded, juan, capsys):
    call_command("rescue", "Juan")
    password = capsys.readouterr().out.split("password ")[1].split()[0]
    assert guarded.get("/account/").status_code == 302
    assert guarded.post("/account/login/", {"login": "juan", "password": password})["Location"] == "/"
    assert not Authenticator.objects.exists()
    with pytest.raises(CommandError, match="no account"):
        call_command("rescue", "niemand")


@pytest.mark.parametrize("word", ["offen", "yes"])
def test_a_way_to_sign_up_that_there_is_not_stops_the_program(word):
    done = subprocess.run([sys.executable, "manage.py", "check"], cwd=settings.BASE_DIR, capture_output=True, text=True,
                          env=os.environ | {"SIGNUP": word}, check=False)
    assert done.returncode == 1
    assert f"SIGNUP is '{word}'; it may be open, invitation, closed." in done.stderr


def test_a_forgotten_password_is_reset_by_mail(client, juan):
    juan.emailaddress_set.create(email="juan@example.org", verified=True, primary=True)
    client.post("/account/password/reset/", {"email": "juan@example.org"})
    link = next(word for word in mail.outbox[0].body.split() if "/reset/key/" in word)
    address = client.get(link.removeprefix("http://testserver"))["Location"]
    client.post(address, {"password1": "noch-besser-8", "password2": "noch-besser-8"})
    juan.refresh_from_db()
    assert juan.check_password("noch-besser-8")


def test_the_answer_to_a_forgotten_password_does_not_say_whether_the_address_is_known(client, juan):
    juan.emailaddress_set.create(email="juan@example.org", verified=True, primary=True)
    known, unknown = (client.post("/account/password/reset/", {"email": f"{name}@example.org"})
                      for name in ("juan", "nobody"))
    assert (known.status_code, known["Location"]) == (unknown.status_code, unknown["Location"])


def test_the_qr_code_is_drawn_in_the_page_beside_its_secret(client, juan):
    client.post("/account/login/", {"login": "juan", "password": PASSWORD})
    client.post("/account/reauthenticate/", {"password": PASSWORD})
    html = client.get("/account/2fa/totp/activate/").text
    assert "<svg" in html
    assert "data:" not in html
    assert client.session["mfa.totp.secret"] in html


def test_one_with_a_second_factor_signs_in_with_both_and_the_guests_drafts_come_along(guarded, juan):
    guarded.post("/account/logout/")
    guarded.post("/build/condice/")
    answer = guarded.post("/account/login/", {"login": "juan", "password": PASSWORD})
    assert answer["Location"] == "/account/2fa/authenticate/"
    assert Sheet.objects.get().owner is None
    assert guarded.get("/account/").status_code == 302
    assert guarded.post("/account/2fa/authenticate/", {"code": "000000"}).status_code == 200
    assert Sheet.objects.get().owner is None
    codes = Authenticator.objects.get(user=juan, type="recovery_codes").wrap().get_unused_codes()
    assert guarded.post("/account/2fa/authenticate/", {"code": codes[0]})["Location"] == "/"
    assert Sheet.objects.get().owner == juan
    assert guarded.get("/account/").status_code == 200


def test_a_recovery_code_lets_in_once(guarded, juan):
    codes = Authenticator.objects.get(user=juan, type="recovery_codes").wrap().get_unused_codes()
    for left in (9, 9):
        guarded.post("/account/logout/")
        guarded.post("/account/login/", {"login": "juan", "password": PASSWORD})
        guarded.post("/account/2fa/authenticate/", {"code": codes[0]})
        assert len(Authenticator.objects.get(user=juan, type="recovery_codes").wrap().get_unused_codes()) == left
    assert guarded.get("/account/").status_code == 302


def test_a_guests_drafts_come_along_into_a_new_account(client):
    client.post("/build/condice/")
    sign_up(client)
    assert Sheet.objects.get().owner.username == "juan"


def test_the_pages_of_the_second_factor_break_no_policy(guarded):
    addresses = ["", "totp/deactivate/", "recovery-codes/", "recovery-codes/generate/", "reauthenticate/"]
    for address in addresses:
        answer = guarded.get(f"/account/2fa/{address}")
        assert answer.status_code == 200, address
        assert "<script>" not in answer.text
        assert "application/json" not in answer.text
        assert "style=" not in answer.text
    assert guarded.get("/account/2fa/recovery-codes/download/")["Content-Type"].startswith("text/plain")


def test_passwords_are_not_tried_out_at_will(client, juan):
    client.defaults["HTTP_ACCEPT_LANGUAGE"] = "en"
    for _try in range(5):
        client.post("/account/login/", {"login": "juan", "password": "falsch"})
    answer = client.post("/account/login/", {"login": "juan", "password": PASSWORD})
    assert "Too many failed login attempts" in answer.text


def test_accounts_are_not_made_in_heaps_from_one_place(settings):
    statuses = [sign_up(Client(), f"name{n}").status_code for n in range(21)]
    assert statuses == [302] * 20 + [429]
    assert len(people()) == 20


def test_a_limit_forgets_the_address_when_it_has_run_out(client, juan):
    client.post("/account/login/", {"login": "juan", "password": "falsch"})
    with connection.cursor() as cursor:
        cursor.execute("SELECT cache_key FROM cache")
        assert any("127.0.0.1" in key for key, in cursor.fetchall())
        cursor.execute("UPDATE cache SET expires = %s", [timezone.now() - timedelta(days=1)])
    client.post("/account/login/", {"login": "other", "password": "falsch"}, REMOTE_ADDR="10.0.0.9")
    with connection.cursor() as cursor:
        cursor.execute("SELECT cache_key FROM cache")
        assert not any("127.0.0.1" in key for key, in cursor.fetchall())

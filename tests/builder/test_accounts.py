from datetime import timedelta

import pytest
from allauth.mfa.models import Authenticator
from django.contrib.auth import get_user_model
from django.contrib.sessions.models import Session
from django.core import mail
from django.core.management import CommandError, call_command
from django.db import connection
from django.test import Client
from django.utils import timezone

from builder.accounts import AccountAdapter
from builder.models import Invitation
from sheets.guests import allow_signup
from sheets.models import Sheet
from tests.support.builder.accounts import (
    CODE,
    PASSWORD,
    SIGNUP,
    english,
    people,
    sign_in,
    sign_up,
    spare_codes,
    take_app,
)
from tests.support.builder.held import lacking

pytestmark = pytest.mark.django_db
@pytest.fixture
def juan():
    return get_user_model().objects.create_user("juan", password=PASSWORD)


@pytest.fixture
def admin(client, juan):
    """A browser of an admin."""
    get_user_model().objects.update(is_superuser=True)
    client.force_login(juan)
    return client


@pytest.fixture
def guarded(juan):
    """Juan, signed in with a password and an app, in English."""
    client = english()
    assert take_app(client)["Location"] == "/account/2fa/recovery-codes/"
    return client


@pytest.mark.parametrize("mode", ["closed", "invitation"])
def test_where_accounts_are_not_open_nobody_makes_one_and_an_invitation_opens_nothing_closed(client, settings, mode):
    settings.SIGNUP = mode
    assert "Keine neuen Konten" in client.get(SIGNUP).text
    sign_up(client)
    assert people() == []
    settings.SIGNUP = "closed"
    client.post(f"/invited/{Invitation.make(uses=1, days=1).token}/")
    sign_up(client)
    assert people() == []


def test_an_invitation_lets_as_many_in_as_it_says(settings):
    settings.SIGNUP = "invitation"
    token = Invitation.make(uses=2, days=3).token
    for name, answered in (("anna", 302), ("bert", 302), ("cleo", 410)):
        browser = Client()
        assert browser.post(f"/invited/{token}/").status_code == answered
        sign_up(browser, name)
    assert people() == ["anna", "bert"]


def test_an_invitation_is_spent_by_an_account_and_not_by_a_look_or_a_mistake(client, settings):
    settings.SIGNUP = "invitation"
    token = Invitation.make(uses=1, days=3).token
    client.post(f"/invited/{token}/")
    assert sign_up(client, password2="anders").status_code == 200
    assert Invitation.objects.get().left == 1
    sign_up(client)
    assert (people(), Invitation.objects.get().left) == (["juan"], 0)
    client.post("/account/logout/")
    sign_up(client, "another")
    assert people() == ["juan"]


@pytest.mark.parametrize(("mode", "answered"), [("open", 302), ("invitation", 200), ("closed", 302)])
def test_to_look_at_an_invitation_makes_no_session_and_its_button_leads_to_the_form(settings, mode, answered):
    settings.SIGNUP, browser = mode, english()
    link = f"/invited/{Invitation.make(uses=1, days=3).token}/"
    answer = browser.get(link)
    assert (answer.status_code, Session.objects.count()) == (answered, 0)
    assert ("Create an account</button>" in answer.text) == (mode == "invitation")
    assert browser.post(link)["Location"] == SIGNUP
    assert bool(browser.get(SIGNUP).context.get("form")) == (mode != "closed")


def test_the_last_use_of_an_invitation_lets_one_of_two_in(settings):
    settings.SIGNUP = "invitation"
    token, browser = Invitation.make(uses=1, days=3).token, Client(raise_request_exception=False)
    browser.post(f"/invited/{token}/")
    assert browser.get(SIGNUP).context["form"]
    assert Invitation.spend(token)
    sign_up(browser)
    assert people() == []


def test_an_invitation_runs_out_and_is_revoked(client, settings):
    settings.SIGNUP = "invitation"
    old = Invitation.make(uses=1, days=3)
    client.post(f"/invited/{old.token}/")
    Invitation.objects.update(until=timezone.now() - timedelta(seconds=1))
    assert client.get(f"/invited/{old.token}/").status_code == 410
    assert "Keine neuen Konten" in client.get(SIGNUP).text
    assert client.get("/invited/never-was/").status_code == 410


def test_an_invitation_of_a_kind_that_nobody_knows_lets_nobody_in(client, settings, rf):
    settings.SIGNUP = "invitation"
    request = rf.get("/")
    request.session = client.session
    allow_signup(request, "party")
    request.session.save()
    client.cookies[settings.SESSION_COOKIE_NAME] = request.session.session_key
    sign_up(client)
    assert people() == []


def test_an_admin_makes_and_revokes_invitations_on_a_page(admin):
    admin.post("/invitations/", {"do": "make", "uses": "5", "days": "7"})
    made = Invitation.objects.get()
    assert made.left == 5
    assert timedelta(days=6) < made.until - timezone.now() <= timedelta(days=7)
    assert f"http://testserver/invited/{made.token}/" in admin.get("/invitations/").text
    admin.post("/invitations/", {"do": "revoke", "token": made.token})
    assert not Invitation.objects.exists()


@pytest.mark.parametrize(("uses", "days"), [
    ("0", "7"), ("101", "7"), ("1", "91"), ("viele", "7"), ("", ""), ("٣", "7"),
])
def test_an_invitation_out_of_bounds_is_refused_with_what_was_typed(admin, uses, days):
    answer = admin.post("/invitations/", {"do": "make", "uses": uses, "days": days})
    assert (answer.status_code, lacking(answer.text, "1 bis 100", f'value="{uses}"')) == (422, [])
    assert not Invitation.objects.exists()


def test_the_command_makes_an_invitation_with_its_link(capsys):
    call_command("invite", uses=3, days=2, site="https://sheets.example.org/")
    assert capsys.readouterr().out == f"https://sheets.example.org/invited/{Invitation.objects.get().token}/\n"


@pytest.mark.parametrize(("command", "fields", "said"), [
    ("invite", {"uses": 0}, "--uses is 0; it may be 1 to 100"), ("admin zwei Worte", {}, "valid username"),
    ("admin niemand", {"revoke": True}, "no account"), ("rescue niemand", {}, "no account"),
])
def test_a_command_refuses_what_cannot_be(command, fields, said):
    name, *words = command.split(" ", 1)
    with pytest.raises(CommandError, match=said):
        call_command(name, *words, **fields)


def test_the_first_admin_is_made_by_a_command_and_signs_in_with_the_password_it_says(client, capsys):
    call_command("admin", "meister")
    password = capsys.readouterr().out.split("password ")[1].split()[0]
    assert sign_in(client, "meister", password)["Location"] == "/"
    assert client.get("/invitations/").status_code == 200
    call_command("admin", "Meister", revoke=True)
    assert (people(), client.get("/invitations/").status_code) == (["meister"], 404)


def test_whoever_lost_the_second_factor_is_let_in_by_a_command(guarded, capsys):
    call_command("rescue", "Juan")
    password = capsys.readouterr().out.split("password ")[1].split()[0]
    assert guarded.get("/account/").status_code == 302
    assert sign_in(guarded, password=password)["Location"] == "/"
    assert not Authenticator.objects.exists()


def test_a_rescue_names_the_addresses_and_takes_them_away_if_asked(juan, capsys):
    juan.emailaddress_set.create(email="dieb@example.net", verified=True, primary=True)
    juan.emailaddress_set.create(email="juan@example.org")
    get_user_model().objects.update(email="dieb@example.net")
    call_command("rescue", "juan")
    said = capsys.readouterr().out
    assert lacking(said, "dieb@example.net (confirmed) stays", "juan@example.org (not confirmed) stays",
                   "--forget-addresses") == []
    call_command("rescue", "juan", forget_addresses=True)
    assert "dieb@example.net (confirmed) is gone" in capsys.readouterr().out
    assert (get_user_model().objects.get().email, juan.emailaddress_set.count()) == ("", 0)
    Client().post("/account/password/reset/", {"email": "dieb@example.net"})
    assert [word for one in mail.outbox for word in one.body.split() if "/reset/key/" in word] == []


def test_a_forgotten_password_is_reset_by_mail(client, juan):
    juan.emailaddress_set.create(email="juan@example.org", verified=True, primary=True)
    client.post("/account/password/reset/", {"email": "juan@example.org"})
    link = next(word for word in mail.outbox[0].body.split() if "/reset/key/" in word)
    address = client.get(link.removeprefix("http://testserver"))["Location"]
    client.post(address, {"password1": "noch-besser-8", "password2": "noch-besser-8"})
    juan.refresh_from_db()
    assert juan.check_password("noch-besser-8")


def test_what_a_mail_says_of_the_site_is_its_own_address_whatever_host_is_asked(juan, settings):
    settings.MAILED_URL = "https://sheets.example.org"
    juan.emailaddress_set.create(email="juan@example.org", verified=True, primary=True)
    browser = Client(headers={"Host": "testserver:4444"})
    browser.post("/account/password/reset/", {"email": "juan@example.org"})
    browser.post("/account/password/reset/", {"email": "nobody@example.org"})
    sign_up(browser, "anna", email="anna@example.org")
    for one, link in zip(mail.outbox, ("password/reset/key/", "signup/", "confirm-email/"), strict=True):
        assert f"https://sheets.example.org/account/{link}" in one.body
        assert "[sheets.example.org]" in one.subject
        assert "testserver" not in one.body + one.subject


def test_an_address_that_is_longer_than_what_is_kept_is_refused_and_said_so(client):
    parts = ".".join(["a" * 60] * 3)
    most = f"{'b' * 60}@{parts}.{'c' * (254 - 62 - len(parts) - 3)}.de"
    assert (len(most), sign_up(client, email=f"x{most}").status_code, people()) == (254, 200, [])
    assert "höchstens 254 Zeichen" in sign_up(client, email=f"x{most}").text
    assert sign_up(client, email=most).status_code == 302
    assert get_user_model().objects.get().email == most


def test_the_qr_code_is_drawn_in_the_page_beside_its_secret(client, juan):
    sign_in(client)
    client.post("/account/reauthenticate/", {"password": PASSWORD})
    page = client.get("/account/2fa/totp/activate/").text
    assert lacking(page, "<svg", client.session["mfa.totp.secret"], "data:") == ["data:"]


def test_one_with_a_second_factor_signs_in_with_both_and_the_guests_drafts_come_along(guarded, juan):
    guarded.post("/account/logout/")
    guarded.post("/build/condice/")
    assert sign_in(guarded)["Location"] == CODE
    assert (Sheet.objects.get().owner, guarded.get("/account/").status_code) == (None, 302)
    assert guarded.post(CODE, {"code": "000000"}).status_code == 200
    assert Sheet.objects.get().owner is None
    code = spare_codes(juan)[0]
    assert guarded.post(CODE, {"code": code})["Location"] == "/"
    assert (Sheet.objects.get().owner, guarded.get("/account/").status_code) == (juan, 200)
    # It lets in once.
    guarded.post("/account/logout/")
    sign_in(guarded)
    guarded.post(CODE, {"code": code})
    assert (len(spare_codes(juan)), guarded.get("/account/").status_code) == (9, 302)


def test_a_guests_drafts_come_along_into_a_new_account(client):
    client.post("/build/condice/")
    assert sign_up(client)["Location"] == "/"
    assert Sheet.objects.get().owner.username == "juan"


def test_the_pages_of_the_second_factor_break_no_policy(guarded):
    for address in ("", "totp/deactivate/", "recovery-codes/", "recovery-codes/generate/", "reauthenticate/"):
        answer = guarded.get(f"/account/2fa/{address}")
        assert answer.status_code == 200, address
        assert len(lacking(answer.text, "<script>", "application/json", "style=")) == 3, address
    assert guarded.get("/account/2fa/recovery-codes/download/")["Content-Type"].startswith("text/plain")


def test_passwords_are_not_tried_out_at_will(juan):
    client = english()
    for _try in range(5):
        sign_in(client, password="falsch")
    assert "Too many failed login attempts" in sign_in(client).text


def test_a_limit_forgets_the_address_when_it_has_run_out(client, juan):
    def counted():
        with connection.cursor() as cursor:
            cursor.execute("SELECT cache_key FROM cache")
            return any("127.0.0.1" in key for key, in cursor.fetchall())

    sign_in(client, password="falsch")
    assert counted()
    with connection.cursor() as cursor:
        cursor.execute("UPDATE cache SET expires = %s", [timezone.now() - timedelta(days=1)])
    sign_in(Client(REMOTE_ADDR="10.0.0.9"), "other", "falsch")
    assert not counted()


@pytest.mark.parametrize(("written", "address"), [
    ("::ffff:10.0.0.1", "10.0.0.1"), ("10.0.0.1", "10.0.0.1"), ("2001:db8::1", "2001:db8::1"),
])
def test_an_address_of_ipv4_that_a_proxy_writes_as_ipv6_is_itself(rf, written, address):
    assert AccountAdapter().get_client_ip(rf.get("/", REMOTE_ADDR=written)) == address

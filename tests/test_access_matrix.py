"""Who may do what: every address, everybody, every way to ask. An address that is not in the table fails the test."""

from dataclasses import dataclass, field
from uuid import uuid4

import pytest
from django.test import Client
from django.urls import NoReverseMatch, get_resolver, reverse
from django.utils import timezone

from rulesets.kit import patched
from sheets.models import Sheet
from tests.guest import example

pytestmark = pytest.mark.django_db

SECRET = "Geheimnis-7d1f"
PEOPLE = ("anonymous", "guest", "other guest", "stranger", "owner")
SIGNED = ("stranger", "owner")


@dataclass(frozen=True)
class Row:
    """What an address answers to GET and POST; `htmx` where that differs for htmx."""

    get: int
    post: int
    htmx: tuple[int, int] | None = None
    given: dict = field(default_factory=dict)
    """What else stands in the address."""
    form: dict = field(default_factory=dict)
    """What the POST sends."""
    signed: tuple[int, int] | None = None
    """What those who are signed in are answered, where that differs."""


OWN = {
    "draft": Row(302, 302, form={"do": "copy"}),
    "step": Row(200, 302, htmx=(200, 200), given={"slug": "values"}, form={"_version": 1, "life": 4}),
    "sheet": Row(200, 405),
    "pdf": Row(200, 405),
    "print": Row(200, 405),
    "play": Row(405, 302, htmx=(405, 200), form={"w": "undo", "_event": 1}),
    "keep": Row(405, 302, form={"do": "notes", "notes": "x"}),
    "export": Row(200, 405),
    "file": Row(200, 405, given={"form": "json"}),
}
"""Addresses of somebody's sheet; to everybody else there is nothing there."""
OPEN = {
    "home": Row(200, 405),
    "begin": Row(405, 302, given={"slug": "condice"}),
    "mine": Row(200, 405),
    "dicebox": Row(200, 422, given={"slug": "condice"}),
    "compare": Row(200, 405, given={"slug": "condice"}),
    "rules": Row(200, 405, given={"slug": "condice"}),
    "import": Row(200, 422),
    "validator": Row(200, 200),
    "paste": Row(200, 422),
    "api": Row(200, 405),
    "rulesets": Row(200, 405),
    "schema": Row(200, 405, given={"slug": "condice"}),
    "validate": Row(405, 415, given={"slug": "condice"}),
    "odds": Row(422, 405, given={"slug": "condice", "roll": "attack"}),
    "openapi": Row(200, 200),
    "set_language": Row(302, 302, form={"language": "en"}),
    "account_login": Row(200, 200, signed=(302, 302)),
    "account_logout": Row(302, 302, signed=(200, 302)),
    "account_signup": Row(200, 200, signed=(302, 302)),
    "account_inactive": Row(200, 405),
    "account_email": Row(302, 302, signed=(200, 302)),
    "account_email_verification_sent": Row(200, 405),
    "account_confirm_email": Row(200, 404, given={"key": "x"}),
    "account_change_password": Row(302, 302),
    "account_set_password": Row(302, 302, signed=(200, 200)),
    "account_reauthenticate": Row(302, 302, signed=(403, 403)),
    "account_reset_password": Row(200, 200),
    "account_reset_password_done": Row(200, 405),
    "account_reset_password_from_key": Row(200, 200, given={"uidb36": "1", "key": "x-y"}),
    "account_reset_password_from_key_done": Row(200, 405),
    "account_confirm_login_code": Row(302, 302),
    "account": Row(302, 302, signed=(200, 405)),
    "account_download": Row(302, 302, signed=(200, 405)),
    "account_delete": Row(302, 302, signed=(200, 302)),
    "mfa_index": Row(302, 302, signed=(200, 405)),
    "mfa_authenticate": Row(302, 302),
    "mfa_reauthenticate": Row(302, 302, signed=(403, 403)),
    "mfa_activate_totp": Row(302, 302, signed=(200, 200)),
    "mfa_deactivate_totp": Row(302, 302, signed=(404, 404)),
    "mfa_view_recovery_codes": Row(302, 302, signed=(404, 405)),
    "mfa_generate_recovery_codes": Row(302, 302, signed=(200, 200)),
    "mfa_download_recovery_codes": Row(302, 302, signed=(404, 404)),
    "invited": Row(410, 405, given={"token": "x"}, signed=(302, 405)),
    "invitations": Row(404, 404),
    "imprint": Row(404, 405),
    "privacy": Row(200, 405),
    "health": Row(200, 405),
}
"""Addresses that belong to nobody."""
ELSEWHERE = {"shared"}
"""Tested by themselves below."""


def names(resolver):
    for pattern in resolver.url_patterns:
        if hasattr(pattern, "url_patterns"):
            yield from names(pattern)
        elif pattern.name:
            yield pattern.name


@pytest.fixture
def people(django_user_model):
    """{who: browser}; the owner and both guests have a draft that holds a secret, on every field that takes words."""
    found = {}
    for who in PEOPLE:
        found[who] = browser = Client(raise_request_exception=False)
        if who in SIGNED:
            browser.force_login(django_user_model.objects.create_user(who.replace(" ", "-")))
        if "guest" in who or who == "owner":
            browser.pk = browser.post("/build/condice/")["Location"].split("/")[2]
            data = patched(example()["data"], {"attacks.0.name": SECRET, "attacks.1.description": SECRET})
            Sheet.objects.filter(pk=browser.pk).update(
                name=SECRET, data=data, typed={"attacks.0.dice": SECRET}, notes=SECRET)
    return found


def address(name, row, pk=None):
    return reverse(name, kwargs={**({"pk": pk} if pk else {}), **row.given})


def asked(browser, name, row, method, htmx, pk=None):
    """The answer to one request."""
    headers = {"HX-Request": "true"} if htmx else {}
    call = browser.get if method == "GET" else browser.post
    return call(address(name, row, pk), row.form if method == "POST" else {}, headers=headers)


def expected(row, method, htmx, signed=False):
    found = row.htmx if htmx and row.htmx else row.signed if signed and row.signed else (row.get, row.post)
    return found[method == "POST"]


WAYS = [(method, htmx) for method in ("GET", "POST") for htmx in (False, True)]
every_way = pytest.mark.parametrize(("method", "htmx"), WAYS, ids=[f"{m}{' htmx' * h}" for m, h in WAYS])


def test_the_table_names_every_address_that_there_is():
    assert sorted(set(names(get_resolver()))) == sorted([*OWN, *OPEN, *ELSEWHERE])


@every_way
@pytest.mark.parametrize("name", OWN)
@pytest.mark.parametrize("whose", ["guest", "owner"])
def test_a_sheet_is_its_makers_alone(people, whose, name, method, htmx):
    row, pk = OWN[name], people[whose].pk
    before = Sheet.objects.get(pk=pk)
    for who in PEOPLE:
        if who == whose:
            continue
        answer = asked(people[who], name, row, method, htmx, pk)
        nothing = asked(people[who], name, row, method, htmx, uuid4())
        assert answer.status_code == nothing.status_code
        assert answer.status_code == (405 if expected(row, method, htmx) == 405 else 404), who
        assert SECRET not in answer.text + str(answer.headers)
    assert Sheet.objects.get(pk=pk).version == before.version
    assert Sheet.objects.get(pk=pk).notes == SECRET
    assert asked(people[whose], name, row, method, htmx, pk).status_code == expected(row, method, htmx)


@every_way
@pytest.mark.parametrize("name", OWN)
def test_a_sheet_that_was_thrown_away_is_nobodys(people, name, method, htmx):
    Sheet.objects.update(deleted=timezone.now())
    for who in PEOPLE:
        answer = asked(people[who], name, OWN[name], method, htmx, people["owner"].pk)
        assert answer.status_code == (405 if expected(OWN[name], method, htmx) == 405 else 404), who
        assert SECRET not in answer.text + str(answer.headers)


@every_way
@pytest.mark.parametrize("name", OPEN)
def test_an_open_address_answers_everybody_and_tells_nothing_of_others(people, name, method, htmx):
    for who in ("anonymous", "stranger"):
        answer = asked(people[who], name, OPEN[name], method, htmx)
        assert answer.status_code == expected(OPEN[name], method, htmx, who in SIGNED), who
        assert SECRET not in answer.getvalue().decode(errors="replace") + str(answer.headers)
        answer.close()


@pytest.mark.parametrize("name", ["home", "mine"])
def test_everybody_is_listed_their_own(people, name):
    for who in PEOPLE:
        shown = people[who].get(reverse(name)).text
        own = getattr(people[who], "pk", None)
        assert (own in shown) if own else SECRET not in shown
        assert not [other for other in people.values() if other != people[who] and hasattr(other, "pk")
                    and other.pk in shown]


@pytest.mark.parametrize("whose", ["guest", "owner"])
@pytest.mark.parametrize("side", ["a", "b"])
def test_nobody_compares_the_sheet_of_another(people, whose, side):
    pk = people[whose].pk
    for who in PEOPLE:
        answer = people[who].get(reverse("compare", args=["condice"]), {side: pk})
        assert answer.status_code == (200 if who == whose else 404), who
        assert (SECRET in answer.text) is (who == whose)
    Sheet.objects.filter(pk=pk).update(deleted=timezone.now())
    assert people[whose].get(reverse("compare", args=["condice"]), {side: pk}).status_code == 404


def test_a_shared_sheet_is_read_by_its_link_and_by_nothing_else(people):
    owner = people["owner"]
    owner.post(f"/sheets/{owner.pk}/keep/", {"do": "share"})
    token = Sheet.objects.get(pk=owner.pk).share
    for who in PEOPLE:
        answer = people[who].get(reverse("shared", args=[token]))
        assert answer.status_code == 200
        assert owner.pk not in answer.text
        assert people[who].post(reverse("shared", args=[token])).status_code == 405
        assert people[who].get(reverse("shared", args=[token[:-1]])).status_code == 404
        assert people[who].get(reverse("shared", args=["None"])).status_code == 404
        assert people[who].get(reverse("compare", args=["condice"]), {"b": token}).status_code == 200
        assert people[who].get(reverse("compare", args=["condice"]), {"b": token[:-1]}).status_code == 404
        assert people[who].get(reverse("compare", args=["dice-rumble"]), {"b": token}).status_code == 404
    owner.post(f"/sheets/{owner.pk}/keep/", {"do": "revoke"})
    assert people["anonymous"].get(reverse("shared", args=[token])).status_code == 404
    assert people["anonymous"].get(reverse("compare", args=["condice"]), {"b": token}).status_code == 404


def test_a_guest_who_signs_in_sees_nothing_of_another_and_keeps_their_own(people, django_user_model):
    guest = people["guest"]
    guest.force_login(django_user_model.objects.create_user("newcomer"))
    assert guest.get(f"/drafts/{guest.pk}/values/").status_code == 200
    assert guest.get(f"/drafts/{people['owner'].pk}/values/").status_code == 404
    assert people["stranger"].get(f"/drafts/{guest.pk}/values/").status_code == 404


def test_no_address_takes_what_is_no_key_of_a_sheet():
    for name, row in OWN.items():
        with pytest.raises(NoReverseMatch):
            address(name, row, "1")

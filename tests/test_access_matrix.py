"""Who may do what: every address, everybody, every way to ask. An address that is not in the table fails the test."""

from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from itertools import product
from uuid import uuid4

import pytest
from django.core.signals import request_finished
from django.db import close_old_connections, transaction
from django.test import Client
from django.urls import NoReverseMatch, get_resolver, reverse
from django.utils import timezone

from rulesets.kit import patched
from sheets.access import SESSION_KEY
from sheets.models import CO_GM, GM, PLAYER, Event, Member, Notification, Party, Remark, Sheet
from tests.guest import example

pytestmark = pytest.mark.django_db

PEOPLE = ("anonymous", "link holder", "guest", "other guest", "stranger", "player", "owner", "co-gm", "gm")
"""The owner is a player whose sheets are in the party; the link holder has come by both links and has no account."""
SIGNED = ("stranger", "player", "owner", "co-gm", "gm")
MEMBERS = {"gm": GM, "co-gm": CO_GM, "owner": PLAYER, "player": PLAYER}
GMS = ("gm", "co-gm")


@dataclass(frozen=True)
class Row:
    """What an address answers to GET and POST; `htmx` where that differs for htmx."""

    get: int
    post: int
    htmx: tuple[int, int] | None = None
    given: dict = field(default_factory=dict)
    """What else stands in the address."""
    form: dict = field(default_factory=dict)
    """What the POST sends; "{loose}" stands for the key of that sheet."""
    signed: tuple[int, int] | None = None
    """What those who are signed in are answered, where that differs."""
    read: tuple = ()
    """Whom GET answers, where that is not everybody."""
    do: tuple = ()
    """Whom POST answers, where that is not everybody."""


@dataclass(frozen=True)
class Kept:
    """A sheet: whose it is, and who may read it beside."""

    owner: str
    readers: tuple = ()
    party: bool = True
    more: dict = field(default_factory=dict)


SHEETS = {
    "guests": Kept("guest", party=False),
    "loose": Kept("owner", party=False),
    "private": Kept("owner", GMS),
    "shown": Kept("owner", tuple(MEMBERS), more={"seen_by": "party"}),
    "public": Kept("owner", PEOPLE, more={"seen_by": "public"}),
    "offered": Kept("gm", tuple(MEMBERS), more={"offered": True}),
}
OWN = {
    "draft": Row(302, 302, form={"do": "copy"}),
    "step": Row(200, 302, htmx=(200, 200), given={"slug": "values"}, form={"_version": 1, "life": 4}),
    "sheet": Row(200, 405),
    "pdf": Row(200, 405),
    "print": Row(200, 405),
    "play": Row(302, 302, htmx=(302, 200), form={"w": "undo", "_event": 1}),
    "keep": Row(302, 302, form={"do": "notes", "notes": "x"}),
    "place": Row(405, 302, form={"do": "see", "seen_by": "public"}),
    "remark": Row(405, 302, form={"text": "x"}),
    "export": Row(200, 405),
    "file": Row(200, 405, given={"form": "json"}),
}
"""Addresses of somebody's sheet; to everybody else there is nothing there, but for those who may read its page."""
ALL = tuple(MEMBERS)
PARTY = {
    "party": Row(200, 302, form={"do": "notes", "notes": "x"}, read=ALL, do=ALL),
    "party: invite": Row(200, 302, form={"do": "invite"}, read=ALL, do=GMS),
    "party: revoke": Row(200, 302, form={"do": "revoke"}, read=ALL, do=GMS),
    "party: rename": Row(200, 302, form={"do": "rename", "name": "x"}, read=ALL, do=GMS),
    "party: bring": Row(200, 302, form={"do": "bring", "sheet": "{loose}"}, read=ALL, do=("owner",)),
    "party: drop": Row(200, 302, form={"do": "drop:{private}"}, read=ALL, do=("owner", *GMS)),
    "house": Row(200, 200, form={"_version": 1, "budget": 31}, read=ALL, do=GMS),
    "member": Row(200, 302, given={"number": "player"}, form={"do": "remove"}, read=GMS, do=GMS),
    "leave": Row(200, 302, read=ALL, do=ALL),
    "end": Row(200, 302, read=("gm",), do=("gm",)),
    "ready": Row(200, 302, form={"do": "take:{offered}"}, read=ALL, do=ALL),
    "ready: lay out": Row(200, 302, form={"do": "generate", "count": "1"}, read=ALL, do=GMS),
    "ready: withdraw": Row(200, 302, form={"do": "withdraw"}, read=ALL, do=GMS),
}
"""Addresses of a party, by what is done there; there is nothing there for those who are not in it."""
OPEN = {
    "home": Row(200, 405),
    "begin": Row(302, 302, given={"slug": "condice"}),
    "mine": Row(200, 405),
    "parties": Row(200, 403, form={"name": "x", "ruleset": "condice"}, signed=(200, 302)),
    "notifications": Row(302, 302, form={"do": "read"}, signed=(200, 302)),
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
    "openapi": Row(200, 405),
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
ELSEWHERE = {"shared", "shared-pdf", "shared-file", "join"}
"""Tested by themselves below."""


def names(resolver):
    for pattern in resolver.url_patterns:
        if hasattr(pattern, "url_patterns"):
            yield from names(pattern)
        elif pattern.name:
            yield pattern.name


class World:
    """Everybody's browser, six sheets, a party; and secrets wherever words are kept, with those who may read each."""

    def __init__(self, users):
        self.browsers, self.users, self.secrets = {}, {}, {}
        for who in PEOPLE:
            self.browsers[who] = browser = Client(raise_request_exception=False)
            if who in SIGNED:
                self.users[who] = users.create_user(who)
                browser.force_login(self.users[who])
        self.browsers["other guest"].post("/build/condice/")
        self.browsers["guest"].post("/build/condice/")
        self.party = Party.objects.create(
            name=self.hidden("name of the party", MEMBERS), ruleset="condice",
            invitation=self.hidden("invitation", GMS))
        for who, role in MEMBERS.items():
            Member.objects.create(party=self.party, user=self.users[who], role=role,
                                  notes=self.hidden(f"notes of {who}", (who,)))
        self.sheets = {which: self.sheet(which, kept) for which, kept in SHEETS.items()}
        for who in GMS:
            for which, kept in SHEETS.items():
                if kept.party:
                    Remark.objects.create(sheet=self.sheets[which], author=self.users[who],
                                          text=self.hidden(f"remark of {who} on {which}", (who,)))
        Notification.objects.create(user=self.users["owner"], kind="joined",
                                    data={"party": self.hidden("notification", ("owner",))})
        for token in ("shared", self.sheets["private"].share), ("join", self.party.invitation):
            self.browsers["link holder"].get(reverse(token[0], args=[token[1]]))

    def hidden(self, what, readers):
        """A text that only these may ever be shown."""
        text = f"Geheimnis-{len(self.secrets)}-{what.replace(' ', '-')}"
        self.secrets[text] = tuple(readers)
        return text

    def sheet(self, which, kept):
        """A sheet with a secret on every field that takes words."""
        readers = (kept.owner, *kept.readers)
        content = self.hidden(f"content of {which}", readers)
        own = self.hidden(f"notes on {which}", (kept.owner,))
        data = patched(example()["data"], {"attacks.0.name": content, "attacks.1.description": content})
        guest = {"guest": self.browsers["guest"].session[SESSION_KEY]} if kept.owner == "guest" else \
            {"owner": self.users[kept.owner]}
        made = Sheet.objects.create(
            ruleset="condice", name=content, data=data, typed={"attacks.0.dice": own}, notes=own,
            share=self.hidden(f"link of {which}", (kept.owner,)), party=self.party if kept.party else None,
            **guest, **kept.more)
        players = set(readers) & set(MEMBERS) if kept.party else ()
        text = self.hidden(f"log of {which}", {kept.owner, *players})
        Event.objects.create(sheet=made, key=uuid4(), widget="x", title=text, act="x", text=text, before={})
        return made

    def ask(self, who, name, row, method, htmx, pk=None):
        """The answer to one request, which changes nothing in the end; what it says is seen to be for these eyes."""
        browser = Client(raise_request_exception=False)
        browser.cookies = self.browsers[who].cookies.copy()
        keys = {which: str(sheet.pk) for which, sheet in self.sheets.items()}
        form = {key: value.format(**keys) if isinstance(value, str) else value for key, value in row.form.items()}
        given = dict(row.given)
        if "number" in given:
            given["number"] = self.party.members.get(user=self.users[given["number"]]).pk
        call = browser.get if method == "GET" else browser.post
        with undone():
            before = method == "POST" and snapshot()
            answer = call(address(name, row, pk, given), form if method == "POST" else {},
                          headers={"HX-Request": "true"} if htmx else {})
            answer.changed = method == "POST" and snapshot() != before
        body = answer.getvalue().decode(errors="replace") + str(answer.headers)
        # As the test client does it: closing an answer would close the connection, and the test's transaction with it.
        request_finished.disconnect(close_old_connections)
        answer.close()
        request_finished.connect(close_old_connections)
        leaked = [text for text, readers in self.secrets.items() if text in body and who not in readers]
        assert leaked == [], (who, name)
        return answer


@contextmanager
def undone():
    """Whatever is written within is taken back."""
    with transaction.atomic():
        yield
        transaction.set_rollback(True)


def snapshot():
    """All that is kept of sheets and parties."""
    kept = (Sheet, Party, Member, Remark, Event, Notification)
    return [list(model.objects.order_by("pk").values_list()) for model in kept]


@pytest.fixture
def world(django_user_model):
    return World(django_user_model.objects)


def address(name, row, pk=None, given=None):
    return reverse(name.partition(":")[0], kwargs={**({"pk": pk} if pk else {}), **(given or row.given)})


def expected(row, method, htmx, signed=False):
    found = row.htmx if htmx and row.htmx else row.signed if signed and row.signed else (row.get, row.post)
    return found[method == "POST"]


WAYS = [(method, htmx) for method in ("GET", "POST") for htmx in (False, True)]
every_way = pytest.mark.parametrize(("method", "htmx"), WAYS, ids=[f"{m}{' htmx' * h}" for m, h in WAYS])


def test_the_table_names_every_address_that_there_is():
    told = {name.partition(":")[0] for name in [*OWN, *PARTY, *OPEN, *ELSEWHERE]}
    assert sorted(set(names(get_resolver()))) == sorted(told)


def may(name, kept):
    """Who is answered at an address of a sheet."""
    if name == "remark":
        return GMS if kept.party else ()
    return (kept.owner, *kept.readers) if name == "sheet" else (kept.owner,)


@every_way
@pytest.mark.parametrize("name", OWN)
def test_a_sheet_is_its_makers_alone_but_for_those_who_may_read_it(world, name, method, htmx):
    row = OWN[name]
    right = expected(row, method, htmx)
    for which, kept in SHEETS.items():
        for who in PEOPLE:
            answer = world.ask(who, name, row, method, htmx, world.sheets[which].pk)
            assert answer.status_code == (right if right == 405 or who in may(name, kept) else 404), (which, who)
            assert not (answer.changed and who not in may(name, kept)), (which, who)


@pytest.mark.parametrize("name", [*OWN, *PARTY])
def test_what_is_others_answers_as_what_is_not_there(world, name):
    row = {**OWN, **PARTY}[name]
    for who, (method, htmx) in product(PEOPLE, WAYS):
        answer = world.ask(who, name, row, method, htmx, uuid4())
        assert answer.status_code == (405 if expected(row, method, htmx) == 405 else 404), (who, method)


@every_way
@pytest.mark.parametrize("name", PARTY)
def test_a_party_is_its_members_alone_and_its_gms_do_more(world, name, method, htmx):
    row = PARTY[name]
    for who in PEOPLE:
        answer = world.ask(who, name, row, method, htmx, world.party.pk)
        allowed = who in (row.read if method == "GET" else row.do)
        assert answer.status_code == (expected(row, method, htmx) if allowed else 404), who
        assert allowed or not answer.changed, who


@pytest.mark.parametrize("name", OWN)
def test_a_sheet_that_was_thrown_away_is_nobodys(world, name):
    Sheet.objects.update(deleted=timezone.now())
    for which, who, (method, htmx) in product(("guests", "public", "offered"), PEOPLE, WAYS):
        answer = world.ask(who, name, OWN[name], method, htmx, world.sheets[which].pk)
        assert answer.status_code == (405 if expected(OWN[name], method, htmx) == 405 else 404), (which, who, method)


@pytest.mark.parametrize("name", OPEN)
def test_an_open_address_answers_everybody_and_tells_nothing_of_others(world, name):
    for who, (method, htmx) in product(PEOPLE, WAYS):
        answer = world.ask(who, name, OPEN[name], method, htmx)
        assert answer.status_code == expected(OPEN[name], method, htmx, who in SIGNED), (who, method, htmx)


@pytest.mark.parametrize("name", ["home", "mine"])
def test_everybody_is_listed_their_own(world, name):
    for who in PEOPLE:
        shown = world.ask(who, name, OPEN[name], "GET", htmx=False).text
        for which, kept in SHEETS.items():
            listed = kept.owner == who and which != "offered"
            assert (str(world.sheets[which].pk) in shown) == listed, (who, which)


@pytest.mark.parametrize("side", ["a", "b"])
def test_a_sheet_is_compared_by_those_who_may_read_it(world, side):
    for (which, kept), who in product(SHEETS.items(), PEOPLE):
        answer = world.browsers[who].get(reverse("compare", args=["condice"]), {side: world.sheets[which].pk})
        allowed = who in may("sheet", kept)
        assert answer.status_code == (200 if allowed else 404), (which, who)
        leaked = [text for text, readers in world.secrets.items() if text in answer.text and who not in readers]
        assert leaked == [], (which, who)
    Sheet.objects.update(deleted=timezone.now())
    for which, who in product(SHEETS, PEOPLE):
        answer = world.browsers[who].get(reverse("compare", args=["condice"]), {side: world.sheets[which].pk})
        assert answer.status_code == 404, (which, who)


def test_a_shared_sheet_is_read_by_its_link_and_by_nothing_else(world):
    sheet = world.sheets["private"]
    content, log = (next(text for text in world.secrets if text.endswith(f"{what}-of-private"))
                    for what in ("content", "log"))
    world.secrets = {text: readers for text, readers in world.secrets.items() if text not in (content, sheet.share)}
    row = Row(200, 405, given={"token": sheet.share})
    forms = [("shared-pdf", ()), *(("shared-file", (form,)) for form in ("json", "md", "bbcode")), ("shared", ())]
    for who in PEOPLE:
        answer = world.ask(who, "shared", row, "GET", htmx=False)
        assert (answer.status_code, content in answer.text) == (200, True)
        assert log not in answer.text
        assert str(sheet.pk) not in answer.text
        assert world.ask(who, "shared", row, "POST", htmx=False).status_code == 405
        for name, form in forms:
            address = partial(reverse, name)
            shown = world.browsers[who].get(address(args=[sheet.share, *form]))
            assert shown.status_code == 200
            assert str(sheet.pk).encode() not in shown.content
            assert world.browsers[who].post(address(args=[sheet.share, *form])).status_code == 405
            for token in (sheet.share[:-1], "None"):
                assert world.browsers[who].get(address(args=[token, *form])).status_code == 404
        compare = partial(world.browsers[who].get, reverse("compare", args=["condice"]))
        assert compare({"b": sheet.share}).status_code == 200
        assert compare({"b": sheet.share[:-1]}).status_code == 404
        assert world.browsers[who].get(reverse("compare", args=["dice-rumble"]), {"b": sheet.share}).status_code == 404
    token, sheet.share = sheet.share, None
    sheet.save()
    assert world.browsers["link holder"].get(reverse("compare", args=["condice"]), {"b": token}).status_code == 404
    assert world.ask("link holder", "shared", row, "GET", htmx=False).status_code == 404


@every_way
def test_an_invitation_is_read_by_its_link_and_followed_with_an_account(world, method, htmx):
    token = world.party.invitation
    world.secrets = {text: who for text, who in world.secrets.items() if text not in (token, world.party.name)}
    for who in PEOPLE:
        answer = world.ask(who, "join", Row(200, 302, given={"token": token}), method, htmx)
        assert answer.status_code == (200 if method == "GET" else 302 if who in SIGNED else 403), who
        assert answer.changed == (method == "POST" and who == "stranger"), who
        for wrong in (token[:-1], "None", "x"):
            answer = world.ask(who, "join", Row(404, 404, given={"token": wrong}), method, htmx)
            assert answer.status_code == 404
    Party.objects.update(invitation=None)
    for who in PEOPLE:
        assert world.ask(who, "join", Row(404, 404, given={"token": token}), method, htmx).status_code == 404


def test_a_guest_who_signs_in_sees_nothing_of_another_and_keeps_their_own(world, django_user_model):
    guest, own, others = world.browsers["guest"], world.sheets["guests"].pk, world.sheets["private"].pk
    guest.force_login(django_user_model.objects.create_user("newcomer"))
    assert guest.get(f"/drafts/{own}/values/").status_code == 200
    assert guest.get(f"/drafts/{others}/values/").status_code == 404
    assert world.browsers["stranger"].get(f"/drafts/{own}/values/").status_code == 404


def test_a_member_who_has_left_reads_nothing_of_the_party_any_more(world):
    world.party.members.filter(user=world.users["co-gm"]).delete()
    world.secrets = {text: tuple(who for who in readers if who != "co-gm") if "public" not in text else readers
                     for text, readers in world.secrets.items()}
    for name, row in PARTY.items():
        assert world.ask("co-gm", name, row, "GET", htmx=False, pk=world.party.pk).status_code == 404
    for which in SHEETS:
        answer = world.ask("co-gm", "sheet", OWN["sheet"], "GET", htmx=False, pk=world.sheets[which].pk)
        assert answer.status_code == (200 if which == "public" else 404)


def test_no_address_takes_what_is_no_key_of_a_sheet():
    for name, row in {**OWN, **PARTY}.items():
        with pytest.raises(NoReverseMatch):
            address(name, row, "1")

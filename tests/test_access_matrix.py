"""Who may do what: every address, everybody, every way to ask. An address that is not in the table fails the test."""

from functools import partial
from itertools import product
from uuid import uuid4

import pytest
from django.contrib.auth import get_user_model
from django.urls import NoReverseMatch, get_resolver, reverse
from django.utils import timezone

from sheets.models import Party, Sheet
from tests.support.addresses import ELSEWHERE, GMS, OPEN, OWN, PARTY, PEOPLE, SHEETS, SIGNED, Row
from tests.support.everybody import World, address
from tests.support.everyday import MORE, everyday

pytestmark = pytest.mark.django_db


def names(resolver):
    for pattern in resolver.url_patterns:
        if hasattr(pattern, "url_patterns"):
            yield from names(pattern)
        elif pattern.name:
            yield pattern.name


@pytest.fixture(scope="module")
def made(lasting_database):
    return World(get_user_model().objects)


@pytest.fixture
def world(made):
    return made.again()


def expected(row, method, htmx, signed=False):
    found = row.htmx if htmx and row.htmx else row.signed if signed and row.signed else (row.get, row.post)
    return found[method == "POST"]


WAYS = [(method, htmx) for method in ("GET", "POST") for htmx in (False, True)]
IDS = [f"{method}{' htmx' * htmx}" for method, htmx in WAYS]
every_way = pytest.mark.parametrize(("method", "htmx"), everyday(WAYS, each=3), ids=IDS)


def every_way_at(rows, daily=1):
    """Each address in every way.

    With what is slow comes what htmx asks where it is answered as everybody is, and all but the first address; each
    `daily`-th of them is tried on every database.
    """
    found = [pytest.param(name, *way, id=f"{name}-{id_}",
                          marks=MORE if (way[1] and not row.htmx) or at % daily else (pytest.mark.slow,) * bool(at))
             for at, (name, row) in enumerate(rows.items()) for way, id_ in zip(WAYS, IDS, strict=True)]
    return pytest.mark.parametrize(("name", "method", "htmx"), found)


def test_the_table_names_every_address_that_there_is():
    told = {name.partition(":")[0] for name in [*OWN, *PARTY, *OPEN, *ELSEWHERE]}
    assert sorted(set(names(get_resolver()))) == sorted(told)


READ = ("pdf", "print", "page-picture", "export", "file")
"""What a GM does with a sheet of the party, as its owner does."""


def may(name, kept, method="GET"):
    """Who is answered at an address of a sheet."""
    offered = "offered" in kept.more
    gms = GMS if kept.party and not offered else ()
    if name == "remark":
        return GMS if kept.party else ()
    if name == "review" and method == "POST":
        return ("gm",) if offered else gms
    if name == "review: submit" and method == "POST":
        return (kept.owner,) if kept.owner in SIGNED else ()
    if name == "review: reply" and method == "POST":
        return (kept.owner, *gms)
    if name.startswith("review") or name in READ or (name == "history" and method == "GET"):
        return (kept.owner, *gms)
    if name in ("preview", "report"):
        return PEOPLE if kept.more.get("seen_by") == "public" else ()
    return (kept.owner, *kept.readers) if name.startswith(("sheet", "portrait")) else (kept.owner,)


@every_way_at(OWN, daily=9)
def test_a_sheet_is_its_makers_alone_but_for_those_who_may_read_it(world, name, method, htmx):
    row = OWN[name]
    right = expected(row, method, htmx)
    for which, kept in SHEETS.items():
        for who in PEOPLE:
            answer = world.ask(who, name, row, method, htmx, world.sheets[which].pk)
            allowed = who in may(name, kept, method)
            assert answer.status_code == (right if right == 405 or allowed else 404), (which, who)
            assert allowed or not answer.changed, (which, who)


@every_way_at({**OWN, **PARTY}, daily=9)
def test_what_is_others_answers_as_what_is_not_there(world, name, method, htmx):
    row = {**OWN, **PARTY}[name]
    for who in PEOPLE:
        answer = world.ask(who, name, row, method, htmx, uuid4())
        assert answer.status_code == (405 if expected(row, method, htmx) == 405 else 404), who


@every_way_at(PARTY, daily=5)
def test_a_party_is_its_members_alone_and_its_gms_do_more(world, name, method, htmx):
    row = PARTY[name]
    for who in PEOPLE:
        answer = world.ask(who, name, row, method, htmx, world.party.pk)
        allowed = who in (row.read if method == "GET" else row.do)
        asked = expected(row, method, htmx)
        # Where nobody can do anything the word for it is the same for all.
        assert answer.status_code in ((asked,) if allowed else {404, asked} & {404, 405}), who
        assert allowed or not answer.changed, who


@every_way_at(OWN, daily=11)
def test_a_sheet_that_was_thrown_away_is_nobodys(world, name, method, htmx):
    Sheet.objects.update(deleted=timezone.now())
    for which, who in product(("guests", "public", "offered"), PEOPLE):
        answer = world.ask(who, name, OWN[name], method, htmx, world.sheets[which].pk)
        assert answer.status_code == (405 if expected(OWN[name], method, htmx) == 405 else 404), (which, who)


@every_way_at(OPEN, daily=4)
def test_an_open_address_answers_everybody_and_tells_nothing_of_others(world, name, method, htmx):
    for who in PEOPLE:
        answer = world.ask(who, name, OPEN[name], method, htmx)
        assert answer.status_code == expected(OPEN[name], method, htmx, who in SIGNED), who


@pytest.mark.parametrize("name", ["home", "mine"])
def test_everybody_is_listed_their_own(world, name):
    for who in PEOPLE:
        shown = world.ask(who, name, OPEN[name], "GET", htmx=False).text
        for which, kept in SHEETS.items():
            listed = kept.owner == who and which != "offered"
            assert (str(world.sheets[which].pk) in shown) == listed, (who, which)


@pytest.mark.slow
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


@pytest.mark.slow
def test_a_shared_sheet_is_read_by_its_link_and_by_nothing_else(world):
    sheet = world.sheets["private"]
    content, log = (next(text for text in world.secrets if text.endswith(f"{what}-of-private"))
                    for what in ("content", "log"))
    world.secrets = {text: readers for text, readers in world.secrets.items() if text not in (content, sheet.share)}
    row = Row(200, 405, given={"token": sheet.share})
    forms = [("shared-pdf", ()), *(("shared-file", (form,)) for form in ("json", "md", "bbcode")), ("shared", ()),
             ("shared-portrait", (96,)), ("shared-preview", ())]
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


def test_what_was_reported_is_seen_by_nobody_but_an_admin(world):
    for who, which in product(PEOPLE, SHEETS):
        address = reverse("reported-portrait", args=[world.sheets[which].pk, 96])
        assert world.browsers[who].get(address).status_code == 404


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

"""Who may do what: every address, everybody, every way to ask. An address that is not in the table fails the test."""

from itertools import product
from uuid import uuid4

import pytest
from django.contrib.auth import get_user_model
from django.urls import NoReverseMatch, get_resolver, reverse
from django.utils import timezone

from sheets.models import Party, Sheet
from tests.support.addresses import ELSEWHERE, GMS, MEMBERS, OPEN, OWN, PARTY, PEOPLE, SHEETS, SIGNED, Row
from tests.support.builder.held import lacking
from tests.support.everybody import World, address
from tests.support.everyday import MORE, everyday
from tests.support.guest import let_in

pytestmark = [pytest.mark.django_db, pytest.mark.alike]


ROWS = {**OWN, **PARTY, **OPEN}


def names(resolver):
    """Yield the names of all addresses, those that others lead to included."""
    for pattern in resolver.url_patterns:
        yield from names(pattern) if hasattr(pattern, "url_patterns") else filter(None, [pattern.name])


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


def every_way_at(rows):
    """Parametrise by each address, asked in every way: the first every day, by htmx where that is answered otherwise.

    What htmx asks where it is answered as everybody is is for `make prove` alone.
    """
    found = [pytest.param(name, *way, id=f"{name}-{id_}",
                          marks=MORE if way[1] and not row.htmx else (pytest.mark.slow,) * bool(at))
             for at, (name, row) in enumerate(rows.items()) for way, id_ in zip(WAYS, IDS, strict=True)]
    return pytest.mark.parametrize(("name", "method", "htmx"), found)


def some(many, name, method, full):
    """Return all at full counts, else each fifth: others where it is asked otherwise or the next address."""
    return many if full else many[(list(ROWS).index(name) + 2 * (method == "POST")) % 5::5]


def absent(row, method, htmx):
    """Return what an address answers where nothing is there."""
    return 405 if expected(row, method, htmx) == 405 else 404


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
    if name == "luck":
        return (kept.owner, *(who for who in kept.readers if kept.party and who in MEMBERS))
    if name in ("preview", "report"):
        return PEOPLE if kept.more.get("seen_by") == "public" else ()
    return (kept.owner, *kept.readers) if name.startswith(("sheet", "portrait")) else (kept.owner,)


@pytest.mark.prove
@every_way_at(OWN)
def test_a_sheet_is_its_makers_alone_but_for_those_who_may_read_it(world, name, method, htmx, full):
    right = expected(OWN[name], method, htmx)
    for (which, kept), who in some([*product(SHEETS.items(), PEOPLE)], name, method, full):
        answer = world.ask(who, name, OWN[name], method, htmx, world.sheets[which].pk)
        allowed = who in may(name, kept, method)
        assert answer.status_code == (right if right == 405 or allowed else 404), (which, who)
        assert allowed or not answer.changed, (which, who)


@pytest.mark.prove
@every_way_at({**OWN, **PARTY})
def test_what_is_not_there_and_a_sheet_that_was_thrown_away_is_nobodys(world, name, method, htmx, full):
    Sheet.objects.update(deleted=timezone.now())
    keys = [uuid4(), *(world.sheets[which].pk for which in ("guests", "public", "offered") if name in OWN)]
    for pk, who in some([*product(keys, PEOPLE)], name, method, full):
        answer = world.ask(who, name, ROWS[name], method, htmx, pk)
        assert answer.status_code == absent(ROWS[name], method, htmx), (pk, who)


@pytest.mark.prove
@every_way_at(PARTY)
def test_a_party_is_its_members_alone_and_its_gms_do_more(world, name, method, htmx, full):
    row, asked = PARTY[name], expected(PARTY[name], method, htmx)
    # Of all who are no members somebody with an account may do most.
    others = [who for who in PEOPLE if who not in (*MEMBERS, "stranger")]
    for who in [*MEMBERS, "stranger", *some(others, name, method, full)]:
        answer = world.ask(who, name, row, method, htmx, world.party.pk)
        allowed = who in (row.read if method == "GET" else row.do)
        # Where nobody can do anything the word for it is the same for all.
        assert answer.status_code in ((asked,) if allowed else {404, asked} & {404, 405}), who
        assert allowed or not answer.changed, who


@pytest.mark.prove
@every_way_at(OPEN)
def test_an_open_address_answers_everybody_and_tells_nothing_of_others(world, name, method, htmx, full):
    for who in some(PEOPLE, name, method, full):
        answer = world.ask(who, name, OPEN[name], method, htmx)
        assert answer.status_code == expected(OPEN[name], method, htmx, who in SIGNED), who


@pytest.mark.parametrize("name", ["home", "mine"])
def test_everybody_is_listed_their_own(world, name):
    for who in PEOPLE:
        shown = world.ask(who, name, OPEN[name], "GET", htmx=False).text
        for which, kept in SHEETS.items():
            listed = kept.owner == who and which not in ("offered", "kept")
            assert (str(world.sheets[which].pk) in shown) == listed, (who, which)


@pytest.mark.slow
@pytest.mark.prove
@pytest.mark.parametrize("side", ["a", "b"])
def test_a_sheet_is_compared_by_those_who_may_read_it(world, side, full):
    """At full counts each of them on either side, else each fifth, others on the one than on the other."""
    def compared(who, which):
        return world.browsers[who].get(reverse("compare", args=["condice"]), {side: world.sheets[which].pk})

    asked = [*product(SHEETS.items(), PEOPLE)]
    asked = asked if full else asked[2 * (side == "b")::5]
    for (which, kept), who in asked:
        answer = compared(who, which)
        assert answer.status_code == (200 if who in may("sheet", kept) else 404), (which, who)
        leaked = [text for text, readers in world.secrets.items() if text in answer.text and who not in readers]
        assert leaked == [], (which, who)
    Sheet.objects.update(deleted=timezone.now())
    assert {compared(who, which).status_code for (which, _kept), who in asked} == {404}


@pytest.mark.slow
def test_a_shared_sheet_is_read_by_its_link_and_by_nothing_else(world):
    sheet, token = world.sheets["private"], world.sheets["private"].share
    content, log = (next(text for text in world.secrets if text.endswith(f"{what}-of-private"))
                    for what in ("content", "log"))
    world.secrets = {text: readers for text, readers in world.secrets.items() if text not in (content, token)}
    row = Row(200, 405, given={"token": token})
    forms = [("shared-pdf",), *(("shared-file", form) for form in ("json", "md", "bbcode")), ("shared",),
             ("shared-portrait", 96), ("shared-preview",)]

    def compared(who, slug, by):
        return world.browsers[who].get(reverse("compare", args=[slug]), {"b": by}).status_code

    for who in PEOPLE:
        answer = world.ask(who, "shared", row, "GET", htmx=False)
        assert (answer.status_code, lacking(answer.text, content, log, str(sheet.pk))) == (200, [log, str(sheet.pk)])
        assert world.ask(who, "shared", row, "POST", htmx=False).status_code == 405
        for name, *form in forms:
            addresses = [reverse(name, args=[by, *form]) for by in (token, token[:-1], "None")]
            shown, *hidden = (world.browsers[who].get(one) for one in addresses)
            assert [one.status_code for one in (shown, *hidden)] == [200, 404, 404], name
            assert str(sheet.pk).encode() not in shown.content
            assert world.browsers[who].post(addresses[0]).status_code == 405
        assert [compared(who, *one) for one in (
            ("condice", token), ("condice", token[:-1]), ("dice-rumble", token))] == [200, 404, 404]
    Sheet.objects.filter(pk=sheet.pk).update(share=None)
    assert compared("link holder", "condice", token) == 404
    assert world.ask("link holder", "shared", row, "GET", htmx=False).status_code == 404


def test_what_was_reported_is_seen_by_nobody_but_an_admin(world):
    addresses = [reverse("reported-portrait", args=[sheet.pk, 96]) for sheet in world.sheets.values()]
    assert {world.browsers[who].get(one).status_code for who, one in product(PEOPLE, addresses)} == {404}


def test_a_guest_who_signs_in_sees_nothing_of_another_and_keeps_their_own(world, django_user_model):
    own, others = (f"/drafts/{world.sheets[which].pk}/values/" for which in ("guests", "private"))
    guest = world.browsers["guest"]
    let_in(guest, django_user_model.objects.create_user("newcomer"))
    asked = guest.get(own), guest.get(others), world.browsers["stranger"].get(own)
    assert [answer.status_code for answer in asked] == [200, 404, 404]


@every_way
def test_an_invitation_is_read_by_its_link_and_followed_with_an_account(world, method, htmx):
    token = world.party.invitation
    world.secrets = {text: who for text, who in world.secrets.items() if text not in (token, world.party.name)}

    def joins(who, by):
        return world.ask(who, "join", Row(200, 302, given={"token": by}), method, htmx)

    for who in PEOPLE:
        answer = joins(who, token)
        assert answer.status_code == (200 if method == "GET" else 302 if who in SIGNED else 403), who
        assert answer.changed == (method == "POST" and who == "stranger"), who
        assert [joins(who, wrong).status_code for wrong in (token[:-1], "None", "x")] == [404] * 3
    Party.objects.update(invitation=None)
    assert {joins(who, token).status_code for who in PEOPLE} == {404}


def test_a_member_who_has_left_reads_nothing_of_the_party_any_more(world):
    world.party.members.filter(user=world.users["co-gm"]).delete()
    world.secrets = {text: tuple(who for who in readers if who != "co-gm") if "public" not in text else readers
                     for text, readers in world.secrets.items()}
    answers = [world.ask("co-gm", name, row, "GET", htmx=False, pk=world.party.pk) for name, row in PARTY.items()]
    assert {answer.status_code for answer in answers} == {404}
    assert {which: world.ask("co-gm", "sheet", OWN["sheet"], "GET", htmx=False, pk=sheet.pk).status_code
            for which, sheet in world.sheets.items()} == dict.fromkeys(SHEETS, 404) | {"public": 200}


def test_no_address_takes_what_is_no_key_of_a_sheet():
    for name, row in {**OWN, **PARTY}.items():
        with pytest.raises(NoReverseMatch):
            address(name, row, "1")

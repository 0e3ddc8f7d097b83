"""The queue of what waits: its count in the head of every page, and several approved at once, each by itself."""

import re

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from sheets.audit_log.chain import chain_faults
from sheets.models import Member, Notification, Party, Review, Sheet
from sheets.parties import services as parties
from sheets.reviews import services as reviews
from sheets.status.reviews import review_status, waiting_for
from tests.support.guest import text_of
from tests.support.sheets import story as told

pytestmark = [pytest.mark.django_db, pytest.mark.alike]


def another(rooms, name, owner=None, **data):
    return Sheet.objects.create(owner=owner or rooms.player, party=rooms.party, ruleset="condice", name=name,
                                data={**rooms.sheet.data, **data})


@pytest.fixture
def three(rooms):
    """Three sheets that wait, and one that asks for an exception."""
    rooms.sheets = [rooms.sheet, another(rooms, "Zwei"), another(rooms, "Drei")]
    ability = {"ability": "custom", "name": "Zeit anhalten", "cost": 2, "description": "", "range": 0}
    rooms.asks = another(rooms, "Fragt", abilities=[ability])
    for sheet in (*rooms.sheets, rooms.asks):
        reviews.submit(sheet, rooms.player)
    return rooms


def approve(rooms, who, sheets, **more):
    """Ticks sheets in the queue as it is shown to somebody, and presses its button."""
    seals = dict(re.findall(r'name="(seal\.[^"]+)" value="(\w+)"', rooms.read(who, "/reviews/").text))
    return rooms.browsers[who].post("/reviews/", {
        "do": "approve", "sheet": [str(one.pk) for one in sheets], **seals, **more}, follow=True)


def states(rooms):
    return [review_status(Sheet.objects.select_related("party").get(pk=one.pk)).state
            for one in (*rooms.sheets, rooms.asks)]


def test_several_are_approved_at_once_each_as_its_own_link_of_the_chain(three):
    Notification.objects.all().delete()
    before = Review.objects.count()
    assert "3 sheets have been approved." in text_of(approve(three, "gm", three.sheets))
    assert states(three) == ["approved", "approved", "approved", "waiting"]
    made = Review.objects.filter(kind="approved")
    assert (made.count(), Review.objects.count() - before, len({one.code for one in made})) == (3, 3, 3)
    assert list(chain_faults()) == []
    assert [one.kind for one in Notification.objects.filter(user=three.player)] == ["review-approved"] * 3


def test_what_cannot_be_approved_so_is_told_and_left(three):
    page = three.read("gm", "/reviews/")
    assert f'value="{three.asks.pk}"' not in page.text
    assert "It asks for 1 exception, which needs a reason." in text_of(page)
    seal = told.shown_seal(three.asks)
    said = text_of(approve(three, "gm", [three.asks, three.sheets[1]], **{f"seal.{three.asks.pk}": seal}))
    for text in ("Fragt: Each exception needs a reason", "1 sheet has been approved."):
        assert text in said
    assert states(three) == ["waiting", "approved", "waiting", "waiting"]


def test_what_has_changed_since_it_was_seen_is_left(three):
    seals = {f"seal.{one.pk}": told.shown_seal(one) for one in three.sheets}
    three.change(life=three.sheet.data["life"] - 1)
    reviews.submit(three.sheet, three.player)
    said = text_of(three.browsers["gm"].post("/reviews/", {
        "do": "approve", "sheet": [str(one.pk) for one in three.sheets], **seals}, follow=True))
    assert "no longer what you saw" in said
    assert states(three) == ["waiting", "approved", "approved", "waiting"]


def test_nobody_approves_their_own_or_another_partys_and_one_that_is_gone_stops_no_other(three):
    own = another(three, "Gretas", three.gm)
    reviews.submit(own, three.gm)
    other = Party.objects.create(name="Andere", ruleset="condice")
    Sheet.objects.filter(pk=three.sheets[2].pk).update(party=other)
    said = text_of(approve(three, "gm", [own, three.sheets[2], three.sheets[0]]))
    for text in ("You cannot decide on your own sheet", "no longer in any of your parties"):
        assert text in said
    for who in ("player", "member", "stranger"):
        approve(three, who, three.sheets[:2])
    # Without a tick nothing happens, and a word that is none is refused.
    assert "tick at least one" in text_of(approve(three, "gm", []))
    asked = ({"do": "return"}, {"do": "approve", "sheet": "x"})
    assert [three.browsers["gm"].post("/reviews/", one).status_code for one in asked] == [400, 404]
    assert Review.objects.filter(kind="approved").count() == 1


def test_the_menu_counts_what_waits_for_gms_and_nobody_else(three):
    def shown(who):
        page = three.read(who, "/sheets/").text
        found = re.search(r'<a href="/reviews/">Approvals(?: <span class="count">(\d+\+?))?', page)
        return found and (found[1] or "0")

    reviews.submit(another(three, "Gretas", three.gm), three.gm)
    assert [shown(who) for who in ("gm", "second", "player", "stranger")] == ["4", "5", None, None]
    approve(three, "gm", three.sheets)
    assert shown("gm") == "1"
    three.asks.deleted = three.asks.created
    three.asks.save()
    assert shown("gm") == "0"


def test_the_count_is_one_query_and_agrees_with_the_queue_whatever_happened(three):
    def counted():
        with CaptureQueriesContext(connection) as found:
            n = waiting_for(three.gm)
        assert len(found) == 1
        return n

    assert counted() == 4
    reviews.recall(three.sheet, three.player)
    assert counted() == 3
    reviews.submit(three.sheet, three.player)
    told.give_back(three.sheet, three.gm, comment="x")
    assert counted() == 3
    parties.drop_sheet(three.party, three.sheets[1], three.player)
    assert counted() == 2
    three.sheets[1].refresh_from_db()
    parties.bring_sheet(three.party, three.sheets[1], three.player)
    assert counted() == len(three.read("gm", "/reviews/").context["waiting"].rows) == 3
    Member.objects.filter(user=three.gm).delete()
    assert counted() is None

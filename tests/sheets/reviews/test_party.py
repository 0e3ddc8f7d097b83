"""What a party meets of reviews: what is played, who is told, what is in the queue, and from how many queries."""

from itertools import product

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from rulesets import systems
from sheets.character import Character
from sheets.models import Event, Member, Notification, Revision, Sheet, Standing
from sheets.notifications.services import notification_text
from sheets.parties import services as parties
from sheets.reviews import services as reviews
from sheets.status.reviews import review_status
from tests.support.guest import text_of
from tests.support.party import Rooms
from tests.support.sheets import story as told

pytestmark = pytest.mark.django_db


def roll(rooms):
    """Rolls on the sheet as its player; answers whether anything was thrown."""
    before = Event.objects.count()
    answer = rooms.browsers["player"].post(f"/sheets/{rooms.sheet.pk}/play/", {
        "w": "roll-attack-attacks-0", "defence": "0", "_press": f"11111111-2222-4333-8444-{before:012}"})
    assert answer.status_code == 302
    return Event.objects.count() > before


def test_a_party_that_asks_for_approval_plays_what_is_approved_and_nothing_else(rooms):
    def asks(**on):
        rooms.browsers["gm"].post(f"/parties/{rooms.party.pk}/settings/", {
            "name": rooms.party.name, "seen_by": rooms.party.seen_by, **on})
        return roll(rooms)

    assert (roll(rooms), asks(approval="on")) == (True, False)
    assert "only sheets approved by a GM can be played" in text_of(rooms.read("player", f"/sheets/{rooms.sheet.pk}/"))
    rooms.sheet.refresh_from_db()
    rooms.approve()
    assert roll(rooms)
    assert rooms.press("gm", "withdraw", comment="Ein Versehen.").status_code == 302
    assert (roll(rooms), asks()) == (False, True)


def test_where_a_sheet_counts_only_when_approved_its_page_says_so_in_a_party_and_outside(db):
    rooms = Rooms("daemmersturm")
    assert rooms.party.approval
    page = f"/sheets/{rooms.sheet.pk}/"

    def says(*texts):
        """Which of these words or links stand on the page."""
        answer = rooms.read("player", page)
        return [one in text_of(answer) or one in answer.text for one in texts]

    here, once, submit = ("In this party only sheets approved by a GM can be played", "It only counts once",
                          f'href="{rooms.url}">Submit for approval</a>')
    assert says(here, once, submit) == [True, False, True], "once is enough"
    rooms.wait()
    assert says("this one is waiting for approval", submit) == [True, False]
    reviews.recall(rooms.sheet, rooms.player)
    rooms.approve()
    assert says(once) == [False]
    parties.release_sheets(rooms.party, rooms.party.sheets.all(), None)
    assert says("It only counts once a GM has approved it.",
                '<a href="?done=party#party-and-readers">Choose a party</a>') == [True, True]
    answer = rooms.browsers["player"].post(f"{page}place/", {"do": "bring", "party": rooms.party.pk})
    assert answer["Location"] == f"{page}#approval-note"


def test_whoever_is_concerned_is_told_and_nobody_else(rooms):
    def said(who, do, **words):
        """Who is told what once somebody has pressed a button."""
        Notification.objects.all().delete()
        rooms.press(who, do, **words)
        return [(one.user.username, one.kind.removeprefix("review-")) for one in
                Notification.objects.order_by("user__username")]

    assert said("player", "submit") == [("gero", "submitted"), ("greta", "submitted")]
    assert said("gm", "return", comment="Noch nicht.") == [("paula", "returned")]
    rooms.press("player", "submit")
    assert said("player", "recall") == []
    rooms.press("player", "submit")
    assert said("second", "approve") == [("paula", "approved")]
    assert said("gm", "withdraw", comment="Nein.") == [("paula", "withdrawn")]
    one = Notification.objects.get()
    assert (one.url, notification_text(one)[:5]) == (rooms.url, "greta")


def test_a_sheet_that_leaves_its_party_waits_for_nobody_and_is_played_as_it_stands(rooms):
    rooms.approve()
    rooms.change(life=rooms.sheet.data["life"] - 1)
    rooms.wait()
    assert rooms.sheet.name in text_of(rooms.read("gm", "/reviews/"))
    rooms.browsers["player"].post(f"/sheets/{rooms.sheet.pk}/place/", {"do": "drop"})
    assert rooms.state == ""
    assert Character(rooms.sheet).written.life == rooms.sheet.data["life"]
    assert rooms.sheet.name not in text_of(rooms.read("gm", "/reviews/"))
    for do in ("approve", "return", "withdraw"):
        assert rooms.press("gm", do, comment="x").status_code == 404
    answer = rooms.read("player")
    assert (answer.status_code, "Bring the sheet into a party first" in text_of(answer)) == (200, True)
    assert [rooms.press("player", do).status_code for do in ("submit", "recall")] == [409, 409]
    # In another party it is nothing that was approved in this one.
    rooms.sheet.party = parties.found_party(rooms.gm, "Andere Runde", systems()["condice"])
    rooms.sheet.save()
    assert rooms.state == ""
    assert "approved" not in text_of(rooms.read("gm")).lower()


def copy(sheet, name):
    made = type(sheet).objects.get(pk=sheet.pk)
    made.pk, made.name, made._state.adding = None, name, True
    made.save()
    return made


def test_what_the_rules_can_no_longer_read_is_said_so_hides_nothing_else_and_is_withdrawn(rooms):
    rooms.approve()
    other = copy(rooms.sheet, "Eine andere")
    reviews.submit(other, rooms.player)
    Revision.objects.filter(sheet=rooms.sheet).update(data={"gone": 1}, rules=0)
    Standing.objects.filter(sheet=rooms.sheet).update(under="0.")
    queue = text_of(rooms.read("gm", "/reviews/"))
    assert [one in queue for one in ("Eine andere", "The rules can no longer read it.")] == [True, True]
    for who in ("gm", "player"):
        answer = rooms.read(who)
        assert answer["Location"] == f"/sheets/{rooms.sheet.pk}/history/"
        assert "can no longer read" in text_of(rooms.read(who, answer["Location"]))
    assert rooms.press("gm", "withdraw", comment="Neu bauen.").status_code == 302
    assert (rooms.state, rooms.read("player").status_code) == ("withdrawn", 200)


MOST = 15
"""Queries of a page, however much there is: of a review also those for the party's other sheets, catalogue, queue."""


@pytest.fixture
def crowd(rooms):
    """The party with twelve more sheets in each state that there is, and much that happened to the first."""
    for number in range(36):
        sheet = copy(rooms.sheet, f"Nummer {number}")
        reviews.submit(sheet, rooms.player)
        if number % 3:
            told.approve(sheet, rooms.gm, comment="Gut.", at={"life": "Gut."})
        if number % 3 == 2:
            sheet.house = {"budget": 31}
            sheet.save()
    for _time in range(10):
        rooms.press("player", "submit")
        rooms.press("gm", "return", comment="Noch nicht.", **{"at.life": "Nicht so."})
    rooms.approve()
    return rooms


@pytest.mark.slow
def test_a_page_asks_the_database_no_more_however_much_there_is(crowd):
    def look():
        for who, url in product(("gm", "player"), (crowd.url, "/reviews/")):
            with CaptureQueriesContext(connection) as found:
                assert crowd.read(who, url).status_code == 200
            assert len(found) <= MOST, (who, url, [one["sql"] for one in found])

    look()
    crowd.change(life=crowd.sheet.data["life"] - 1)
    crowd.wait()
    look()
    crowd.press("gm", "approve")
    crowd.party.house = {"budget": 40}
    crowd.party.save()
    look()


@pytest.mark.parametrize("gone", ["the account", "the sheet", "all its sheets at once"])
def test_what_goes_for_good_leaves_its_name_in_nobodys_notifications(rooms, gone):
    rooms.wait()
    name, other = rooms.sheet.name, Sheet.objects.create(
        owner=rooms.gm, party=rooms.party, ruleset="condice", name="Bleibt", data=rooms.sheet.data)
    reviews.submit(other, rooms.gm)
    assert name in rooms.read("gm", "/notifications/").text
    if gone == "the account":
        rooms.player.delete()
    elif gone == "the sheet":
        rooms.sheet.delete()
    else:
        Sheet.objects.filter(owner=rooms.player).delete()
    assert name not in str(list(Notification.objects.values_list("data", flat=True)))
    page = rooms.read("gm", "/notifications/")
    assert [one in page.text for one in (name, "a sheet that is gone")] == [False, True]
    second = Notification.objects.get(user=rooms.second, data__sheet="Bleibt")
    assert "“Bleibt”" in notification_text(second)


def test_what_was_decided_in_a_party_that_a_sheet_has_left_does_not_hinder_a_press_in_the_next(rooms):
    rooms.approve()
    parties.release_sheets(rooms.party, rooms.party.sheets.all(), None)
    assert roll(rooms), "in no party at all"
    second = parties.found_party(rooms.gm, "Die zweite", rooms.sheet.system)
    Member.objects.create(party=second, user=rooms.player, role="player")
    rooms.browsers["player"].post(f"/sheets/{rooms.sheet.pk}/place/", {"do": "bring", "party": second.pk})
    rooms.sheet.refresh_from_db()
    assert rooms.sheet.party_id == second.pk
    assert (roll(rooms), review_status(rooms.sheet).number) == (True, 0)

"""What was approved under earlier rules: it is played on, and decided upon anew by those of today."""

import re

import pytest

from rulesets import systems
from sheets.character import Character
from sheets.models import Revision
from sheets.models.reviews import RENEWED, SUBMITTED
from tests.support.guest import text_of

pytestmark = [pytest.mark.django_db, pytest.mark.alike]


def overtaken(rooms, house):
    """An approved sheet whose party has other house rules by now, set as a GM sets them."""
    rooms.approve()
    address, browser = f"/parties/{rooms.party.pk}/house/", rooms.browsers["gm"]
    house["_version"] = re.search(r'name="_version" value="(\d+)"', browser.get(address).text)[1]
    seen = re.search(r'name="_seen" value="(\w+)"', browser.post(address, house).text)[1]
    assert browser.post(address, {"_seen": seen, "do": "save", **house}).status_code == 302
    rooms.party.refresh_from_db()
    rooms.sheet.refresh_from_db()
    # The party that the sheet holds is the one before.
    rooms.sheet = type(rooms.sheet).objects.get(pk=rooms.sheet.pk)


def test_what_was_approved_is_played_on_when_the_house_rules_are_others(rooms):
    overtaken(rooms, {"budget": "29", "policy.CD-01": "ask"})
    assert (rooms.state, Character(rooms.sheet).house.budget) == ("earlier", 30)
    assert "approved under earlier rules" in text_of(rooms.read("player", f"/sheets/{rooms.sheet.pk}/")).lower()
    for url in ("/reviews/", rooms.url):
        assert "30 points are spent, but only 29 are allowed" in text_of(rooms.read("gm", url))
    assert "What would fix it" in text_of(rooms.read("gm"))
    assert rooms.press("gm", "approve", **{rooms.asking()[0]: "Gilt weiter."}).status_code == 302
    assert (rooms.state, Character(rooms.sheet).house.budget) == ("approved", 29)
    assert [(one.kind, one.number) for one in Revision.objects.order_by("number")] == [(SUBMITTED, 1), (RENEWED, 2)]
    assert "Approved under earlier rules" not in text_of(rooms.read("gm", "/reviews/"))


def test_what_other_house_rules_forbid_is_returned_and_played_on_as_approved(rooms):
    overtaken(rooms, {"budget": "29"})
    answer = rooms.press("gm", "approve")
    assert (answer.status_code, "forbid" in text_of(answer)) == (409, True)
    assert rooms.press("gm", "return", **{"at.life": "Einer zu viel."}).status_code == 302
    assert (rooms.state, Character(rooms.sheet).house.budget) == ("earlier", 30)
    assert "Einer zu viel." in text_of(rooms.read("player"))
    assert rooms.press("player", "submit").status_code == 409
    rooms.change(life=rooms.sheet.data["life"] - 1)
    assert rooms.press("player", "submit").status_code == 302
    assert rooms.press("gm", "approve").status_code == 302
    assert (rooms.state, Character(rooms.sheet).house.budget) == ("approved", 29)


def test_a_comment_at_a_row_that_the_draft_no_longer_has_is_kept(rooms):
    overtaken(rooms, {"budget": "29"})
    rooms.change(attacks=rooms.sheet.data["attacks"][:1])
    assert 'name="at.attacks.1.dice"' in rooms.read("gm").text
    assert rooms.press("gm", "return", **{"at.attacks.1.dice": "Hier einer weniger."}).status_code == 302
    assert "Hier einer weniger." in text_of(rooms.read("player"))


def test_house_rules_that_are_as_before_again_leave_the_approval_as_it_was(rooms):
    overtaken(rooms, {"budget": "31"})
    assert rooms.state == "earlier"
    rooms.party.house = rooms.sheet.house = {}
    rooms.party.save()
    rooms.sheet.save()
    assert rooms.state == "approved"


def test_a_later_version_of_the_rules_leaves_what_is_played_and_is_approved_anew(rooms, monkeypatch):
    rooms.approve()
    monkeypatch.setitem(vars(systems()["condice"]), "version", systems()["condice"].version + 1)
    assert rooms.state == "earlier"
    assert Character(rooms.sheet).review_status.revision.rules == systems()["condice"].version - 1
    assert rooms.sheet.name in text_of(rooms.read("gm", "/reviews/"))
    assert rooms.press("gm", "approve").status_code == 302
    assert rooms.state == "approved"

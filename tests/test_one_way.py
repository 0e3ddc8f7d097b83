"""A press, a live change and an approval read from top to bottom: no room is come to again once it was left."""

import re
import uuid

import pytest

from sheets.models import Sheet
from tests.support.guest import example
from tests.support.one_way import followed
from tests.support.party import Rooms, browser

HTMX = {"HX-Request": "true"}


def press(rooms, widget, **answers):
    """What a press of a widget on the player's sheet calls, once what is kept in memory is there."""
    def form():
        seen = re.search(r'name="_seen" value="(\w*)"', rooms.read("player", f"/sheets/{rooms.sheet.pk}/").text)[1]
        return {"w": widget, "_press": uuid.uuid4(), "_seen": seen, **answers}

    def post(data):
        return rooms.browsers["player"].post(f"/sheets/{rooms.sheet.pk}/play/", data, headers=HTMX)

    post(form())
    again = form()
    return followed(lambda: post(again))


@pytest.fixture
def rooms(db):
    rooms = Rooms()
    rooms.party.approval = False
    rooms.party.save()
    return rooms


def test_a_roll_is_read_in_one_way(rooms):
    way, answer = press(rooms, "roll-attack-attacks-0", defence="0")
    assert answer.status_code == 200
    assert (way.rooms, way.again) == (["stage", "press", "status", "rolls", "forms"], [])


def test_an_act_is_read_in_one_way(rooms):
    way, answer = press(rooms, "act-damage", points="1")
    assert answer.status_code == 200
    assert (way.rooms, way.again) == (["stage", "press", "status", "rolls", "forms"], [])


def test_a_live_change_is_read_in_one_way(db, django_user_model):
    user = django_user_model.objects.create_user("paula")
    draft = Sheet.objects.create(owner=user, ruleset="condice", **{key: example()[key] for key in ("name", "data")})
    browser_ = browser(user)

    def change(life):
        draft.refresh_from_db()
        return browser_.post(f"/drafts/{draft.pk}/values/", {"life": life, "_version": draft.version}, headers=HTMX)

    change(5)
    way, answer = followed(lambda: change(6))
    assert answer.status_code == 200
    draft.refresh_from_db()
    assert draft.data["life"] == 6
    assert (way.rooms, way.again) == (["wizard", "forms", "history"], [])


def test_an_approval_is_read_in_one_way(rooms):
    rooms.wait().press("gm", "approve")
    rooms.change(life=4)
    rooms.wait()
    seal = re.search(r'name="_seal" value="(\w+)"', rooms.read("gm").text)[1]
    way, answer = followed(lambda: rooms.press("gm", "approve", _seal=seal))
    assert answer.status_code == 302
    assert rooms.state == "approved"
    assert (way.rooms, way.again) == (["reviews", "forms", "status", "audit_log", "notifications", "press"], [])

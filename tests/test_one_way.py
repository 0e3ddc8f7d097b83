"""A press, a live change and an approval read from top to bottom: no room is come to again once it was left."""

import re
import uuid

import pytest

from sheets.models import Event, PendingEffect, Sheet
from tests.support.guest import example
from tests.support.one_way import file_of, followed
from tests.support.party import Rooms, browser
from tests.support.sheets.fight import ATTACK, Fight

pytestmark = pytest.mark.alike
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
    assert (way.rooms, way.again) == (["stage", "press", "status", "rolls", "forms", "receipts", "scenes"], [])


def test_an_act_is_read_in_one_way(rooms):
    way, answer = press(rooms, "act-damage", points="1")
    assert answer.status_code == 200
    assert (way.rooms, way.again) == (["stage", "press", "status", "rolls", "forms", "scenes"], [])


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
    assert (way.rooms, way.again) == (["reviews", "status", "audit_log", "notifications", "press"], [])


class Presses:
    """Each kind of press, as htmx makes it; what waits for it is there."""

    def __init__(self, fight):
        self.fight = fight

    def post(self, who, address, page, **fields):
        """Make a press as the page at an address would, by what that page says of itself."""
        sent = dict(re.findall(r'<input type="hidden"[^>]* name="(_rows|_by|_at|_seen)" value="([^"]*)"', page))
        if since := re.search(r'id="newest"[^>]* data-word="([^"]*)"', page):
            sent["_since"] = since[1]
        return lambda: self.fight.browsers[who].post(address, sent | {"_press": uuid.uuid4()} | fields, headers=HTMX)

    def at_table(self, who, by, at, **fields):
        page = self.fight.look(who, by, at).text
        return self.post(who, f"{self.fight.address}play/?{self.fight.seats(by, at)}", page, **fields)

    def on_sheet(self, **fields):
        address = f"/sheets/{self.fight.sheets['anna'].pk}/"
        return self.post("anna", f"{address}play/", self.fight.browsers["anna"].get(address).text, **fields)

    def roll_at_a_target(self):
        return self.at_table("anna", "anna", "ben", w=ATTACK, extra_dice="0")

    def effect_applied(self):
        while not (waits := PendingEffect.objects.filter(state="open").last()):
            self.roll_at_a_target()()
        return self.at_table("ben", "ben", None, do=f"apply:{waits.pk}")

    def undo_at_the_table(self):
        self.effect_applied()()
        done = Event.objects.filter(act="damage", undone=False).last()
        return self.at_table("ben", "ben", None, do=f"back:{done.pk}")

    def roll_on_a_sheet(self):
        return self.on_sheet(w=ATTACK, defence="0", extra_dice="0")

    def act_on_a_sheet(self):
        return self.on_sheet(w="act-damage", points="1", against="nothing")


@pytest.mark.parametrize(("press", "again", "most"), [
    ("roll_at_a_target", 17, 31), ("effect_applied", 5, 29), ("undo_at_the_table", 4, 27), ("roll_on_a_sheet", 6, 27),
    ("act_on_a_sheet", 4, 24)])
def test_who_follows_a_press_reads_few_files_and_turns_back_to_no_room(django_user_model, press, again, most):
    fight = Fight(django_user_model.objects)
    fight.have("ben", **fight.sheets["anna"].data | {"defence": 0})
    made = getattr(Presses(fight), press)
    for _time in range(2):
        assert made()().status_code == 200
    assert followed(made())[0].again == []
    way, answer = followed(made(), file_of)
    assert answer.status_code == 200
    assert answer["HX-Reswap"] == "none"
    assert len(way.again) <= again, way.again
    whole, _answer = followed(made(), file_of, ())
    read = [one for one in whole.rooms if one.startswith("sheets/") and "/templatetags/" not in one]
    assert len(read) <= most, read

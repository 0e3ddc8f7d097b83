"""What lands at somebody's sheet: applied, changed, dismissed, taken back on both sides."""

import re
import uuid

import pytest

from sheets.models import Event, Landing, Sheet
from tests.support.guest import text_of
from tests.support.sheets.fight import hit, table

pytestmark = pytest.mark.django_db
__all__ = ["hit", "table"]


def test_who_is_hit_sees_what_it_would_change_and_applies_it_by_one_press(hit):
    page = hit.look("ben", "ben", None)
    assert "Ben Life points 10 → 8 Anna: Keule" in text_of(page)
    hit.settle("apply")
    assert hit.life("ben") == 8
    landing = Landing.objects.get()
    assert (landing.state, landing.applied.sheet, landing.applied.who) == (
        "applied", hit.sheets["ben"], hit.users["ben"])
    assert "2 suffered, life 8 (Anna: Keule)" in text_of(hit.look("ben", "ben", None))
    assert "2 eingesteckt" in text_of(hit.browsers["ben"].get(f"/sheets/{hit.sheets['ben'].pk}/",
                                                              headers={"Accept-Language": "de"}))


def test_at_the_table_both_are_one_line(hit):
    hit.settle("apply")
    log = hit.look("gm", at=None).text.partition('class="event-list"')[2].partition("</ol>")[0]
    assert log.count("<time") == 1
    assert "Anna" in log
    assert "→ Ben" in log


def test_what_landed_is_applied_otherwise_by_whom_it_hit(hit):
    hit.settle("change", points=1, against="nothing")
    assert hit.life("ben") == 9
    assert Landing.objects.get().filled == {"points": 2, "against": "nothing"}


def test_what_landed_is_dismissed_and_then_no_more_to_be_applied(hit):
    hit.settle("dismiss")
    hit.settle("apply")
    assert hit.life("ben") == 10
    assert Landing.objects.get().state == "dismissed"
    assert "settled already" in text_of(hit.look("ben", "ben", None))


def test_who_attacked_calls_it_off(hit):
    assert "Call it off" in text_of(hit.look("anna"))
    hit.settle("dismiss", "anna")
    assert Landing.objects.get().state == "dismissed"


def test_who_attacked_does_not_apply_it(hit):
    assert hit.settle("apply", "anna").status_code == 404
    assert hit.settle("change", "anna", points=1).status_code == 404
    assert hit.life("ben") == 10


def test_a_gm_decides_for_everybody(hit):
    hit.settle("apply", "helper")
    assert hit.life("ben") == 8


def test_an_offer_that_is_applied_twice_takes_effect_once(hit):
    for _time in range(2):
        hit.settle("apply", number=Landing.objects.get().pk)
    assert hit.life("ben") == 8
    assert Event.objects.filter(act="damage").count() == 1


@pytest.mark.parametrize("who", ["anna", "ben", "gm"])
def test_either_side_takes_it_back_and_it_is_open_again(hit, who):
    hit.settle("apply")
    back = re.search(r"back:(\d+)", hit.look(who, "anna" if who != "ben" else "ben", None).text)[1]
    hit.settle("back", who, back)
    landing = Landing.objects.get()
    assert (hit.life("ben"), landing.state, landing.applied) == (10, "open", None)
    assert Event.objects.get(act="damage").undone
    hit.settle("apply")
    assert hit.life("ben") == 8


def test_taken_back_at_the_sheet_it_is_open_at_the_table_again(hit):
    hit.settle("apply")
    hit.play("ben", "undo", _event=Event.objects.get(act="damage").pk)
    assert (hit.life("ben"), Landing.objects.get().state) == (10, "open")


def test_what_something_followed_on_is_not_taken_back(hit):
    hit.settle("apply")
    first = Event.objects.get(act="damage")
    hit.play("ben", "act-damage", points=1, against="nothing")
    hit.settle("back", "anna", first.pk)
    assert hit.life("ben") == 7
    assert Landing.objects.get().state == "applied"


@pytest.mark.rule("CD-49")
def test_a_repeat_calls_off_what_came_of_it_and_lands_anew(hit, dice):
    data = hit.sheet("anna").data
    Sheet.objects.filter(pk=hit.sheets["anna"].pk).update(
        data=data | {"abilities": [{"ability": "wurf-wiederholen", "range": 0}]})
    hit.settle("apply")
    dice += [[6, 6, 6, 6]]
    hit.play("anna", "act-repeat")
    assert hit.life("ben") == 10
    first, second = Landing.objects.order_by("pk")
    assert (first.state, second.state, second.filled["points"]) == ("dismissed", "open", 6)
    hit.settle("apply")
    assert hit.life("ben") == 4


def test_the_same_dice_meet_one_more_by_what_that_one_has_against_them(hit):
    Sheet.objects.create(owner=hit.users["gm"], party=hit.party, opponent=True, ruleset="condice", name="Troll",
                         data=hit.sheet("ben").data | {"defence": 3})
    hit.sheets["troll"] = Sheet.objects.get(name="Troll")
    event = Event.objects.get()
    assert f"also:{event.pk}" not in hit.look("anna").text
    assert f"also:{event.pk}" in hit.look("anna", "anna", "troll").text
    answer = hit.browsers["anna"].post(f"{hit.address}play/?{hit.seats('anna', 'troll')}", {"do": f"also:{event.pk}"})
    assert answer.status_code == 302
    landing = Landing.objects.latest("pk")
    assert (landing.sheet, landing.filled["points"]) == (hit.sheets["troll"], 1)
    hit.browsers["anna"].post(f"{hit.address}play/?{hit.seats('anna', 'troll')}", {"do": f"also:{event.pk}"})
    assert Landing.objects.count() == 2


@pytest.mark.rule("CD-49")
@pytest.mark.parametrize("where", ["sheet", "table"])
def test_where_the_party_trusts_a_repeat_is_applied_at_once_too(hit, dice, where):
    data = hit.sheet("anna").data
    Sheet.objects.filter(pk=hit.sheets["anna"].pk).update(
        data=data | {"abilities": [{"ability": "wurf-wiederholen", "range": 0}]})
    hit.settle("trust", "gm", "on")
    dice += [[6, 6, 6, 6]]
    if where == "sheet":
        hit.play("anna", "act-repeat")
    else:
        hit.press("act-repeat")
    assert (hit.life("ben"), Landing.objects.latest("pk").state) == (4, "applied")


def test_the_same_dice_meet_one_more_only_while_they_are_the_newest_and_are_applied_at_once_where_the_party_trusts(
        hit, dice):
    hit.settle("trust", "gm", "on")
    Sheet.objects.create(owner=hit.users["gm"], party=hit.party, opponent=True, ruleset="condice", name="Troll",
                         data=hit.sheet("ben").data)
    hit.sheets["troll"], address = Sheet.objects.get(name="Troll"), f"{hit.address}play/?"
    old = Event.objects.get()
    dice += [[6, 6, 6, 6]]
    hit.press(at=None)
    hit.browsers["anna"].post(address + hit.seats("anna", "troll"), {"do": f"also:{old.pk}"})
    assert Landing.objects.count() == 1
    assert "These dice do not meet anybody else." in text_of(hit.look("anna"))
    dice += [[6, 6, 6, 6]]
    hit.press()
    before = hit.life("troll")
    newest = Event.objects.filter(act="").latest("pk")
    hit.browsers["anna"].post(address + hit.seats("anna", "troll"), {"do": f"also:{newest.pk}"})
    assert (Landing.objects.latest("pk").state, hit.life("troll") < before) == ("applied", True)


def sheet_of(table, who, asks=None):
    """The page of Ben's sheet as somebody reads it."""
    return table.browsers[asks or who].get(f"/sheets/{table.sheets[who].pk}/")


def test_who_is_hit_sees_it_on_the_own_sheet_and_applies_it_there(hit):
    number = Landing.objects.get().pk
    assert "Ben Life points 10 → 8 Anna: Keule" in text_of(sheet_of(hit, "ben"))
    answer = hit.browsers["ben"].post(f"/sheets/{hit.sheets['ben'].pk}/play/", {
        "do": f"apply:{number}", "_press": str(uuid.uuid4())})
    assert answer["Location"].startswith(f"/sheets/{hit.sheets['ben'].pk}/")
    assert (hit.life("ben"), Landing.objects.get().state) == (8, "applied")
    assert f"apply:{number}" not in sheet_of(hit, "ben").text


def test_others_who_read_that_sheet_see_nothing_to_decide_there(hit):
    for who in ("gm", "anna"):
        page = sheet_of(hit, "ben", who)
        assert page.status_code == 200
        assert 'id="landings"' not in page.text
        assert 'id="look"' not in page.text
        assert hit.browsers[who].post(f"/sheets/{hit.sheets['ben'].pk}/play/", {
            "do": f"apply:{Landing.objects.get().pk}", "_press": str(uuid.uuid4())}).status_code == 404
    assert hit.life("ben") == 10


def test_a_sheet_that_is_open_asks_what_has_landed_since(hit):
    address = re.search(r'hx-get="([^"]+/landed/\?known=[^"]*)"', sheet_of(hit, "ben").text)[1]
    assert hit.browsers["ben"].get(address).status_code == 204
    hit.settle("dismiss")
    answer = hit.browsers["ben"].get(address)
    assert answer.status_code == 200
    assert "Keule" not in answer.text


def test_a_landing_of_another_sheet_is_not_settled_by_ones_own_address(hit):
    assert hit.browsers["anna"].post(f"/sheets/{hit.sheets['anna'].pk}/play/", {
        "do": f"apply:{Landing.objects.get().pk}", "_press": str(uuid.uuid4())}).status_code == 404
    assert hit.life("ben") == 10


def test_who_is_private_is_named_to_nobody_who_does_not_read_that_sheet(hit, dice):
    """Neither as a target, nor as whom something came from, at the table or on the sheet that it hit."""
    Sheet.objects.filter(pk=hit.sheets["ben"].pk).update(seen_by="private", name="Cleopatra")
    Sheet.objects.create(owner=hit.users["gm"], party=hit.party, opponent=True, ruleset="condice", name="Troll",
                         seen_by="party", data=hit.sheet("ben").data | {"defence": 2})
    hit.sheets["troll"] = Sheet.objects.get(name="Troll")
    Event.objects.all().delete()
    for who, by, at in (("gm", "troll", "ben"), ("ben", "ben", "troll")):
        dice += [[6, 5, 4, 1]]
        assert hit.press(who=who, by=by, at=at).status_code == 302
        hit.settle("apply", "gm")
    troll = f"/sheets/{hit.sheets['troll'].pk}/"
    for page in (hit.look("anna").text, hit.browsers["anna"].get(troll).text):
        assert "Troll" in page
        assert "Cleopatra" not in page
    assert "→ Cleopatra" in hit.look("gm", "troll", None).text
    assert "→ Troll" in hit.look("ben", "ben", None).text

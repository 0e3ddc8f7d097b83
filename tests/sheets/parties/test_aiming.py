"""Playing at the party's table: who acts, whom it is aimed at, and what lands there."""

import re
import uuid
from urllib.parse import urlencode

import pytest

from rulesets.dice import LoadedTray, thrown
from sheets.models import Event, Landing, Sheet
from tests.guest import text_of
from tests.sheets.parties.table_people import RoundTable

pytestmark = pytest.mark.django_db
ATTACK = "roll-attack-attacks-0"


class Fight(RoundTable):
    """A table at which one presses what stands there for whom one plays."""

    def seats(self, by="anna", at="ben"):
        return urlencode({"_by": self.sheets[by].pk, **({"_at": self.sheets[at].pk} if at else {})})

    def look(self, who="anna", by="anna", at="ben", **headers):
        return self.browsers[who].get(f"{self.address}?{self.seats(by, at)}", headers=headers)

    def press(self, w=ATTACK, who="anna", by="anna", at="ben", key=None, *, htmx=False, **fields):
        """Presses a roll or an act of whom somebody plays, aimed at somebody."""
        return self.browsers[who].post(
            f"{self.address}play/?{self.seats(by, at)}", {"w": w, "_press": str(key or uuid.uuid4()), **fields},
            headers={"HX-Request": "true"} if htmx else {})

    def settle(self, word, who="ben", number=None, key=None, **fields):
        """Presses a button at what has landed last."""
        number = number or Landing.objects.latest("pk").pk
        return self.browsers[who].post(f"{self.address}play/", {
            "do": f"{word}:{number}", "_press": str(key or uuid.uuid4()), **fields})

    def life(self, who):
        """The life points that somebody has left."""
        return self._life(self.sheet(who).play, self.sheet(who).data)

    def full(self, who):
        """The life points that somebody has at the most."""
        return self._life({}, self.sheet(who).data)

    def _life(self, play, data):
        gauges = self.ruleset.play.model_validate(play).gauges(self.ruleset.sheet.model_validate(data))
        return next(one.left for one in gauges if one.key == "life")


@pytest.fixture
def table(django_user_model):
    return Fight(django_user_model.objects)


@pytest.fixture
def dice(monkeypatch):
    """Faces for the next throws, one tray each."""
    faces = []

    def loaded(throw, tray=None):
        return thrown(throw, LoadedTray(*faces.pop(0)) if faces else tray)

    monkeypatch.setattr("sheets.play.services.thrown", loaded)
    return faces


@pytest.fixture
def hit(table, dice):
    """Anna has hit Ben for two."""
    Sheet.objects.filter(pk=table.sheets["ben"].pk).update(data=table.sheets["anna"].data | {"defence": 2, "life": 5})
    Sheet.objects.filter(pk=table.sheets["anna"].pk).update(
        data=table.sheets["anna"].data | {"attacks": [{"name": "Keule", "dice": 4, "range": 0, "description": ""}]})
    dice += [[6, 5, 4, 1]]
    assert table.press().status_code == 302
    return table


@pytest.mark.rule("CD-41", "CD-45")
def test_an_attack_knows_the_defence_of_its_target_and_lands_there_as_an_offer(hit):
    event, landing = Event.objects.get(), Landing.objects.get()
    assert (event.given["defence"], event.outcome, event.aimed_at) == (2, 2, {str(hit.sheets["ben"].pk): "Ben"})
    assert (landing.event, landing.sheet, landing.act, landing.state) == (event, hit.sheets["ben"], "damage", "open")
    assert hit.life("ben") == 10


def test_who_is_hit_sees_what_it_would_change_and_applies_it_by_one_press(hit):
    page = hit.look("ben", "ben", None)
    assert "Ben Life points 10 → 8 Anna: Keule" in text_of(page)
    hit.settle("apply")
    assert hit.life("ben") == 8
    landing = Landing.objects.get()
    assert (landing.state, landing.applied.sheet, landing.applied.who) == (
        "applied", hit.sheets["ben"], hit.users["ben"])
    assert "2 suffered, life 8 (Anna: Keule)" in text_of(hit.look("anna"))
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


def test_a_miss_lands_nowhere_and_is_told(table, dice):
    dice += [[1] * 9]
    table.press()
    assert Event.objects.get().aimed_at
    assert not Landing.objects.exists()
    assert "→ Ben" in text_of(table.look("ben", "ben", None))


def test_the_odds_stand_there_before_it_is_thrown(hit):
    bare = hit.look("anna", at=None)
    assert 'name="against.defence"' in bare.text
    aimed = hit.look("anna")
    assert 'name="against.defence"' not in aimed.text
    assert re.search(r"\d+ % hit", text_of(aimed))


def test_odds_are_those_of_the_other_side_as_it_is_now(hit):
    before = re.search(r"(\d+) % hit", text_of(hit.look("anna")))[1]
    hit.play("ben", "act-change-attributes-others", attributes="defence", by=3, rounds=2, name="Schild")
    after = re.search(r"(\d+) % hit", text_of(hit.look("anna")))[1]
    assert int(after) < int(before)


def test_a_press_that_arrives_twice_is_one(table):
    key = uuid.uuid4()
    for _time in range(2):
        assert table.press(key=key).status_code == 302
    assert Event.objects.count() == 1


def test_by_htmx_the_press_answers_what_it_has_changed(hit, dice):
    dice += [[6, 5, 4, 1]]
    answer = hit.press(htmx=True)
    assert answer["HX-Reswap"] == "none"
    assert 'id="tray"' in answer.text
    assert f'id="press-{ATTACK}"' in answer.text
    assert 'id="aim"' not in answer.text


def test_nobody_but_a_gm_acts_for_anothers_sheet(table):
    assert table.press(who="ben", by="anna", at="ben").status_code == 404
    assert not Event.objects.exists()
    assert table.press(who="gm", by="anna", at="ben").status_code == 302
    assert Event.objects.get().who == table.users["gm"]


def test_what_a_gm_mends_is_logged_and_undoable_by_both(table):
    for who in ("anna", "gm"):
        table.press("act-damage", "gm", "anna", None, points=2, against="nothing")
        event = Event.objects.latest("pk")
        assert (event.act, event.who, table.life("anna")) == ("damage", table.users["gm"], table.full("anna") - 2)
        assert f"back:{event.pk}" in table.look(who, "anna", None).text
        table.settle("back", who, event.pk)
        assert table.life("anna") == table.full("anna")


def test_a_sheet_that_one_does_not_see_is_no_target(table):
    Sheet.objects.filter(pk=table.sheets["ben"].pk).update(seen_by="private")
    assert table.press().status_code == 404
    assert "Ben" not in text_of(table.look("anna"))


def test_others_find_nothing_at_the_address(table, client, django_user_model):
    client.force_login(django_user_model.objects.create_user("stranger"))
    address, press = f"{table.address}play/?{table.seats()}", {"w": ATTACK, "_press": str(uuid.uuid4())}
    assert (client.get(address).status_code, client.post(address, press).status_code) == (404, 404)


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


@pytest.mark.rule("CD-29")
def test_life_that_is_given_is_taken_back_on_both_sides_by_one_press(table):
    for who, life in (("anna", 5), ("ben", 5)):
        Sheet.objects.filter(pk=table.sheets[who].pk).update(data=table.sheet(who).data | {
            "life": life, "abilities": [{"ability": "leben-transferieren", "life_points": 4, "range": 0}]})
    table.play("ben", "act-damage", points=6, against="nothing")
    table.press("act-give-life-abilities-0", points=3)
    assert (table.life("anna"), table.life("ben")) == (7, 4)
    table.settle("apply")
    assert (table.life("anna"), table.life("ben")) == (7, 7)
    table.play("ben", "undo", _event=Event.objects.latest("pk").pk)
    assert (table.life("anna"), table.life("ben")) == (10, 4)
    assert Landing.objects.get().state == "dismissed"
    assert set(Event.objects.filter(undone=True).values_list("act", flat=True)) == {"give-life", "heal"}


@pytest.mark.rule("CD-33", "CD-50")
def test_a_boost_for_another_lands_there_as_an_effect(table):
    Sheet.objects.filter(pk=table.sheets["anna"].pk).update(data=table.sheet("anna").data | {
        "abilities": [{"ability": "boost-debuff", "variant": "I", "extra_targets": 0, "range": 0}]})
    table.press("act-boost-other-abilities-0", attributes="defence", way="raise")
    table.settle("apply")
    effect = table.sheet("ben").play["effects"][0]
    assert effect["defence"] > 0
    assert effect["rounds"]


@pytest.mark.rule("CD-35")
def test_an_area_attack_ignores_what_protects(table):
    Sheet.objects.filter(pk=table.sheets["anna"].pk).update(data=table.sheet("anna").data | {
        "abilities": [{"ability": "flaechenangriff", "fields": 1, "damage": 2, "distance": 0, "range": 0}]})
    table.press("act-area-attack-abilities-0")
    table.settle("apply")
    assert table.life("ben") == table.full("ben") - 2


@pytest.mark.rule("CD-29")
def test_life_drawn_by_force_is_lost_by_the_attack_alone(table, dice):
    Sheet.objects.filter(pk=table.sheets["anna"].pk).update(data=table.sheet("anna").data | {
        "abilities": [{"ability": "leben-transferieren", "life_points": 4, "range": 0}]})
    dice += [[6, 6, 6, 6]]
    table.press("roll-mental-damage-abilities-0")
    points = Landing.objects.get().filled["points"]
    draw = re.search(r'id="tray-(act-draw-life-[\w-]+)"', table.look("anna").text)[1]
    table.press(draw)
    assert Landing.objects.count() == 1
    table.settle("apply")
    assert table.life("ben") == table.full("ben") - points

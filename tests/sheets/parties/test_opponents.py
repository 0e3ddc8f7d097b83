"""Opponents at a party's table: made by GMs, seen by players as names and wounds, aimed at by everybody."""

import re
import uuid

import pytest

from rulesets import systems
from sheets.models import Event, Landing, Sheet
from tests.support.guest import text_of
from tests.support.sheets.fight import ATTACK, Fight

pytestmark = pytest.mark.django_db
TROLL = {"_name": "Troll", "_count": "1", "dice": 6, "defence": 3, "life": 16}


class Den(Fight):
    """A table with opponents."""

    def make(self, word="figures", who="gm", **fields):
        return self.browsers[who].post(f"/parties/{self.party.pk}/opponents/", {"do": word, **TROLL, **fields})

    def troll(self, **fields):
        """A troll, under its name among the sheets."""
        assert self.make(**fields).status_code == 302
        self.sheets["troll"] = Sheet.objects.get(opponent=True)
        return self


@pytest.fixture
def den(django_user_model):
    return Den(django_user_model.objects)


def test_a_few_figures_make_an_opponent(den):
    den.troll()
    sheet = den.sheets["troll"]
    assert (sheet.name, sheet.owner, sheet.party, sheet.seen_by) == ("Troll", den.users["gm"], den.party, "private")
    assert (den.life("troll"), sheet.data["defence"], sheet.data["attacks"][0]["dice"]) == (16, 3, 6)


@pytest.mark.parametrize("slug", [slug for slug, one in systems().items() if one.crossing.side])
def test_the_figures_of_an_opponent_are_those_that_it_then_has(django_user_model, slug):
    den = Den(django_user_model.objects, slug)
    side = den.ruleset.crossing.side(life=18)
    fields = {key: "" if value is None else value for key, value in side.model_dump().items()}
    assert den.browsers["gm"].post(f"/parties/{den.party.pk}/opponents/", {
        "do": "figures", "_name": "X", "_count": "1", **fields}).status_code == 302
    sheet = Sheet.objects.get(opponent=True)
    written = den.ruleset.sheet.model_validate(sheet.data)
    made = next(den.ruleset.contest.of(written, den.ruleset.play.model_validate(sheet.play))).take()
    told = {"skill", "start", "modifier"}
    assert made.model_dump(exclude=told) == side.model_dump(exclude=told)


def test_several_are_told_apart_by_numbers_that_go_on(den):
    den.make(_name="Goblin", _count="3")
    den.make(_name="Goblin", _count="1")
    names = Sheet.objects.filter(opponent=True).order_by("name").values_list("name", flat=True)
    assert list(names) == ["Goblin 1", "Goblin 2", "Goblin 3", "Goblin 4"]


def test_the_dice_make_some_and_so_does_a_sheet(den):
    den.make("random", _name="", _count="2")
    den.make("copy", _name="Doppelgänger", _count="1", sheet=den.sheets["anna"].pk)
    assert Sheet.objects.filter(opponent=True).count() == 3
    assert Sheet.objects.get(name="Doppelgänger").data == den.sheet("anna").data


def test_no_two_that_the_dice_make_bear_one_name(den):
    for _time in range(2):
        den.make("random", _name="", _count="12")
    names = Sheet.objects.filter(opponent=True).values_list("name", flat=True)
    assert len(set(names)) == len(names) == 24


@pytest.mark.parametrize("fields", [{"_count": "0"}, {"_count": "13"}, {"_count": "viele"}, {"life": "0"},
                                    {"dice": "x"}, {"_name": "x" * 191}])
def test_what_makes_no_sense_makes_nobody(den, fields):
    assert den.make(**fields).status_code == 422
    assert not Sheet.objects.filter(opponent=True).exists()


@pytest.mark.parametrize("who", ["anna", "ben"])
def test_players_make_none_and_find_no_such_page(den, who):
    assert den.make(who=who).status_code == 404
    assert den.browsers[who].get(f"/parties/{den.party.pk}/opponents/").status_code == 404


def test_an_opponent_is_in_nobodys_list_of_sheets(den):
    den.troll()
    for address in ("/sheets/", f"/parties/{den.party.pk}/"):
        assert "Troll" not in text_of(den.browsers["gm"].get(address))


def test_whose_sheet_a_gm_plays_on_is_told_once(den):
    den.users["anna"].notifications.all().delete()
    for _time in range(2):
        den.press("act-damage", "gm", "anna", None, points=1, against="nothing")
    assert [one.kind for one in den.users["anna"].notifications.all()] == ["mended"]
    said = text_of(den.browsers["anna"].get("/notifications/"))
    assert "gm has played “Take damage” with your sheet “Anna” at the table of “Die Runde”" in said
    assert "(2 times)" in said


def test_an_opponent_is_played_where_only_what_is_approved_is(den):
    den.troll()
    den.party.approval = True
    den.party.save()
    den.press(ATTACK, "gm", "troll", "anna")
    assert Event.objects.count() == 1


def test_an_opponent_is_shown_and_hidden_and_taken_out(den):
    den.troll()
    key = den.sheets["troll"].pk
    den.make(f"show:{key}")
    assert "Life points" in text_of(den.look("anna")).partition("Opponents")[2]
    assert den.browsers["anna"].get(f"/sheets/{key}/").status_code == 200
    den.make(f"hide:{key}")
    assert den.browsers["anna"].get(f"/sheets/{key}/").status_code == 404
    den.make(f"out:{key}")
    assert "Troll" not in text_of(den.look("gm", "anna", "ben"))
    assert Sheet.objects.get(pk=key).deleted


def test_where_the_party_trusts_what_lands_is_applied_at_once(den, dice):
    den.troll()
    assert den.settle("trust", "anna", "on").status_code == 404
    den.settle("trust", "gm", "on")
    dice += [[6, 6, 6, 6, 6, 6]]
    before = den.life("anna")
    den.press(ATTACK, "gm", "troll", "anna")
    landing = Landing.objects.get()
    assert (landing.state, before - den.life("anna")) == ("applied", min(before, landing.filled["points"]))


def test_turns_go_round_and_rounds_are_counted(den):
    den.troll()
    order = ["Anna", "Ben", "Troll"]
    assert den.settle("turn", "anna", "begin").status_code == 404
    den.settle("turn", "gm", "begin")
    for round_ in (1, 2):
        for name in order:
            party = den.stored
            assert (party.round, Sheet.objects.get(pk=party.turn).name) == (round_, name)
            den.settle("turn", "anna" if name == "Anna" else "gm", "next")
    assert den.settle("turn", "ben", "next").status_code == 404
    den.settle("turn", "gm", "end")
    assert (den.stored.round, den.stored.turn) == (0, None)


def test_whose_turn_it_is_is_told_and_may_hold_back(den):
    den.settle("turn", "gm", "begin")
    assert "It is the turn of Anna." in text_of(den.look("anna"))
    assert "It is the turn of" not in text_of(den.look("ben", "ben", None))
    den.settle("turn", "anna", "hold")
    assert "It is the turn of Ben." in text_of(den.look("ben", "ben", None))
    den.settle("turn", "ben", "next")
    assert (den.stored.round, den.stored.turn) == (1, den.sheets["anna"].pk)


def test_a_turn_that_two_end_at_once_is_ended_once(den):
    den.settle("turn", "gm", "begin")
    seen = re.search(r'name="_turn" value="([^"]+)"', den.look("anna").text)[1]
    for word in ("next", "hold"):
        for who in ("gm", "anna"):
            assert den.settle("turn", who, word, _turn=seen).status_code == 302
    assert (den.stored.round, den.stored.turn, den.stored.order) == (1, den.sheets["ben"].pk, [])
    assert "That is settled already." in text_of(den.look("anna"))


def test_what_all_did_at_once_is_taken_back_for_all(den):
    for who in ("anna", "ben"):
        den.play(who, "act-damage", points=2, against="nothing")
    den.do("round", w="act-end-adventure")
    assert den.life("anna") == den.full("anna")
    event = Event.objects.filter(act="end-adventure").first()
    assert den.settle("all-back", "anna", event.pk).status_code == 404
    den.play("ben", "act-damage", points=1, against="nothing")
    den.settle("all-back", "gm", event.pk)
    assert den.life("anna") == den.full("anna") - 2
    assert den.life("ben") == den.full("ben") - 1
    assert "Ben did something else since; that stays." in text_of(den.look("gm", "anna", None))


@pytest.mark.rule("DR-12")
def test_who_loses_a_duel_takes_the_damage(django_user_model, dice):
    den = Den(django_user_model.objects, "dice-rumble")
    dice += [[9, 1]]
    den.press("roll-duel-damage", threshold=5, weapon=0)
    landing = Landing.objects.get()
    weapon = den.ruleset.crossing.figures(den.ruleset.sheet.model_validate(den.sheet("ben").data),
                                          den.ruleset.play())["weapon"]
    assert (landing.sheet, landing.filled["points"]) == (den.sheets["anna"], 8 + weapon)
    den.settle("apply", "anna")
    assert den.life("anna") == den.full("anna") - 8 - weapon


@pytest.mark.rule("DS-20", "DS-23")
def test_damage_follows_a_hit_and_lands_where_that_was_aimed(django_user_model, dice):
    den = Den(django_user_model.objects, "daemmersturm")
    page = den.look("anna").text
    attack = re.search(r'id="w-(roll-attack-[\w-]+)"', page)[1]
    dice += [[20], [3], [5]]
    den.press(attack)
    assert Event.objects.get().outcome == "critical"
    assert not Landing.objects.exists()
    follow = re.search(r'id="tray-(roll-critical-[\w-]+)"', den.look("anna").text)[1]
    den.press(follow)
    follow = re.search(r'id="tray-(roll-damage-[\w-]+)"', den.look("anna").text)[1]
    dice[:] = [[2, 2]]
    den.press(follow)
    assert Landing.objects.get().sheet == den.sheets["ben"]


@pytest.mark.rule("DS-40", "DS-41", "DS-42")
@pytest.mark.parametrize(("face", "state"), [(20, "dismissed"), (1, "open")])
def test_whom_damage_hits_may_stop_it_by_shield_and_armour_each_once(django_user_model, dice, face, state):
    den = Den(django_user_model.objects, "daemmersturm")
    data = den.sheet("ben").data | {"shield": {"target": 15}, "armour": {"target": 5, "max_damage": 0}}
    Sheet.objects.filter(pk=den.sheets["ben"].pk).update(data=data)
    event = Event.objects.create(sheet=den.sheets["anna"], party=den.party, key=uuid.uuid4(), widget="x", title="Hieb")
    landing = Landing.objects.create(event=event, sheet=den.sheets["ben"], act="damage", filled={"points": 4})
    shield, armour = (f"roll-{one}-landing-{landing.pk}" for one in ("shield", "armour"))
    page = den.look("ben", "ben", None).text
    assert page.index(f"guard:{landing.pk}:{shield}") < page.index(f"guard:{landing.pk}:{armour}")
    assert "guard:" not in den.look("anna").text
    assert den.settle("guard", "anna", f"{landing.pk}:{shield}").status_code == 404
    dice += [[face]]
    den.settle("guard", "ben", f"{landing.pk}:{shield}")
    landing.refresh_from_db()
    assert landing.state == state
    page = den.look("ben", "ben", None).text
    assert f":{shield}" not in page
    assert (f":{armour}" in page) == (state == "open")


def test_a_press_by_htmx_keeps_who_acts_and_whom_it_is_aimed_at(den):
    seats = {"_by": den.sheets["anna"].pk, "_at": den.sheets["ben"].pk}
    answer = den.browsers["anna"].post(f"{den.address}play/", {
        "w": "act-damage", "points": 1, "against": "nothing", "_press": str(uuid.uuid4()), **seats},
        headers={"HX-Request": "true"})
    assert f"_at={den.sheets['ben'].pk}" in answer.text

"""Opponents at a party's table: made by GMs, seen by players as names and wounds, aimed at by everybody."""

import re
import uuid

import pytest

from rulesets import systems
from sheets.models import PLAYER, Event, Party, PendingEffect, Sheet
from sheets.parties import services as parties
from tests.support.guest import text_of, words_in
from tests.support.sheets.fight import ATTACK, table_of


def test_a_few_figures_make_an_opponent_who_is_in_nobodys_list_of_sheets(table):
    sheet = table.troll()
    assert (sheet.name, sheet.owner, sheet.party, sheet.seen_by) == ("Troll", table.users["gm"], table.party, "private")
    assert (table.life("troll"), sheet.data["defence"], sheet.data["attacks"][0]["dice"]) == (16, 3, 6)
    for address in ("/sheets/", f"/parties/{table.party.pk}/"):
        assert "Troll" not in text_of(table.browsers["gm"].get(address))


@table_of(*(slug for slug, one in systems().items() if one.crossing.side))
def test_the_figures_of_an_opponent_are_those_that_it_then_has(table):
    shape = table.ruleset.crossing.side
    side = shape(**{key: 18 for key in ("life",) if key in shape.model_fields})
    fields = {key: "" if value is None else value for key, value in side.model_dump().items()}
    assert table.browsers["gm"].post(f"/parties/{table.party.pk}/opponents/", {
        "do": "figures", "_name": "X", "_count": "1", **fields}).status_code == 302
    sheet = Sheet.objects.get(opponent=True)
    written = table.ruleset.sheet.model_validate(sheet.data)
    made = next((table.ruleset.contest or shape).of(written, table.ruleset.play.model_validate(sheet.play))).take()
    told = {"skill", "start", "modifier", "mental_resistance", "shield_bonus", "movement"}
    assert made.model_dump(exclude=told) == side.model_dump(exclude=told)


@pytest.mark.rule("CD-04", "CD-05", "CD-06")
def test_life_of_an_odd_number_is_as_many_as_were_typed_and_mind_and_movement_are_asked_for(table):
    table.make(_name="Ratte", _count="1", life="7", mental_resistance="5", movement="2")
    sheet = Sheet.objects.get(opponent=True)
    assert sheet.data["movement"] == 2
    written, play = table.ruleset.sheet.model_validate(sheet.data), table.ruleset.play.model_validate(sheet.play)
    [gauge] = [one for one in play.gauges(written) if one.key == "life"]
    assert (gauge.current, gauge.most, written.mental_resistance) == (7, 7, 5)
    page = text_of(table.browsers["gm"].get(f"/parties/{table.party.pk}/opponents/")).partition("From a few numbers")[2]
    asked = ("Attack dice", "Defence", "Life points now", "Mental resistance")
    assert sorted(asked, key=page.index) == [*asked]


@table_of("daemmersturm")
def test_of_a_few_figures_only_those_are_asked_that_the_sheet_keeps(table):
    assert {*table.ruleset.crossing.side.offer().asks} == {
        "skill", "bonus", "damage", "reload", "life", "melee", "ranged", "magic", "shield", "armour", "armour_most"}


@pytest.mark.rule("DR-06")
@table_of("dice-rumble")
def test_however_an_opponent_is_made_it_has_the_fate_that_the_house_gives_to_the_gms_characters(table):
    table.make("random", _name="", _count="1")
    table.make("copy", _name="Doppelgänger", _count="1", sheet=table.sheets["anna"].pk, keep="on")
    kept = Sheet.objects.get(party=None, name="Doppelgänger")
    table.make("stage", sheet=kept.pk)
    assert [one.play for one in Sheet.objects.filter(opponent=True, party=table.party)] == [{"npc": True}] * 3


def test_several_are_told_apart_by_numbers_that_go_on(table):
    table.make(_name="Goblin", _count="3")
    table.make(_name="Goblin", _count="1")
    assert sorted(Sheet.objects.filter(opponent=True).values_list("name", flat=True)) == [
        "Goblin 1", "Goblin 2", "Goblin 3", "Goblin 4"]


def test_the_dice_make_some_of_whom_no_two_bear_one_name_and_so_does_a_sheet(table):
    for _time in range(2):
        table.make("random", _name="", _count="12")
    names = Sheet.objects.filter(opponent=True).values_list("name", flat=True)
    assert len(set(names)) == len(names) == 24
    table.make("copy", _name="Doppelgänger", _count="1", sheet=table.sheets["anna"].pk)
    assert Sheet.objects.get(name="Doppelgänger").data == table.sheet("anna").data


def test_what_makes_no_sense_makes_nobody_and_players_make_none_and_find_no_such_page(table):
    for fields in ({"_count": "0"}, {"_count": "13"}, {"_count": "viele"}, {"life": "0"}, {"dice": "x"},
                   {"_name": "x" * 191}):
        assert table.make(**fields).status_code == 422, fields
    shown = table.make(_name="x" * 60_000, _count="9" * 60_000).text
    assert "x" * 381 not in shown
    assert "9" * 191 not in shown
    assert table.make(who="anna").status_code == 404
    assert table.browsers["anna"].get(f"/parties/{table.party.pk}/opponents/").status_code == 404
    assert not Sheet.objects.filter(opponent=True).exists()


def test_whose_sheet_a_gm_plays_on_is_told_once(table):
    table.users["anna"].notifications.all().delete()
    for _time in range(2):
        table.press("act-damage", "gm", "anna", None, points=1, against="nothing")
    assert [one.kind for one in table.users["anna"].notifications.all()] == ["mended"]
    said = text_of(table.browsers["anna"].get("/notifications/"))
    assert re.search(
        r"gm has played “Take damage” with your sheet “Anna” at the table of “Die Runde”.*\(2 times\)", said)


def test_an_opponent_is_shown_and_hidden_and_taken_out(table):
    key = table.troll().pk
    for word, status in (("show", 200), ("hide", 404)):
        table.make(f"{word}:{key}")
        shown = text_of(table.look("anna")).rpartition("T Troll")[2]
        assert ("Life points" in shown, table.own("troll", "anna").status_code) == (status == 200, status)
    table.make(f"out:{key}")
    page = text_of(table.browsers["gm"].get(f"/parties/{table.party.pk}/opponents/"))
    assert "“Troll” has been removed, and is in its owner's bin for 30 days." in page
    assert "Troll" not in text_of(table.look("gm", "anna", "ben"))
    assert Sheet.objects.get(pk=key).deleted


def test_a_co_gm_who_becomes_a_player_leaves_the_opponents_to_the_gm_without_what_was_noted_on_them(table):
    key = table.troll(who="helper").pk
    Sheet.objects.filter(pk=key).update(notes="Nur für mich.", share="x" * 20)
    parties.appoint(table.party.members.get(user=table.users["helper"]), PLAYER, table.users["gm"])
    for url in (f"/sheets/{key}/", f"/drafts/{key}/", f"/shared/{'x' * 20}/"):
        assert table.browsers["helper"].get(url).status_code == 404
    assert table.press(ATTACK, "helper", "troll", "anna").status_code == 404
    troll = table.sheet("troll")
    assert (troll.owner, troll.opponent, troll.party, troll.notes) == (table.users["gm"], True, table.party, "")


def test_an_opponent_is_played_where_only_what_is_approved_is_and_lands_at_once_where_the_party_trusts(table, dice):
    table.troll()
    Party.objects.update(approval=True)
    table.press(ATTACK, "gm", "troll", "anna")
    assert Event.objects.count() == 1
    PendingEffect.objects.all().delete()
    Party.objects.update(approval=False)
    assert table.settle("trust", "anna", "on").status_code == 404
    table.settle("trust", "gm", "on")
    dice += [[6, 6, 6, 6, 6, 6]]
    before = table.life("anna")
    table.press(ATTACK, "gm", "troll", "anna")
    effect = PendingEffect.objects.get()
    assert (effect.state, before - table.life("anna")) == ("applied", min(before, effect.filled["points"]))


def test_turns_go_round_and_rounds_are_counted_and_whose_turn_it_is_is_told(table):
    table.troll()
    table.do(f"place:{table.sheets['anna'].pk}:0")
    assert table.settle("turn", "anna", "begin").status_code == 404
    table.settle("turn", "gm", "begin")
    for round_ in (1, 2):
        for name in ("Anna", "Ben", "Troll"):
            assert (table.scene.round, table.on) == (round_, [name])
            assert ("It is your turn" in text_of(table.look("anna"))) == (name == "Anna")
            table.settle("turn", "anna" if name == "Anna" else "gm", "next")
    assert "It is your turn" not in text_of(table.look("ben", "ben", None))
    assert table.settle("turn", "ben", "next").status_code == 404
    table.settle("turn", "gm", "end")
    assert (table.scene.round, table.on) == (0, [])


@pytest.mark.rule("CD-52")
def test_a_side_is_on_together_and_each_of_it_ends_their_own_turn(table):
    table.troll()
    table.settle("turn", "gm", "begin")
    for who, left in (("ben", ["Anna"]), ("anna", ["Troll"])):
        assert "It is your turn" in text_of(table.look(who, who, None))
        table.settle("turn", who, "next")
        assert (table.scene.round, table.on) == (1, left)
    table.settle("turn", "gm", "next")
    assert (table.scene.round, table.on) == (2, ["Anna", "Ben"])
    table.settle("turn", "gm", "next")
    assert table.on == ["Troll"]


def test_whose_turn_it_is_may_hold_back_and_a_turn_that_two_end_at_once_is_ended_once(table):
    table.do(f"place:{table.sheets['anna'].pk}:0")
    table.settle("turn", "gm", "begin")
    seen = re.search(r'name="_turn" value="([^"]+)"', table.look("anna").text)[1]
    table.settle("turn", "anna", "hold")
    assert "It is your turn" in text_of(table.look("ben", "ben", None))
    for word in ("next", "hold"):
        for who in ("gm", "anna"):
            assert table.settle("turn", who, word, _turn=seen).status_code == 302
    assert (table.scene.round, table.on) == (1, ["Ben"])
    assert "That has already been settled." in text_of(table.look("anna"))
    table.settle("turn", "ben", "next")
    assert (table.scene.round, table.on) == (1, ["Anna"])


def test_what_all_did_at_once_is_taken_back_for_all(table):
    for who in ("anna", "ben"):
        table.play(who, "act-damage", points=2, against="nothing")
    table.do("round", w="act-end-adventure")
    assert table.life("anna") == table.full("anna")
    event = Event.objects.filter(act="end-adventure").first()
    assert table.settle("all-back", "anna", event.pk).status_code == 404
    table.play("ben", "act-damage", points=1, against="nothing")
    table.settle("all-back", "gm", event.pk)
    assert table.life("anna") == table.full("anna") - 2
    assert table.life("ben") == table.full("ben") - 1
    assert "Ben did something else afterwards, so it stays." in text_of(table.look("gm", "anna", None))


@pytest.mark.rule("DR-12")
@table_of("dice-rumble")
def test_who_loses_a_duel_takes_the_damage(table, dice):
    dice += [[9, 1]]
    table.press("roll-duel-damage", threshold=5, weapon=0)
    effect = PendingEffect.objects.get()
    written = table.ruleset.sheet.model_validate(table.sheet("ben").data)
    lost = 8 + table.ruleset.crossing.figures(written, table.ruleset.play())["weapon"]
    assert (effect.sheet, effect.filled["points"]) == (table.sheets["anna"], lost)
    table.settle("apply", "anna")
    assert table.life("anna") == table.full("anna") - lost


@pytest.mark.rule("DS-20", "DS-23")
@table_of("daemmersturm")
def test_damage_follows_a_hit_and_lands_where_that_was_aimed(table, dice):
    def press(which):
        table.press(re.search(rf'id="{which}-[\w-]+)"', table.look("anna").text)[1])

    dice += [[20], [3], [5]]
    press("w-(roll-attack")
    assert Event.objects.get().outcome == "critical"
    assert not PendingEffect.objects.exists()
    press("tray-(roll-critical")
    dice[:] = [[2, 2]]
    press("tray-(roll-damage")
    assert PendingEffect.objects.get().sheet == table.sheets["ben"]


SETTLED = "That has already been settled."


@pytest.mark.rule("DS-40", "DS-41", "DS-42")
@table_of("daemmersturm")
@pytest.mark.parametrize(("face", "state"), [(20, "dismissed"), (1, "open")])
def test_whom_damage_hits_may_stop_it_by_shield_and_armour_each_once(table, dice, face, state):
    table.have("ben", shield={"target": 15}, armour={"target": 5, "max_damage": 0})
    event = Event.objects.create(sheet=table.sheets["anna"], party=table.party, key=uuid.uuid4(), widget="x",
                                 title="Hieb")
    effect = PendingEffect.objects.create(event=event, sheet=table.sheets["ben"], act="damage", filled={"points": 4})
    shield, armour = (f"roll-{one}-landing-{effect.pk}" for one in ("shield", "armour"))
    page = table.look("ben", "ben", None).text
    assert page.index(f"guard:{effect.pk}:{shield}") < page.index(f"guard:{effect.pk}:{armour}")
    assert "guard:" not in table.look("anna").text
    assert table.settle("guard", "anna", f"{effect.pk}:{shield}").status_code == 404
    dice += [[face]]
    table.settle("guard", "ben", f"{effect.pk}:{shield}")
    effect.refresh_from_db()
    assert effect.state == state
    shown = words_in(table.look("ben", "ben", None), f":{shield}", f":{armour}")
    assert shown == ([f":{armour}"] if state == "open" else [])
    # A page that still offers it hears so.
    table.settle("guard", "ben", f"{effect.pk}:{shield}")
    assert words_in(table.look("ben", "ben", None), SETTLED) == [SETTLED]


def test_a_press_by_htmx_keeps_who_acts_and_whom_it_is_aimed_at(table):
    seats = {"_by": table.sheets["anna"].pk, "_at": table.sheets["ben"].pk}
    answer = table.browsers["anna"].post(f"{table.address}play/", {
        "w": "act-damage", "points": 1, "against": "nothing", "_press": str(uuid.uuid4()), **seats},
        headers={"HX-Request": "true"})
    assert f"_at={table.sheets['ben'].pk}" in answer.text

"""What lands by the rules of each system: life, boosts, areas, exhaustion, help, weak points, fate."""

import re

import pytest

from sheets.models import Event, Party, PendingEffect, Sheet
from sheets.press.pending import MOST
from tests.support.guest import text_of, words_in
from tests.support.sheets.fight import fallen_again, table_of

pytestmark = pytest.mark.alike

GIVING = {"life": 5, "abilities": [{"ability": "leben-transferieren", "life_points": 4, "range": 0}]}


@pytest.mark.rule("CD-29")
def test_life_that_is_given_is_taken_back_on_both_sides_by_one_press(table):
    for who in ("anna", "ben"):
        table.have(who, **GIVING)
    table.play("ben", "act-damage", points=6, against="nothing")
    table.press("act-give-life-abilities-0", points=3)
    assert (table.life("anna"), table.life("ben")) == (10, 4), "what is refused costs the giver nothing"
    table.settle("apply")
    assert (table.life("anna"), table.life("ben")) == (7, 7)
    table.play("ben", "undo", _event=Event.objects.get(act="receive-life").pk)
    assert (table.life("anna"), table.life("ben")) == (10, 4)
    assert {one.state for one in PendingEffect.objects.all()} == {"dismissed"}
    assert {*Event.objects.filter(undone=True).values_list("act", flat=True)} == {
        "give-life", "receive-life", "pay-life"}


@pytest.mark.rule("CD-29")
@pytest.mark.every_case
@pytest.mark.parametrize(("missing", "came"), [(2, 2), (0, 0), (5, 3)])
def test_only_life_that_arrives_leaves_the_giver_and_is_told(table, missing, came):
    for who in ("anna", "ben"):
        table.have(who, **GIVING)
    table.play("ben", "act-damage", points=missing, against="nothing")
    table.press("act-give-life-abilities-0", points=3)
    table.settle("apply")
    assert (table.life("anna"), table.life("ben")) == (10 - came, 10 - missing + came)
    moves = Event.objects.filter(act__in=["receive-life", "pay-life"]).order_by("pk")
    told = [one.text.partition(" (")[0] for one in moves]
    paid = [f"{came} moved, life {10 - came}"] if came else []
    assert told == [f"{came} regained, life {10 - missing + came}", *paid]


@pytest.mark.rule("CD-29")
def test_life_that_is_taken_is_told_as_what_really_went_and_came(table):
    for who in ("anna", "ben"):
        table.have(who, **GIVING)
    table.play("anna", "act-damage", points=1, against="nothing")
    table.press("act-take-life-abilities-0", points=3)
    table.play("ben", "act-damage", points=8, against="nothing")
    table.settle("apply")
    told = [one.text.partition(" (")[0] for one in Event.objects.filter(act__in=["lose-life", "heal"]).order_by("pk")]
    assert told == ["2 damage taken, life 0", "1 regained, life 10"]


@pytest.mark.rule("CD-33", "CD-50")
def test_a_boost_for_another_lands_there_as_an_effect(table):
    table.have("anna", abilities=[{"ability": "boost-debuff", "variant": "I", "extra_targets": 0, "range": 0}])
    table.press("act-boost-other-abilities-0", attributes="defence", way="raise")
    table.settle("apply")
    effect = table.sheet("ben").play["effects"][0]
    assert min(effect["defence"], effect["rounds"]) > 0


@pytest.mark.rule("CD-35")
def test_an_area_attack_ignores_what_protects(table):
    table.have("anna", abilities=[
        {"ability": "flaechenangriff", "fields": 1, "damage": 2, "distance": 0, "range": 0}])
    table.press("act-area-attack-abilities-0")
    table.settle("apply")
    assert table.life("ben") == table.full("ben") - 2


@pytest.mark.rule("CD-29")
@pytest.mark.parametrize(("which", "fields", "moved"), [
    ("roll-drain-life-abilities-0", {}, 2), ("act-take-life-abilities-0", {"points": 1}, 1)])
@pytest.mark.parametrize("trust", [False, True])
def test_whoever_takes_life_gains_what_the_other_really_loses_once_it_is_lost(table, dice, which, fields, moved, trust):
    table.have("anna", **GIVING)
    table.have("ben", life=1, mental_resistance=0)
    table.play("anna", "act-damage", points=6, against="nothing")
    Party.objects.update(trust=trust)
    dice += [[6, 6, 6, 6]]
    table.press(which, **fields)
    if not trust:
        assert (table.life("anna"), table.life("ben"), "act-draw-life" in table.look().text) == (4, 2, False)
        table.settle("apply")
    assert (table.life("anna"), table.life("ben")) == (4 + moved, 2 - moved)
    table.settle("back", "ben", Event.objects.get(act="lose-life").pk)
    assert (table.life("anna"), table.life("ben")) == (4, 2)


@pytest.mark.rule("DS-21")
@table_of("daemmersturm")
def test_a_critical_six_asks_the_target_for_exhaustion_after_the_damage(table, dice):
    dice += [[3]]
    table.press("roll-damage", range="1-10", rolls=1, critical=6)
    damage, exhaustion = PendingEffect.objects.order_by("pk")
    assert (damage.act, damage.filled, exhaustion.act) == (
        "damage", {"points": 30, "source": "other"}, "roll-exhaustion")
    table.settle("dismiss", number=damage.pk)
    dice += [[1]]
    table.settle("apply", number=exhaustion.pk)
    assert Event.objects.get(act="roll-exhaustion").sheet == table.sheets["ben"]


@pytest.mark.rule("DS-21", "DS-40")
@pytest.mark.parametrize("at_once", [False, True])
@table_of("daemmersturm")
def test_a_hit_that_a_roll_stops_brings_no_exhaustion_either(table, dice, at_once):
    Party.objects.filter(pk=table.party.pk).update(trust=at_once, waits=at_once)
    table.have("ben", **table.sheets["ben"].data | {"armour": {"target": 4, "max_damage": 0}, "shield": None})
    dice += [[3], [4]]
    table.press("roll-damage", range="1-10", rolls=1, critical=6, source="melee")
    assert {*PendingEffect.objects.values_list("state", flat=True)} == {"open"}
    number = PendingEffect.objects.get(act="damage").pk
    choice = re.search(rf"guard:{number}:(roll-armour[^\"]*)", table.look("ben", "ben", None).text)[1]
    table.settle("guard", "ben", f"{number}:{choice}")
    assert {*PendingEffect.objects.values_list("state", flat=True)} == {"dismissed"}


def settle(table):
    """Applies what Ben has thrown in Augen des Zwielichts."""
    table.play("ben", re.search(r"tray-(act-settle-[\w-]+)", table.own("ben").text)[1], word="müde")


@pytest.mark.rule("SZ-25")
@table_of("augen-des-zwielichts")
def test_help_counts_in_the_next_result_of_whom_it_is_for(table, dice):
    dice += [[2], [6]]
    table.play("ben", "roll-move-investigate", attribute="none")
    table.press("roll-help", colour="white")
    table.settle("apply")
    assert table.sheet("ben").play["help_white"] == "6"
    settle(table)
    assert "help_white" not in table.sheet("ben").play
    assert Event.objects.get(act="settle").done["help_white"] == "6"
    assert "1 Hinweis" in Event.objects.get(act="settle").said["de"], "a 2 alone brings a point of corruption"


@pytest.mark.rule("SZ-25")
@table_of("augen-des-zwielichts")
def test_help_meets_the_black_dice_that_lie_there_until_the_result_is_applied(table, dice):
    dice += [[2, 4], [4]]
    table.play("ben", "roll-move-investigate", attribute="black")
    assert 'name="helped_black"' not in table.look().text
    table.press("roll-help", colour="white")
    event = Event.objects.get(roll="help")
    assert (event.parameters["helped_black"], event.outcome) == ("4", "condition")
    # What has landed meanwhile takes nothing from the dice that lie there.
    table.settle("apply")
    assert 'name="helped_black"' not in table.look().text
    settle(table)
    assert 'name="helped_black"' in table.look().text


@pytest.mark.rule("SZ-25")
@table_of("augen-des-zwielichts")
def test_the_dice_of_somebody_who_is_private_are_put_apart_in_what_others_read(table, dice):
    Sheet.objects.filter(pk=table.sheets["ben"].pk).update(seen_by="private")
    dice += [[2, 4], [4]]
    table.play("ben", "roll-move-investigate", attribute="black")
    table.press("roll-help", "gm", colour="white")
    event = Event.objects.get(roll="help")
    assert ("helped_black" in event.given, event.veiled["given"], event.outcome) == (
        False, {"helped_black": "4"}, "condition")


@pytest.mark.rule("SZ-31")
@table_of("augen-des-zwielichts")
def test_enemies_throw_no_dice_with_those_who_fight_them_and_a_round_is_aimed_at_nobody(table, dice):
    table.bring("Oni")
    dice += [[2, 2], [5, 5], [1, 6]]
    table.do("round", w="act-begin-fight", danger_level=8)
    assert set(Event.objects.values_list("sheet__name", flat=True)) == {"Anna", "Ben"}
    assert "press-button-act-throw-combat-die" in table.look().text.partition('id="further"')[0]
    table.press("roll-combat-round", fighters=2)
    assert Event.objects.get(roll="combat-round").aimed_at == {}


@pytest.mark.rule("SZ-36")
@table_of("augen-des-zwielichts")
def test_a_weak_point_is_handed_on_to_whom_one_aims_at(table, dice):
    dice += [[2, 2], [5, 5]]
    for who in ("anna", "ben"):
        table.play(who, "act-begin-fight", danger_level=8)
    point = table.sheet("anna").play["weak_point"]
    table.press("act-leave-fight")
    assert not PendingEffect.objects.exists()
    dice += [[5]]
    table.play("anna", "roll-move-risk", attribute="none", fear="")
    table.play("anna", "act-settle-roll-move-risk")
    table.press("act-leave-fight")
    assert PendingEffect.objects.get().filled == {"weak_point": point}
    assert table.stored.table["open_weak_point"] == point
    table.settle("apply")
    assert table.sheet("ben").play["taken_over"] == str(point)
    assert table.stored.table["open_weak_point"] is None


@pytest.mark.rule("DR-12", "DR-17")
def test_who_is_hit_spends_fate_once_and_nobody_else_does_and_only_that_die_falls_again(struck, monkeypatch):
    number = PendingEffect.objects.get().pk
    assert [f"rethrow:{number}" in struck.look(who, who, at).text for who, at in (("ben", None), ("anna", "ben"))] == [
        True, False]
    assert struck.settle("rethrow", "anna", number).status_code == 404
    fallen_again(monkeypatch, 5)
    for _time in range(2):
        struck.settle("rethrow", number=number)
    first, second = PendingEffect.objects.order_by("pk")
    assert (first.state, second.state, second.filled) == ("dismissed", "open", {"points": 3})
    again = Event.objects.filter(roll="duel-damage").latest("pk")
    assert (again.thrown, again.again, again.sheet) == ([2, 5], first.event, struck.sheets["anna"])
    assert struck.sheet("ben").play == {"fate_spent": 1}
    struck.settle("apply")
    assert struck.life("ben") == struck.full("ben") - 3


@pytest.mark.rule("DR-12", "DR-17")
def test_fate_is_spent_on_what_waits_longer_than_the_table_shows(struck, monkeypatch):
    oldest = struck.wait(MOST + 1)[0]
    assert f'"rethrow:{oldest}"' not in struck.look("ben", "ben", None).text
    fallen_again(monkeypatch, 5)
    struck.settle("rethrow", number=oldest)
    assert PendingEffect.objects.get(pk=oldest).state == "dismissed"
    assert PendingEffect.objects.latest("pk").filled == {"points": 3}


@pytest.mark.rule("DR-13", "DR-17")
@pytest.mark.parametrize(("roll", "faces", "fields", "play"), [
    ("roll-duel-damage", [2, 9], {"weapon": 0}, {"fate_spent": 9}), ("roll-attack-unarmed", [1], {}, {})])
def test_where_none_is_left_and_where_no_die_is_the_targets_its_fate_changes_nothing_and_is_not_offered(
        struck, dice, roll, faces, fields, play):
    Sheet.objects.filter(pk=struck.sheets["ben"].pk).update(play=play)
    dice += [faces]
    struck.press(roll, **fields)
    number = PendingEffect.objects.latest("pk").pk
    assert words_in(struck.look("ben", "ben", None), f"apply:{number}", f"rethrow:{number}") == [f"apply:{number}"]
    struck.settle("rethrow")
    assert (PendingEffect.objects.latest("pk").state, struck.sheet("ben").play) == ("open", play)


@pytest.mark.rule("DR-17")
def test_the_own_roll_is_repeated_from_the_tray_of_the_table(struck, monkeypatch):
    # Not among the acts, as on the sheet: what falls moves no button there.
    assert re.findall(r'id="((?:tray|w)-act-repeat)"', struck.look().text) == ["tray-act-repeat"]
    fallen_again(monkeypatch, 4)
    struck.press("act-repeat")
    again = Event.objects.get(act="repeat")
    assert again.thrown == [4, 9]
    assert [one.state for one in PendingEffect.objects.order_by("pk")] == ["dismissed", "open"]


@pytest.mark.rule("DR-12", "DR-17")
def test_what_came_back_on_oneself_and_was_taken_is_taken_back_before_the_roll_is_repeated(struck, dice, monkeypatch):
    dice += [[9, 1]]
    struck.press("roll-duel-damage", threshold=5, weapon=0)
    damage = PendingEffect.objects.latest("pk")
    assert damage.sheet == struck.sheets["anna"]
    struck.settle("apply", "anna")
    lost = struck.full("anna") - struck.life("anna")
    assert lost
    for press in (lambda: struck.play("anna", "act-repeat"), lambda: struck.press("act-repeat")):
        press()
        assert "came after that roll; take it back before you reroll" in text_of(struck.look("anna"))
        assert (struck.full("anna") - struck.life("anna"), Event.objects.filter(act="repeat").count()) == (lost, 0)
    struck.play("anna", "undo", _event=Event.objects.latest("pk").pk)
    fallen_again(monkeypatch, 9)
    struck.press("act-repeat")
    assert struck.life("anna") == struck.full("anna")
    damage.refresh_from_db()
    assert damage.state == "dismissed"


@pytest.mark.rule("DR-17")
def test_fate_that_is_taken_back_takes_its_throw_along_and_the_first_one_lies_again(struck, monkeypatch):
    fallen_again(monkeypatch, 5)
    struck.settle("rethrow")
    paid = Event.objects.get(sheet=struck.sheets["ben"])
    assert f"all-back:{paid.pk}" not in struck.look("gm", "anna", None).text
    struck.settle("back", "ben", paid.pk)
    assert struck.sheet("ben").play == {}
    assert [(one.filled["points"], one.state) for one in PendingEffect.objects.order_by("pk")] == [
        (7, "open"), (3, "dismissed")]
    assert Event.objects.filter(roll="duel-damage").latest("pk").undone


@pytest.mark.rule("DR-17")
@pytest.mark.parametrize("go_on", [
    lambda struck: struck.settle("apply", "anna"), lambda struck: struck.play("anna", "act-repeat")])
def test_fate_stays_spent_once_something_came_of_its_throw(struck, monkeypatch, go_on):
    fallen_again(monkeypatch, 1, 4)
    struck.settle("rethrow")
    paid = Event.objects.get(sheet=struck.sheets["ben"])
    go_on(struck)
    states = list(PendingEffect.objects.order_by("pk").values_list("state", flat=True))
    assert states != ["dismissed", "open"]
    struck.settle("back", "ben", paid.pk)
    assert struck.sheet("ben").play["fate_spent"] == 1
    assert list(PendingEffect.objects.order_by("pk").values_list("state", flat=True)) == states


@pytest.mark.rule("CD-35")
def test_what_one_does_to_oneself_is_taken_back_step_by_step(table):
    table.have("anna", abilities=[
        {"ability": "flaechenangriff", "fields": 1, "damage": 3, "distance": 0, "range": 0}])
    table.press("act-area-attack-abilities-0", at="anna")
    table.settle("apply", "anna")
    assert table.full("anna") - table.life("anna") == 3
    for _act in range(2):
        table.play("anna", "undo", _event=Event.objects.filter(undone=False).latest("pk").pk)
        assert table.life("anna") == table.full("anna")
    assert PendingEffect.objects.get().state == "dismissed"

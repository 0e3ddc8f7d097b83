"""Effects that arrive by the rules of each system: life, boosts, areas, exhaustion, help, weak points."""

import re

import pytest

from sheets.models import Event, Party, PendingEffect, Sheet
from tests.support.guest import text_of
from tests.support.sheets.fight import kept, table_of

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
@pytest.mark.parametrize("then", ["anna", "ben"])
def test_what_is_taken_back_on_both_sides_is_not_offered_once_one_of_them_has_gone_on(table, then):
    for who in ("anna", "ben"):
        table.have(who, **GIVING)
    table.play("ben", "act-damage", points=6, against="nothing")
    table.press("act-give-life-abilities-0", points=3)
    table.settle("apply")

    def offered():
        page = table.look("gm", "anna", "ben").text
        return {act for act in ("give-life", "receive-life", "pay-life", "damage")
                if f"back:{Event.objects.filter(act=act).latest('pk').pk}" in page}

    assert offered() & {"receive-life", "give-life"}
    table.play(then, "act-damage", points=1, against="nothing")
    assert offered() == {"damage"}
    for event in Event.objects.exclude(act="damage"):
        table.settle("back", "gm", event.pk)
    assert not Event.objects.filter(undone=True).exists()


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
    # What somebody gives freely waits for them even where hits count at once.
    if not trust or fields:
        assert (table.life("anna"), table.life("ben"), "act-draw-life" in table.look().text) == (4, 2, False)
        table.settle("apply")
    assert (table.life("anna"), table.life("ben")) == (4 + moved, 2 - moved)
    table.settle("back", "ben", Event.objects.get(act="lose-life").pk)
    assert (table.life("anna"), table.life("ben")) == (4, 2)


@pytest.mark.rule("CD-29")
@pytest.mark.parametrize(("missing", "moved"), [(0, 0), (1, 1), (6, 2)])
def test_nobody_loses_more_life_by_force_than_the_taker_lacks(table, dice, missing, moved):
    table.have("anna", **GIVING)
    table.have("ben", life=1, mental_resistance=0)
    if missing:
        table.play("anna", "act-damage", points=missing, against="nothing")
    Party.objects.update(trust=True)
    dice += [[6, 6, 6, 6]]
    table.press("roll-drain-life-abilities-0")
    assert (table.full("anna") - table.life("anna"), table.life("ben")) == (missing - moved, 2 - moved)
    assert PendingEffect.objects.exists() == bool(moved)


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


@pytest.mark.rule("CD-35")
def test_what_one_does_to_oneself_is_taken_back_step_by_step(table):
    table.have("anna", abilities=[
        {"ability": "flaechenangriff", "fields": 2, "damage": 3, "distance": 0, "range": 0}])
    table.press("act-area-attack-abilities-0", at="anna")
    table.settle("apply", "anna")
    assert table.full("anna") - table.life("anna") == 3
    for _act in range(2):
        table.play("anna", "undo", _event=Event.objects.filter(undone=False).latest("pk").pk)
        assert table.life("anna") == table.full("anna")
    assert PendingEffect.objects.get().state == "dismissed"


@pytest.mark.rule("CD-29")
def test_whoever_has_full_life_takes_none_and_spends_no_action(table):
    for who in ("anna", "ben"):
        table.have(who, **GIVING)
    before = kept()
    table.press("act-take-life-abilities-0", points=3)
    assert kept() == before
    page = table.look()
    assert "That is no longer available" in text_of(page)
    assert "take-life" not in page.text
    table.play("anna", "act-damage", points=1, against="nothing")
    table.press("act-take-life-abilities-0", points=3)
    assert PendingEffect.objects.get().act == "lose-life"

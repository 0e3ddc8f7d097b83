"""What lands by the rules of each system: life, boosts, areas, exhaustion, help, weak points, fate."""

import re

import pytest

from sheets.models import Event, Landing, Sheet
from sheets.play.landings import MOST
from tests.support.guest import text_of
from tests.support.sheets.fight import Fight, hit, table

pytestmark = pytest.mark.django_db
__all__ = ["hit", "table"]

GIVING = {"life": 5, "abilities": [{"ability": "leben-transferieren", "life_points": 4, "range": 0}]}


@pytest.mark.rule("CD-29")
def test_life_that_is_given_is_taken_back_on_both_sides_by_one_press(table):
    for who in ("anna", "ben"):
        Sheet.objects.filter(pk=table.sheets[who].pk).update(data=table.sheet(who).data | GIVING)
    table.play("ben", "act-damage", points=6, against="nothing")
    table.press("act-give-life-abilities-0", points=3)
    assert (table.life("anna"), table.life("ben")) == (7, 4)
    table.settle("apply")
    assert (table.life("anna"), table.life("ben")) == (7, 7)
    table.play("ben", "undo", _event=Event.objects.latest("pk").pk)
    assert (table.life("anna"), table.life("ben"), Landing.objects.get().state) == (10, 4, "dismissed")
    assert set(Event.objects.filter(undone=True).values_list("act", flat=True)) == {"give-life", "heal"}


@pytest.mark.rule("CD-33", "CD-50")
def test_a_boost_for_another_lands_there_as_an_effect(table):
    Sheet.objects.filter(pk=table.sheets["anna"].pk).update(data=table.sheet("anna").data | {
        "abilities": [{"ability": "boost-debuff", "variant": "I", "extra_targets": 0, "range": 0}]})
    table.press("act-boost-other-abilities-0", attributes="defence", way="raise")
    table.settle("apply")
    effect = table.sheet("ben").play["effects"][0]
    assert min(effect["defence"], effect["rounds"]) > 0


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


@pytest.mark.rule("DS-21")
def test_a_critical_six_asks_the_target_for_exhaustion_after_the_damage(django_user_model, dice):
    fight = Fight(django_user_model.objects, "daemmersturm")
    dice += [[3]]
    fight.press("roll-damage", range="1-10", rolls=1, critical=6)
    damage, exhaustion = Landing.objects.order_by("pk")
    assert (damage.act, damage.filled, exhaustion.act) == ("damage", {"points": 30}, "roll-exhaustion")
    fight.settle("dismiss", number=damage.pk)
    dice += [[1]]
    fight.settle("apply", number=exhaustion.pk)
    assert Event.objects.get(act="roll-exhaustion").sheet == fight.sheets["ben"]


@pytest.fixture
def eyes(django_user_model):
    """A table of Augen des Zwielichts."""
    return Fight(django_user_model.objects, "augen-des-zwielichts")


@pytest.mark.rule("SZ-25")
def test_help_counts_in_the_next_result_of_whom_it_is_for(eyes, dice):
    dice += [[2], [6]]
    eyes.play("ben", "roll-move-investigate", attribute="none")
    eyes.press("roll-help", colour="white")
    eyes.settle("apply")
    assert eyes.sheet("ben").play["help_white"] == "6"
    page = eyes.browsers["ben"].get(f"/sheets/{eyes.sheets['ben'].pk}/").text
    settle = re.search(r"tray-(act-settle-[\w-]+)", page)[1]
    eyes.play("ben", settle, word="müde")
    assert "help_white" not in eyes.sheet("ben").play
    assert Event.objects.get(act="settle").done["help_white"] == "6"
    assert "1 Hinweis" in Event.objects.get(act="settle").said["de"], "a 2 alone brings a point of corruption"


@pytest.mark.rule("SZ-25")
def test_help_meets_the_black_dice_that_lie_there_until_the_result_is_applied(eyes, dice):
    dice += [[2, 4], [4], [4]]
    eyes.play("ben", "roll-move-investigate", attribute="black")
    assert 'name="helped_black"' not in eyes.look().text
    eyes.press("roll-help", colour="white")
    event = Event.objects.get(roll="help")
    assert (event.given["helped_black"], event.outcome) == ("4", "condition")
    # What has landed meanwhile takes nothing from the dice that lie there.
    eyes.settle("apply")
    assert 'name="helped_black"' not in eyes.look().text
    page = eyes.browsers["ben"].get(f"/sheets/{eyes.sheets['ben'].pk}/").text
    eyes.play("ben", re.search(r"tray-(act-settle-[\w-]+)", page)[1], word="müde")
    assert 'name="helped_black"' in eyes.look().text
    eyes.press("roll-help", colour="white")
    assert Event.objects.filter(roll="help").latest("pk").outcome == "none"


@pytest.mark.rule("SZ-25")
def test_the_dice_of_somebody_who_is_private_are_put_apart_in_what_others_read(eyes, dice):
    Sheet.objects.filter(pk=eyes.sheets["ben"].pk).update(seen_by="private")
    dice += [[2, 4], [4]]
    eyes.play("ben", "roll-move-investigate", attribute="black")
    eyes.press("roll-help", "gm", colour="white")
    event = Event.objects.get(roll="help")
    assert ("helped_black" in event.given, event.veiled["given"], event.outcome) == (
        False, {"helped_black": "4"}, "condition")


@pytest.mark.rule("SZ-31")
def test_enemies_throw_no_dice_with_those_who_fight_them_and_a_round_is_aimed_at_nobody(eyes, dice):
    Sheet.objects.create(owner=eyes.users["gm"], party=eyes.party, ruleset=eyes.party.ruleset, name="Oni",
                         opponent=True, data=eyes.sheet("anna").data)
    dice += [[2, 2], [5, 5], [1, 6]]
    eyes.do("round", w="act-begin-fight", danger_level=8)
    assert set(Event.objects.values_list("sheet__name", flat=True)) == {"Anna", "Ben"}
    assert "press-button-act-throw-combat-die" in eyes.look().text.partition('id="further"')[0]
    eyes.press("roll-combat-round", fighters=2)
    assert Event.objects.get(roll="combat-round").aimed_at == {}


@pytest.mark.rule("SZ-36")
def test_a_weak_point_is_handed_on_to_whom_one_aims_at(eyes, dice):
    dice += [[2, 2], [5, 5]]
    for who in ("anna", "ben"):
        eyes.play(who, "act-begin-fight", danger_level=8)
    point = eyes.sheet("anna").play["weak_point"]
    eyes.press("act-leave-fight")
    assert Landing.objects.get().filled == {"weak_point": point}
    assert eyes.stored.table["open_weak_point"] == point
    eyes.settle("apply")
    assert eyes.sheet("ben").play["taken_over"] == str(point)
    assert eyes.stored.table["open_weak_point"] is None


@pytest.fixture
def duel(django_user_model, dice):
    """Anna has won a duel against Ben by seven."""
    fight = Fight(django_user_model.objects, "dice-rumble")
    Sheet.objects.filter(pk=fight.sheets["ben"].pk).update(data=fight.sheet("anna").data)
    dice += [[2, 9]]
    fight.press("roll-duel-damage", weapon=0)
    assert Landing.objects.get().filled == {"points": 7}
    return fight


def fallen_again(monkeypatch, *faces):
    """What falls next, in a throw of which some dice lie."""
    left = list(faces)
    monkeypatch.setattr("sheets.rolls.repeats.RealTray.face", lambda _tray, _faces: left.pop(0))


@pytest.mark.rule("DR-12", "DR-17")
def test_who_is_hit_spends_fate_and_only_that_die_falls_again(duel, monkeypatch):
    number = Landing.objects.get().pk
    assert f"rethrow:{number}" in duel.look("ben", "ben", None).text
    assert f"rethrow:{number}" not in duel.look("anna").text
    fallen_again(monkeypatch, 5)
    duel.settle("rethrow")
    first, second = Landing.objects.order_by("pk")
    assert (first.state, second.state, second.filled) == ("dismissed", "open", {"points": 3})
    again = Event.objects.filter(roll="duel-damage").latest("pk")
    assert (again.faces, again.again, again.sheet) == ([2, 5], first.event, duel.sheets["anna"])
    assert duel.sheet("ben").play == {"fate_spent": 1}
    duel.settle("apply")
    assert duel.life("ben") == duel.full("ben") - 3


@pytest.mark.rule("DR-12", "DR-17")
def test_fate_is_spent_on_what_waits_longer_than_the_table_shows(duel, monkeypatch):
    oldest = duel.wait(MOST + 1)[0]
    assert f'"rethrow:{oldest}"' not in duel.look("ben", "ben", None).text
    fallen_again(monkeypatch, 5)
    duel.settle("rethrow", number=oldest)
    assert Landing.objects.get(pk=oldest).state == "dismissed"
    assert Landing.objects.latest("pk").filled == {"points": 3}


@pytest.mark.rule("DR-17")
def test_fate_is_spent_once_however_often_the_press_arrives_and_by_nobody_else(duel, monkeypatch):
    number = Landing.objects.get().pk
    assert duel.settle("rethrow", "anna", number).status_code == 404
    fallen_again(monkeypatch, 5)
    for _time in range(2):
        duel.settle("rethrow", number=number)
    assert duel.sheet("ben").play == {"fate_spent": 1}
    assert Landing.objects.count() == 2


@pytest.mark.rule("DR-13", "DR-17")
def test_where_no_die_is_the_targets_its_fate_changes_nothing_and_is_not_offered(duel, dice):
    dice += [[1]]
    duel.press("roll-attack-unarmed")
    number = Landing.objects.latest("pk").pk
    page = duel.look("ben", "ben", None).text
    assert f"apply:{number}" in page
    assert f"rethrow:{number}" not in page
    duel.settle("rethrow")
    assert (Landing.objects.latest("pk").state, duel.sheet("ben").play) == ("open", {})


@pytest.mark.rule("DR-17")
def test_the_own_roll_is_repeated_from_the_tray_of_the_table(duel, monkeypatch):
    # Not among the acts, as on the sheet: what falls moves no button there.
    assert re.findall(r'id="((?:tray|w)-act-repeat)"', duel.look().text) == ["tray-act-repeat"]
    fallen_again(monkeypatch, 4)
    duel.press("act-repeat")
    again = Event.objects.get(act="repeat")
    assert again.faces == [4, 9]
    assert [one.state for one in Landing.objects.order_by("pk")] == ["dismissed", "open"]


@pytest.mark.rule("DR-17")
def test_without_fate_no_die_falls_again(duel):
    Sheet.objects.filter(pk=duel.sheets["ben"].pk).update(play={"fate_spent": 9})
    number = Landing.objects.get().pk
    assert f"rethrow:{number}" not in duel.look("ben", "ben", None).text
    duel.settle("rethrow")
    assert Landing.objects.get().state == "open"


@pytest.mark.rule("DR-12", "DR-17")
def test_what_came_back_on_oneself_and_was_taken_is_taken_back_before_the_roll_is_repeated(duel, dice, monkeypatch):
    dice += [[9, 1]]
    duel.press("roll-duel-damage", threshold=5, weapon=0)
    damage = Landing.objects.latest("pk")
    assert damage.sheet == duel.sheets["anna"]
    duel.settle("apply", "anna")
    lost = duel.full("anna") - duel.life("anna")
    assert lost
    for press in (lambda: duel.play("anna", "act-repeat"), lambda: duel.press("act-repeat")):
        press()
        assert "came after that roll; take it back before you repeat the roll" in text_of(duel.look("anna"))
        assert (duel.full("anna") - duel.life("anna"), Event.objects.filter(act="repeat").count()) == (lost, 0)
    duel.play("anna", "undo", _event=Event.objects.latest("pk").pk)
    fallen_again(monkeypatch, 9)
    duel.press("act-repeat")
    assert duel.life("anna") == duel.full("anna")
    damage.refresh_from_db()
    assert damage.state == "dismissed"


@pytest.mark.rule("DR-17")
def test_fate_that_is_taken_back_takes_its_throw_along_and_the_first_one_lies_again(duel, monkeypatch):
    fallen_again(monkeypatch, 5)
    duel.settle("rethrow")
    paid = Event.objects.get(sheet=duel.sheets["ben"])
    assert f"all-back:{paid.pk}" not in duel.look("gm", "anna", None).text
    duel.settle("back", "ben", paid.pk)
    assert duel.sheet("ben").play == {}
    assert [(one.filled["points"], one.state) for one in Landing.objects.order_by("pk")] == [
        (7, "open"), (3, "dismissed")]
    assert Event.objects.filter(roll="duel-damage").latest("pk").undone


@pytest.mark.rule("DR-17")
@pytest.mark.parametrize("how", ["applied", "repeated"])
def test_fate_stays_spent_once_something_came_of_its_throw(duel, monkeypatch, how):
    fallen_again(monkeypatch, 1, 4)
    duel.settle("rethrow")
    paid = Event.objects.get(sheet=duel.sheets["ben"])
    if how == "applied":
        duel.settle("apply", "anna")
        assert duel.life("anna") < duel.full("anna")
    else:
        duel.play("anna", "act-repeat")
    states = list(Landing.objects.order_by("pk").values_list("state", flat=True))
    duel.settle("back", "ben", paid.pk)
    assert duel.sheet("ben").play["fate_spent"] == 1
    assert list(Landing.objects.order_by("pk").values_list("state", flat=True)) == states


@pytest.mark.rule("CD-29")
def test_what_one_does_to_oneself_is_taken_back_step_by_step(table):
    Sheet.objects.filter(pk=table.sheets["anna"].pk).update(data=table.sheet("anna").data | GIVING)
    table.press("act-give-life-abilities-0", at="anna", points=3)
    table.settle("apply", "anna")
    assert table.life("anna") == table.full("anna")
    for less in (3, 0):
        table.play("anna", "undo", _event=Event.objects.filter(undone=False).latest("pk").pk)
        assert table.full("anna") - table.life("anna") == less
    assert Landing.objects.get().state == "dismissed"

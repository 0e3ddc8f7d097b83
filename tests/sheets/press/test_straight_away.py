"""In ConDice a roll is repeated straight after it, and neither later nor an older one (CD-30, CD-49)."""

import pytest
from django.utils import timezone

from sheets.models import Event, Scene
from tests.support.guest import text_of
from tests.support.sheets.fight import ATTACK, CLUB, fallen_again, table_of

pytestmark = pytest.mark.alike
MISS, HIT = [1, 1, 1, 1], [6, 6, 6, 6]
OVER = "The turn has moved on since that roll"


@pytest.fixture
def rolled(table, dice):
    """Anna, who may repeat a roll, has attacked Ben in vain."""
    for who in ("anna", "ben"):
        table.have(who, attacks=CLUB, defence=2, life=8, movement=4, mental_resistance=3, abilities=[
            {"ability": "wurf-wiederholen", "range": 0}, {"ability": "mindcontrol", "dice": 2, "range": 0}])
    dice += [MISS]
    table.press()
    return table


def repeated(table, monkeypatch):
    """What Anna's repeat has thrown anew, and what the page says."""
    fallen_again(monkeypatch, *HIT)
    page = text_of(table.press("act-repeat", htmx=True))
    return [(one.again.pk, one.roll) for one in Event.objects.filter(act="repeat")], page


@pytest.mark.rule("CD-30", "CD-49")
@pytest.mark.parametrize(("which", "fields", "what"), [
    ("act-move", {}, "“Action is still available” came after that roll"),
    ("act-add-item", {"name": "Seil"}, "“Seil” came after that roll")])
def test_what_one_has_done_since_is_taken_back_first(rolled, monkeypatch, which, fields, what):
    rolled.press(which, **fields)
    found, page = repeated(rolled, monkeypatch)
    assert (found, what in page) == ([], True)
    rolled.settle("back", "anna", Event.objects.exclude(act="").get().pk)
    assert [roll for _again, roll in repeated(rolled, monkeypatch)[0]] == ["attack"]


@pytest.mark.rule("CD-30", "CD-49")
def test_a_new_fight_repeats_no_roll_of_the_old_one(rolled, monkeypatch):
    assert len(repeated(rolled, monkeypatch)[0]) == 1
    rolled.press("act-new-fight")
    assert "repeats" not in rolled.sheet("anna").play
    found, page = repeated(rolled, monkeypatch)
    assert (len(found), "came after that roll" in page) == (1, True)


@pytest.mark.rule("CD-30", "CD-49")
def test_of_two_rolls_the_last_one_is_repeated_and_the_one_before_stays(rolled, dice, monkeypatch):
    dice += [[1, 1, 1, 1, 1]]
    rolled.press("roll-mental-attack-abilities-1")
    last = Event.objects.latest("pk")
    assert repeated(rolled, monkeypatch)[0] == [(last.pk, "mental-attack")]


@pytest.mark.rule("CD-30", "CD-49")
@pytest.mark.parametrize("words", [("begin",), ("begin", "next"), ("begin", "end")])
def test_a_roll_of_a_turn_that_is_over_is_not_repeated(rolled, monkeypatch, words):
    for word in words:
        rolled.settle("turn", "gm", word)
    found, page = repeated(rolled, monkeypatch)
    assert (found, OVER in page) == ([], True)


@pytest.mark.rule("CD-30", "CD-49")
def test_a_roll_of_the_own_turn_is_repeated_in_it_even_if_another_has_ended_theirs(rolled, dice, monkeypatch):
    rolled.settle("turn", "gm", "begin")
    dice += [MISS]
    rolled.press()
    attack = Event.objects.filter(roll="attack").latest("pk")
    rolled.settle("turn", "ben", "next")
    assert rolled.on == ["Anna"]
    assert repeated(rolled, monkeypatch)[0] == [(attack.pk, "attack")]


@pytest.mark.rule("CD-30", "CD-49")
def test_a_roll_of_a_scene_that_is_closed_is_not_repeated(rolled, monkeypatch):
    Scene.objects.update(ended=timezone.now())
    found, page = repeated(rolled, monkeypatch)
    assert (found, "The scene of that roll is over" in page, OVER in page) == ([], True, False)


@pytest.mark.rule("CD-30", "CD-49")
def test_what_others_have_done_is_no_reason_where_the_turn_is_over_anyway(rolled, dice, monkeypatch):
    dice += [HIT]
    rolled.press()
    rolled.settle("apply")
    rolled.play("ben", "act-add-item", name="Seil")
    assert "Something else has followed from that roll: Ben" in repeated(rolled, monkeypatch)[1]
    rolled.play("anna", "act-move")
    found, page = repeated(rolled, monkeypatch)
    assert (found, "“Action is still available” came after" in page, "Something else" in page) == ([], True, False)


@pytest.mark.rule("CD-30", "CD-49")
def test_a_roll_that_is_taken_back_is_named_where_the_one_before_it_is_too_old(rolled, dice, monkeypatch):
    rolled.have("anna", abilities=[{"ability": "wurf-wiederholen", "range": 0}, {"ability": "heilung", "range": 0}])
    rolled.play("anna", "act-damage", points=5, against="nothing")
    dice += [[3]]
    rolled.press("act-heal-yourself")
    rolled.settle("back", "anna", Event.objects.latest("pk").pk)
    found, page = repeated(rolled, monkeypatch)
    assert (found, "“Heal yourself” has been taken back; do it again before you reroll it." in page) == ([], True)


@pytest.mark.rule("CD-30", "CD-49")
@pytest.mark.parametrize(("state", "why"), [
    ({"repeats": 1}, "This fight's reroll is used up; a new fight brings it back."),
    ({"repeated_now": True}, "There has already been a reroll this turn; next turn allows another."),
    ({"losses": [{"target": "abilities.0", "points": 4}]}, "Rerolls need the special ability “Reroll”.")])
def test_a_repeat_that_an_older_page_shows_is_refused_with_its_reason(rolled, monkeypatch, state, why):
    rolled.put("anna", **state)
    found, page = repeated(rolled, monkeypatch)
    assert (found, why in page) == ([], True)


@pytest.mark.rule("CD-46", "CD-49")
@pytest.mark.parametrize("second", [False, True])
def test_what_the_gm_rolls_for_a_loss_is_repeated_by_nobody(rolled, dice, monkeypatch, second):
    rolled.play("anna", "act-damage", points=50, against="nothing")
    dice += [[1]]
    rolled.press("act-roll-attribute")
    if second:
        dice += [[2]]
        rolled.press("act-roll-loss")
    assert 'id="tray-act-repeat"' not in rolled.look().text
    found, page = repeated(rolled, monkeypatch)
    what = "Roll how many points" if second else "Roll for the loss"
    assert (found, f"“{what}” is not your roll, so you cannot reroll it." in page) == ([], True)


@pytest.mark.rule("CD-30", "CD-49")
@table_of("condice")
def test_what_others_do_meanwhile_costs_nobody_the_repeat(rolled, dice, monkeypatch):
    dice += [HIT, MISS]
    rolled.press(ATTACK, "ben", "ben", "anna")
    rolled.settle("apply", "anna")
    rolled.press(ATTACK, "ben", "ben", "anna")
    assert [roll for _again, roll in repeated(rolled, monkeypatch)[0]] == ["attack"]

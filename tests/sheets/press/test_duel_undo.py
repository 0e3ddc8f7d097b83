"""Of two who play each other each takes back the own acts with what these brought; a GM may do so for both."""

import pytest

from sheets.models import Event
from tests.support.guest import text_of
from tests.support.sheets.duel import CORONA, FAN, SNOW, avatars

pytestmark = pytest.mark.alike
THEIRS = "Your opponent did that"


def snowball(duel):
    duel.put("anna", avatars=avatars(SNOW), mana=3)
    duel.put("ben", avatars=avatars(CORONA))
    duel.do("anna", "act-snowball-avatars-0", target=CORONA)
    return duel.last("ben")


def undone():
    return Event.objects.filter(undone=True).count()


@pytest.mark.rule("BD-25")
def test_whom_a_snowball_hits_does_not_take_it_back_and_who_threw_it_does(battle):
    freeze = snowball(battle)
    assert freeze.act == "freeze"
    assert 'id="take-back"' not in battle.own("ben").text
    assert f"back:{freeze.pk}" not in battle.look("ben", "ben", "anna").text
    battle.play("ben", "undo", _event=freeze.pk)
    assert THEIRS in text_of(battle.own("ben"))
    battle.settle("back", "ben", freeze.pk)
    assert (undone(), battle.state("anna").mana, battle.state("ben").avatars[0].frost) == (0, 2, 1)
    assert f"back:{freeze.pk}" in battle.look().text
    battle.settle("back", "anna", freeze.pk)
    assert (undone(), battle.state("anna").mana, battle.state("ben").avatars[0].frost) == (2, 3, 0)


@pytest.mark.rule("BD-26")
def test_the_phase_that_the_other_one_skipped_is_given_back_by_them_or_a_gm_alone(battle):
    battle.put("anna", avatars=avatars(FAN), mana=10)
    battle.do("anna", "act-use-active-avatars-0-Kuchenbäcker")
    skipped = battle.last("ben")
    assert skipped.act == "no-attack"
    battle.play("ben", "undo", _event=skipped.pk)
    battle.settle("back", "ben", skipped.pk)
    assert (undone(), battle.state("anna").avatars[0].cakes) == (0, 1)
    assert f"back:{skipped.pk}" in battle.look("gm", "ben", "anna").text
    battle.settle("back", "gm", skipped.pk)
    assert (undone(), battle.state("anna").phase, battle.state("anna").mana) == (2, "battle", 10)
    battle.do("anna", "act-use-active-avatars-0-Kuchenbäcker")
    battle.play("anna", "undo", _event=battle.last("anna").pk)
    assert (undone(), battle.state("ben").phase) == (4, "wait")


@pytest.mark.rule("BD-14")
def test_what_ones_own_press_brought_to_the_other_one_goes_with_it_and_comes_back_by_nobody_else(battle, dice):
    battle.put("anna", mana=2)
    battle.put("ben", avatars=avatars(CORONA))
    battle.do("anna", "act-declare", change=0)
    dice += [[6, 1, 1]]
    battle.do("ben", "act-defend", change=0)
    aims = battle.last("anna")
    assert aims.act == "take-aim"
    battle.play("anna", "undo", _event=aims.pk)
    assert (undone(), battle.state("ben").phase) == (0, "aimed")
    battle.play("ben", "undo", _event=battle.last("ben").pk)
    assert (undone(), battle.state("ben").phase, battle.state("anna").phase) == (2, "enemy", "wait")

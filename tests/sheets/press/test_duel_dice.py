"""Dice of a game of two that are taken back lie as they fell: only those are new that are more than before."""

import pytest

from tests.support.sheets.duel import CORONA, avatars, defends
from tests.support.sheets.fight import fallen_again

pytestmark = pytest.mark.alike


def thrown(duel):
    return duel.last("ben").thrown


@pytest.mark.rule("BD-14", "BD-22")
def test_who_buys_shield_after_the_dice_were_seen_has_new_dice_for_what_is_more_alone(battle, dice, monkeypatch):
    battle.put("ben", mana=5)
    defends(battle, dice, 6, 2)
    battle.play("ben", "undo", _event=battle.last("ben").pk)
    battle.do("ben", "act-use-active-Shield", paid=2)
    fallen_again(monkeypatch, 5, 4)
    battle.do("ben", "act-defend", change=0)
    assert thrown(battle) == [6, 2, 5, 4]
    # So they do if the shield is taken back as well, whatever else was done and taken back meanwhile.
    for _time in range(2):
        battle.play("ben", "undo", _event=battle.last("ben").sheet.events.filter(undone=False).latest("pk").pk)
    battle.do("ben", "act-change-mana", by=1)
    battle.do("ben", "act-defend", change=0)
    assert thrown(battle) == [6, 2]
    battle.play("ben", "undo", _event=battle.last("ben").pk)
    battle.do("ben", "act-use-active-Shield", paid=1)
    battle.do("ben", "act-defend", change=0)
    assert thrown(battle) == [6, 2, 5]


@pytest.mark.rule("BD-15")
def test_who_pays_for_flink_after_the_dice_were_seen_throws_none_anew(battle, dice):
    battle.put("ben", mana=3, avatars=avatars("The Biggest Fan"))
    defends(battle, dice, 6, 5)
    battle.play("ben", "undo", _event=battle.last("ben").pk)
    battle.do("ben", "act-use-active-avatars-0-Allein-im-Norden", paid=1)
    battle.do("ben", "act-defend", change=0)
    assert (thrown(battle), battle.state("ben").coming) == ([6, 5], 0)


@pytest.mark.rule("BD-14")
def test_the_dice_of_another_attack_are_all_new(battle, dice):
    defends(battle, dice, 6, 2)
    battle.play("ben", "undo", _event=battle.last("ben").pk)
    battle.play("anna", "undo", _event=battle.last("anna").pk)
    defends(battle, dice, 3, 3)
    assert thrown(battle) == [3, 3]
    # Nor do those lie of a turn before.
    battle.do("ben", "act-next-turn")
    battle.do("ben", "act-put-away-hand-0")
    battle.do("ben", "act-focus", change=0)
    battle.do("ben", "act-to-battle")
    battle.do("ben", "act-skip-battle")
    battle.do("anna", "act-next-turn")
    battle.do("anna", "act-put-away-hand-0")
    battle.do("anna", "act-focus", change=0)
    battle.do("anna", "act-to-battle")
    defends(battle, dice, 1, 4)
    assert thrown(battle) == [1, 4]


@pytest.mark.rule("BD-18")
def test_heilung_bought_after_its_dice_were_seen_adds_a_die_and_throws_the_others_not_anew(battle, dice, monkeypatch):
    battle.put("ben", mana=4, avatars=avatars(CORONA))
    defends(battle, dice, 6, 2, 1)
    battle.do("ben", "act-block-avatars-0")
    battle.do("ben", "act-use-active-Heal")
    dice += [[3]]
    battle.do("ben", "act-roll-heilung")
    battle.play("ben", "undo", _event=battle.last("ben").pk)
    battle.do("ben", "act-use-active-Heal")
    fallen_again(monkeypatch, 4)
    battle.do("ben", "act-roll-heilung")
    assert thrown(battle) == [3, 4]

"""One's own turn, a movement and an action, and what an attack leads on to (CD-41 to CD-48, CD-52, CD-54)."""

import pytest

from rulesets.condice import rolls
from rulesets.condice.play import (
    BeginTurn,
    ChangeAttributes,
    ChangeSize,
    ConDicePlay,
    Damage,
    EndRound,
    EndTurn,
    Heal,
    HealYourself,
    HoldTarget,
    Move,
    NewFight,
    TakeAction,
    UseItem,
)
from rulesets.condice.tests.heroes import FULL, MINDCONTROL, after, hero, offers
from rulesets.dice import LoadedTray, thrown
from rulesets.kit import Refused

ACTS = Move, TakeAction, EndTurn
BOOST, SIZE = ChangeAttributes(attributes=["defence"], by=2, own=True), ChangeSize(size="grow", own=True)
TRANSFER = {"ability": "leben-transferieren", "life_points": 2}


def on_offer(play, sheet=None):
    return [str(one.title) for act in ACTS for one in offers(act, sheet or hero(), play)]


def led(key, *faces, sheet=None, play=FULL, **answers):
    """(what it is called, the act) of what a roll of the sheet leads on to."""
    sheet = sheet or hero()
    offer = next(one for one in sheet.roll_offers(play) if one.key == key)
    roll = offer.take(**answers)
    outcome, _tray = thrown(roll.throw, LoadedTray(*faces))
    return [(str(one.title), one) for one in offer.leads(roll, outcome)]


@pytest.mark.rule("CD-52")
@pytest.mark.parametrize(("first", "second", "open_"), [
    (Move(), TakeAction(), "Action is still available"), (TakeAction(), Move(), "Movement is still available")])
def test_a_turn_is_a_movement_and_an_action_in_either_order(first, second, open_):
    play = after(hero(), FULL, first)
    assert [len(offers(EndTurn, hero(), now)) for now in (FULL, play)] == [0, 1]
    assert first.tell(hero(), play) == open_
    play = after(hero(), play, second)
    assert (second.tell(hero(), play), on_offer(play)) == ("Movement and action are used", ["End the turn"])
    assert after(hero(), play, EndTurn()) == FULL


@pytest.mark.rule("CD-52")
def test_a_turn_begins_with_both_whatever_was_done_outside_of_any():
    for done in (Move(), TakeAction()):
        play = after(hero(), FULL, done)
        assert [BeginTurn.takes_part(hero(), now) for now in (FULL, play)] == [False, True]
        assert (after(hero(), play, BeginTurn()), offers(BeginTurn, hero(), play)) == (FULL, [])


@pytest.mark.rule("CD-06", "CD-52")
def test_the_action_may_become_a_second_movement_and_nothing_a_third():
    moved = after(hero(), FULL, Move())
    assert on_offer(moved) == ["Move again instead", "Finish the action", "End the turn"]
    play = after(hero(), moved, Move())
    assert on_offer(play) == ["End the turn"]
    with pytest.raises(Refused):
        Move().apply(hero(), play)
    assert on_offer(FULL, hero(movement=0)) == ["Finish the action"]


@pytest.mark.rule("CD-47")
@pytest.mark.parametrize("act", [Move, TakeAction])
def test_at_0_life_one_of_both_is_the_turn(act):
    play = after(hero(), ConDicePlay(life=0), act())
    assert on_offer(play) == ["End the turn"]
    assert len(on_offer(after(hero(), play, Heal(points=1)))) == 2 + (act is Move)


@pytest.mark.rule("CD-50")
@pytest.mark.parametrize("act", [EndRound, NewFight])
def test_a_new_round_or_fight_is_a_new_turn(act):
    assert after(hero(), ConDicePlay(moved=True, acted=True), act()) == FULL


@pytest.mark.rule("CD-09")
@pytest.mark.rule("CD-51")
@pytest.mark.parametrize(("act", "faces", "acted"), [
    (HealYourself(), [4], True), (UseItem(index=0), [], True), (Damage(points=3), [], False), (BOOST, [], True),
    (SIZE, [], True), (BOOST.model_copy(update={"own": False}), [], False),
    (SIZE.model_copy(update={"own": False}), [], False)])
def test_an_ability_and_an_item_are_the_action_and_what_others_do_is_not(act, faces, acted):
    play = ConDicePlay(life=4, items=[{"name": "Trank"}])
    assert after(hero(), play, act, faces=faces).acted is acted


@pytest.mark.rule("CD-09")
@pytest.mark.rule("CD-28", "CD-36")
def test_what_one_changes_of_oneself_is_told_apart_from_what_others_do():
    sheet = hero(abilities=[{"ability": "boost", "variant": "I"}, {"ability": "groesse-aendern"}])
    assert [(str(one.title), one.filled["own"]) for act in (ChangeAttributes, ChangeSize)
            for one in offers(act, sheet, FULL)] == [
        ("Boost", True), ("Boost, debuff or aura", False), ("Change your own size", True), ("Change size", False)]


@pytest.mark.rule("CD-41")
@pytest.mark.rule("CD-45")
def test_an_attack_that_gets_through_leads_to_what_the_target_loses_and_a_miss_to_the_action():
    (title, offer), = led("attacks.0", 6, 6, 4, 1, defence=3)
    assert title == "The target loses 2 life points"
    assert after(hero(), FULL, offer.take()) == ConDicePlay(acted=True)
    (title, offer), = led("attacks.0", 1, 1, 4, 1, defence=3)
    assert (title, str(offer.note)) == ("Finish the action", "Nothing got through.")


@pytest.mark.parametrize(("key", "faces", "more", "titles"), [
    pytest.param("abilities.1", [1], {}, ["The target regains 1 life point"], marks=pytest.mark.rule("CD-48")),
    pytest.param("abilities.0", [6, 4], {"sheet": hero(abilities=[TRANSFER]), "play": ConDicePlay(life=1),
                                           "resistance": 1},
                 ["Take 2 life points", "The target loses 2 life points"], marks=pytest.mark.rule("CD-29")),
])
def test_healing_leads_to_what_the_target_regains_and_life_taken_by_force_to_what_it_loses(key, faces, more, titles):
    assert [title for title, _offer in led(key, *faces, **more)] == titles


@pytest.mark.rule("CD-54")
@pytest.mark.rule("CD-22")
def test_a_mental_attack_that_works_leads_to_whom_it_holds_while_it_has_room():
    works, fails = (6, 6, 1, 1, 1), (1, 1, 1, 6, 6)
    (title, offer), (_title, _done) = led("abilities.0", *works, resistance=2)
    assert title == "Mind control took hold"
    play = after(hero(), FULL, offer.take(target="Der Wächter"))
    assert (play.holds[0].dice, play.acted) == (MINDCONTROL["dice"], True)
    for faces, held, action in ((works, play, []), (fails, FULL, ["Finish the action"])):
        assert [title for title, _offer in led("abilities.0", *faces, play=held, resistance=2)] == action
    with pytest.raises(Refused, match="can hold 1 at a time"):
        HoldTarget(ability="mindcontrol", dice=3, target="Noch wer").apply(hero(), play)


@pytest.mark.rule("CD-44")
def test_what_one_rolls_in_the_turn_of_others_leads_to_no_action():
    leads = {one.cls: one.leads for one in hero().roll_offers(FULL)}
    assert (leads[rolls.MentalDefence] is None, leads[rolls.Attack] is None) == (True, False)


@pytest.mark.rule("CD-52")
@pytest.mark.parametrize(("state", "marks", "end_is_next"), [
    ({}, [(False, False), (False, False)], False),
    ({"moved": True}, [(True, False), (False, False)], False),
    ({"acted": True}, [(False, False), (True, False)], True),
    ({"moved": True, "life": 0}, [(True, False), (False, True)], True),
])
def test_the_board_shows_what_is_open_and_leads_on_where_nothing_is_left_to_roll(state, marks, end_is_next):
    play = ConDicePlay(**state)
    board = play.board(hero())
    assert [(one.done, one.unavailable and not one.done) for one in board["turn_parts"]] == marks
    assert board["end_turn_is_next"] == end_is_next
    assert [str(title) for title, _nudge in board["turn_buttons"]] == on_offer(play)
    for _title, nudge in board["turn_buttons"]:
        assert nudge.offer.take(**nudge.answers).apply(hero(), play) != play
    assert str(board["turn_parts"][0].what) == "up to 3 squares"

"""Leaving a fight: who may, what becomes of the weak point, and what coming back brings."""

import pytest

from rulesets.augen_des_zwielichts import RULESET
from rulesets.augen_des_zwielichts.tests.helpers import FIVE, SHEET, Group
from rulesets.kit import Refused

AKI, BO = range(2)


@pytest.mark.rule("SZ-36")
def test_nobody_leaves_a_fight_in_which_nobody_else_could_take_over_the_weak_point():
    group = Group({}, {}, danger_level=12)
    group.press(AKI, "begin-fight", (4, 4))
    group.risk(AKI)
    assert not [*RULESET.acts["leave-fight"].offered(SHEET, group.seats[AKI].play)]
    with pytest.raises(Refused, match="Nobody else is in the fight"):
        group.apply(AKI, RULESET.acts["leave-fight"](), [])
    assert not any("leave the fight" in str(one.message) for one in group.seats[AKI].play.notices(SHEET))
    assert RULESET.acts["leave-others"].gm_only
    group.press(BO, "begin-fight", (2, 2))
    assert not [*RULESET.acts["leave-others"].offered(SHEET, group.seats[AKI].play)]
    group.press(AKI, "leave-fight")
    assert (group.plays[AKI].fighting, group.table.open_weak_point) == (False, 4)


@pytest.mark.rule("SZ-35")
def test_a_weak_point_that_nobody_took_over_is_none_of_the_next_fight():
    group = Group({}, {}, open_weak_point=4, danger_level=9)
    group.do("begin-fight", (2, 2), (3, 3))
    assert group.table.open_weak_point is None
    group.risk(AKI)
    group.press(AKI, "leave-fight")
    group.press(AKI, "begin-fight")
    assert (group.table.open_weak_point, group.plays[AKI].weak_point) == (None, 2), "who comes back has it again"


@pytest.mark.rule("SZ-24", "SZ-33")
def test_whoever_takes_no_part_in_a_fight_weakens_the_enemy_before_it_and_not_during_it():
    def offered(who):
        return "weaken" in [one.key for one in group.seats[who].sheet.roll_offers(group.seats[who].play)]

    def weakens(who):
        group.apply(who, RULESET.acts["settle"](move="weaken", white="4", black="3"), [])

    group = Group({}, {}, {}, danger_level=12)
    cai = BO + 1
    assert offered(cai)
    weakens(cai)
    group.press(AKI, "begin-fight", (4, 4))
    group.press(BO, "begin-fight", (2, 2))
    assert [offered(who) for who in (AKI, BO, cai)] == [True, True, False]
    group.risk(AKI)
    group.press(AKI, "leave-fight")
    assert not offered(AKI)
    # Nor by entering a result, in the first round or later.
    for who in (AKI, cai):
        with pytest.raises(Refused, match="only those who take part"):
            weakens(who)


@pytest.mark.rule("SZ-24", "SZ-30", "SZ-33")
@pytest.mark.parametrize("weakened", [False, True])
def test_who_comes_back_to_a_fight_has_the_same_weak_point_and_what_was_used_up_in_the_round(weakened):
    def again():
        group.risk(AKI)
        group.press(AKI, "leave-fight")
        group.press(BO, "take-over")
        group.press(AKI, "begin-fight")
        return group.plays[AKI]

    group = Group({}, {}, danger_level=12)
    group.do("begin-fight", (4, 4), (2, 2))
    if weakened:
        group.apply(AKI, RULESET.acts["settle"](move="weaken", white="4", black="3"), [])
    else:
        group.press(AKI, "throw-combat-die", (6,))
    play = again()
    assert (play.weak_point, play.combat_die, play.weakening) == (4, None if weakened else 6, weakened)
    seat = group.seats[AKI]
    assert not [*RULESET.acts["throw-combat-die"].offered(seat.sheet, seat.play)]
    assert seat.play.has_weakened is weakened
    # In the next round of the same fight there is a die again; a later fight begins with nothing of this one.
    group.settle_turns((1,))
    assert (again().weak_point, group.plays[AKI].combat_die, group.plays[AKI].weakening) == (4, None, False)
    group.risk(AKI)
    group.press(AKI, "leave-fight")
    group.press(BO, "take-over")
    group.do("end-fight")
    group.do("begin-fight", (3, 3), (1, 1), danger_level=9)
    assert (group.plays[AKI].weak_point, group.plays[AKI].combat_die, group.plays[AKI].weakening) == (3, None, False)


@pytest.mark.rule("SZ-30")
def test_a_state_of_before_in_which_somebody_left_begins_as_it_did():
    group = Group({}, {"weak_point": 2}, danger_level=12, fighters=1, fought=1)
    group.press(AKI, "begin-fight", (3, 3))
    assert (group.plays[AKI].weak_point, group.table.fighters, group.table.fights) == (3, 2, 0)


@pytest.mark.rule("SZ-36")
@pytest.mark.parametrize(("state", "offered"), [
    ({"weak_point": 2}, True), ({"weak_point": 2, "conditions": FIVE}, False), ({}, False)])
def test_a_weak_point_is_offered_to_nobody_who_is_out_of_action_or_in_no_fight(state, offered):
    crossing, act = RULESET.crossing, RULESET.acts["leave-fight"](weak_point=3)
    figures = crossing.figures(SHEET, RULESET.play(**state))
    assert bool([*crossing.target_offers(act, None, figures)]) is offered

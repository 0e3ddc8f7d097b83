"""A party in a fight: weak points, a die each, what they do to everybody, what is counted once (SZ-09, SZ-30 to 36)."""

import pytest

from rulesets.augen_des_zwielichts import RULESET
from rulesets.augen_des_zwielichts.tests.helpers import SHEET, Group
from rulesets.kit import Refused


@pytest.mark.rule("SZ-09")
def test_clues_corruption_difficulty_and_danger_are_the_partys():
    assert RULESET.shared == (
        "clues", "corruption", "difficulty", "danger_level", "open_weak_point", "fought", "fighters", "fights")


@pytest.mark.rule("SZ-30")
@pytest.mark.rule("SZ-36")
def test_weak_points_are_rolled_for_all_and_are_the_order():
    group = Group({}, {}, danger_level=8)
    assert group.offer("begin-fight").asks == {}
    group.do("begin-fight", (6, 4), (3, 2))
    assert [play.weak_point for play in group.plays] == [4, 2]
    assert [group.table.place(seat) for seat in group.seats] == [4, 2]
    assert set(Group({}).offer("begin-fight").asks) == {"danger_level"}


@pytest.mark.rule("SZ-31")
@pytest.mark.rule("SZ-32")
@pytest.mark.rule("SZ-34")
def test_a_round_hits_everybodys_weak_points_and_the_highest_holds_a_second_die():
    group = Group({"weak_point": 5}, {"weak_point": 2}, {"weak_point": 2, "taken_over": "5"}, danger_level=12)
    assert group.offer("settle-together") is None
    group.do("throw-combat-die", (6,), (5,), (2,))
    offer = group.offer("settle-together")
    assert (offer.filled, list(offer.asks)) == (
        {"dice": "2,5,6", "danger_level": 12, "number": 1, "in_turn": False}, ["ties"])
    assert group.do("settle-together") == [
        f"Round 1 is over, dice 2,5,6; {hit}; narrates with the {die} as number {place} of 3" for hit, die, place in (
            ("hit once", 6, 3), ("hit once", 5, 2), ("hit 2 times", 2, 1))]
    assert [play.conditions_due for play in group.plays] == [1, 1, 2]
    assert [play.second_die for play in group.plays] == [True, False, False]
    assert [play.combat_die for play in group.plays] == [None] * 3
    group.do("throw-combat-die", (1, 4), (3,), (3,))
    assert group.plays[0].combat_die == 4


@pytest.mark.rule("SZ-34")
@pytest.mark.parametrize("ties", [False, True])
def test_on_a_tie_the_gm_decides_whether_all_of_them_hold_a_second_die(ties):
    group = Group(*[{"weak_point": 1}] * 3, danger_level=12)
    group.do("throw-combat-die", (5,), (5,), (2,))
    group.do("settle-together", ties=ties)
    assert [play.second_die for play in group.plays] == [ties, ties, False]


@pytest.mark.rule("SZ-33")
@pytest.mark.rule("SZ-37")
def test_who_weakens_the_enemy_or_is_out_throws_no_die_and_is_hit_all_the_same():
    full = [{"word": str(number)} for number in range(5)]
    group = Group({"weak_point": 3}, {"weak_point": 3, "weakening": True}, {"weak_point": 4, "conditions": full},
                  danger_level=12)
    group.do("throw-combat-die", (3,))
    group.do("settle-together")
    assert [play.conditions_due for play in group.plays] == [1, 1, 0]
    assert [play.rounds for play in group.plays] == [1, 1, 1]
    assert not group.plays[1].weakening


@pytest.mark.rule("SZ-35")
def test_a_common_fight_that_is_won_gives_its_clues_to_the_party_once():
    group = Group({"weak_point": 1, "rounds": 2}, {"weak_point": 4, "rounds": 2}, danger_level=9, clues=1, fought=2)
    group.do("throw-combat-die", (5,), (4,))
    assert group.do("settle-together") == [
        "The fight is won; clues for the group: 4; not hit; narrates with the 5 as number 2 of 2",
        "The fight is won; clues for the group: 4; hit once; narrates with the 4 as number 1 of 2"]
    assert (group.table.clues, group.table.danger_level) == (4, None)
    assert not any(play.fighting for play in group.plays)


@pytest.mark.rule("SZ-36")
def test_who_leaves_leaves_the_danger_to_the_others():
    group = Group({"weak_point": 1}, {"weak_point": 2}, danger_level=9)
    left = RULESET.acts["leave-fight"]().apply(SHEET, group.plays[0].evolve(risk_won=True))
    assert (left.fighting, left.danger_level) == (False, 9)


@pytest.mark.rule("SZ-34")
def test_of_two_combat_dice_the_better_counts():
    one, two = (RULESET.rolls["combat-die"](second_die=second).odds().chances for second in (False, True))
    assert (one[6] * 6, two[6] * 36) == (1, 11)


@pytest.mark.rule("SZ-36")
def test_dice_are_thrown_by_weak_point_and_it_is_told_by_the_dice_which_stay_till_the_next_throw():
    def order(group):
        return sorted(range(3), key=lambda number: group.table.place(group.seats[number]))

    group = Group({"weak_point": 1}, {"weak_point": 2}, {"weak_point": 3}, danger_level=12)
    group.do("throw-combat-die", (6,), (5,), (2,))
    assert order(group) == [0, 1, 2]
    group.do("settle-together")
    assert [play.last_die for play in group.plays] == [6, 5, 2]
    assert order(group) == [2, 1, 0]
    assert {gauge.key for gauge in group.plays[0].gauges(SHEET)} >= {"last_die"}
    group.do("throw-combat-die", (5, 5), (2,), (6,))
    assert [play.last_die for play in group.plays] == [None] * 3
    assert order(group) == [0, 1, 2]


@pytest.mark.rule("SZ-36")
def test_a_weak_point_that_is_given_up_is_taken_over_with_one_press_and_lies_open_till_then():
    group = Group({"weak_point": 1}, {"weak_point": 2, "taken_over": "4"}, {"weak_point": 5}, danger_level=9)
    for number in (0, 1):
        group.risk(number)
    assert group.press(0, "leave-fight") == "Out of the fight; somebody has to take over weak point 1."
    assert (group.plays[0].fighting, group.table.open_weak_point) == (False, 1)
    with pytest.raises(Refused, match="First somebody has to take over weak point 1"):
        RULESET.acts["leave-fight"]().apply(SHEET, group.common(group.plays[1]))
    assert not list(RULESET.acts["leave-fight"].offered(SHEET, group.common(group.plays[1])))
    assert group.press(2, "take-over") == "Weak points: 5,1"
    assert (group.plays[2].weak_points, group.table.open_weak_point) == ((5, 1), None)
    assert group.press(1, "leave-fight").endswith("then the next one can be handed over.")
    assert (group.plays[1].weak_points, group.table.open_weak_point) == ((2,), 4)
    group.press(0, "taken-over")
    group.press(1, "leave-fight")
    assert (group.plays[1].fighting, group.table.open_weak_point, group.table.danger_level) == (False, 2, 9)


@pytest.mark.rule("SZ-33")
def test_a_round_in_which_all_weaken_the_enemy_ends_too():
    group = Group({"weak_point": 3, "weakening": True}, {"weak_point": 4, "weakening": True}, danger_level=9)
    assert group.do("settle-together") == ["Round 1 is over, dice –; not hit"] * 2
    assert not any(play.weakening for play in group.plays)

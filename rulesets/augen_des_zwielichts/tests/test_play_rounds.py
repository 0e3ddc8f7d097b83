"""Turns and rounds of a common fight: whose turn it is, what ends with it, who joins late and who may at all."""

from itertools import permutations

import pytest

from rulesets.augen_des_zwielichts import RULESET
from rulesets.augen_des_zwielichts.tests.helpers import FIVE, SHEET, Group, changed
from rulesets.dice import Outcome
from rulesets.document import read_tree
from rulesets.kit import Refused

AKI, BO, CHI = range(3)
UNARMED = read_tree(changed("ferrywoman", {"fields.item.combat": False})).sheet


@pytest.mark.rule("SZ-31", "SZ-36")
def test_a_turn_is_due_to_who_fights_and_is_in_action_by_weak_point_whatever_dice_there_are():
    group = Group({"weak_point": 4, "last_die": 1}, {"weak_point": 2, "last_die": 6, "weakening": True}, {})
    assert [group.table.turn_place(seat) for seat in group.seats] == [4, 2, None]
    assert [group.table.place(seat) for seat in group.seats] == [1, 6, None]
    assert [group.table.due(seat) for seat in group.seats] == [True, True, False]
    group = Group({"weak_point": 4, "conditions": FIVE}, {"weak_point": 2, "steps": ["turn-black"]})
    assert [group.table.due(seat) for seat in group.seats] == [False, False]


@pytest.mark.rule("SZ-31", "SZ-33")
def test_whose_turn_is_over_throws_then_unless_a_die_lies_there_or_the_enemy_is_weakened():
    group = Group({"weak_point": 1, "combat_die": 4}, {"weak_point": 2, "weakening": True}, {"weak_point": 3})
    offers = [[*group.table.turn_ends(seat)] for seat in group.seats]
    assert [[one.asks for one in found] for found in offers] == [[{}]] * 3
    taking_part = [found[0].cls.takes_part(seat.sheet, seat.play)
                   for found, seat in zip(offers, group.seats, strict=True)]
    assert taking_part == [False, False, True]


@pytest.mark.rule("SZ-24", "SZ-33", "SZ-36")
def test_weakening_costs_the_die_of_the_round_it_is_thrown_in_whenever_its_result_is_applied():
    group = Group({"weak_point": 1, "combat_die": 6, "risk_won": True}, {"weak_point": 2}, danger_level=12)
    seat, outcome = group.seats[AKI], Outcome("1-2", white=[], black=[2, 1])
    move = next(one for one in seat.sheet.roll_offers(seat.play) if one.key == "weaken")
    roll = move.take(attribute="black")
    thrown, result = move.leads(roll, outcome)
    assert (thrown.automatic, result.automatic) == ("always", "")
    group.apply(AKI, thrown.take(), [])
    play = group.plays[AKI]
    assert (play.weakening, play.combat_die, play.risk_won, group.table.danger_level) == (True, None, False, 12)
    assert "not applied yet" in str(group.table.turn_used_note(group.seats[AKI]))
    assert "not applied yet" in " ".join(str(one.message) for one in play.notices(seat.sheet))
    # An improved roll is the same one, and the round is settled without that die.
    later = next(one for one in seat.sheet.roll_offers(group.seats[AKI].play) if one.key == "weaken")
    assert [one.automatic for one in later.leads(roll, outcome)] == [""]
    group.settle_turns((5,))
    assert group.plays[AKI].last_die is None
    # In a later round the result counts and costs nothing more.
    group.apply(AKI, result.take(), [])
    assert (group.table.danger_level, group.plays[AKI].weakening, group.plays[AKI].unapplied) == (13, False, False)
    assert group.table.turn_used_note(group.seats[AKI]) == ""


@pytest.mark.rule("SZ-31", "SZ-34", "SZ-35")
def test_the_end_of_a_round_settles_it_for_all_and_asks_nothing():
    group = Group(danger_level=12)
    assert not [*group.table.round_ends([])]
    group = Group({"weak_point": 1}, {"weak_point": 2}, danger_level=12)
    assert not [*group.table.round_ends(group.seats)], "not before all dice lie there"
    assert group.settle_turns((6,), (2,))[1] == (
        "Round 1 is over, dice 2,6; hit once; narrates with the 2 as number 1 of 2")
    assert [play.second_die for play in group.plays] == [True, False]
    assert not [*group.table.round_ends(group.seats)], "and once"
    assert group.settle_turns((6, 3), (6,))[0].startswith("The fight is won; clues for the group: 2; not hit")
    assert not any(map(group.table.due, group.seats))


@pytest.mark.rule("SZ-31")
def test_after_a_round_that_is_settled_before_its_last_turn_nobody_throws_until_the_next_one_begins():
    def throws():
        return [bool([*group.table.turn_ends(seat)]) for seat in group.seats]

    group = Group({"weak_point": 1}, {"weak_point": 2}, {"weak_point": 3}, danger_level=12)
    group.do("throw-combat-die", (2,), (3,), (3,))
    group.do("settle-together", ties=True)
    group.press(AKI, "throw-combat-die", (2,))
    assert throws() == [True, False, False]
    offer, = group.table.round_begins(group.seats)
    assert [offer.cls.takes_part(seat.sheet, seat.play) for seat in group.seats] == [False, True, True]
    for number in (BO, CHI):
        group.apply(number, offer.take(), [])
    assert throws() == [True] * 3
    group.settle_turns((2, 2), (4, 1))
    assert throws() == [True] * 3, "not early"


@pytest.mark.rule("SZ-31")
def test_a_round_whose_danger_level_nobody_knows_is_not_settled_by_its_end():
    group = Group({"weak_point": 1, "combat_die": 3})
    assert not [*group.table.round_ends(group.seats)]


@pytest.mark.rule("SZ-36")
def test_a_round_does_not_end_while_a_weak_point_lies_open_that_its_dice_may_hit():
    group = Group({"weak_point": 1, "combat_die": 3}, danger_level=12, open_weak_point=3)
    with pytest.raises(Refused, match="First somebody has to take over weak point 3"):
        [*group.table.round_ends(group.seats)]
    # Nor does anybody else settle it, the GM for all or one on the own sheet.
    for slug in ("settle-together", "settle-round"):
        offer = group.offer("settle-together") if slug == "settle-together" else RULESET.acts[slug].offer(won=True)
        with pytest.raises(Refused, match="First somebody has to take over weak point 3"):
            group.apply(AKI, offer.take(), [])


@pytest.mark.rule("SZ-36", "SZ-37")
def test_the_gm_ends_a_fight_for_all_that_nobody_has_won():
    assert not any(RULESET.acts["end-fight"].takes_part(seat.sheet, seat.play) for seat in Group({}).seats)
    group = Group({"weak_point": 1, "conditions": FIVE}, {"weak_point": 3}, {}, danger_level=12, open_weak_point=3,
                  fought=2, fighters=2)
    group.do("end-fight")
    assert [play.fighting for play in group.plays] == [False] * 3
    assert group.table == RULESET.table()


@pytest.mark.rule("SZ-34")
def test_on_a_tie_the_gm_may_still_give_a_second_die_after_the_round_until_the_next_throw():
    def offered():
        return [RULESET.acts["hold-second-die"].takes_part(seat.sheet, seat.play) for seat in group.seats]

    group = Group({"weak_point": 1}, {"weak_point": 1}, {"weak_point": 1}, danger_level=12)
    group.settle_turns((5,), (5,), (2,))
    assert not any(play.second_die for play in group.plays)
    assert offered() == [True, True, False]
    assert not [*RULESET.acts["hold-second-die"].offered(SHEET, group.seats[AKI].play)], "for nobody alone"
    group.press(CHI, "throw-combat-die", (1,))
    group.do("hold-second-die")
    assert ([play.second_die for play in group.plays], offered()) == ([True, True, False], [False] * 3)
    # A single highest die is no tie, nor is one of a fight that is won, and who throws has let it go by.
    group.do("throw-combat-die", (3, 6), (3, 1))
    group.do("settle-together")
    assert offered() == [False] * 3
    group.settle_turns((3, 3), (3,), (2,))
    group.press(AKI, "throw-combat-die", (3,))
    assert offered() == [False, True, False]
    group.do("throw-combat-die", (6,), (6,))
    group.do("settle-together")
    assert offered() == [False] * 3


def fought(*late):
    """A group of which these join once the others have fought a round."""
    group = Group({}, {}, {}, danger_level=12)
    for number in {AKI, BO, CHI} - {*late}:
        group.press(number, "begin-fight", (1, 1))
    group.settle_turns(*[(2,)] * (3 - len(late)))
    for number in late:
        group.press(number, "begin-fight", (1, 1))
    return group


@pytest.mark.rule("SZ-35")
@pytest.mark.parametrize("late", [(), (AKI,), (BO,), (CHI,), (AKI, BO), (BO, CHI)])
def test_each_round_is_a_clue_for_the_group_whoever_joins_late_and_settles_first(late):
    group = fought(*late)
    group.do("throw-combat-die", *[(6, 6) if play.second_die else (6,) for play in group.plays])
    told = group.do("settle-together")
    assert (group.table.clues, [one.split(";")[1] for one in told]) == (2, [" clues for the group: 2"] * 3)
    assert (group.table.fought, group.table.fighters) == (0, 0)


@pytest.mark.rule("SZ-31", "SZ-35")
@pytest.mark.parametrize("order", [*permutations(range(3))])
def test_a_round_that_the_gm_ends_for_one_after_the_other_counts_once_in_whatever_order(order):
    group = fought(AKI)
    for number in order:
        group.press(number, "settle-for-one", hits=0, highest=False, won=False)
    assert (group.table.fought, [play.rounds for play in group.plays]) == (2, [2] * 3)
    for number in order[::-1]:
        slug = "settle-for-one" if group.table.fighters else "settle-round"
        assert "clues for the group: 3" in group.press(number, slug, hits=0, highest=False, won=True)
    assert (group.table.clues, group.table.fought, group.table.fighters) == (3, 0, 0)


@pytest.mark.rule("SZ-31")
def test_nobody_in_a_group_ends_the_round_alone():
    group = fought(CHI)
    group.press(AKI, "throw-combat-die", (6, 6))
    slugs = "settle-round", "settle-together", "settle-for-one"
    assert [any(RULESET.acts[slug].offered(SHEET, group.seats[AKI].play)) for slug in slugs] == [False, False, True]
    rounds = [one for one in group.seats[AKI].play.effective(SHEET).roll_offers(group.seats[AKI].play)
              if one.cls.slug == "combat-round"]
    assert [one.leads for one in rounds] == [None]
    assert RULESET.acts["settle-for-one"].gm_only
    alone = group.seats[AKI].play.evolve(fighters=1)
    assert [any(RULESET.acts[slug].offered(SHEET, alone)) for slug in slugs] == [True, True, False]


@pytest.mark.rule("SZ-35")
def test_who_joins_between_two_who_settle_a_round_has_none_of_it_before_them():
    group = fought(CHI)
    for number in (AKI, BO):
        group.press(number, "throw-combat-die", (1,) if number else (1, 1))
    group.press(AKI, "settle-for-one", hits=0, highest=False, won=False)
    group.plays[CHI] = RULESET.play()
    group.press(CHI, "begin-fight", (1, 1))
    group.press(BO, "settle-for-one", hits=0, highest=False, won=False)
    assert (group.table.fought, [play.round_at_hand for play in group.plays]) == (2, [3, 3, 3])


@pytest.mark.rule("SZ-35", "SZ-36")
def test_the_groups_rounds_go_on_when_one_leaves_and_begin_anew_when_all_have_left():
    group = fought(CHI)
    group.risk(AKI)
    group.press(AKI, "leave-fight")
    group.press(BO, "take-over")
    assert (group.table.fought, group.table.fighters, group.plays[BO].weak_points) == (1, 2, (1, 1))
    group.settle_turns((2,), (3,))
    assert group.table.fought == 2
    group.press(AKI, "begin-fight")
    assert group.plays[AKI].rounds == 2
    for number in (AKI, CHI):
        group.risk(number)
        group.press(number, "leave-fight")
        group.press(BO, "take-over")
    group.risk(BO)
    group.press(BO, "leave-others")
    assert (group.table.fought, group.table.fighters) == (0, 0)
    group.do("begin-fight", *[(1, 1)] * 3)
    group.do("throw-combat-die", *[(6,)] * 3)
    group.do("settle-together")
    assert group.table.clues == 1


@pytest.mark.rule("SZ-06")
def test_a_fight_that_begins_for_all_names_and_leaves_out_who_first_has_to_win_a_risk():
    group = Group({}, {}, {"free_item": "Anker", "free_item_combat": True}, sheets=(UNARMED, UNARMED, UNARMED))
    offer = group.offer("begin-fight")
    assert str(offer.note) == (
        "Rolls everyone's weak point, which stays for the whole fight. Left out, because they have no weapon or word "
        "fit for combat: Aki, Bo. After a successful “Take a risk” they start the fight on their own sheets.")
    group.do("begin-fight", (3, 4), danger_level=8)
    assert [play.fighting for play in group.plays] == [False, False, True]
    group.risk(AKI)
    group.press(AKI, "begin-fight", (3, 4))
    assert group.plays[AKI].fighting
    assert "Left out, because they have no weapon or word fit for combat: Bo." in str(group.offer("begin-fight").note)


@pytest.mark.rule("SZ-06")
def test_under_chill_rules_nobody_is_left_out():
    chill = UNARMED.under(RULESET.house(chill=True))
    group = Group({}, {}, sheets=(chill, chill))
    assert str(group.offer("begin-fight").note) == "Rolls everyone's weak point, which stays for the whole fight."
    group.do("begin-fight", (3, 4), (3, 4), danger_level=8)
    assert group.table.fighters == 2

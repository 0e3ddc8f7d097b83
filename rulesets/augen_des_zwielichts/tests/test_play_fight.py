import pytest

from rulesets.augen_des_zwielichts import RULESET
from rulesets.augen_des_zwielichts.tests.helpers import FIVE, Table, settled
from rulesets.kit import Refused

UNARMED = {"fields.item.combat": False}


@pytest.mark.rule("SZ-30")
@pytest.mark.parametrize(("start", "weak"), [("ferrywoman", 2), ("actress", 5)])
def test_a_fight_begins_with_the_weak_point_by_the_section(start, weak):
    table = Table(start)
    assert table.do("begin-fight", 2, 5, danger_level=9) == "Danger level 9"
    assert (table.play.weak_point, table.play.danger_level, table.offers("begin-fight")) == (weak, 9, [])
    assert "weak-point" not in [one.cls.slug for one in table.now.roll_offers(table.play)]


@pytest.mark.rule("SZ-06")
@pytest.mark.parametrize(("state", "first"), [
    ({"patch": UNARMED}, True), ({}, False), ({"patch": UNARMED, "house": {"chill": True}}, False),
    ({"patch": UNARMED, "free_item": "Anker", "free_item_combat": True}, False),
])
def test_who_has_no_weapon_joins_after_a_won_risk_alone_and_under_chill_rules_just_joins(state, first):
    table, begin = Table(**state, danger_level=9), RULESET.acts["begin-fight"](danger_level=9)
    assert (not table.offers("begin-fight"), "SZ-06" in table.notices) == (first, first)
    if first:
        with pytest.raises(Refused, match="must first succeed at “Take a risk”"):
            table.take(begin, 2, 5)
        settled("risk", "4", table=table)
        assert not table.offers("begin-fight")
    settled("risk", "5", table=table)
    assert ("succeeded" in str(table.offers("begin-fight")[0].note)) is first
    table.do("begin-fight", 2, 5)
    assert (table.play.fighting, table.play.risk_won) == (True, False)


@pytest.mark.rule("SZ-36", "SZ-21")
@pytest.mark.parametrize(("white", "leaves"), [("2", False), ("4", False), ("5", True), ("6,6", True)])
def test_nobody_leaves_a_fight_without_a_won_risk_which_counts_for_this_round(white, leaves):
    table = Table(weak_point=3, danger_level=10)
    assert not table.offers("leave-fight")
    with pytest.raises(Refused, match="must first succeed at “Take a risk”"):
        table.take(RULESET.acts["leave-fight"]())
    settled("risk", white, table=table)
    assert (bool(table.offers("leave-fight")), "SZ-36" in table.notices) == (leaves, leaves)
    table.do("settle-round", key="table", hits=0)
    assert not table.offers("leave-fight")
    settled("risk", "5", table=table)
    settled("risk", "3", table=table)
    assert not table.offers("leave-fight")


@pytest.mark.rule("SZ-36", "SZ-24")
def test_a_risk_won_to_weaken_the_enemy_or_before_the_fight_leads_nobody_out_of_it():
    table = Table(danger_level=10)
    settled("risk", "5", table=table)
    table.do("begin-fight", 3, 3)
    assert not table.offers("leave-fight")
    settled("risk", "5", table=table)
    settled("weaken", "4", "3", table=table)
    assert not table.offers("leave-fight")


@pytest.mark.rule("SZ-36", "SZ-37")
def test_who_is_out_of_action_wins_no_risk_but_a_fight_that_is_lost_ends_and_brings_no_clues():
    table = Table(weak_point=3, danger_level=10, fought=2, rounds=2, fighters=1)
    assert not table.offers("end-fight")
    table = Table(weak_point=3, danger_level=10, conditions=FIVE, fought=2, rounds=2, fighters=1)
    table.do("end-fight")
    assert (table.play.fighting, table.play.danger_level, table.play.clues, table.play.fought) == (False, None, 0, 0)
    assert table.play.out_of_action
    assert not Table(weak_point=3, danger_level=10, conditions=FIVE, fighters=2).offers("end-fight")


@pytest.mark.rule("SZ-31", "SZ-32", "SZ-35")
def test_rounds_bring_hits_and_a_won_fight_a_clue_for_each_round():
    table = Table(weak_point=3, danger_level=10)
    outcome, leads = table.roll("combat-round", 3, 4, 3, fighters=3)
    assert (outcome.value, leads[0].filled) == ("not-yet", {"won": False, "hits": 2})
    assert table.take(leads[0].take(highest=True)) == "Round 1 is over, hits: 2"
    assert (table.play.rounds, table.play.second_die, table.play.conditions_due) == (1, True, 2)
    assert "SZ-34" in table.notices
    outcome, leads = table.roll("combat-round", 5, 6, 2, 5, fighters=3, second_dice=1)
    assert (outcome.value, table.take(leads[0].take())) == ("won", "The fight is won; clues for the group: 2; not hit")
    assert (table.play.fighting, table.play.danger_level, table.play.second_die) == (False, None, False)
    assert (table.play.clues, table.play.conditions_due) == (2, 2)


@pytest.mark.rule("SZ-32", "SZ-34")
def test_hits_do_not_go_beyond_the_sixth_place_and_a_second_die_is_for_the_next_round_alone():
    table = Table(weak_point=3, danger_level=10, conditions=FIVE[:3])
    table.do("settle-round", key="table", hits=5, highest=True)
    assert (table.play.conditions_due, table.play.second_die) == (2, True)
    for word in ("Verletzt", "Blutend"):
        table.do("note-condition", word=word)
    assert (table.play.out_of_action, table.play.conditions_due) == (True, 0)
    table.do("settle-round", key="table", hits=0)
    assert not table.play.second_die


@pytest.mark.rule("SZ-36", "SZ-07")
def test_who_is_out_of_action_takes_over_no_weak_point():
    table = Table(weak_point=3, danger_level=10)
    assert table.offers("take-over")
    while not table.play.out_of_action:
        table.do("note-condition", word="Verletzt")
    assert (table.play.out_of_action, [*table.offers("take-over")]) == (True, [])
    with pytest.raises(Refused, match="Nobody out of action can take over"):
        table.take(RULESET.acts["take-over"](weak_point=5))


@pytest.mark.rule("SZ-36")
def test_leaving_names_the_weak_points_and_taking_one_over_is_hit_on_both():
    table = Table(weak_point=3, danger_level=10)
    table.do("take-over", weak_point=5)
    assert table.play.weak_points == (3, 5)
    assert "SZ-36" in table.notices
    _outcome, leads = table.roll("combat-round", 5, 3, 2, fighters=3)
    assert leads[0].filled["hits"] == 2
    settled("risk", "5", table=table)
    assert "3,5" in str(table.offers("leave-fight")[0].note)
    table.do("leave-fight")
    assert (table.play.weak_points, table.play.open_weak_point) == ((3,), 5)
    assert table.offers("take-over")[0].filled == {"weak_point": 5}
    table.do("taken-over")
    table.do("leave-fight")
    assert (table.play.fighting, table.play.taken_over, table.play.clues) == (False, "", 0)
    assert (table.play.danger_level, table.play.open_weak_point) == (10, 3)


@pytest.mark.rule("SZ-26a")
def test_clues_left_over_lower_the_danger_level():
    table = Table(danger_level=12, clues=3)
    assert table.do("lower-danger", clues=2) == "Danger level 10, clues left: 1"
    with pytest.raises(Refused, match="Clues needed: 2, available: 1"):
        table.do("lower-danger", clues=2)
    assert not Table(danger_level=12).offers("lower-danger") + Table(clues=3).offers("lower-danger")


@pytest.mark.rule("SZ-31", "SZ-36", "SZ-37")
def test_a_level_above_12_is_said_and_a_combat_round_knows_the_level():
    table = Table(weak_point=3, danger_level=13)
    assert "SZ-31" in table.notices
    filled = {one.cls.slug: one.filled for one in table.now.roll_offers(table.play)}
    assert (filled["combat-round"], filled["weak-hits"]) == ({"danger_level": 13}, {"weak_point": 3})
    # Who is out of action begins none.
    assert [len(Table(conditions=FIVE, brought_back=back).offers("begin-fight")) for back in (False, True)] == [0, 1]


@pytest.mark.rule("SZ-33")
def test_a_combat_die_thrown_before_the_enemy_is_weakened_does_not_count_and_earns_no_second_one():
    table = Table(weak_point=3, danger_level=9)
    table.do("throw-combat-die", 6)
    assert table.play.combat_die == 6
    table.take(RULESET.acts["settle"](move="weaken", white="3", black="4"))
    assert (table.play.combat_die, table.play.weakening, table.offers("throw-combat-die")) == (None, True, [])
    assert table.offers("settle-together")[0].filled["dice"] == ""
    table.do("settle-round", key="table", hits=0, highest=True)
    assert not table.play.second_die

import pytest

from rulesets.augen_des_zwielichts import RULESET
from rulesets.augen_des_zwielichts.play.state import Word
from rulesets.augen_des_zwielichts.tests.helpers import Table
from rulesets.kit import Refused

FIVE = [Word(word=word) for word in ("Müde", "Zornig", "Verletzt", "Traurig", "Verloren")]


@pytest.mark.rule("SZ-30")
@pytest.mark.parametrize(("start", "weak"), [("ferrywoman", 2), ("actress", 5)])
def test_a_fight_begins_with_the_weak_point_by_the_section(start, weak):
    table = Table(start)
    assert table.do("begin-fight", 2, 5, danger_level=9) == "Danger level 9"
    assert (table.play.weak_point, table.play.danger_level) == (weak, 9)
    assert not table.offers("begin-fight")
    assert "weak-point" not in [one.cls.slug for one in table.now.widgets(table.play)]


@pytest.mark.rule("SZ-06")
def test_who_has_no_weapon_is_told_how_to_join_and_under_chill_rules_just_joins():
    unarmed = {"fields.item.combat": False}
    assert "won" in str(Table(patch=unarmed).offers("begin-fight")[0].note)
    assert "won" not in str(Table().offers("begin-fight")[0].note)
    assert "won" not in str(Table(patch=unarmed, house={"chill": True}).offers("begin-fight")[0].note)
    assert "won" not in str(Table(patch=unarmed, free_item="Anker", free_item_combat=True)
                            .offers("begin-fight")[0].note)


@pytest.mark.rule("SZ-31")
@pytest.mark.rule("SZ-32")
@pytest.mark.rule("SZ-35")
def test_rounds_bring_hits_and_a_won_fight_a_clue_for_each_round():
    table = Table(weak_point=3, danger_level=10)
    outcome, leads = table.roll("combat-round", 3, 4, 3, fighters=3)
    assert outcome.value == "not-yet"
    assert leads[0].filled == {"won": False, "hits": 2}
    assert table.take(leads[0].take(highest=True)) == "Round 1 is over, hits: 2"
    assert (table.play.rounds, table.play.second_die, table.play.conditions_due) == (1, True, 2)
    assert "SZ-34" in table.notices
    outcome, leads = table.roll("combat-round", 5, 6, 2, 5, fighters=3, second_dice=1)
    assert outcome.value == "won"
    assert table.take(leads[0].take()) == "The fight is won; clues of the group: 2"
    assert (table.play.fighting, table.play.danger_level, table.play.second_die) == (False, None, False)
    assert (table.play.clues, table.play.conditions_due) == (2, 2)


@pytest.mark.rule("SZ-32")
def test_hits_do_not_go_beyond_the_sixth_place():
    table = Table(weak_point=3, danger_level=10, conditions=FIVE[:3])
    table.do("settle-round", key="table", hits=5)
    assert table.play.conditions_due == 2
    table.do("note-condition", word="Verletzt")
    table.do("note-condition", word="Blutend")
    assert (table.play.out, table.play.conditions_due) == (True, 0)


@pytest.mark.rule("SZ-34")
def test_a_second_die_is_for_the_next_round_alone():
    table = Table(weak_point=3, danger_level=10)
    table.do("settle-round", key="table", hits=0, highest=True)
    assert table.play.second_die
    table.do("settle-round", key="table", hits=0)
    assert not table.play.second_die


@pytest.mark.rule("SZ-36")
def test_leaving_names_the_weak_points_and_taking_one_over_is_hit_on_both():
    table = Table(weak_point=3, danger_level=10)
    table.do("take-over", weak_point=5)
    assert table.play.weak_points == (3, 5)
    assert "SZ-36" in table.notices
    _outcome, leads = table.roll("combat-round", 5, 3, 2, fighters=3)
    assert leads[0].filled["hits"] == 2
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
    with pytest.raises(Refused, match="Clues needed: 2, there are 1"):
        table.do("lower-danger", clues=2)
    assert not Table(danger_level=12).offers("lower-danger")
    assert not Table(clues=3).offers("lower-danger")


@pytest.mark.rule("SZ-31")
@pytest.mark.rule("SZ-36")
def test_a_level_above_12_is_said_and_a_combat_round_knows_the_level():
    table = Table(weak_point=3, danger_level=13)
    assert "SZ-31" in table.notices
    combat = next(one for one in table.now.widgets(table.play) if one.cls.slug == "combat-round")
    assert combat.filled == {"danger_level": 13}
    hits = next(one for one in table.now.widgets(table.play) if one.cls.slug == "weak-hits")
    assert hits.filled == {"weak_point": 3}


@pytest.mark.rule("SZ-37")
def test_who_is_out_of_action_begins_no_fight():
    assert not Table(conditions=FIVE).offers("begin-fight")
    assert Table(conditions=FIVE, brought_back=True).offers("begin-fight")


@pytest.mark.rule("SZ-33")
def test_a_combat_die_thrown_before_the_enemy_is_weakened_does_not_count_and_earns_no_second_one():
    table = Table(weak_point=3, danger_level=9)
    table.do("throw-combat-die", 6)
    assert table.play.combat_die == 6
    table.take(RULESET.acts["settle"](move="weaken", white="3", black="4"))
    assert (table.play.combat_die, table.play.weakening) == (None, True)
    assert not table.offers("throw-combat-die")
    assert table.offers("settle-together")[0].filled["dice"] == ""
    table.do("settle-round", key="table", hits=0, highest=True)
    assert not table.play.second_die

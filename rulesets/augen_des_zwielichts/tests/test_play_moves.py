import pytest

from rulesets.augen_des_zwielichts import RULESET
from rulesets.augen_des_zwielichts.tests.helpers import FIVE, Table, settled
from rulesets.kit import Refused


def counts(table):
    return {key: getattr(table.play, key) for key in ("clues", "corruption", "bonus_dice")
            if getattr(table.play, key)}


@pytest.mark.parametrize(("move", "white", "brought"), [
    pytest.param("investigate", "4,2", {"corruption": 1}, marks=pytest.mark.rule("SZ-20")),
    pytest.param("investigate", "5,2", {"clues": 1}, marks=pytest.mark.rule("SZ-20")),
    pytest.param("investigate", "6,6", {"clues": 2}, marks=pytest.mark.rule("SZ-20")),
    pytest.param("investigate", "1,1", {"corruption": 2}, marks=pytest.mark.rule("SZ-20")),
    pytest.param("risk", "2,1", {}, marks=pytest.mark.rule("SZ-21")),
    pytest.param("risk", "3,1", {"corruption": 1}, marks=pytest.mark.rule("SZ-21")),
    pytest.param("risk", "5,1", {}, marks=pytest.mark.rule("SZ-21")),
    pytest.param("risk", "6,6", {"clues": 1, "bonus_dice": 1}, marks=pytest.mark.rule("SZ-21")),
    pytest.param("risk", "1,1", {"corruption": 2}, marks=pytest.mark.rule("SZ-21")),
    pytest.param("travel", "2", {"corruption": 1}, marks=pytest.mark.rule("SZ-22")),
    pytest.param("travel", "5", {"clues": 1}, marks=pytest.mark.rule("SZ-22")),
    pytest.param("travel", "1,1", {"corruption": 2}, marks=pytest.mark.rule("SZ-22")),
    pytest.param("ability", "4,3", {"corruption": 1}, marks=pytest.mark.rule("SZ-23")),
    pytest.param("ability", "5,3", {"bonus_dice": 1}, marks=pytest.mark.rule("SZ-23")),
    pytest.param("ability", "6,6", {"bonus_dice": 1, "clues": 1}, marks=pytest.mark.rule("SZ-23")),
    pytest.param("ability", "1,1", {"corruption": 2}, marks=pytest.mark.rule("SZ-23")),
])
def test_a_result_brings_what_its_band_says(move, white, brought):
    assert counts(settled(move, white)) == brought


@pytest.mark.rule("SZ-22")
@pytest.mark.parametrize(("white", "left"), [
    ("2", ["Müde", "Zornig", "Verletzt", "Traurig"]), ("4", ["Müde", "Zornig"]), ("5", ["Müde"]), ("6,6", [])])
def test_travelling_takes_the_newest_conditions(white, left):
    table = settled("travel", white, table=Table(conditions=FIVE[:4]))
    assert table.words == left
    assert table.play.travelled
    assert "travel" not in [offer.key for offer in table.now.roll_offers(table.play)]
    with pytest.raises(Refused, match="already"):
        settled("travel", white, table=table)


@pytest.mark.rule("SZ-22")
@pytest.mark.rule("SZ-13")
def test_travelling_takes_conditions_before_a_new_one_comes():
    table = settled("travel", "3", "4", table=Table(conditions=FIVE[:3]), word="Verirrt")
    assert table.words == ["Müde", "Verirrt"]


@pytest.mark.rule("SZ-22")
@pytest.mark.rule("SZ-09")
def test_a_new_adventure_brings_back_what_counts_once_and_ends_the_clues():
    table = Table(travelled=True, question=True, clues=3, difficulty=2, bonus_dice=1, corruption=2,
                  conditions=FIVE[:1])
    table.do("new-adventure")
    assert table.play == RULESET.play(bonus_dice=1, corruption=2, conditions=FIVE[:1])
    assert not table.offers("new-adventure")


@pytest.mark.rule("SZ-24")
@pytest.mark.parametrize(("dice", "literal", "level"), [
    ("2,1", False, 12), ("3,3", False, 11), ("5,4", False, 10), ("6,6", False, 8), ("6,6", True, 7),
    ("1,1", False, 13), ("5,4", True, 10)])
def test_weakening_changes_the_danger_level_and_a_house_may_read_two_sixes_to_the_letter(dice, literal, level):
    table = Table(house={"literal_weaken": literal}, danger_level=11)
    assert settled("weaken", dice, table=table).play.danger_level == level


@pytest.mark.rule("SZ-24")
@pytest.mark.rule("SZ-33")
def test_who_weakens_in_a_fight_adds_no_combat_die_this_round():
    before, within = Table(danger_level=11), Table(danger_level=11, weak_point=3)
    assert not settled("weaken", "5,5", table=before).play.weakening
    assert settled("weaken", "5,5", table=within).play.weakening
    # The die of a round is spent once; a house may have it otherwise.
    assert "weaken" not in [one.key for one in within.now.roll_offers(within.play)]
    with pytest.raises(Refused, match="already been used in this round"):
        settled("weaken", "5,5", table=within)
    often = Table(house={"weaken_often": True}, danger_level=11, weak_point=3)
    for level in (10, 9):
        assert settled("weaken", "5,4", table=often).play.danger_level == level
        assert "weaken" in [one.key for one in often.now.roll_offers(often.play)]
    assert "SZ-33" in within.notices
    within.do("settle-round", key="table", hits=0)
    assert not within.play.weakening
    assert "weaken" in [one.key for one in within.now.roll_offers(within.play)]


@pytest.mark.rule("SZ-10")
@pytest.mark.rule("SZ-09")
def test_a_bonus_die_is_used_up_and_asked_for_only_where_there_is_one():
    without, holding = Table(), Table(bonus_dice=1)
    asked = {slug: next(one for one in table.now.roll_offers(table.play) if one.key == "risk").asks
             for slug, table in (("without", without), ("holding", holding))}
    assert ("bonus" in asked["without"], "bonus" in asked["holding"]) == (False, True)
    outcome, leads = holding.roll("risk", 5, 3, bonus=True)
    assert outcome.value == "5-6"
    holding.take(leads[0].take())
    assert holding.play.bonus_dice == 0
    with pytest.raises(Refused, match="available: 0"):
        without.take(leads[0].take())


@pytest.mark.rule("SZ-12")
@pytest.mark.rule("SZ-14")
def test_a_roll_leads_to_its_effect_with_the_dice_that_fell():
    table = Table()
    outcome, leads = table.roll("risk", 6, 6, attribute="white")
    assert outcome.value == "6&6"
    assert leads[0].filled == {
        "move": "risk", "white": "6", "black": "6", "bonus": False, "danger_level": None, "fight": None}
    assert table.take(leads[0].take(word="Müde")) == (
        "Take a risk: done, 1 clue, 1 white bonus die, with a condition")
    assert (counts(table), table.words) == ({"clues": 1, "bonus_dice": 1}, ["Müde"])


@pytest.mark.rule("SZ-25")
def test_dice_of_helpers_join_the_pool():
    assert counts(settled("risk", "3", "", help_white="5")) == {}
    assert counts(settled("investigate", "6", "", help_black="6")) == {"clues": 2}
    assert settled("investigate", "6", "", help_black="6", word="Müde").words == ["Müde"]
    assert settled("risk", "", "4", help_white="5,2").play.conditions_due == 0
    with pytest.raises(ValueError, match="Nobody helps"):
        RULESET.acts["settle"](move="travel", white="3", help_white="5")
    with pytest.raises(ValueError, match="No die"):
        RULESET.acts["settle"](move="risk", white="", black="")


@pytest.mark.rule("SZ-25")
def test_helping_leads_to_the_helpers_condition():
    table = Table()
    _outcome, leads = table.roll("help", 4, colour="white", helped_black="4")
    # Nobody has to press it.
    assert (leads[0].automatic, leads[0].asks) == ("always", {})
    table.take(leads[0].take())
    assert table.play.conditions_due == 1
    assert table.roll("help", 3, colour="white", helped_black="4")[1] == []


@pytest.mark.rule("SZ-09")
@pytest.mark.rule("SZ-09d")
def test_points_are_counted_and_the_gm_buys_with_them():
    table = Table()
    table.do("change-counts", what="corruption", by=9, taken=False)
    assert table.do("spend-corruption", what="difficulty", points=2).endswith("7 left")
    assert (table.play.difficulty, table.play.corruption) == (2, 7)
    solve = next(one for one in table.now.roll_offers(table.play) if one.cls.slug == "solve")
    assert "by 2" in str(solve.note)
    assert solve.filled["raised"] == 2
    for what, cost, level in (("level-8", 2, 8), ("level-10", 3, 10), ("event", 2, 10)):
        before = table.play.corruption
        table.do("spend-corruption", what=what, points=1)
        assert (before - table.play.corruption, table.play.danger_level) == (cost, level)
    assert not table.offers("spend-corruption")
    table = Table(corruption=3)
    with pytest.raises(Refused, match="Corruption points needed: 4, available: 3"):
        table.do("spend-corruption", what="level-12", points=1)
    table = Table(corruption=4)
    table.do("spend-corruption", what="level-12", points=1)
    assert (table.play.corruption, table.play.danger_level) == (0, 12)
    with pytest.raises(Refused, match="there are only 0"):
        table.do("change-counts", what="clues", by=1, taken=True)


@pytest.mark.rule("SZ-26")
def test_clues_that_were_used_for_the_solution_are_gone():
    table = Table(clues=4)
    outcome, leads = table.roll("solve", 3, 3, difficulty=9, clues=3)
    assert (outcome.value, leads[0].automatic) == ("solved", "always")
    assert table.take(leads[0].take()) == "Clues left: 1"
    assert table.roll("solve", 3, 3, difficulty=9, clues=0)[1] == []
    with pytest.raises(Refused, match="Clues needed: 3, available: 1"):
        table.take(leads[0].take())


@pytest.mark.rule("SZ-10")
def test_the_second_die_is_chosen_among_the_words_of_its_colour():
    offer = next(one for one in Table().now.roll_offers(RULESET.play()) if one.key == "investigate")
    labels = offer.among["attribute"]
    assert list(labels) == ["none", "white", "black"]
    assert "Bootshaken" in labels["white"]
    assert "Flüstert mit dem Wind" in labels["black"]
    ability = next(one for one in Table().now.roll_offers(RULESET.play()) if one.key == "ability")
    assert list(ability.among["attribute"]) == ["white", "black"]
    assert "fear" not in ability.asks


@pytest.mark.rule("SZ-24")
def test_the_enemy_is_weakened_before_weak_points_are_rolled_and_round_one_keeps_its_die():
    table = Table()
    _outcome, leads = table.roll("weaken", 5, 2, attribute="white")
    assert "danger_level" in leads[-1].asks
    with pytest.raises(Refused, match="What is the enemy's danger level"):
        table.take(leads[-1].take())
    assert table.take(leads[-1].take(danger_level=13)) == (
        "Weaken the enemy: danger level −1, now 12, no condition")
    assert (table.play.danger_level, table.play.fighting, table.play.weakening) == (12, False, False)
    assert "danger_level" not in table.roll("weaken", 5, 2, attribute="white")[1][-1].asks
    assert table.offers("begin-fight")[0].filled == {"danger_level": 12}
    table.do("begin-fight", 2, 5)
    assert table.offers("throw-combat-die")


@pytest.mark.rule("SZ-24")
@pytest.mark.rule("SZ-26a")
def test_no_weakening_takes_the_danger_level_below_one():
    table = settled("weaken", "6,6", table=Table(danger_level=2, clues=3))
    assert table.play.danger_level == 1
    assert table.offers("begin-fight")[0].filled == {"danger_level": 1}
    table.do("lower-danger", clues=3)
    assert table.play.danger_level == 1


@pytest.mark.rule("SZ-24")
@pytest.mark.parametrize(("literal", "by"), [(False, "−3"), (True, "−4")])
def test_the_roll_and_its_result_say_the_same_of_two_sixes_under_either_reading(literal, by):
    table = Table(house={"literal_weaken": literal}, danger_level=11)
    offer = next(one for one in table.now.roll_offers(table.play) if one.key == "weaken")
    asked = offer.take(attribute="white")
    outcome, leads = table.roll("weaken", 6, 6, attribute="white")
    assert by in asked.tell(outcome)
    assert by in table.take(leads[-1].take())
    with pytest.raises(ValueError, match="not in any other move"):
        RULESET.rolls["move"](move="risk", literal=True)


@pytest.mark.rule("SZ-25")
@pytest.mark.rule("SZ-09")
def test_help_with_a_bonus_die_uses_it_up():
    table = Table(bonus_dice=1)
    outcome, leads = table.roll("bonus", 4, helped_black="4")
    assert outcome.value == "condition"
    assert table.take(leads[0].take()) == "a white bonus die is used up, a condition is due"
    assert (table.play.bonus_dice, table.play.conditions_due) == (0, 1)
    assert not [one for one in table.now.roll_offers(table.play) if one.key == "bonus"]
    with pytest.raises(Refused, match="available: 0"):
        table.take(leads[0].take())


@pytest.mark.rule("SZ-25")
def test_a_helpers_condition_counts_without_a_word():
    table = Table()
    _outcome, leads = table.roll("help", 2, colour="black")
    table.take(leads[0].take())
    assert table.play.conditions_due == 1


@pytest.mark.rule("SZ-26")
@pytest.mark.rule("SZ-09d")
def test_a_solution_uses_no_more_clues_than_there_are_and_the_raised_difficulty_counts():
    table = Table(clues=2, difficulty=3)
    offer = next(one for one in table.now.roll_offers(table.play) if one.cls.slug == "solve")
    assert list(offer.asks["clues"].choices) == [0, 1, 2]
    found = [table.roll("solve", *pair, difficulty=7, clues=1)[0].value for pair in ((4, 4), (4, 5))]
    assert found == ["fight", "solved"]
    bare = next(one for one in Table().now.roll_offers(Table().play) if one.cls.slug == "solve")
    assert (bare.filled, "clues" in bare.asks) == ({"raised": 0, "clues": 0}, False)

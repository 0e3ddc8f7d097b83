from fractions import Fraction
from functools import partial

import icepool
import pytest
from pydantic import ValidationError

from rulesets.condice import RULESET
from tests.support.rulesets import table
from tests.support.rulesets.chances import oracle

roll, chances, told = (partial(one, RULESET) for one in (table.roll, table.chances, table.told))

HAND = {1: 0, 2: 0, 3: 0, 4: 1, 5: 1, 6: 2}
"""Successes by face, written out from the source."""
SUCCESS = icepool.Die(list(HAND.values()))


def fallen(rule, *row):
    """Return a row of test values that is marked with its rule."""
    return pytest.param(*row, marks=pytest.mark.rule(rule))


@pytest.mark.rule("CD-40")
@pytest.mark.parametrize(("dice", "by_hand"), [
    (0, {0: 1}), (1, {0: Fraction(1, 2), 1: Fraction(1, 3), 2: Fraction(1, 6)}),
    (2, {0: Fraction(9, 36), 1: Fraction(12, 36), 2: Fraction(10, 36), 3: Fraction(4, 36), 4: Fraction(1, 36)})])
def test_the_chances_of_few_dice_by_hand(dice, by_hand):
    assert chances("success", dice=dice) == by_hand


@pytest.mark.rule("CD-40")
@pytest.mark.parametrize(("faces", "count", "sentence"), [
    ((), 0, "0 successes"), ((1,), 0, "0 successes"), ((2,), 0, "0 successes"), ((3,), 0, "0 successes"),
    ((4,), 1, "1 success"), ((5,), 1, "1 success"), ((6,), 2, "2 successes"),
])
def test_fours_and_fives_count_once_and_a_six_twice(faces, count, sentence):
    assert told("success", *faces, dice=len(faces)) == (count, sentence)


@pytest.mark.rule("CD-40")
@pytest.mark.parametrize("dice", [0, 1, 2, 3, 5, 12, 30])
def test_successes_agree_with_icepool_and_are_two_thirds_a_die_on_average(dice):
    assert chances("success", dice=dice) == oracle(dice @ SUCCESS)
    assert [roll("success", dice=many).odds().mean for many in (dice, 999)] == [Fraction(2 * dice, 3), 666]


@pytest.mark.rule("CD-41")
def test_four_dice_harm_a_defence_of_three_in_121_of_432():
    odds = roll("attack", dice=4, defence=3).odds()
    assert (odds.at_least(1), odds.chances[0], odds.chances[5]) == (
        Fraction(121, 432), Fraction(311, 432), Fraction(1, 1296))


@pytest.mark.parametrize(("slug", "given", "faces", "value", "sentence"), [
    fallen("CD-41", "attack", {"dice": 4, "defence": 3}, (6, 5, 4, 2), 1, "4 successes, 1 damage"),
    fallen("CD-41", "attack", {"dice": 4, "defence": 3}, (6, 6, 6, 6), 5, "8 successes, 5 damage"),
    fallen("CD-41", "attack", {"dice": 4, "defence": 2}, (5, 4, 3, 2), 0, "2 successes, 0 damage"),
    fallen("CD-41", "attack", {"dice": 4, "defence": 3}, (1, 1, 1, 1), 0, "0 successes, 0 damage"),
    fallen("CD-41", "attack", {"dice": 4, "defence": 0}, (1, 4, 1, 1), 1, "1 success, 1 damage"),
    fallen("CD-41", "attack", {"dice": 1, "extra_dice": 2}, (6, 6, 1), 4, "4 successes, 4 damage"),
    # A mental attack works only with more successes than the target has.
    fallen("CD-42", "mental-attack", {"dice": 2, "resistance": 2}, (6, 4, 5, 1), "works", "3 against 1: works"),
    fallen("CD-42", "mental-attack", {"dice": 2, "resistance": 2}, (6, 1, 5, 4), "fails", "2 against 2: fails"),
    fallen("CD-42", "mental-attack", {"dice": 2, "resistance": 2}, (1, 1, 6, 6), "fails", "0 against 4: fails"),
    fallen("CD-42", "mental-attack", {"dice": 2, "resistance": 2}, (1, 2, 3, 3), "fails", "0 against 0: fails"),
    fallen("CD-43", "mental-damage", {"dice": 3, "resistance": 1}, (6, 6, 1), 3, "4 successes, 3 damage"),
    fallen("CD-43", "mental-damage", {"dice": 3, "resistance": 2}, (4, 1, 1), 0, "1 success, 0 damage"),
    # As many successes as the attacker's defend.
    fallen("CD-44", "mental-defence", {"dice": 2, "successes": 2}, (6, 1), "defended", "2 successes: defended"),
    fallen("CD-44", "mental-defence", {"dice": 2, "successes": 2}, (6, 4), "defended", "3 successes: defended"),
    fallen("CD-44", "mental-defence", {"dice": 2, "successes": 2}, (4, 3), "overcome", "1 success: overcome"),
    # An explosion is measured against the defence of a neighbour.
    fallen("CD-53", "explosion", {"dice": 3, "defence": 2}, (6, 5, 1), 1, "3 successes, 1 damage"),
    fallen("CD-53", "explosion", {"dice": 3, "defence": 4}, (6, 5, 1), 0, "3 successes, 0 damage"),
    *(fallen("CD-24", "healing", {}, (n,), n, f"{n} life point{'s' * (n > 1)}") for n in (1, 5)),
    *(fallen("CD-46", "loss-points", {}, (n,), n, f"{n} point{'s' * (n > 1)}") for n in (1, 6)),
])
def test_a_roll_with_written_faces_comes_to_what_the_rules_say_and_tells_it(slug, given, faces, value, sentence):
    assert told(slug, *faces, **given) == (value, sentence)


@pytest.mark.rule("CD-41", "CD-43")
def test_extra_dice_join_the_pool_and_protection_is_0_where_none_is_given():
    assert chances("attack", dice=3, extra_dice=2, defence=4) == chances("attack", dice=5, defence=4)
    assert chances("attack", dice=3) == chances("mental-damage", dice=3) == chances("success", dice=3)


@pytest.mark.rule("CD-41", "CD-43", "CD-53")
@pytest.mark.parametrize(("slug", "key"), [
    ("attack", "defence"), ("mental-damage", "resistance"), ("explosion", "defence")])
@pytest.mark.parametrize(("dice", "protection"), [
    (0, 0), (1, 1), (2, 0), (3, 2), (4, 3), (4, 9), (5, 3), (10, 4), (30, 20)])
def test_damage_agrees_with_icepool(slug, key, dice, protection):
    assert chances(slug, dice=dice, **{key: protection}) == oracle(
        (dice @ SUCCESS).map(lambda count: max(0, count - protection)))


@pytest.mark.rule("CD-42", "CD-44")
def test_mental_attack_and_defence_by_hand_and_the_largest_is_still_exact():
    # One success beats none: 2 x 3 ways; two beat none or one: 1 x (3 + 2) ways; 11 of 36 together.
    assert chances("mental-attack", dice=1, resistance=1) == {"works": Fraction(11, 36), "fails": Fraction(25, 36)}
    assert chances("mental-defence", dice=2, successes=1) == {"defended": Fraction(3, 4), "overcome": Fraction(1, 4)}
    largest = chances("mental-attack", dice=999, resistance=999)
    assert sum(largest.values()) == 1
    assert Fraction(49, 100) < largest["works"] < Fraction(1, 2)


@pytest.mark.rule("CD-42")
@pytest.mark.parametrize(("dice", "resistance"), [
    (0, 0), (0, 2), (1, 0), (1, 1), (2, 1), (2, 2), (3, 2), (1, 4), (6, 5), (20, 3), (3, 20), (30, 30)])
def test_mental_attacks_agree_with_icepool(dice, resistance):
    works = ((dice @ SUCCESS) > (resistance @ SUCCESS)).probability(True)
    assert chances("mental-attack", dice=dice, resistance=resistance) == {
        key: chance for key, chance in (("works", works), ("fails", 1 - works)) if chance}


@pytest.mark.rule("CD-44")
@pytest.mark.parametrize(("dice", "against"), [(0, 0), (0, 1), (1, 2), (3, 2), (4, 5), (6, 5), (30, 20)])
def test_mental_defence_agrees_with_icepool(dice, against):
    defended = ((dice @ SUCCESS) >= against).probability(True)
    assert chances("mental-defence", dice=dice, successes=against) == {
        key: chance for key, chance in (("defended", defended), ("overcome", 1 - defended)) if chance}


@pytest.mark.rule("CD-24", "CD-46", "CD-48")
@pytest.mark.parametrize("slug", ["healing", "loss-points"])
def test_healing_and_what_is_lost_are_the_result_of_one_die(slug):
    assert chances(slug) == oracle(icepool.d6)
    assert roll(slug).odds().mean == Fraction(7, 2)


@pytest.mark.rule("CD-46")
def test_the_attribute_that_loses_points_follows_the_order_of_the_source():
    fallen = [told("attribute-loss", face)[0] for face in range(1, 7)]
    assert fallen == ["movement", "attack", "defence", "life", "mental_resistance", "ability"]
    assert list(chances("attribute-loss").items()) == [(one, Fraction(1, 6)) for one in fallen]
    assert roll("attribute-loss").odds().mean is None


@pytest.mark.parametrize(("slug", "parameters", "key"), [
    ("success", {}, "dice"),
    ("success", {"dice": -1}, "dice"),
    ("success", {"dice": 1000}, "dice"),
    ("success", {"dice": 2.5}, "dice"),
    ("attack", {"dice": 3, "defence": -1}, "defence"),
    ("attack", {"dice": 3, "armour": 1}, "armour"),
    ("attack", {"dice": 3, "extra_dice": "2"}, "extra_dice"),
    ("mental-attack", {"dice": 3}, "resistance"),
    ("mental-damage", {"resistance": 3}, "dice"),
    ("mental-defence", {"dice": 3}, "successes"),
    ("explosion", {"dice": None}, "dice"),
    ("healing", {"dice": 2}, "dice"),
    ("attribute-loss", {"dice": 1}, "dice"),
    ("loss-points", {"dice": 1}, "dice"),
])
def test_a_parameter_out_of_sense_is_refused_by_name(slug, parameters, key):
    with pytest.raises(ValidationError) as error:
        roll(slug, **parameters)
    assert [one["loc"] for one in error.value.errors()] == [(key,)]


def test_the_rolls_are_those_of_the_interface():
    assert set(RULESET.own_rolls) == {
        "success", "attack", "mental-attack", "mental-damage", "mental-defence", "healing", "explosion",
        "drain-life", "attribute-loss", "loss-points", "break-free",
        "break-loose", "own-healing"}

from fractions import Fraction
from functools import partial
from itertools import product

import icepool
import pytest
from pydantic import ValidationError

from rulesets.condice import RULESET
from tests.support.rulesets import table
from tests.support.rulesets.chances import counted, oracle

roll, chances, told = (partial(one, RULESET) for one in (table.roll, table.chances, table.told))

HAND = {1: 0, 2: 0, 3: 0, 4: 1, 5: 1, 6: 2}
"""Successes by face, written out from the source."""
SUCCESS = icepool.Die(list(HAND.values()))


def successes(dice: int) -> list:
    """The successes of every way in which so many dice can fall."""
    return [sum(HAND[face] for face in faces) for faces in product(range(1, 7), repeat=dice)]


@pytest.mark.rule("CD-40")
def test_one_die_has_no_success_in_a_half_one_in_a_third_and_two_in_a_sixth():
    assert chances("success", dice=1) == {0: Fraction(1, 2), 1: Fraction(1, 3), 2: Fraction(1, 6)}


@pytest.mark.rule("CD-40")
def test_two_dice_by_hand():
    assert chances("success", dice=2) == {
        0: Fraction(9, 36), 1: Fraction(12, 36), 2: Fraction(10, 36), 3: Fraction(4, 36), 4: Fraction(1, 36)}


@pytest.mark.rule("CD-40")
@pytest.mark.parametrize(("face", "count", "sentence"), [
    (1, 0, "0 successes"), (2, 0, "0 successes"), (3, 0, "0 successes"), (4, 1, "1 success"), (5, 1, "1 success"),
    (6, 2, "2 successes"),
])
def test_fours_and_fives_count_once_and_a_six_twice(face, count, sentence):
    assert told("success", face, dice=1) == (count, sentence)


@pytest.mark.rule("CD-40")
def test_no_dice_have_no_success():
    assert chances("success", dice=0) == {0: 1}
    assert told("success", dice=0) == (0, "0 successes")


@pytest.mark.rule("CD-40")
@pytest.mark.parametrize("dice", [1, 4, 30, 999])
def test_successes_are_two_thirds_a_die_on_average(dice):
    assert roll("success", dice=dice).odds().mean == Fraction(2 * dice, 3)


@pytest.mark.rule("CD-40")
@pytest.mark.parametrize("dice", [0, 1, 2, 3, 5])
def test_successes_agree_with_counting_every_face(dice):
    assert chances("success", dice=dice) == counted(successes(dice))


@pytest.mark.rule("CD-40")
@pytest.mark.parametrize("dice", [1, 5, 12, 30])
def test_successes_agree_with_icepool(dice):
    assert chances("success", dice=dice) == oracle(dice @ SUCCESS)


@pytest.mark.rule("CD-41")
def test_four_dice_harm_a_defence_of_three_in_121_of_432():
    odds = roll("attack", dice=4, defence=3).odds()
    assert odds.at_least(1) == Fraction(121, 432)
    assert odds.chances[0] == Fraction(311, 432)
    assert odds.chances[5] == Fraction(1, 1296)


@pytest.mark.rule("CD-41")
@pytest.mark.parametrize(("faces", "defence", "damage", "sentence"), [
    ((6, 5, 4, 2), 3, 1, "4 successes, 1 damage"),
    ((6, 6, 6, 6), 3, 5, "8 successes, 5 damage"),
    ((5, 4, 3, 2), 2, 0, "2 successes, 0 damage"),
    ((1, 1, 1, 1), 3, 0, "0 successes, 0 damage"),
    ((1, 4, 1, 1), 0, 1, "1 success, 1 damage"),
])
def test_defence_comes_off_the_successes_and_never_heals(faces, defence, damage, sentence):
    assert told("attack", *faces, dice=4, defence=defence) == (damage, sentence)


@pytest.mark.rule("CD-41")
def test_extra_dice_join_the_pool_and_defence_is_0_where_none_is_given():
    assert told("attack", 6, 6, 1, dice=1, extra_dice=2)[0] == 4
    assert chances("attack", dice=3, extra_dice=2, defence=4) == chances("attack", dice=5, defence=4)
    assert chances("attack", dice=3) == chances("success", dice=3)


@pytest.mark.rule("CD-41", "CD-43", "CD-53")
@pytest.mark.parametrize(("slug", "key"), [
    ("attack", "defence"), ("mental-damage", "resistance"), ("explosion", "defence")])
@pytest.mark.parametrize(("dice", "protection"), [(0, 0), (1, 1), (2, 0), (3, 2), (4, 3), (4, 9)])
def test_damage_agrees_with_counting_every_face(slug, key, dice, protection):
    expected = counted(max(0, count - protection) for count in successes(dice))
    assert chances(slug, dice=dice, **{key: protection}) == expected


@pytest.mark.rule("CD-41", "CD-43", "CD-53")
@pytest.mark.parametrize(("slug", "key"), [
    ("attack", "defence"), ("mental-damage", "resistance"), ("explosion", "defence")])
@pytest.mark.parametrize(("dice", "protection"), [(5, 3), (10, 4), (30, 20)])
def test_damage_agrees_with_icepool(slug, key, dice, protection):
    die = (dice @ SUCCESS).map(lambda count: max(0, count - protection))
    assert chances(slug, dice=dice, **{key: protection}) == oracle(die)


@pytest.mark.rule("CD-42")
def test_one_die_against_one_works_in_eleven_of_thirty_six():
    # One success beats none: 2 x 3 ways; two beat none or one: 1 x (3 + 2) ways; 11 of 36 together.
    assert chances("mental-attack", dice=1, resistance=1) == {"works": Fraction(11, 36), "fails": Fraction(25, 36)}


@pytest.mark.rule("CD-42")
@pytest.mark.parametrize(("faces", "value", "sentence"), [
    ((6, 4, 5, 1), "works", "3 against 1: works"),
    ((6, 1, 5, 4), "fails", "2 against 2: fails"),
    ((1, 1, 6, 6), "fails", "0 against 4: fails"),
    ((1, 2, 3, 3), "fails", "0 against 0: fails"),
])
def test_a_mental_attack_works_only_with_more_successes_than_the_target(faces, value, sentence):
    assert told("mental-attack", *faces, dice=2, resistance=2) == (value, sentence)


@pytest.mark.rule("CD-42")
@pytest.mark.parametrize(("dice", "resistance"), [(0, 0), (0, 2), (1, 0), (2, 1), (2, 2), (3, 2), (1, 4)])
def test_mental_attacks_agree_with_counting_every_face(dice, resistance):
    pairs = product(successes(dice), successes(resistance))
    assert chances("mental-attack", dice=dice, resistance=resistance) == counted(
        "works" if attack > defence else "fails" for attack, defence in pairs)


@pytest.mark.rule("CD-42")
@pytest.mark.parametrize(("dice", "resistance"), [(1, 1), (6, 5), (20, 3), (3, 20), (30, 30)])
def test_mental_attacks_agree_with_icepool(dice, resistance):
    works = (dice @ SUCCESS) > (resistance @ SUCCESS)
    assert chances("mental-attack", dice=dice, resistance=resistance)["works"] == works.probability(True)


@pytest.mark.rule("CD-42")
def test_the_largest_mental_attack_is_still_exact():
    odds = roll("mental-attack", dice=999, resistance=999).odds()
    assert sum(odds.chances.values()) == 1
    assert Fraction(49, 100) < odds.chances["works"] < Fraction(1, 2)


@pytest.mark.rule("CD-43")
def test_mental_resistance_takes_its_value_off_mental_damage():
    assert told("mental-damage", 6, 6, 1, dice=3, resistance=1) == (3, "4 successes, 3 damage")
    assert told("mental-damage", 4, 1, 1, dice=3, resistance=2)[0] == 0
    assert chances("mental-damage", dice=2) == chances("success", dice=2)


@pytest.mark.rule("CD-44")
def test_two_dice_defend_against_one_success_in_three_quarters():
    assert chances("mental-defence", dice=2, successes=1) == {"defended": Fraction(3, 4), "overcome": Fraction(1, 4)}


@pytest.mark.rule("CD-44")
@pytest.mark.parametrize(("faces", "value", "sentence"), [
    ((6, 1), "defended", "2 successes: defended"),
    ((6, 4), "defended", "3 successes: defended"),
    ((4, 3), "overcome", "1 success: overcome"),
])
def test_as_many_successes_as_the_attacker_defend(faces, value, sentence):
    assert told("mental-defence", *faces, dice=2, successes=2) == (value, sentence)


@pytest.mark.rule("CD-44")
@pytest.mark.parametrize(("dice", "against"), [(0, 0), (0, 1), (1, 2), (3, 2), (4, 5)])
def test_mental_defence_agrees_with_counting_every_face(dice, against):
    assert chances("mental-defence", dice=dice, successes=against) == counted(
        "defended" if own >= against else "overcome" for own in successes(dice))


@pytest.mark.rule("CD-44")
@pytest.mark.parametrize(("dice", "against"), [(6, 5), (30, 20)])
def test_mental_defence_agrees_with_icepool(dice, against):
    defended = (dice @ SUCCESS) >= against
    assert chances("mental-defence", dice=dice, successes=against)["defended"] == defended.probability(True)


@pytest.mark.rule("CD-48", "CD-24")
def test_healing_is_the_eyes_of_one_die():
    assert chances("healing") == oracle(icepool.d6) == dict.fromkeys(range(1, 7), Fraction(1, 6))
    assert roll("healing").odds().mean == Fraction(7, 2)
    assert told("healing", 1) == (1, "1 life point")
    assert told("healing", 5) == (5, "5 life points")


@pytest.mark.rule("CD-46")
def test_the_attribute_that_loses_points_follows_the_order_of_the_source():
    fallen = [told("attribute-loss", face)[0] for face in range(1, 7)]
    assert fallen == ["movement", "attack", "defence", "life", "mental_resistance", "ability"]
    assert chances("attribute-loss") == dict.fromkeys(fallen, Fraction(1, 6))
    assert list(chances("attribute-loss")) == fallen
    assert roll("attribute-loss").odds().mean is None


@pytest.mark.rule("CD-46")
def test_one_to_six_points_are_lost():
    assert chances("loss-points") == oracle(icepool.d6)
    assert told("loss-points", 1) == (1, "1 point")
    assert told("loss-points", 6) == (6, "6 points")


@pytest.mark.rule("CD-53")
def test_an_explosion_is_measured_against_the_defence_of_a_neighbour():
    assert told("explosion", 6, 5, 1, dice=3, defence=2) == (1, "3 successes, 1 damage")
    assert told("explosion", 6, 5, 1, dice=3, defence=4)[0] == 0


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
    assert set(RULESET.rolls) == {
        "success", "attack", "mental-attack", "mental-damage", "mental-defence", "healing", "explosion",
        "attribute-loss", "loss-points", "break-free"}

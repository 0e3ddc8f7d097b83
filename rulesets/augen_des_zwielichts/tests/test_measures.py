"""The measures by which a character is compared with a party, counted once more from every way the dice may fall."""

from fractions import Fraction
from itertools import product

import pytest

from rulesets.augen_des_zwielichts import RULESET

D6 = range(1, 7)


def measured(example, sheet=None):
    sheet = sheet or RULESET.sheet.model_validate(RULESET.examples[example]["data"])
    return sheet, {one.key: one.exact for one in sheet.measures(RULESET.book)}


def share(dice, holds):
    throws = list(product(D6, repeat=dice))
    return Fraction(sum(map(holds, throws)), len(throws))


@pytest.mark.rule("SZ-12")
@pytest.mark.parametrize("example", RULESET.examples)
def test_a_word_makes_the_highest_of_two_dice_good_so_often(example):
    assert measured(example)[1]["good"] == share(2, lambda faces: max(faces) >= 5)


@pytest.mark.rule("SZ-11", "SZ-13")
@pytest.mark.parametrize("example", RULESET.examples)
def test_a_word_at_random_keeps_conditions_away_only_if_it_is_white_and_higher(example):
    sheet, found = measured(example)
    words = [one.colour for one in sheet.fields.all().values() if one.word.strip()]
    assert found["clean"] == Fraction(words.count("white"), len(words)) * share(2, lambda faces: faces[0] > faces[1])


@pytest.mark.rule("SZ-06", "SZ-31")
@pytest.mark.parametrize("armed", [True, False])
def test_a_round_of_three_is_won_so_often_and_an_unarmed_one_leaves_it_to_two(armed):
    data = RULESET.sheet.model_validate(RULESET.examples["smith"]["data"]).model_dump()
    for word in data["fields"].values():
        word["combat"] = armed
    _sheet, found = measured("", RULESET.sheet.model_validate(data))
    assert found["won"] == share(2 + armed, lambda faces: sum(sorted(faces)[-2:]) >= 8)


def test_who_has_no_word_rolls_one_die_alone():
    data = RULESET.sheet.model_validate(RULESET.examples["smith"]["data"]).model_dump()
    for word in data["fields"].values():
        word["word"] = ""
    _sheet, found = measured("", RULESET.sheet.model_validate(data))
    assert (found["good"], found["clean"]) == (Fraction(1, 3), 0)

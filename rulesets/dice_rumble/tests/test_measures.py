"""The measures by which a character is compared with a party, counted once more from every way the dice may fall."""

from collections import Counter
from fractions import Fraction
from itertools import product

import pytest

from rulesets.dice_rumble import RULESET

FACES = range(1, 11)


def succeeds(face, threshold):
    return face == 1 or face <= min(threshold, 9)


def thresholds(sheet):
    """(threshold, weapon's damage) of each weapon and of bare hands."""
    arms = [(one.talent, one.damage) for one in sheet.weapons] + [("Nahkampf", 0)]
    return [(sheet.threshold(sheet.talent(name)), damage) for name, damage in arms]


def measured(example):
    sheet = RULESET.sheet.model_validate(RULESET.examples[example]["data"])
    return sheet, {one.key: one for one in sheet.measures(RULESET.book)}


@pytest.mark.rule("DR-13")
@pytest.mark.parametrize("example", RULESET.examples)
def test_the_best_attack_is_the_mean_over_all_faces(example):
    sheet, found = measured(example)
    means = [Fraction(sum(max(0, own - face) + more for face in FACES if succeeds(face, own)), 10)
             for own, more in thresholds(sheet)]
    assert found["attack"].exact == max(means)


@pytest.mark.rule("DR-12")
@pytest.mark.parametrize("example", RULESET.examples)
def test_who_stands_is_counted_over_three_duels_that_the_other_side_may_win(example):
    sheet, found = measured(example)
    own = max(threshold for threshold, _damage in thresholds(sheet))
    harm, counted = Counter(), 0
    for mine, theirs in product(FACES, repeat=2):
        good, other = succeeds(mine, own), succeeds(theirs, 6)
        if good and other and mine == theirs and own == 6:
            continue
        counted += 1
        lost = other and (not good or theirs < mine or (theirs == mine and own < 6))
        harm[abs(mine - theirs) if lost else 0] += 1
    stands = sum(harm[a] * harm[b] * harm[c] for a, b, c in product(harm, repeat=3) if a + b + c < sheet.life())
    assert found["stands"].exact == Fraction(stands, counted ** 3)


@pytest.mark.rule("DR-07", "DR-10")
@pytest.mark.parametrize("example", RULESET.examples)
def test_the_best_talent_is_that_of_the_highest_chance(example):
    sheet, found = measured(example)
    chances = [Fraction(sum(succeeds(face, sheet.threshold(one)) and face != 10 for face in FACES), 10)
               for one in sheet.talents]
    assert found["test"].exact == max(chances)
    assert found["test"].path == f"talents.{chances.index(max(chances))}"


def test_what_rests_on_attributes_that_nobody_has_chosen_is_not_measured():
    data = RULESET.examples["aunt"]["data"]
    sheet = RULESET.sheet.model_validate(data | {"attributes": dict.fromkeys(data["attributes"])})
    assert list(sheet.measures(RULESET.book)) == []

"""The measures by which a character is compared with a party, counted once more from every way the dice may fall."""

from collections import Counter
from fractions import Fraction
from itertools import product

import pytest

from rulesets.condice import RULESET
from rulesets.kit import patched

SUCCESSES = {1: 0, 2: 0, 3: 0, 4: 1, 5: 1, 6: 2}
DICE = {n: Counter(sum(SUCCESSES[face] for face in faces) for faces in product(range(1, 7), repeat=n))
        for n in range(7)}


def measured(example="juan", **patch):
    sheet = RULESET.sheet.model_validate(patched(RULESET.examples[example]["data"], patch))
    return sheet, {one.key: one for one in sheet.measures(RULESET.book)}


def damage(dice, defence):
    return Counter({harm: sum(ways for found, ways in DICE[dice].items() if max(0, found - defence) == harm)
                    for harm in range(13)})


@pytest.mark.rule("CD-41")
@pytest.mark.parametrize("example", RULESET.examples)
def test_the_best_attack_is_the_mean_of_all_throws_against_defence_3(example):
    sheet, found = measured(example)
    means = [Fraction(sum(harm * ways for harm, ways in damage(one.dice, 3).items()), 6 ** one.dice)
             for one in sheet.attacks]
    assert found["attack"].exact == max(means, default=0)
    if means:
        assert found["attack"].path == f"attacks.{means.index(max(means))}"


@pytest.mark.rule("CD-41")
@pytest.mark.parametrize(("life", "defence"), [(1, 0), (3, 1), (5, 3), (9, 0), (0, 3)])
def test_who_stands_is_counted_over_all_six_attacks(life, defence):
    lives = Counter({2 * life: 1})
    for _attack in range(6):
        after = Counter()
        for (left, ways), (harm, more) in product(lives.items(), damage(5, defence).items()):
            after[left - harm] += ways * more if left > harm else 0
        lives = after
    sheet = RULESET.sheet.model_validate(
        RULESET.examples["juan"]["data"] | {"life": life, "defence": defence})
    found = {one.key: one for one in sheet.measures(RULESET.book)}["stands"]
    assert found.exact == Fraction(sum(lives.values()), 6 ** 30)
    assert (found.chance, found.path) == (True, "life")


@pytest.mark.rule("CD-42")
@pytest.mark.parametrize("dice", range(6))
def test_a_mental_attack_is_withstood_where_it_has_no_more_successes(dice):
    sheet = RULESET.sheet.model_validate(RULESET.examples["juan"]["data"] | {"mental_resistance": dice})
    ways = sum(a * b for (attack, a), (own, b) in product(DICE[4].items(), DICE[dice].items()) if own >= attack)
    found = {one.key: one for one in sheet.measures(RULESET.book)}["mind"]
    assert found.exact == Fraction(ways, 6 ** (4 + dice))

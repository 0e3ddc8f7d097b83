"""The measures by which a profile is compared with a party, counted once more from every way the dice may fall."""

from collections import Counter
from fractions import Fraction
from itertools import product

import pytest

from rulesets.daemmersturm import RULESET

D20, D6 = range(1, 21), range(1, 7)


def spread(text):
    low, _dash, high = text.partition("-")
    return range(int(low), int(high or low) + 1)


def critical(base):
    """{damage: chance} of a critical hit over its own die, by DS-21."""
    found = Counter()
    for face in D6:
        more = {1: range(1, 6), 3: range(1, 11)}.get(face, (0,))
        for one in more:
            harm = max(base * (1, 1, 2, 2, 3, 3, 3)[face] + one, {5: 20, 6: 30}.get(face, 0))
            found[harm] += Fraction(1, 6 * len(more))
    return found


def struck(bonus, defence, damage):
    """{damage: chance} of an attack, before whatever protects."""
    found = Counter()
    for natural, base in product(D20, spread(damage)):
        weight = Fraction(1, 20 * len(spread(damage)))
        if natural == 20:
            for harm, chance in critical(base).items():
                found[harm] += weight * chance
        elif natural != 1 and natural + bonus > defence:
            found[base] += weight
        else:
            found[0] += weight
    return found


def measured(example, **changes):
    sheet = RULESET.sheet.model_validate(RULESET.examples[example]["data"] | changes)
    return sheet, {one.key: one for one in sheet.measures(RULESET.book)}


@pytest.mark.rule("DS-20", "DS-21", "DS-23")
@pytest.mark.parametrize("example", RULESET.examples)
def test_the_best_attack_is_the_mean_over_all_throws_against_defence_12(example):
    sheet, found = measured(example)
    arms = [(sheet.melee if one.melee else sheet.ranged, one.damage) for one in sheet.weapons
            if one.kind and one.damage and not one.area]
    arms = arms or [(skill, "1-10") for skill in (sheet.melee, sheet.ranged, sheet.magic)]
    means = [sum(harm * chance for harm, chance in struck(skill.attack, 12, damage).items()) for skill, damage in arms]
    assert found["attack"].exact == max(means)


@pytest.mark.rule("DS-40", "DS-41", "DS-42")
@pytest.mark.parametrize("example", ["hans-peter", "knight"])
@pytest.mark.parametrize("life", [1, 12, 20])
def test_who_stands_is_counted_over_five_attacks_with_what_protects(example, life):
    sheet, found = measured(example, life=life)
    shield = Fraction(sum(face + sheet.melee.attack >= sheet.shield.target for face in D20), 20) if sheet.shield else 0
    armour = Fraction(sum(face >= sheet.armour.target for face in D6), 6) if sheet.armour else 0
    most = sheet.armour.max_damage if sheet.armour else 0
    through = Counter()
    for harm, chance in struck(0, sheet.melee.defence, "1-10").items():
        passes = (1 - shield) * (1 if most and harm > most else 1 - armour)
        through[harm] += chance * passes
        through[0] += chance * (1 - passes)
    lives = Counter({life: Fraction(1)})
    for _attack in range(5):
        after = Counter()
        for (left, chance), (harm, more) in product(lives.items(), through.items()):
            after[left - harm] += chance * more if left > harm else 0
        lives = after
    assert found["stands"].exact == sum(lives.values())


@pytest.mark.rule("DS-20")
@pytest.mark.parametrize("example", RULESET.examples)
def test_the_best_skill_is_the_one_that_hits_most_often(example):
    sheet, found = measured(example)
    chances = {key: Fraction(sum(face == 20 or (face != 1 and face + getattr(sheet, key).attack > 12) for face in D20),
                             20) for key in ("melee", "ranged", "magic")}
    assert found["test"].exact == max(chances.values())
    assert chances[found["test"].path.partition(".")[0]] == max(chances.values())


def test_who_has_no_life_yet_stands_in_no_fight():
    assert measured("hans-peter", life=0)[1]["stands"].exact == 0

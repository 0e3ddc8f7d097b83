"""The measures by which a deck is compared with a party, counted anew from every way dice and cards may fall."""

from fractions import Fraction
from itertools import combinations, product

import pytest

from rulesets.battle_dice import RULESET, battles

D6 = range(1, 7)


def measured(example):
    sheet = RULESET.sheet.model_validate(RULESET.examples[example]["data"])
    return sheet, {one.key: one for one in sheet.measures(RULESET.book)}


def all_battles(attack, defence):
    """Yield the faces of both sides, highest first, of every throw."""
    for faces in product(D6, repeat=attack + defence):
        yield (tuple(sorted(faces[:attack], reverse=True)), tuple(sorted(faces[attack:], reverse=True)))


def mean(dice):
    return Fraction(sum(battles.damage(*both) for both in all_battles(dice, 1)), 6 ** (dice + 1))


def safe(dice, points):
    """Return the share of throws in which some way of adding single points leaves no damage."""
    def saved(attack, defence, left):
        if not battles.damage(attack, defence):
            return True
        return bool(left) and any(saved(attack, tuple(sorted((*defence[:i], defence[i] + 1, *defence[i + 1:]),
                                                             reverse=True)), left - 1) for i in range(len(defence)))
    return Fraction(sum(saved(*both, points) for both in all_battles(3, dice)), 6 ** (dice + 3))


@pytest.mark.rule("BD-14")
@pytest.mark.parametrize("example", RULESET.examples)
def test_the_best_attacker_does_the_mean_damage_of_all_throws(example):
    sheet, found = measured(example)
    assert found["attack"].exact == max(mean(1 + card.keyword_sum("angriff")) for _row, card in sheet.distinct_cards)


@pytest.mark.rule("BD-15")
@pytest.mark.parametrize("example", RULESET.examples)
def test_the_best_defender_lets_nothing_through_in_so_many_throws(example):
    sheet, found = measured(example)
    figures = {(1 + card.keyword_sum("verteidigung"), card.keyword_sum("flink")) for _row, card in sheet.distinct_cards}
    assert found["stands"].exact == max(safe(*one) for one in figures)


@pytest.mark.rule("BD-06")
@pytest.mark.parametrize("example", RULESET.examples)
def test_a_deck_begins_well_in_so_many_hands(example):
    sheet, found = measured(example)
    cards = [card.mana_cost for _row, card in sheet.distinct_cards for _copy in range(card.copies)]
    hands = list(combinations(cards, 2))
    good = sum(any(isinstance(cost, int) and cost <= 2 for cost in hand) for hand in hands)
    assert found["begins"].exact == Fraction(good, len(hands))


def test_a_deck_that_is_not_full_is_not_measured_by_its_hands():
    sheet = RULESET.sheet.model_validate(RULESET.offenders["BD-01"]["data"])
    assert [one.key for one in sheet.measures(RULESET.book)] == ["attack", "stands"]

"""The words of the cards are told before one chooses, with what one more point does (BD-14, BD-15, BD-20)."""

from itertools import product

import pytest

from rulesets.battle_dice import RULESET
from rulesets.battle_dice.keywords import KEYWORDS, TERMS, CardKeyword
from rulesets.kit import decimal, slots


def mean(attack, defence, flink=0):
    """The damage on average of so many dice, counted from every throw; Flink raises where it saves most."""
    sums = [0, 0]
    for faces in product(range(1, 7), repeat=attack + defence):
        best = sorted(faces[:attack], reverse=True)
        against = sorted(faces[attack:], reverse=True)
        raised = [against, *([*against[:at], against[at] + flink, *against[at + 1:]] for at in range(defence))]
        sums[0] += min(sum(a > b for a, b in zip(best, sorted(one, reverse=True), strict=False))
                       + max(0, attack - defence) for one in raised)
        sums[1] += 1
    return sums[0] / sums[1]


@pytest.mark.rule("BD-20")
def test_every_word_of_the_cards_has_a_line_where_cards_are_chosen_and_at_a_card_of_ones_own():
    asked = slots(RULESET.sheet)["cards"].ask.terms
    assert asked is TERMS
    assert set(KEYWORDS.values()) | {"AD, DD"} == set(TERMS)
    for key, word in KEYWORDS.items():
        assert CardKeyword(keyword=key).helps(RULESET.house()) == {"keyword": TERMS[word]}


@pytest.mark.rule("BD-14", "BD-15")
def test_the_dice_say_what_one_more_of_them_does():
    told = dict(RULESET.sheet(cards=[]).hints(RULESET.house()))["cards"]
    figures = [decimal(mean(*dice)) for dice in ((1, 1), (2, 1), (1, 2), (1, 1, 1))]
    assert told == (f"1 AD against 1 DD does {figures[0]} damage on average; one more AD {figures[1]}, "
                    f"one more DD {figures[2]}, Flink 1 {figures[3]}.")

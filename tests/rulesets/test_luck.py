"""Luck: how rolls score, and how the sum of many stands beside its exact chances, counted once more by icepool."""

from fractions import Fraction
from math import comb

import icepool
import pytest

from rulesets import systems
from rulesets.dice import Outcome, RealTray, thrown
from rulesets.kit import Count, Roll, field
from rulesets.luck import BEST, RollLuck, percentile
from tests.support.everyday import slow
from tests.support.receipts import small_rolls
from tests.support.rulesets.contract import seeded

LOGS = 20
"""Logs of a case; 50 cases are a thousand."""


def luck_in(roll):
    odds = roll.odds()
    return RollLuck.of(odds, roll.ranks(odds))


def die_of(roll):
    """The scores of a roll as a die of icepool, from its odds and ranks in another way: by comparing all pairs."""
    odds = roll.odds()
    ranks = roll.ranks(odds)

    def score(value):
        halves = sum(weight * ((ranks[other] < ranks[value]) + (ranks[other] <= ranks[value]))
                     for other, weight in odds.weights.items())
        exactly = Fraction(BEST * halves, 2 * odds.whole)
        return int(exactly) + (exactly % 1 >= Fraction(1, 2))

    scores = {value: score(value) for value in odds.weights}
    if len({*ranks.values()}) < 2:
        return None, scores
    return icepool.Die([scores[value] for value in odds.weights], times=[*odds.weights.values()]), scores


@pytest.mark.prove
@pytest.mark.parametrize("case", [0, *map(slow, range(1, 50))])
def test_the_percentile_of_a_log_agrees_with_icepool(case):
    """A log has rolls of one system, of each in turn, thrown by chance; some of them several times."""
    chance = seeded(f"luck {case}")
    for number in range(LOGS):
        slug = [*systems()][number % len(systems())]
        rolls = [roll for system, roll in small_rolls() if system.slug == slug]
        kinds = [chance.choice(rolls) for _kind in range(chance.randint(1, 12))]
        log = [roll for roll in kinds for _time in range(chance.randint(1, 8))]
        scores, total, pool = [], 0, icepool.Die([0])
        for roll in log:
            die, by_value = die_of(roll)
            value = thrown(roll.throw, RealTray(chance.randbytes))[0].value
            luck = luck_in(roll)
            assert (luck is None) == (die is None)
            if luck and die is not None:
                assert luck.outcomes[value].score == by_value[value]
                scores.append(luck.scores)
                total += by_value[value]
                pool += die
        exactly = float(Fraction(pool.quantity("<", total) + pool.quantity("<=", total), 2 * pool.denominator()))
        assert percentile(scores, total) == pytest.approx(exactly, abs=1e-11)


def test_a_log_without_rolls_is_in_the_middle_and_one_roll_is_its_own_place():
    die = tuple((score, 1) for score in range(1, 21))
    assert percentile([], 0) == 0.5
    assert [percentile([die], score) for score in (0, 1, 11, 20, 21)] == pytest.approx([0, 0.025, 0.525, 0.975, 1])


def test_a_thousand_coins_stand_where_they_are_counted():
    coin = ((5, 1), (15, 1))
    heads = Fraction(sum(comb(1000, n) for n in range(530)) * 2 + comb(1000, 530), 2 * 2**1000)
    assert percentile([coin] * 1000, 10_000) == pytest.approx(0.5, abs=1e-11)
    assert percentile([coin] * 1000, 10_000 + 10 * 30) == pytest.approx(float(heads), abs=1e-11)


def test_every_roll_of_a_system_can_rank_all_its_outcomes():
    for system, roll in small_rolls():
        odds = roll.odds()
        assert roll.ranks(odds).keys() == odds.weights.keys(), (system.slug, roll)


class Plain(Roll):
    dice: Count = field("Dice", 2)
    title = "Plain"

    def throw(self, tray):
        return Outcome(tray.total(self.dice, range(1, 7)))


class Low(Plain):
    luckiest = "less"


class Silent(Plain):
    luckiest = "none"


class Worded(Plain):
    outcomes = {"a": "a", "b": "b", "c": "c"}
    good = ("c",)

    def throw(self, tray):
        return Outcome("aab"[tray.die(3) - 1] if tray.die(2) == 1 else "c")


class Ordered(Worded):
    luckiest = ("b", "c", "a")


class Several(Worded):
    outcomes = {"a": "a", "c": "c", "b": "b"}


def best_first(roll):
    odds = roll.odds()
    ranks = roll.ranks(odds)
    return sorted(odds.weights, key=lambda value: -ranks[value])


def test_more_is_luck_unless_a_roll_says_otherwise():
    assert best_first(Plain()) == [*range(12, 1, -1)]
    assert best_first(Low()) == [*range(2, 13)]
    assert luck_in(Silent()) is None


def test_words_rank_as_they_stand_beginning_with_those_hoped_for():
    assert best_first(Worded()) == ["c", "b", "a"]
    assert best_first(Ordered()) == ["b", "c", "a"]
    # Where those hoped for stand among the others, these are alike.
    assert {*Several().ranks(Several().odds()).values()} == {0, 1}


@pytest.mark.parametrize(("slug", "roll", "given", "best", "worst"), [
    ("dice-rumble", "initiative", {}, 1, 10), ("dice-rumble", "duel", {"threshold": 5, "opponent": 6}, "win", "lose"),
    ("dice-rumble", "attack", {"threshold": 5, "weapon": 0}, 4, "miss"),
    ("daemmersturm", "damage", {"range": "1-10"}, 10, 1),
    ("daemmersturm", "damage", {"range": "1-10", "victim": "own"}, 1, 10),
    ("daemmersturm", "stealth", {"bonus": 3}, "hidden", "exposed"),
    ("daemmersturm", "attack", {"bonus": 3, "defence": 10}, "critical", "fumble"),
    ("condice", "loss-points", {}, 1, 6), ("condice", "break-free", {"dice": 2, "resistance": 2}, "free", "held"),
    ("augen-des-zwielichts", "weak-hits", {"fighters": 2, "weak_point": 3}, 0, 2),
    ("augen-des-zwielichts", "condition", {"move": "risk", "attribute": "white"}, "none", "condition"),
    ("battle-dice", "battle", {"attack_dice": 2, "defence_dice": 2}, 2, 0),
])
def test_each_system_says_what_is_luck(slug, roll, given, best, worst):
    order = best_first(systems()[slug].rolls[roll].model_validate(given))
    assert (order[0], order[-1]) == (best, worst)


@pytest.mark.parametrize(("slug", "roll", "given"), [
    ("battle-dice", "draw", {"cards": 8}), ("battle-dice", "minion", {}), ("condice", "attribute-loss", {}),
    ("augen-des-zwielichts", "weak-point", {"shade": "light"}), ("augen-des-zwielichts", "draw", {}),
    ("daemmersturm", "counter-attack", {}),
])
def test_rolls_without_a_better_outcome_say_nothing_of_luck(slug, roll, given):
    assert luck_in(systems()[slug].rolls[roll].model_validate(given)) is None

"""How rare an outcome is, in one sentence that names it."""

import pytest

from rulesets import systems
from rulesets.work import compute_limit
from sheets.rolls.odds_chart import rarity

pytestmark = pytest.mark.usefixtures("english")
SYSTEMS = systems()
RISK = {"move": "risk", "attribute": "white"}
DAMAGE = {"dice": 5, "defence": 3}
SEARCH = {"move": "investigate", "attribute": "white"}


def how_rare(slug, roll, value, **given):
    return rarity(SYSTEMS[slug].rolls[roll].model_validate(given), value)


def test_rarity_is_the_chance_of_the_odds():
    roll = SYSTEMS["condice"].rolls["success"](dice=6)
    chance = roll.odds().at_least(9)
    assert how_rare("condice", "success", 9, dice=6) == (
        f"9 successes or more: in {round(1000 * chance)} of 1,000 rolls" if chance < 0.01 else
        f"9 successes or more: in {round(100 * chance)} of 100 rolls")


@pytest.mark.parametrize(("slug", "roll", "value", "given", "said"), [
    # Damage is as rare as that much or more, little as that much at the most.
    ("condice", "attack", 0, DAMAGE, "0 damage: in 56 of 100 rolls"),
    ("condice", "attack", 1, DAMAGE, "1 damage or more: in 44 of 100 rolls"),
    ("condice", "attack", 5, DAMAGE, "5 damage or more: in 8 of 1,000 rolls"),
    ("condice", "attack", 7, DAMAGE, "7 damage or more: less often than in 1 of 1,000 rolls"),
    ("condice", "success", 1, {"dice": 6}, "1 success or less: in 8 of 100 rolls"),
    # Numbers beside words are compared upwards, a word with those that are better or worse.
    ("dice-rumble", "attack", 1, {"threshold": 8}, "1 damage or more: in 70 of 100 rolls"),
    ("dice-rumble", "attack", "miss", {"threshold": 8}, "Miss: in 20 of 100 rolls"),
    ("dice-rumble", "test", "critical-success", {"threshold": 9}, "Critical success: in 10 of 100 rolls"),
    ("dice-rumble", "test", "success", {"threshold": 9}, "Success or better: in 90 of 100 rolls"),
    ("dice-rumble", "test", "failure", {"threshold": 8}, "Failure or worse: in 20 of 100 rolls"),
    ("daemmersturm", "attack", "hit", {"bonus": 4, "defence": 13}, "Hit or better: in 55 of 100 rolls"),
    ("daemmersturm", "attack", "miss", {"bonus": 4, "defence": 13}, "Miss or worse: in 45 of 100 rolls"),
    ("daemmersturm", "attack", "critical", {"bonus": 4, "defence": 12}, "Critical hit: in 5 of 100 rolls"),
    ("daemmersturm", "attack", "fumble", {"bonus": 4, "defence": 13}, "Fumble: in 5 of 100 rolls"),
    ("augen-des-zwielichts", "move", "5-6", RISK, "5–6 or better: in 56 of 100 rolls"),
    ("augen-des-zwielichts", "move", "1-2", RISK, "1–2 or worse: in 11 of 100 rolls"),
    ("augen-des-zwielichts", "move", "1-2", SEARCH, "1–4 or worse: in 44 of 100 rolls"),
    ("augen-des-zwielichts", "move", "3-4", SEARCH, "1–4 or worse: in 44 of 100 rolls"),
    ("augen-des-zwielichts", "move", "1&1", SEARCH, "Two ones: in 3 of 100 rolls"),
    # A face among equal ones, what must be and what cannot be are not rare; nearly sure is not said to be sure.
    ("condice", "healing", 5, {}, ""), ("condice", "success", 0, {"dice": 0}, ""),
    ("condice", "success", 99, {"dice": 2}, ""),
    ("condice", "success", 0, {"dice": 30}, "0 successes: less often than in 1 of 1,000 rolls"),
    ("condice", "mental-attack", "works", {"dice": 60, "resistance": 1}, "Works: in more than 99 of 100 rolls"),
])
def test_an_outcome_is_as_rare_as_it_was_promised(slug, roll, value, given, said):
    assert how_rare(slug, roll, value, **given) == said


def test_beyond_the_budget_nothing_is_said_and_later_it_is():
    roll = SYSTEMS["battle-dice"].rolls["battle"](attack_dice=9, defence_dice=8)
    with compute_limit(10):
        assert rarity(roll, 2) == ""
    assert rarity(roll, 2)

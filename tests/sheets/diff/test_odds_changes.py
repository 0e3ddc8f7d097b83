"""What became of a roll's odds, in as few words as tell it."""

import pytest

from rulesets.augen_des_zwielichts.rolls import Move
from rulesets.condice import rolls as condice
from rulesets.daemmersturm import rolls as daemmersturm
from rulesets.dice import Outcome
from rulesets.dice_rumble import rolls as rumble
from rulesets.kit import Count, Roll, field
from sheets.diff.odds_changes import HIGHEST, shifts
from sheets.rolls.widgets import Widget

pytestmark = pytest.mark.usefixtures("english")


def told(roll, before, after, **known):
    """What is told of a roll, each side filled with its figures, "" where it has none."""
    widgets = [Widget(roll.offer(**known, **one)) if one is not None else None for one in (before, after)]
    return [str(one).replace("\xa0", " ") for one in shifts(*widgets)]


class Wheel(Roll):
    """One die of ten; up to `won` it is the last outcome."""

    won: Count = field("Won")
    title, outcomes = "Wheel", {"red": "red", "green": "green", "blue": "blue", "gold": "gold"}

    def throw(self, tray):
        face = tray.die(10)
        return Outcome("gold" if face <= self.won else ("red", "green", "blue")[face % 3])


TEST, ATTACK, PIRANHAS, HIT = rumble.Test, rumble.Attack, condice.Attack, daemmersturm.Attack


@pytest.mark.parametrize(("roll", "before", "after", "known", "said"), [
    # Words are told by the first ones up to where the chance moved most.
    (TEST, {"threshold": 8}, {"threshold": 9}, {}, ["critical success or success 80.0% → 90.0%"]),
    # Where fewer outcomes are left those are told; of two outcomes the first.
    (Wheel, {"won": 1}, {"won": 4}, {}, ["gold 10.0% → 40.0%"]),
    (condice.MentalDefence, {"dice": 1}, {"dice": 3}, {"successes": 0}, []),
    (condice.MentalDefence, {"dice": 1}, {"dice": 3}, {"successes": 1}, ["defended 50.0% → 87.5%"]),
    (HIT, {"repeat": False}, {"repeat": True}, {"bonus": 0, "defence": 12}, [
        "critical hit or hit 40.0% → 64.0%"]),
    # Numbers are told by their mean; where some outcomes are words it is that of the numbers.
    (PIRANHAS, {"dice": 4}, {"dice": 5}, {}, ["on average 2.67 → 3.33"]),
    (ATTACK, {"threshold": 6}, {"threshold": 7}, {"weapon": 3}, [
        "miss 40.0% → 30.0%", "otherwise on average 5.50 → 6.00"]),
    (ATTACK, {"weapon": 3}, {"weapon": 4}, {"threshold": 6}, ["otherwise on average 5.50 → 6.50"]),
    # A roll that only one side has is told by its likeliest outcomes, and the same roll is not told.
    (TEST, None, {"threshold": 6}, {}, ["success 50.0%", "failure 30.0%"]),
    (PIRANHAS, {"dice": 3}, None, {}, ["on average 2.00"]),
    (PIRANHAS, {"dice": 4}, {"dice": 4}, {}, []),
    # Where the first answers show nothing one is told that does.
    (HIT, {"bonus": 4}, {"bonus": -1}, {}, ["critical hit or hit (Defence of the target 12) 60.0% → 35.0%"]),
    # A second reading is told too.
    (Move, {"attribute": "white"}, {"attribute": "black"}, {
        "move": "investigate", "improve": False, "bonus": False, "fear": False}, ["with a condition 0.0% → 58.3%"]),
    # Figures that no game comes to are not reckoned, and that is said.
    (PIRANHAS, {"dice": 4}, {"dice": HIGHEST + 1}, {}, ["odds not calculated for values above 200"]),
    (PIRANHAS, {"dice": 4}, {"dice": HIGHEST}, {}, ["on average 2.67 → 133.33"]),
])
def test_what_became_of_odds_is_told_in_few_words(roll, before, after, known, said):
    assert told(roll, before, after, **known) == said

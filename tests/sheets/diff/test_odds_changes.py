"""What became of a roll's odds, in as few words as tell it."""

import pytest
from django.utils.translation import override

from rulesets.augen_des_zwielichts.rolls import Move
from rulesets.condice import rolls as condice
from rulesets.daemmersturm import rolls as daemmersturm
from rulesets.dice import Outcome
from rulesets.dice_rumble import rolls as rumble
from rulesets.kit import Count, Roll, field
from sheets.diff.odds_changes import HIGHEST, shifts
from sheets.rolls.widgets import Widget


@pytest.fixture(autouse=True)
def _english():
    with override("en"):
        yield


def told(roll, before, after, **known):
    """What is told of a roll, each side filled with its figures, "" where it has none."""
    widgets = [Widget(roll.asking(**known, **one)) if one is not None else None for one in (before, after)]
    return [str(one).replace("\xa0", " ") for one in shifts(*widgets)]


def test_words_are_told_by_the_first_ones_up_to_where_the_chance_moved_most():
    assert told(rumble.Test, {"threshold": 8}, {"threshold": 9}) == ["critical success or success 80.0 % → 90.0 %"]


class Wheel(Roll):
    """One die of ten; up to `won` it is the last outcome."""

    won: Count = field("Won")
    title, outcomes = "Wheel", {"red": "red", "green": "green", "blue": "blue", "gold": "gold"}

    def throw(self, tray):
        face = tray.die(10)
        return Outcome("gold" if face <= self.won else ("red", "green", "blue")[face % 3])


def test_where_fewer_outcomes_are_left_those_are_told():
    assert told(Wheel, {"won": 1}, {"won": 4}) == ["gold 10.0 % → 40.0 %"]


def test_of_two_outcomes_the_first_is_told():
    assert told(condice.MentalDefence, {"dice": 1}, {"dice": 3}, successes=0) == []
    assert told(condice.MentalDefence, {"dice": 1}, {"dice": 3}, successes=1) == ["defended 50.0 % → 87.5 %"]
    assert told(daemmersturm.Attack, {"repeat": False}, {"repeat": True}, bonus=0, defence=12) == [
        "critical hit or hit 40.0 % → 64.0 %"]


def test_numbers_are_told_by_their_mean():
    assert told(condice.Attack, {"dice": 4}, {"dice": 5}) == ["on average 2.67 → 3.33"]


def test_where_some_outcomes_are_words_the_mean_is_that_of_the_numbers():
    assert told(rumble.Attack, {"threshold": 6}, {"threshold": 7}, weapon=3) == [
        "miss 40.0 % → 30.0 %", "otherwise on average 5.50 → 6.00"]
    assert told(rumble.Attack, {"weapon": 3}, {"weapon": 4}, threshold=6) == ["otherwise on average 5.50 → 6.50"]


def test_a_roll_that_only_one_side_has_is_told_by_its_likeliest_outcomes():
    assert told(rumble.Test, None, {"threshold": 6}) == ["success 50.0 %", "failure 30.0 %"]
    assert told(condice.Attack, {"dice": 3}, None) == ["on average 2.00"]


def test_the_same_roll_is_not_told():
    assert told(condice.Attack, {"dice": 4}, {"dice": 4}) == []


def test_where_the_first_answers_show_nothing_one_is_told_that_does():
    before, after = ({"bonus": bonus} for bonus in (4, -1))
    assert told(daemmersturm.Attack, before, after) == [
        "critical hit or hit (Defence of the target 12) 60.0 % → 35.0 %"]


def test_a_second_reading_is_told_too():
    known = {"move": "investigate", "improve": False, "bonus": False, "fear": False}
    found = told(Move, {"attribute": "white"}, {"attribute": "black"}, **known)
    assert found == ["with a condition 0.0 % → 58.3 %"]


def test_figures_that_no_game_comes_to_are_not_reckoned_and_that_is_said():
    assert told(condice.Attack, {"dice": 4}, {"dice": HIGHEST + 1}) == ["odds not reckoned with figures above 200"]
    assert told(condice.Attack, {"dice": 4}, {"dice": HIGHEST})[0].startswith("on average 2.67 → 133.3")

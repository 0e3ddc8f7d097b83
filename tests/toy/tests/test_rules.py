"""The system's own tests, collected with all others where the system is in its place."""

from fractions import Fraction

import pytest

from rulesets.dice import LoadedTray
from rulesets.document import read_tree
from rulesets.toy import RULESET, play, rolls
from rulesets.toy.examples import EXAMPLES, OFFENDERS


@pytest.mark.rule("TY-00")
@pytest.mark.rule("TY-03")
def test_what_lacks_a_name_is_told_so():
    assert [read_tree(OFFENDERS[rule]).check().verdict for rule in ("TY-00", "TY-03")] == ["legal", "legal"]


@pytest.mark.rule("TY-01")
def test_five_points_are_the_most():
    assert read_tree(EXAMPLES["bear"]).check().derived == {"points_left": 0}
    assert read_tree(OFFENDERS["TY-01"]).check().verdict == "illegal"


@pytest.mark.rule("TY-02")
def test_a_toy_is_something():
    assert read_tree(OFFENDERS["TY-02"]).check().findings[0].path == "calling"


@pytest.mark.rule("TY-04")
def test_eyes_are_added_up():
    assert rolls.Throw(dice=3).throw(LoadedTray(1, 4, 4)).value == 9


@pytest.mark.rule("TY-05")
def test_luck_is_the_most_that_is_lucky():
    assert rolls.Test(luck=2).odds().chances == {"lucky": Fraction(1, 3), "unlucky": Fraction(2, 3)}


@pytest.mark.rule("TY-06")
def test_wear_takes_strength():
    sheet = read_tree(EXAMPLES["bear"]).sheet
    assert play.Wear(by=1).apply(sheet, RULESET.play()).effective(sheet).strength == 1

"""Formulas of free rolls: read in both languages, with the odds that icepool computes, and refused in words."""

import random
import sys
from fractions import Fraction

import icepool
import pytest

from rulesets.dice import LoadedTray, Odds, replayed
from rulesets.formula import MAX_DICE, MAX_LENGTH, MAX_TERMS, Formula, FormulaError
from rulesets.work import TooMuch, compute_limit
from tests.support.everyday import everyday

WRITTEN = {
    "3W6+2": "3d6+2", "2d20 höchster": "2d20kh1", "W100": "1d100", "w%": "1d100", " 3 d 6 − 1 ": "3d6-1",
    "4D6 KH3": "4d6kh3", "4w6 beste 3 + 1W4": "4d6kh3+1d4", "2d20 lowest": "2d20kl1", "2W20 niedrigster": "2d20kl1",
    "3d6 schlechteste 2 – 4": "3d6kl2-4", "-1d6+5": "-1d6+5", "5+d8": "5+1d8", "2d6k2": "2d6",
    "d6+d6+d6": "1d6+1d6+1d6"}
REFUSED = {
    "": 0, "   ": 3, "12": 2, "3x6": 1, "3d": 2, "d": 1, "3d+1": 2, "d1": 1, "d0": 1, "0d6": 0, "d1001": 1, "101d6": 0,
    "60d6+41d6": 5, "3d6+": 4, "3d6++2": 4, "d6 d6": 3, "2d6 oldest": 4, "2d6kh3": 5, "2d6kh0": 5,
    "2d6 highest lowest": 12, "3d6)": 3, "(3d6)": 0, "3d6*2": 3, "٣d6": 0, "3d٦": 2, "d6+99999": 3,
    "d6+" + "9" * 50: 3, "d6;roll": 2, "d6\n\nd6": 4, "<b>d6</b>": 0, "d6\x00": 2, "__import__('os')": 0,
    "{d6}": 0, "%s": 0, "d6%": 2, "d6.5": 2, "½d6": 0, "d²": 0}
HOSTILE = [
    "(" * 50, "d" * 60, "9" * 60, "1d1000kh" * 7, "+" * 59, "-" * 60, "d6+" * 20, "kh" * 30, "d" + " " * 58 + "6",
    "d6" + "+1" * 29, "100d1000kh50x", "d%" * 30, "\u202e6d3", "ｄ６", "d6\ud800", "\ufeffd6", "w" * 30 + "6" * 30]


def drawn(rng):
    """Return a formula by chance as people write it, and icepool's die for it."""
    text, total = "", icepool.Die([0])
    for place in range(rng.randint(1, 3)):
        sign = "" if not place else rng.choice("+-")
        if place and rng.random() < 0.4:
            written, die = str(number := rng.randint(1, 30)), icepool.Die([number])
        else:
            count, sides = rng.randint(1, 6), rng.choice([2, 4, 6, 8, 10, 12, 20, 100])
            selected = rng.randint(1, count)
            selection = rng.choice(["", "highest", "lowest"]) if count < 5 or sides < 100 else ""
            written = f"{count}{rng.choice('dDwW')}{sides}" + (f" {selection} {selected}" if selection else "")
            one = icepool.d(sides)
            die = one.highest(count, selected) if selection == "highest" else one.lowest(
                count, selected) if selection else count @ one
        text += sign + written
        total = total - die if sign == "-" else total + die
    return text, total


@pytest.mark.parametrize(("text", "written"), WRITTEN.items())
def test_formulas_are_read_as_people_write_them(text, written):
    assert str(Formula.read(text)) == written
    assert str(Formula.read(written)) == written


@pytest.mark.parametrize("seed", everyday(range(8), 2))
def test_odds_are_those_of_an_independent_library(seed):
    rng = random.Random(seed)  # noqa: S311 - no secret
    for _formula in range(25):
        text, die = drawn(rng)
        odds = Odds.counted(Formula.read(text).weights())
        expected = {value: Fraction(ways, die.denominator()) for value, ways in die.items() if ways}
        assert dict(odds.chances) == expected, text


@pytest.mark.parametrize("text", ["3d6+2", "4d6kh3-1", "3d4kl2+1d6", "-2d6+10"])
def test_what_is_thrown_has_the_odds_that_are_counted(text):
    formula = Formula.read(text)
    assert Odds.counted(replayed(formula.throw)).chances == Odds.counted(formula.weights()).chances


def test_the_faces_that_count_are_told():
    outcome = Formula.read("4d6kh3+1d4-2").throw(LoadedTray(2, 6, 1, 5, 4))
    assert (outcome.value, outcome.figures["counted"]) == (6 + 5 + 2 + 4 - 2, ((6, 5, 2), (4,)))


@pytest.mark.parametrize(("text", "at"), REFUSED.items())
def test_where_a_formula_cannot_be_read_is_said(text, at):
    with pytest.raises(FormulaError) as refused:
        Formula.read(text)
    assert (refused.value.at, len(str(refused.value)) > 10) == (at, True)


def test_formulas_have_limits():
    Formula.read("d6" + "+1" * (MAX_TERMS - 1))
    with pytest.raises(FormulaError):
        Formula.read("d6" + "+1" * MAX_TERMS)
    assert Formula.read(f"{MAX_DICE}d6").dice == MAX_DICE
    with pytest.raises(FormulaError):
        Formula.read("d6+1" + " " * MAX_LENGTH)


def test_hostile_texts_are_refused_before_they_cost_anything():
    """Two hundred texts, each refused within a bounded number of Python's calls."""
    rng = random.Random(1)  # noqa: S311 - no secret
    signs = "dDwW0123456789+-−% khl()*/^.,;:<>&'\"\\{}[]~#äöüé٣\x00\n"
    texts = HOSTILE + ["".join(rng.choices(signs, k=rng.randint(1, 70))) + "(" for _text in range(200 - len(HOSTILE))]
    for text in texts:
        calls = 0

        def count(_frame, event, _argument):
            nonlocal calls
            calls += event == "call"

        sys.setprofile(count)
        try:
            Formula.read(text)
        except FormulaError:
            pass
        else:
            sys.setprofile(None)
            # A text that can be read is a formula within the limits.
            assert Formula.read(text).dice <= MAX_DICE, text
        finally:
            sys.setprofile(None)
        assert calls < 500, text


@pytest.mark.parametrize("text", ["100d1000kh50", "100d1000", "50d1000kh25+50d999kl20"])
def test_odds_that_would_take_too_long_are_not_begun(text):
    with compute_limit() as left, pytest.raises(TooMuch):
        Formula.read(text).weights()
    assert left[0] > 0

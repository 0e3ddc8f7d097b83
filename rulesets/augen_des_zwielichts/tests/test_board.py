"""What is drawn: six places for conditions, the words with their dice, the moves that there are, steps ahead."""

import pytest

from rulesets.augen_des_zwielichts import RULESET
from rulesets.augen_des_zwielichts.examples import EXAMPLES
from rulesets.document import read_tree

SHEET = read_tree(next(iter(EXAMPLES.values()))).sheet


def board(**state):
    return RULESET.play.model_validate(state).board(SHEET)


def places(state):
    return next(one for one in state.gauges(SHEET) if one.key == "conditions").places


@pytest.mark.rule("SZ-07")
def test_six_places_begin_with_the_demon_and_fill_in_order():
    assert [one.word for one in places(RULESET.play())] == [SHEET.demon.name, "", "", "", "", ""]
    state = {"conditions": [{"word": "erschöpft"}, {"word": "nass"}], "conditions_due": 1}
    assert [(one.word, one.needs_name) for one in places(RULESET.play.model_validate(state))] == [
        (SHEET.demon.name, False), ("erschöpft", False), ("nass", False), ("", True), ("", False), ("", False)]


@pytest.mark.rule("SZ-07")
def test_a_condition_goes_where_it_stands_and_the_demon_never():
    state = RULESET.play.model_validate({"conditions": [{"word": "erschöpft"}, {"word": "nass"}]})
    demon, first, *_others = places(state)
    assert demon.end is None
    after = first.end.offer.take(**first.end.answers).apply(SHEET, state)
    assert [one.word for one in after.conditions] == ["nass"]


@pytest.mark.rule("SZ-09a")
def test_the_steps_of_a_change_stand_there_in_their_order():
    assert board()["steps"] == []
    assert [str(one) for one in board(steps=["change-mark", "turn-white"])["steps"]] == [
        "change the mark", "turn a field white"]


@pytest.mark.rule("SZ-10")
@pytest.mark.rule("SZ-22")
def test_the_moves_are_those_that_may_be_made_now():
    assert [one.key for one in board()["moves"]] == ["investigate", "risk", "travel", "ability", "weaken"]
    assert "travel" not in [one.key for one in board(travelled=True)["moves"]]
    assert not board(conditions_due=5)["moves"]


@pytest.mark.rule("SZ-01")
def test_each_of_the_seven_words_has_the_colour_of_its_die():
    tiles = board()["tiles"]
    assert [(one.word, one.colour) for one in tiles] == [
        (one.label, one.colour) for one in SHEET.fields.all().values()]
    honour, *_others = board(honour="Freund der Wölfe")["tiles"]
    assert (honour.word, honour.filled) == ("Freund der Wölfe", True)

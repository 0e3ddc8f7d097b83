import pytest
from django.utils.translation import override

from builder.wizard.merge import NAME, conflicts, merged, remaining_invalid_texts
from rulesets import systems
from rulesets.kit import DROP, patched
from sheets.models import State
from tests.support.guest import example

SHAPE = systems()["condice"].sheet
ATTACK = {"name": "Tritt", "dice": 2, "range": 0, "description": ""}
AURA = {"ability": "aura", "range": 0, "attribute": None}


@pytest.fixture(autouse=True)
def english():
    with override("en"):
        yield


def state(patch=None, *, name="Juan", typed=None):
    return State(name, patched(example()["data"], patch or {}), typed or {})


BASE = state()
TWO = state({"attacks": [ATTACK, ATTACK | {"name": "Biss", "range": 1}]})


def told(found):
    """{path: (mine, theirs, whether mine is preferred)}."""
    return {one.path: (one.mine, one.theirs, one.prefer_mine) for one in found}


@pytest.mark.parametrize(("mine", "theirs", "base", "found"), [
    pytest.param(state(), state(), BASE, {}, id="what is equal differs nowhere"),
    pytest.param(state({"attacks": [ATTACK]}), TWO, TWO, {"attacks": ("Tritt 2", "Tritt 2; Biss 2 1", True)},
                 id="rows of another number are one field"),
    pytest.param(state({"life": 7}), state({"movement": 1}), BASE, {
        "life": ("7", "5", True), "movement": ("4", "1", False)}, id="who changed a field is preferred"),
    pytest.param(state({"life": 7}), state({"life": 8}), BASE, {"life": ("7", "8", True)},
                 id="where both changed it mine is preferred"),
    pytest.param(state(), state({"life": 8}), None, {"life": ("5", "8", True)},
                 id="mine is preferred where nobody knows what the page was made from"),
    pytest.param(state(name="Ich"), state(name="Du"), BASE, {NAME: ("Ich", "Du", True)}, id="the name is a field too"),
    pytest.param(BASE, state(name="Du"), BASE, {NAME: ("Juan", "Du", False)}, id="their name"),
    pytest.param(state(typed={"life": "viele"}), state({"life": 8}), BASE, {"life": ("viele", "8", True)},
                 id="a broken text beside the value that stands there"),
    pytest.param(state({"abilities": [AURA | {"attribute": "life"}]}), state({"abilities": [AURA]}), BASE, {
        "abilities.0.attribute": ("Life", "–", True)}, id="a choice is told in words"),
])
def test_where_two_states_differ_both_are_told_and_one_is_preferred(mine, theirs, base, found):
    assert told(conflicts(SHAPE, mine, theirs, base)) == found


def test_rows_of_another_kind_are_one_field_and_a_list_without_rows_is_told_by_a_dash():
    (path, (mine, *_)), = told(conflicts(SHAPE, state({"abilities.0": {"ability": "fliegen", "range": 0}}), BASE,
                                         BASE)).items()
    assert (path, mine.partition("; ")[0]) == ("abilities", "Fly")
    assert told(conflicts(SHAPE, state({"attacks": []}), BASE, BASE))["attacks"][0] == "–"


@pytest.mark.parametrize(("mine", "preferred"), [({"attacks.0.dice": 9}, True), ({"life": 9}, False)])
def test_a_row_that_i_changed_counts_as_my_change_of_a_list_that_they_made_longer(mine, preferred):
    theirs = state({"attacks": [*BASE.data["attacks"], ATTACK]})
    assert told(conflicts(SHAPE, state(mine), theirs, BASE))["attacks"][2] == preferred


MINE, THEIRS = state({"life": 7, "movement": 9}, name="Ich"), state({"life": 8, "defence": 1}, name="Du")
LONGER = state({"attacks": [*BASE.data["attacks"], ATTACK]}, typed={"attacks.2.dice": "zwei"})
MANY, FAR = state(typed={"life": "viele"}), state({"life": 8}, typed={"movement": "weit"})


@pytest.mark.parametrize(("mine", "theirs", "keep", "kept"), [
    (MINE, THEIRS, {"life": True, "movement": False, "defence": False, NAME: False},
     state({"life": 7, "defence": 1}, name="Du")),
    (MINE, THEIRS, {NAME: True}, state({"life": 8, "defence": 1}, name="Ich")),
    pytest.param(MANY, FAR, {"life": True}, state(typed={"life": "viele", "movement": "weit"}),
                 id="a broken text goes with the side that is kept"),
    pytest.param(MANY, FAR, {"life": False, "movement": True}, state({"life": 8}), id="theirs without its text"),
    pytest.param(LONGER, BASE, {"attacks.2.dice": True, "attacks": False}, BASE,
                 id="a text whose row was not kept is not kept either"),
])
def test_what_is_kept_of_mine_is_put_into_theirs(mine, theirs, keep, kept):
    assert merged(SHAPE, mine, theirs, keep) == kept


@pytest.mark.parametrize(("mine", "theirs"), [
    ({"life": 7}, {"movement": 1}), ({"attacks": []}, {"attacks.0.dice": 9}), ({"attacks.0": DROP}, {"life": 3}),
    ({"abilities.1": DROP}, {"abilities.1.fields": 2}),
])
def test_to_keep_all_of_one_side_gives_that_side(mine, theirs):
    mine, theirs = state(mine, name="Ich", typed={"movement": "weit"}), state(theirs, typed={"life": "viel"})
    paths = [one.path for one in conflicts(SHAPE, mine, theirs, BASE)]
    assert merged(SHAPE, mine, theirs, dict.fromkeys(paths, True)) == mine
    assert merged(SHAPE, mine, theirs, dict.fromkeys(paths, False)) == theirs


@pytest.mark.parametrize(("typed", "mend", "kept"), [
    pytest.param({"life": "viele", "attacks.0.dice": "x"}, {"movement": 1}, {"life": "viele", "attacks.0.dice": "x"},
                 id="it leaves texts that it does not touch"),
    pytest.param({"life": "viele", "attacks.0.dice": "x", "attacks.0.range": "y"}, {"life": 1, "attacks.0.dice": 1},
                 {"attacks.0.range": "y"}, id="it replaces the text of the field that it mends"),
    pytest.param({"life": "viele", "attacks.1.dice": "x"}, {"attacks.0": DROP}, {"life": "viele"},
                 id="texts of a list whose rows it moves go"),
])
def test_a_mend_keeps_the_texts_that_still_stand_where_they_were_typed(typed, mend, kept):
    assert remaining_invalid_texts(SHAPE, state(typed=typed), state(mend).data) == kept

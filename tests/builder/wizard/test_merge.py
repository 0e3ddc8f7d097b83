import pytest
from django.utils.translation import override

from builder.wizard.merge import NAME, conflicts, kept_typed, settled
from rulesets import systems
from rulesets.kit import DROP, patched
from sheets.models import State
from tests.support.guest import example

CONDICE = systems()["condice"]
SHAPE = CONDICE.sheet
ATTACK = {"name": "Tritt", "dice": 2, "range": 0, "description": ""}


@pytest.fixture(autouse=True)
def english():
    with override("en"):
        yield


def state(patch=None, *, name="Juan", typed=None):
    return State(name, patched(example()["data"], patch or {}), typed or {})


BASE = state()


def told(found):
    """{path: (mine, theirs, whether mine is preferred)}."""
    return {one.path: (one.mine, one.theirs, one.prefer_mine) for one in found}


def test_states_that_are_equal_differ_nowhere():
    assert conflicts(SHAPE, state(), state(), BASE) == []


def test_rows_of_another_number_are_one_field():
    base = state({"attacks": [ATTACK, ATTACK | {"name": "Biss", "range": 1}]})
    mine = state({"attacks": [ATTACK]})
    assert told(conflicts(SHAPE, mine, base, base)) == {"attacks": ("Tritt 2", "Tritt 2; Biss 2 1", True)}


def test_rows_of_another_kind_are_one_field():
    mine = state({"abilities.0": {"ability": "fliegen", "range": 0}})
    found = told(conflicts(SHAPE, mine, BASE, BASE))
    assert list(found) == ["abilities"]
    assert found["abilities"][0].startswith("Fly; ")


def test_a_list_without_rows_is_told_by_a_dash():
    assert told(conflicts(SHAPE, state({"attacks": []}), BASE, BASE))["attacks"][0] == "–"


def test_the_one_who_changed_a_field_is_preferred():
    mine, theirs = state({"life": 7}), state({"movement": 1})
    assert told(conflicts(SHAPE, mine, theirs, BASE)) == {
        "life": ("7", "5", True), "movement": ("4", "1", False),
    }


def test_where_both_changed_a_field_mine_is_preferred():
    assert told(conflicts(SHAPE, state({"life": 7}), state({"life": 8}), BASE)) == {"life": ("7", "8", True)}


def test_a_row_that_i_changed_counts_as_my_change_of_a_list_that_they_made_longer():
    theirs = state({"attacks": [*BASE.data["attacks"], ATTACK]})
    assert told(conflicts(SHAPE, state({"attacks.0.dice": 9}), theirs, BASE))["attacks"][2]
    assert not told(conflicts(SHAPE, state({"life": 9}), theirs, BASE))["attacks"][2]


def test_mine_is_preferred_where_nobody_knows_what_the_page_was_made_from():
    assert told(conflicts(SHAPE, state(), state({"life": 8}), None)) == {"life": ("5", "8", True)}


def test_the_name_is_a_field_too():
    mine, theirs = state(name="Ich"), state(name="Du")
    assert told(conflicts(SHAPE, mine, theirs, BASE)) == {NAME: ("Ich", "Du", True)}
    assert told(conflicts(SHAPE, BASE, theirs, BASE)) == {NAME: ("Juan", "Du", False)}


def test_a_broken_text_is_told_beside_the_value_that_stands_there():
    found = told(conflicts(SHAPE, state(typed={"life": "viele"}), state({"life": 8}), BASE))
    assert found == {"life": ("viele", "8", True)}


def test_a_choice_is_told_in_words():
    aura = {"ability": "aura", "range": 0, "attribute": None}
    mine, theirs = (state({"abilities": [aura | {"attribute": one}]}) for one in ("life", None))
    assert told(conflicts(SHAPE, mine, theirs, BASE)) == {"abilities.0.attribute": ("Life", "–", True)}


def test_what_is_kept_of_mine_is_put_into_theirs():
    mine, theirs = state({"life": 7, "movement": 9}, name="Ich"), state({"life": 8, "defence": 1}, name="Du")
    keep = {"life": True, "movement": False, "defence": False, NAME: False}
    assert settled(SHAPE, mine, theirs, keep) == state({"life": 7, "defence": 1}, name="Du")
    assert settled(SHAPE, mine, theirs, {NAME: True}) == state({"life": 8, "defence": 1}, name="Ich")


@pytest.mark.parametrize(("mine", "theirs"), [
    ({"life": 7}, {"movement": 1}), ({"attacks": []}, {"attacks.0.dice": 9}), ({"attacks.0": DROP}, {"life": 3}),
    ({"abilities.1": DROP}, {"abilities.1.fields": 2}),
])
def test_to_keep_all_of_one_side_gives_that_side(mine, theirs):
    mine, theirs = state(mine, name="Ich", typed={"movement": "weit"}), state(theirs, typed={"life": "viel"})
    paths = [one.path for one in conflicts(SHAPE, mine, theirs, BASE)]
    assert settled(SHAPE, mine, theirs, dict.fromkeys(paths, True)) == mine
    assert settled(SHAPE, mine, theirs, dict.fromkeys(paths, False)) == theirs


def test_a_broken_text_goes_with_the_side_that_is_kept():
    mine, theirs = state(typed={"life": "viele"}), state({"life": 8}, typed={"movement": "weit"})
    assert settled(SHAPE, mine, theirs, {"life": True}).typed == {"life": "viele", "movement": "weit"}
    assert settled(SHAPE, mine, theirs, {"life": False, "movement": True}).typed == {}


def test_a_text_whose_row_was_not_kept_is_not_kept_either():
    mine = state({"attacks": [*BASE.data["attacks"], ATTACK]}, typed={"attacks.2.dice": "zwei"})
    assert settled(SHAPE, mine, BASE, {"attacks.2.dice": True, "attacks": False}) == BASE


def test_a_mend_leaves_texts_that_it_does_not_touch():
    before = state(typed={"life": "viele", "attacks.0.dice": "x"})
    assert kept_typed(SHAPE, before, state({"movement": 1}).data) == before.typed


def test_a_mend_replaces_the_text_of_the_field_that_it_mends():
    before = state(typed={"life": "viele", "attacks.0.dice": "x", "attacks.0.range": "y"})
    assert kept_typed(SHAPE, before, state({"life": 1, "attacks.0.dice": 1}).data) == {"attacks.0.range": "y"}


def test_texts_of_a_list_whose_rows_a_mend_moves_go():
    before = state(typed={"life": "viele", "attacks.1.dice": "x"})
    assert kept_typed(SHAPE, before, state({"attacks.0": DROP}).data) == {"life": "viele"}

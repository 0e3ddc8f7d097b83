"""Where two states of a sheet's data differ, field by field, in words."""

import pytest

from rulesets import systems
from rulesets.kit import patched
from sheets.forms.differences import differing_fields, field_changes
from tests.support.guest import example

SHAPE = systems()["condice"].sheet
BASE = example()["data"]


pytestmark = pytest.mark.usefixtures("english")


def test_the_smallest_field_that_differs_is_told_with_its_title():
    found, = differing_fields(SHAPE, patched(BASE, {"attacks.1.dice": 7}), BASE)
    path, title, slot, mine, theirs = found
    assert (path, title, slot.key, mine, theirs) == ("attacks.1.dice", "Attack 2 (Faustschlag): Dice", "dice", 7, 5)
    # A mend is told by what becomes of each field.
    one, = field_changes(SHAPE, BASE, patched(BASE, {"life": 1}))
    assert (one.title, one.before, one.after) == ("Life", "5", "1")


def test_lines_are_told_one_after_the_other_and_none_by_a_dash():
    shape = systems()["augen-des-zwielichts"].sheet
    before = next(iter(systems()["augen-des-zwielichts"].examples.values()))["data"]
    one, = field_changes(shape, patched(before, {"fears": ["Fire", "Fog"]}), patched(before, {"fears": []}))
    assert (one.title, one.before, one.after) == ("Fears", "Fire; Fog", "–")


def test_of_a_list_the_rows_that_stay_as_they_are_need_no_word():
    shape = systems()["battle-dice"].sheet
    before = {"cards": [{"card": "the-corona-look", "copies": 3}, {"card": "snowbuddies", "copies": 1}]}
    one, = field_changes(shape, before, {"cards": [
        *before["cards"][:1], {"card": "snowbuddies", "copies": 2}, {"card": "the-biggest-fan", "copies": 1}]})
    assert (one.before, one.after) == (
        "Snowbuddies (Copies 1)", "Snowbuddies (Copies 2); The Biggest Fan (Copies 1)")
    one, = field_changes(shape, before, {"cards": before["cards"][::-1]})
    assert one.before == "The Corona Look (Copies 3); Snowbuddies (Copies 1)"


def test_a_row_is_told_by_names_and_figures_and_in_full_only_if_nothing_else_differs():
    ruleset = systems()["battle-dice"]
    own = {"card": "custom", "name": "The Weeb", "cost": "6", "copies": 1, "keywords": [
        {"keyword": "angriff", "value": "2"}], "effects": []}
    corona = {"card": "the-corona-look", "copies": 2}
    one, = field_changes(ruleset.sheet, {"cards": [corona, own]}, {"cards": [corona | {"copies": 3}]})
    assert (one.before, one.after) == ("The Corona Look (Copies 2); Custom card The Weeb (Time mana 6, Copies 1)",
                                      "The Corona Look (Copies 3)")
    one, = field_changes(ruleset.sheet, {"cards": [own, corona]}, {"cards": [own | {"keywords": []}, corona]})
    assert "Angriff" in one.before
    assert "Angriff" not in one.after


@pytest.mark.rule("DR-02")
def test_a_row_of_which_nothing_is_said_yet_is_told_by_a_dash():
    ruleset = systems()["dice-rumble"]
    before = ruleset.document()["data"]
    empty = {"name": "", "attribute": None, "points": 0}
    one, = field_changes(ruleset.sheet, before, before | {"talents": [
        empty | {"name": "Nahkampf", "attribute": "strength"}, empty, empty]})
    assert (one.before, one.after) == ("–", "Nahkampf Strength; –; –")
    fears = systems()["augen-des-zwielichts"]
    data = next(iter(fears.examples.values()))["data"]
    one, = field_changes(fears.sheet, data | {"fears": []}, data | {"fears": ["Fire", " "]})
    assert one.after == "Fire; –"

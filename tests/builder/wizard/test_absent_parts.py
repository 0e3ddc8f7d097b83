"""Parts of a sheet that may be absent: given, taken, compared, asked."""

import pytest

from builder.wizard.edits import Edit
from rulesets import systems
from sheets.forms.differences import field_changes
from sheets.forms.inputs import inputs_of
from tests.support.guest import Guest, example

SHAPE = systems()["daemmersturm"].sheet
KNIGHT = example("knight", "daemmersturm")


def test_a_part_is_given_empty_and_taken_with_its_broken_texts():
    edit = Edit(SHAPE, example("hans-peter", "daemmersturm")["data"], {"shield.target": "x", "life": "many"})
    assert edit.apply("add", "shield") == "shield"
    assert edit.data["shield"] == {"target": 0}
    assert edit.typed == {"life": "many"}
    edit.apply("drop", "shield")
    assert edit.data["shield"] is None


def test_a_part_that_is_there_is_not_given_anew():
    edit = Edit(SHAPE, KNIGHT["data"], {})
    edit.apply("add", "shield")
    assert edit.data["shield"] == {"target": 14}


def test_an_absent_part_has_no_inputs_and_differs_as_a_whole():
    inputs = {one.path: one for one in inputs_of(SHAPE, example("hans-peter", "daemmersturm")["data"])}
    assert inputs["shield"].parts == []
    without = {**KNIGHT["data"], "shield": None}
    difference, = field_changes(SHAPE, KNIGHT["data"], without)
    assert (difference.path, difference.theirs) == ("shield", "–")
    assert "14" in difference.mine


@pytest.mark.django_db
def test_the_wizard_gives_takes_and_fills_a_part():
    guest = Guest(example("hans-peter", "daemmersturm"), system="daemmersturm")
    assert b'value="add:shield"' in guest.get("equipment").content
    guest.post("equipment", do="add:shield")
    assert guest.data["shield"] == {"target": 0}
    guest.post("equipment", {"shield.target": "15"})
    assert guest.data["shield"] == {"target": 15}
    guest.post("equipment", {"shield.target": "viele"})
    assert guest.sheet.typed == {"shield.target": "viele"}
    assert b"viele" in guest.get("equipment").content
    guest.post("equipment", do="drop:shield")
    assert (guest.data["shield"], guest.sheet.typed) == (None, {})


@pytest.mark.django_db
def test_a_field_that_means_nothing_now_is_not_asked():
    guest = Guest(example("hans-peter", "daemmersturm"), system="daemmersturm")
    assert b"claimed" not in guest.get("skills").content
    claim = {"action_points": 1, "focus_points": 0, "magic_points": 0}
    guest = Guest({**KNIGHT, "data": {**KNIGHT["data"], "claimed": claim}}, system="daemmersturm")
    assert b'name="claimed.action_points"' in guest.get("skills").content


@pytest.mark.django_db
def test_abilities_are_suggested_while_one_types():
    guest = Guest(example("hans-peter", "daemmersturm"), system="daemmersturm")
    page = guest.get("abilities").content.decode()
    assert '<option value="Scharfschütze">' in page
    assert 'list="f-abilities-0-name-known"' in page


@pytest.mark.django_db
def test_the_last_step_has_the_text_to_copy_and_a_system_without_points_says_its_findings():
    guest = Guest(example("hans-peter", "daemmersturm"), system="daemmersturm")
    page = guest.get("finish").content.decode()
    assert "Hans-Peter: (N=20+3|15, F=20-3|12, Z=20+0|10) LP 20" in page
    assert "The rules find nothing." in page
    guest.post("skills", {"life": "0"})
    assert "Findings: 1." in guest.get("skills").content.decode()


@pytest.mark.django_db
@pytest.mark.rule("SZ-01")
def test_what_a_field_of_a_part_should_hold_is_said_at_that_field():
    guest = Guest(example("charcoal-burner", "augen-des-zwielichts"), system="augen-des-zwielichts")
    page = guest.get("fields").content.decode()
    assert '<p id="f-fields-honour-word--hint" class="callout">' in page
    assert 'id="f-fields-mount-word--hint"' in page
    assert 'aria-describedby="f-fields-honour-word--fault f-fields-honour-word--hint"' in page
    assert "f-fields-item-word--hint" not in page

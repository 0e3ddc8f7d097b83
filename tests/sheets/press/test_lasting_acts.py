"""Acts that change the character for good are taken back in order, each a version of the sheet."""

import uuid
from copy import deepcopy

import pytest
from django.contrib.auth.models import User

from rulesets import systems
from rulesets.kit import Refused
from sheets.character import Character
from sheets.models import Sheet
from sheets.press.log import last_act
from sheets.press.perform import press
from sheets.press.undo import undo_act
from sheets.rolls.widgets import Widget


@pytest.fixture
def sheet(db):
    document = deepcopy(systems()["augen-des-zwielichts"].examples["smith"])
    return Sheet.objects.create(owner=User.objects.create_user("anna"), ruleset="augen-des-zwielichts",
                                name=document["name"], data=document["data"], play={"section_points": 5})


def do(sheet, slug, **answers):
    character = Character(sheet)
    offer = next(one for one in character.acts() if one.cls.slug == slug)
    return press(character, Widget(offer, given=answers), uuid.uuid4())


def test_several_in_a_row_are_taken_back_in_order(sheet):
    before, versions = deepcopy(sheet.data), [sheet.version]
    for slug, answers in (("gain-level", {}), ("drop-fear", {}), ("change-field", {"key": "item", "word": "Stern"})):
        do(sheet, slug, **answers)
        versions.append(sheet.version)
    assert versions[0] < versions[1] <= versions[2] < versions[3]
    assert sheet.data["fields"]["item"]["word"] == "Stern"
    for _act in range(3):
        assert undo_act(sheet, last_act(sheet).pk)
    assert (sheet.data, sheet.play, last_act(sheet)) == (before, {"section_points": 5}, None)
    # Not beyond a change that was made otherwise.
    do(sheet, "gain-level")
    sheet.version += 1
    sheet.save()
    do(sheet, "drop-fear")
    assert undo_act(sheet, last_act(sheet).pk)
    with pytest.raises(Refused):
        undo_act(sheet, last_act(sheet).pk)


def test_house_rules_reach_the_acts(sheet):
    sheet.house = {"literal_weaken": True}
    sheet.play = {"danger_level": 11}
    character = Character(sheet)
    assert character.written.house.literal_weaken
    assert character.now.house.literal_weaken
    settle = character.ruleset.acts["settle"](move="weaken", white="6,6")
    assert settle.apply(character.written, character.play).danger_level == 7

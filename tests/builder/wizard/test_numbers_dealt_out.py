"""Numbers dealt out, and rows known by their label: what the buttons do, and what the pages show."""

from typing import Annotated

import pytest
from django.core.exceptions import BadRequest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import Field

from builder.wizard.edits import Edit
from rulesets.kit import Ask, House, Part, Points, Sheet, field, rows
from sheets.models import Sheet as Sheets
from tests.support.guest import Guest

KEYS = ("power", "speed", "wit")


class Gifts(Part):
    power: Points | None = field("Power")
    speed: Points | None = field("Speed")
    wit: Points | None = field("Wit")


class Skill(Part):
    name: str = field("Name")
    points: Points = field("Points")


class Hero(Sheet):
    gifts: Gifts = field("Gifts", deal="numbers")
    free: Gifts = field("Free")
    skills: list[Skill] = rows("Skills", presets={"Swim: far": {"name": "Swim", "points": 2}})


class Table(House):
    numbers: Annotated[list[Points], Field()] = Field(default_factory=lambda: [2, 1, 1], json_schema_extra=Ask("Gifts"))


def edited(word, path, extra, *held, typed=(), house=None):
    data = {"gifts": dict(zip(KEYS, held or (None,) * 3, strict=True)), "free": dict.fromkeys(KEYS), "skills": []}
    edit = Edit(Hero, data, dict(typed), house or Table())
    edit.focus = edit.apply(word, path, extra)
    Hero.model_validate(edit.data)
    return edit


def dealt(key, number, *held, house=None):
    edit = edited("deal", f"gifts.{key}", str(number), *held, house=house)
    assert edit.focus == f"gifts.{key}"
    return tuple(edit.data["gifts"].values())


@pytest.mark.parametrize(("held", "press", "after"), [
    ((None, None, None), ("power", 2), (2, None, None)),
    ((2, None, None), ("speed", 2), (None, 2, None)),
    ((2, 1, None), ("wit", 1), (2, 1, 1)),
    ((2, 1, 1), ("wit", 2), (1, 1, 2)),
    ((2, 1, 1), ("power", 1), (1, 2, 1)),
    ((2, 1, 1), ("speed", 1), (2, 1, 1)),
    ((None, 1, 1), ("power", 1), (1, None, 1)),
    ((2, 2, 1), ("wit", 2), (1, 2, 2)),
    ((7, 2, 1), ("power", 2), (2, None, 1)),
])
def test_a_number_is_given_or_swapped_with_whoever_has_the_last_of_it(held, press, after):
    assert dealt(*press, *held) == after


@given(st.permutations([2, 1, 1]), st.lists(st.tuples(st.sampled_from(KEYS), st.sampled_from([2, 1]))))
def test_whatever_is_pressed_the_numbers_stay_those_that_were_dealt(held, presses):
    for press in presses:
        held = dealt(*press, *held)
    assert sorted(held) == [1, 1, 2]


def test_the_house_says_which_numbers_there_are():
    assert dealt("wit", 5, house=Table(numbers=[5, 0, 0])) == (None, None, 5)
    with pytest.raises(BadRequest):
        dealt("wit", 2, house=Table(numbers=[5, 0, 0]))


@pytest.mark.parametrize(("path", "extra"), [
    ("gifts.power", "3"), ("gifts.power", ""), ("gifts.power", "02"), ("gifts.luck", "2"), ("gifts", "2"), ("", "2"),
    ("free.power", "2"), ("skills.0", "2"), ("gifts.power.0", "2"), ("nowhere.power", "2"),
])
def test_a_deal_that_no_page_offers_is_refused(path, extra):
    with pytest.raises(BadRequest):
        edited("deal", path, extra)


def test_without_house_rules_nothing_can_be_dealt():
    with pytest.raises(BadRequest):
        Edit(Hero, {"gifts": dict.fromkeys(KEYS), "free": {}, "skills": []}, {}).apply("deal", "gifts.power", "2")


def test_a_row_known_by_its_label_comes_filled_in_and_an_empty_one_empty():
    assert edited("add", "skills", "Swim: far").data["skills"] == [{"name": "Swim", "points": 2}]
    assert edited("add", "skills", "").data["skills"] == [{"name": "", "points": 0}]
    with pytest.raises(BadRequest):
        edited("add", "skills", "Swim")


@pytest.mark.django_db
def test_the_page_has_a_button_for_each_number_says_which_are_held_and_takes_a_deal_back():
    guest = Guest(system="dice-rumble")
    assert guest.get("attributes").text.count('aria-pressed="false"') == 12
    answer = guest.post("attributes", do="deal:attributes.mind:3")
    assert answer["Location"].endswith("/attributes/#f-attributes-mind")
    assert guest.data["attributes"] == {"strength": None, "dexterity": None, "mind": 3, "charisma": None}
    page = guest.get("attributes").text
    assert page.count('aria-pressed="true"') == 1
    assert '<button name="do" value="deal:attributes.mind:3" id="f-attributes-mind" aria-pressed="true">' in page
    answer = guest.post("attributes", do="deal:attributes.charisma:3", htmx=True)
    assert (answer["HX-Retarget"], guest.data["attributes"]["mind"]) == ("#workspace", None)
    assert "f-attributes-charisma" in answer["HX-Trigger-After-Settle"]
    guest.post("attributes", do="undo:")
    assert guest.data["attributes"]["mind"] == 3
    Sheets.objects.update(data=guest.data | {"attributes": {"strength": 4, "dexterity": 2, "mind": 1, "charisma": 1}})
    assert '<span class="wrong">4</span>' in guest.get("attributes").text
    assert 'id="f-attributes--hint"' in guest.post("attributes", htmx=True).text


@pytest.mark.django_db
def test_known_rows_stay_on_offer_and_say_that_they_are_there():
    guest = Guest(system="dice-rumble")
    button = 'id="f-talents-konstitution--add" form="step" name="do" value="add:talents:Konstitution"'
    before = guest.get("talents").text
    guest.post("talents", do="add:talents:Konstitution")
    after = guest.get("talents").text
    assert guest.data["talents"] == [{"name": "Konstitution", "attribute": "strength", "points": 0}]
    assert [(button in page, page.count("✓ 1×")) for page in (before, after)] == [(True, 0), (True, 1)]

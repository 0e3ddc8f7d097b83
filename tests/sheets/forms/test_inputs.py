from copy import deepcopy
from typing import Annotated, Literal

import pytest
from django.core.exceptions import BadRequest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import Field

from rulesets import systems
from rulesets.kit import Count, Name, Part, Text, blank, field, rows, slots
from sheets.forms.inputs import Broken, element_id, input_text, parsed
from sheets.forms.part_inputs import MAX_FIELD_TEXT, MAX_INVALID_TEXTS, input_fault, inputs_of, read_answers
from sheets.forms.paths import field_at, path_in_words
from tests.support.guest import example

CONDICE = systems()["condice"].sheet


class Wing(Part):
    kind: Literal["wing"]
    span: Count = field("Span")


class Tail(Part):
    kind: Literal["tail"]
    color: Literal["red", "blue"] | None = field("Colour", None)


class Nest(Part):
    eggs: Count = field("Eggs", 0)
    made_of: Name = field("Made of", "")


class Bird(Part):
    """One field of each kind."""

    name: Name = field("Name")
    story: Text = field("Story", "", long=True)
    eyes: Count = field("Eyes", 2)
    age: Annotated[int, Field(ge=-5, le=5)] | None = field("Age")
    tame: bool = field("Tame", default=False)
    song: Literal["high", "low"] = field("Song", "low", choices={"high": "High notes"})
    die: Literal[4, 6] = field("Die", 6)
    colors: list[Literal["red", "blue"]] = field("Colours", [])
    parts: list[Annotated[Wing | Tail, Field(discriminator="kind")]] = rows("Parts", [])
    nest: Nest = field("Nest", Nest())


DATA = blank(Bird, name="Amsel", age=1) | {
    "parts": [{"kind": "wing", "span": 3}, {"kind": "tail", "color": "red"}], "nest": {"eggs": 3, "made_of": "Moos"},
}


pytestmark = pytest.mark.usefixtures("english")


def posted(typed=None, *, lenient=False, data=DATA, shape=Bird, **fields):
    """Data and typed after a form was posted."""
    post = {path.replace("__", "."): value if isinstance(value, list) else [value] for path, value in fields.items()}
    found, typed, _changed = read_answers(shape, data, typed or {}, post, lenient=lenient)
    assert shape.model_validate(found).model_dump() == found
    return found, typed


READ = [
    ("name", "Drossel", "Drossel"), ("name", "", ""), ("name", "  x ", "x"),
    ("story", "one\r\ntwo\r\n", "one\ntwo\n"),
    ("eyes", "0", 0), ("eyes", " 12 ", 12), ("eyes", "+7", 7), ("eyes", "007", 7), ("eyes", "999", 999),
    ("age", "-5", -5), ("age", "", None), ("age", "  ", None),
    ("tame", "on", True), ("tame", "", False), ("tame", ["", "on"], True),
    ("song", "high", "high"), ("die", "4", 4),
    ("colors", ["", "red", "blue"], ["red", "blue"]), ("colors", [""], []),
    ("parts__0__span", "8", 8), ("parts__1__color", "", None), ("nest__eggs", "1", 1),
    ("nest__made_of", "Gras", "Gras"),
]


@pytest.mark.parametrize(("path", "text", "value"), READ)
def test_each_kind_of_input_is_read_as_its_field_means_it(path, text, value):
    found, typed = posted(**{path: text})
    assert typed == {}
    for step in path.split("__"):
        found = found[int(step)] if isinstance(found, list) else found[step]
    assert (found, type(found)) == (value, type(value))


BROKEN = {
    ("eyes", "four"): "“four” is not a whole number.",
    ("eyes", "1.5"): "“1.5” is not a whole number.",
    ("eyes", "1e3"): "“1e3” is not a whole number.",
    ("eyes", "²"): "“²” is not a whole number.",
    ("eyes", "٣"): "“٣” is not a whole number.",
    ("eyes", "9" * 50): f"{'9' * 39}… is too large; the maximum is 999.",
    ("eyes", ""): "This is empty; enter a whole number.",
    ("eyes", "-1"): "-1 is too small; the minimum is 0.",
    ("eyes", "1000"): "1000 is too large; the maximum is 999.",
    ("age", "6"): "6 is too large; the maximum is 5.",
    ("song", ""): "This is empty; choose one.",
    ("song", "middle"): "“middle” is not one of: 'high', 'low'.",
    ("die", "8"): "“8” is not one of: 4, 6.",
    ("name", "x" * 201): "The text is longer than 200 characters.",
    ("story", "x" * 4001): "The text is longer than 4000 characters.",
    ("parts__0__span", "wide"): "“wide” is not a whole number.",
}


@pytest.mark.parametrize(("path", "text"), BROKEN)
def test_what_cannot_be_read_stays_in_its_input_and_the_field_keeps_its_value(path, text):
    path, message = path.replace("__", "."), BROKEN[path, text]
    found, typed = posted(**{path: text})
    assert (found, typed) == (DATA, {path: text})
    assert input_fault(field_at(Bird, DATA, path), text) == message
    flat = {one.path: one for one in flattened(inputs_of(Bird, DATA, typed))}
    assert (flat[path].text, flat[path].fault) == (text, message)


def flattened(inputs):
    for one in inputs:
        yield one
        yield from flattened([inner for row in one.rows for inner in row.inputs] + one.parts)


@pytest.mark.parametrize(("typed", "fields", "left"), [
    # A value that can be read again takes the broken text away, which stays where a form does not ask for it.
    ({"eyes": "four", "age": "old"}, {"eyes": "4"}, {"age": "old"}),
    ({"eyes": "four"}, {"age": "2"}, {"eyes": "four"}),
    # The form's own fields are no paths; of several choices one is unknown.
    ({}, {"_version": "1", "_name": "x", "csrfmiddlewaretoken": "y", "do": "save"}, {}),
    ({}, {"colors": ["", "red", "green"]}, {"colors": "red\ngreen"}),
])
def test_a_broken_text_stays_until_its_field_can_be_read(typed, fields, left):
    found, typed = posted(typed, **fields)
    assert typed.keys() == left.keys()
    assert "colors" in left or typed == left
    assert found == DATA | {key: int(value) for key, value in fields.items() if key in ("eyes", "age")}


def test_what_is_read_leaves_the_draft_that_it_starts_from_alone():
    before = deepcopy(DATA)
    posted(nest__eggs="9")
    assert before == DATA


REFUSED = [
    "nowhere", "parts", "nest", "parts.0", "parts.2.span", "parts.00.span", "parts.-1.span", "parts.².span",
    "parts.0.color", "parts.0.span.0", "name.0", "nest.eggs.x", "", ".", "parts..span", "parts.0.", "0",
    "parts." + "9" * 5000 + ".span", "nest.model_fields", "model_dump",
    "parts.0.kind",
]


@pytest.mark.parametrize("path", REFUSED)
def test_a_path_that_no_page_asks_for_is_refused(path):
    with pytest.raises(BadRequest):
        posted(**{path: "1"})


@pytest.mark.parametrize("path", [path for path in REFUSED if path not in ("parts", "nest", "parts.0.kind")])
def test_a_path_of_an_older_page_is_passed_over(path):
    assert posted(lenient=True, **{path: "1"}) == (DATA, {})


@pytest.mark.parametrize("text", ["x" * (MAX_FIELD_TEXT + 1), "a\0b"], ids=["huge", "nul"])
@pytest.mark.parametrize("lenient", [False, True])
def test_what_no_person_types_is_refused(text, lenient):
    with pytest.raises(BadRequest):
        posted(name=text, lenient=lenient)


def test_more_text_to_be_mended_than_anybody_types_is_refused():
    full = {f"parts.{index}.span": "x" * MAX_FIELD_TEXT for index in range(MAX_INVALID_TEXTS // MAX_FIELD_TEXT)}
    data = DATA | {"parts": [{"kind": "wing", "span": 0}] * 9}
    with pytest.raises(BadRequest):
        posted(full, data=data, name="x" * 201)


@pytest.mark.parametrize("name", example()["data"])
def test_a_sheet_shown_and_sent_back_unchanged_is_the_same_sheet(name):
    """Every input of an example, posted as the page shows it."""
    data = example()["data"]
    fields = {one.path.replace(".", "__"): one.text for one in flattened(inputs_of(CONDICE, data))
              if one.path.startswith(name) and one.slot.kind != "rows"}
    assert posted(data=data, shape=CONDICE, **fields) == (data, {})


def test_a_number_shows_no_input_for_a_tag_that_has_one_value_and_the_last_row_knows_that_it_is():
    shown = {one.path: one for one in flattened(inputs_of(Bird, DATA | {"name": "a\nb"}))}
    assert list(shown) == ["name", "story", "eyes", "age", "tame", "song", "die", "colors", "parts", "parts.0.span",
                           "parts.1.color", "nest", "nest.eggs", "nest.made_of"]
    assert [row.last for row in shown["parts"].rows] == [False, True]
    # A text with line breaks gets room.
    assert [shown[path].multiline for path in ("name", "story", "nest")] == [True, True, False]


@pytest.mark.parametrize(("path", "words"), [
    ("eyes", "Eyes"), ("parts.1.color", "Parts 2: Colour"), ("nest.made_of", "Nest: Made of"), ("nowhere", ""),
    ("parts.9.color", "Parts 10"), ("0", ""), ("²", ""), ("parts.²", "Parts"), ("9" * 5000, ""),
])
def test_a_path_is_told_in_words(path, words):
    assert path_in_words(Bird, DATA, path) == words
    # An id needs no escaping.
    assert element_id("attacks.0.dice") == "f-attacks-0-dice"


@pytest.mark.parametrize(("value", "text"), [(None, ""), (True, "on"), (False, ""), (0, "0"), (-3, "-3"), ("x", "x")])
def test_a_value_is_shown_as_an_input_holds_it(value, text):
    assert input_text(value) == text


@given(st.sampled_from(sorted(set(slots(Bird)) - {"colors", "parts", "nest"})), st.text())
def test_any_text_is_either_a_value_of_its_field_or_told_to_be_broken(key, text):
    slot = slots(Bird)[key]
    value, message = DATA[key], ""
    try:
        value = parsed(slot, text)
    except Broken as broken:
        message = str(broken)
    assert Bird.model_validate(DATA | {key: value})
    assert not message or message == input_fault(slot, text)


class Lined(Part):
    lines: list[Name] = rows("Lines")


def test_lines_are_read_one_by_one_without_the_empty_ones_and_shown_as_they_are():
    slot = slots(Lined)["lines"]
    assert (slot.kind, parsed(slot, " Feuer \r\n\n Stille"), parsed(slot, "")) == ("lines", ["Feuer", "Stille"], [])
    assert input_text(["Feuer", "Stille"]) == "Feuer\nStille"
    assert "200" in input_fault(slot, "x" * 201)


class Ring(Part):
    word: Name = field("Word", "")


class Hand(Part):
    thumb: Ring = field("Thumb")
    little: Ring = field("Little finger")


class Arm(Part):
    hand: Hand = field("Hand")


def test_parts_within_a_part_are_asked_in_groups():
    asked, = inputs_of(Arm, blank(Arm), {"hand.little.word": "x" * 201})
    assert [(one.path, one.group.title, bool(one.fault)) for one in asked.parts] == [
        ("hand.thumb.word", "Thumb", False), ("hand.little.word", "Little finger", True)]

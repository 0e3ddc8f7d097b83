from copy import deepcopy

import pytest
from django.core.exceptions import BadRequest
from hypothesis import given
from hypothesis import strategies as st

from builder.wizard.edits import Edit
from rulesets import systems
from rulesets.kit import ROWS
from tests.support.guest import example

SHAPE = systems()["condice"].sheet
TYPED = {"life": "many", "attacks.0.dice": "four", "attacks.1.dice": "five", "abilities.1.fields": "far"}


def edited(word, path, extra="", *, data=None, typed=TYPED):
    edit = Edit(SHAPE, data or example()["data"], typed)
    edit.focus = edit.apply(word, path, extra)
    SHAPE.model_validate(edit.data)
    return edit


def names(edit):
    return [attack["name"] for attack in edit.data["attacks"]]


def test_a_row_is_added_at_the_end_and_looked_at():
    edit = edited("add", "attacks")
    assert edit.data["attacks"][2] == {"name": "", "dice": 0, "range": 0, "description": ""}
    assert edit.focus == "attacks.2"
    assert edit.typed == TYPED


def test_an_entry_of_the_catalogue_is_added_at_its_least():
    edit = edited("add", "abilities", "teleportieren")
    assert edit.data["abilities"][3] == {"ability": "teleportieren", "range": 0, "fields": 1}
    assert edit.focus == "abilities.3"


def test_a_removed_row_takes_its_text_along_and_the_others_keep_theirs():
    edit = edited("drop", "attacks.0")
    assert names(edit) == ["Faustschlag"]
    assert edit.typed == {"life": "many", "attacks.0.dice": "five", "abilities.1.fields": "far"}
    assert edit.focus == "attacks.0"


def test_after_the_last_row_is_removed_the_list_itself_is_looked_at():
    edit = edited("drop", "attacks.0", data=edited("drop", "attacks.1").data, typed={})
    assert (edit.data["attacks"], edit.focus) == ([], "attacks")


def test_a_copied_row_stands_below_and_a_broken_text_stays_with_the_one_it_was_typed_in():
    edit = edited("copy", "attacks.0")
    assert names(edit) == ["Einhornpiranhas", "Einhornpiranhas", "Faustschlag"]
    assert edit.typed == {
        "life": "many", "attacks.0.dice": "four", "attacks.2.dice": "five", "abilities.1.fields": "far",
    }
    assert edit.focus == "attacks.1"


def test_a_copy_is_a_row_of_its_own():
    edit = edited("copy", "attacks.0")
    edit.data["attacks"][1]["dice"] = 1
    assert edit.data["attacks"][0]["dice"] == 4


@pytest.mark.parametrize(("word", "path", "focus"), [
    ("up", "attacks.1", "attacks.0"), ("down", "attacks.0", "attacks.1"),
])
def test_a_moved_row_changes_places_with_its_neighbour_texts_included(word, path, focus):
    edit = edited(word, path)
    assert names(edit) == ["Faustschlag", "Einhornpiranhas"]
    assert edit.typed == TYPED | {"attacks.0.dice": "five", "attacks.1.dice": "four"}
    assert edit.focus == focus


@pytest.mark.parametrize(("word", "path"), [("up", "attacks.0"), ("down", "attacks.1")])
def test_a_row_at_the_end_stays_there(word, path):
    edit = edited(word, path)
    assert (edit.data, edit.typed, edit.focus) == (example()["data"], TYPED, path)


@pytest.mark.parametrize(("word", "path", "value"), [
    ("more", "movement", 5), ("less", "movement", 3), ("more", "attacks.1.range", 1), ("less", "attacks.1.range", 0),
])
def test_one_more_and_one_less_stop_at_the_end_of_the_range(word, path, value):
    node = edited(word, path).data
    for step in path.split("."):
        node = node[int(step)] if isinstance(node, list) else node[step]
    assert node == value


def test_the_most_is_not_passed():
    full = example()["data"] | {"life": 999}
    assert edited("more", "life", data=full, typed={}).data["life"] == 999


def test_a_number_that_is_broken_now_is_left_to_whoever_types_it():
    edit = edited("more", "life")
    assert (edit.data, edit.typed) == (example()["data"], TYPED)


def test_what_an_edit_starts_from_is_not_touched():
    before, typed = deepcopy(example()["data"]), dict(TYPED)
    edited("drop", "attacks.0", data=before, typed=typed)
    assert (before, typed) == (example()["data"], TYPED)


REFUSED = [
    ("burn", "attacks.0", ""), ("", "", ""), ("_drop", "attacks.0", ""), ("apply", "more", "life"),
    ("add", "life", ""), ("add", "", ""), ("add", "attacks.0", ""), ("add", "nowhere", ""),
    ("add", "attacks", "zaubern"), ("add", "abilities", ""), ("add", "abilities", "weltfrieden"),
    ("add", "abilities", "zaubern:zaubern"),
    ("drop", "attacks", ""), ("drop", "attacks.2", ""), ("drop", "attacks.-1", ""), ("drop", "attacks.00", ""),
    ("drop", "attacks.²", ""), ("drop", "attacks." + "9" * 5000, ""), ("drop", "attacks.0.dice", ""), ("drop", "", ""),
    ("copy", "abilities.3", ""), ("up", "life", ""), ("down", ".", ""), ("up", "attacks.0.", ""),
    ("more", "attacks", ""), ("more", "attacks.0", ""), ("more", "attacks.0.name", ""), ("less", "attacks.5.dice", ""),
    ("more", "", ""), ("more", "life.0", ""), ("less", "abilities.0.fields", ""), ("more", "attacks.٠.dice", ""),
]


@pytest.mark.parametrize(("word", "path", "extra"), REFUSED)
def test_a_button_that_no_page_has_is_refused(word, path, extra):
    with pytest.raises(BadRequest):
        edited(word, path, extra)


@pytest.mark.parametrize(("word", "path"), [("add", "attacks"), ("copy", "attacks.0")])
def test_a_full_list_takes_no_more(word, path):
    full = example()["data"] | {"attacks": example()["data"]["attacks"][:1] * ROWS}
    with pytest.raises(BadRequest):
        edited(word, path, data=full, typed={})


@given(st.lists(st.tuples(
    st.sampled_from(["add", "drop", "copy", "up", "down"]),
    st.sampled_from(["attacks", *(f"attacks.{index}" for index in range(4))]),
), max_size=12))
def test_however_rows_move_each_text_stays_with_its_row(buttons):
    """Rows carry the number of their text in their name, so that both can be compared at the end."""
    data = example()["data"] | {"attacks": [example()["data"]["attacks"][0] | {"name": str(i)} for i in range(3)]}
    typed = {f"attacks.{i}.dice": f"text of {i}" for i in range(3)}
    copied = set()
    for word, path in buttons:
        try:
            edit = edited(word, path, data=data, typed=typed)
        except BadRequest:
            continue
        data, typed = edit.data, edit.typed
        if word == "copy":
            copied.add(data["attacks"][int(edit.focus[-1])]["name"])
            data["attacks"][int(edit.focus[-1])]["name"] = "copy"
    found = {row["name"]: typed.get(f"attacks.{index}.dice") for index, row in enumerate(data["attacks"])}
    for name, text in found.items():
        assert text == (f"text of {name}" if name.isdigit() else None)
    assert len(typed) == sum(name.isdigit() for name in found)

from copy import deepcopy

import pytest
from django.core.exceptions import BadRequest
from hypothesis import given
from hypothesis import strategies as st

from builder.wizard.edits import Edit
from rulesets import systems
from rulesets.kit import ROWS
from tests.support.builder.held import held
from tests.support.guest import example

SHAPE, FIRST, SECOND = systems()["condice"].sheet, "Einhornpiranhas", "Faustschlag"
TYPED = {"life": "many", "attacks.0.dice": "four", "attacks.1.dice": "five", "abilities.1.fields": "far"}
SWAPPED = TYPED | {"attacks.0.dice": "five", "attacks.1.dice": "four"}


def edited(word, path, extra="", *, data=None, typed=TYPED):
    edit = Edit(SHAPE, data or example()["data"], typed)
    edit.focus = edit.apply(word, path, extra)
    SHAPE.model_validate(edit.data)
    return edit


@pytest.mark.parametrize(("word", "path", "names", "typed", "focus"), [
    ("add", "attacks", [FIRST, SECOND, ""], TYPED, "attacks.2"),
    ("drop", "attacks.0", [SECOND], {
        "life": "many", "attacks.0.dice": "five", "abilities.1.fields": "far"}, "attacks.0"),
    ("copy", "attacks.0", [FIRST, FIRST, SECOND], {
        "life": "many", "attacks.0.dice": "four", "attacks.2.dice": "five", "abilities.1.fields": "far"}, "attacks.1"),
    ("up", "attacks.1", [SECOND, FIRST], SWAPPED, "attacks.0"),
    ("down", "attacks.0", [SECOND, FIRST], SWAPPED, "attacks.1"),
])
def test_a_row_that_comes_moves_or_goes_is_looked_at_and_texts_stay_with_their_rows(word, path, names, typed, focus):
    edit = edited(word, path)
    assert ([attack["name"] for attack in edit.data["attacks"]], edit.typed, edit.focus) == (names, typed, focus)


@pytest.mark.parametrize(("word", "path"), [("up", "attacks.0"), ("down", "attacks.1"), ("more", "life")])
def test_a_row_at_the_end_stays_there_and_a_broken_number_is_left_to_whoever_types_it(word, path):
    edit = edited(word, path)
    assert (edit.data, edit.typed, edit.focus) == (example()["data"], TYPED, path)


@pytest.mark.parametrize(("word", "path", "where", "value"), [
    ("add", "attacks", "attacks.2", {"name": "", "dice": 0, "range": 0, "description": ""}),
    ("add", "abilities teleportieren", "abilities.3", {"ability": "teleportieren", "range": 0, "fields": 1}),
    ("more", "movement", "movement", 5), ("less", "movement", "movement", 3),
    ("more", "attacks.1.range", "attacks.1.range", 1), ("less", "attacks.1.range", "attacks.1.range", 0),
    ("more", "life", "life", 999),
])
def test_what_is_added_is_empty_or_at_its_least_and_a_number_stops_at_the_end_of_its_range(word, path, where, value):
    edit = edited(word, *path.split(), data=example()["data"] | {"life": 999}, typed={})
    assert (held(edit.data, [where]), edit.focus) == ({where: value}, where)


def test_after_the_last_row_is_removed_the_list_itself_is_looked_at():
    edit = edited("drop", "attacks.0", data=edited("drop", "attacks.1").data, typed={})
    assert (edit.data["attacks"], edit.focus) == ([], "attacks")


def test_a_copy_is_a_row_of_its_own_and_what_an_edit_starts_from_is_not_touched():
    before, typed = deepcopy(example()["data"]), dict(TYPED)
    edit = edited("copy", "attacks.0", data=before, typed=typed)
    edit.data["attacks"][1]["dice"] = 1
    assert edit.data["attacks"][0]["dice"] == 4
    edited("drop", "attacks.0", data=before, typed=typed)
    assert (before, typed) == (example()["data"], TYPED)


FULL = {"data": example()["data"] | {"attacks": example()["data"]["attacks"][:1] * ROWS}, "typed": {}}
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


@pytest.mark.parametrize(("word", "path", "extra", "start"), [
    *((*row, {}) for row in REFUSED), ("add", "attacks", "", FULL), ("copy", "attacks.0", "", FULL)])
def test_a_button_that_no_page_has_is_refused_and_a_full_list_takes_no_more(word, path, extra, start):
    with pytest.raises(BadRequest):
        edited(word, path, extra, **start)


@given(st.lists(st.tuples(
    st.sampled_from(["add", "drop", "copy", "up", "down"]),
    st.sampled_from(["attacks", *(f"attacks.{index}" for index in range(4))]),
), max_size=12))
def test_however_rows_move_each_text_stays_with_its_row(buttons):
    """Rows carry the number of their text in their name, so that both can be compared at the end."""
    data = example()["data"] | {"attacks": [example()["data"]["attacks"][0] | {"name": str(i)} for i in range(3)]}
    typed = {f"attacks.{i}.dice": f"text of {i}" for i in range(3)}
    for word, path in buttons:
        try:
            edit = edited(word, path, data=data, typed=typed)
        except BadRequest:
            continue
        data, typed = edit.data, edit.typed
        if word == "copy":
            data["attacks"][int(edit.focus[-1])]["name"] = "copy"
    names = [row["name"] for row in data["attacks"]]
    assert typed == {f"attacks.{at}.dice": f"text of {name}" for at, name in enumerate(names) if name.isdigit()}

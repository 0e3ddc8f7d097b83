"""What the wizard's buttons do, and what no button does."""

import re

import pytest

from builder.wizard.context import Wizard
from rulesets.kit import patched
from sheets.models import Sheet
from tests.support.guest import example, text_of, top

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize(("do", "focus"), [
    ("add:attacks", "f-attacks-2"), ("copy:attacks.0", "f-attacks-1"), ("down:attacks.0", "f-attacks-1"),
    ("more:attacks.0.dice", "f-attacks-0-dice"),
])
def test_a_button_is_answered_with_the_whole_bench_and_where_to_look(juan, do, focus):
    answer = juan.post("attacks", do=do, htmx=True)
    assert [attributes.split()[0] for _tag, attributes in top(answer)] == ['id="workspace"']
    assert (answer["HX-Retarget"], answer["HX-Reswap"]) == ("#workspace", "outerHTML")
    assert answer["HX-Trigger-After-Settle"] == f'{{"focus-on": {{"id": "{focus}"}}}}'
    assert f'id="{focus}"' in answer.content.decode()
    assert juan.post("attacks", do=do)["Location"].partition("#")[2].startswith("f-attacks")


def test_a_button_saves_what_was_typed_beside_it(juan):
    juan.post("attacks", {"attacks.0.dice": "x", "attacks.1.name": "Tritt"}, do="drop:attacks.0")
    assert [row["name"] for row in juan.data["attacks"]] == ["Tritt"]
    assert juan.sheet.typed == {}


def test_an_entry_of_the_catalogue_is_added_by_its_button(juan):
    page = juan.get("abilities").content.decode()
    for do in re.findall(r'value="(add:[^"]*)"', page):
        assert juan.post("abilities", do=do).status_code == 302
    assert len(juan.data["abilities"]) == 3 + 18


@pytest.mark.parametrize("do", [
    "burn", "burn:attacks", "add", "add:nowhere", "drop:attacks.7", "drop:attacks.²", "more:attacks", "Undo", "_do",
    "add:attacks:x", "\0", "delete:", "drop:attacks." + "9" * 5000,
])
@pytest.mark.parametrize("htmx", [False, True])
def test_a_button_that_no_page_has_is_refused_and_nothing_is_saved(juan, do, htmx):
    answer = juan.post("attacks", {"attacks.0.name": "Neu"}, do=do, htmx=htmx)
    assert answer.status_code == 400
    assert "This request cannot be read" in text_of(answer)
    assert (juan.sheet.version, juan.data) == (1, example()["data"])


@pytest.mark.parametrize("fields", [
    {"attacks.0.nowhere": "1"}, {"attacks": "1"}, {"attacks.00.dice": "1"}, {"attacks.0.name": "a\0b"}, {"0": "x"},
    {"_name": "x" * 201}, {"_name": "a\0b"}, {"attacks.0.name": "x" * 70_000}, {"_version": "x"}, {"_version": ""},
    {"_version": "9" * 5000}, {"_version": "-1"}, {"_version": "²"}, {"_version": "1.0"},
], ids=lambda fields: next(f"{key}={value[:9]!r}" for key, value in fields.items()))
def test_a_form_that_no_page_has_is_refused_and_nothing_is_saved(juan, fields):
    answer = juan.post("attacks", {"attacks.1.name": "Neu"} | fields)
    assert answer.status_code == 400
    assert "This request cannot be read" in text_of(answer)
    assert (juan.sheet.version, juan.data) == (1, example()["data"])


def test_undo_and_redo_are_buttons_that_know_when_there_is_nothing_to_do(juan):
    def disabled():
        return re.findall(r'value="(undo|redo):" disabled', juan.get("values").content.decode())

    assert disabled() == ["undo", "redo"]
    juan.post("values", life="6")
    assert disabled() == ["redo"]
    juan.post("values", do="undo:")
    assert (disabled(), juan.data["life"]) == (["undo"], 5)
    juan.post("values", do="redo:")
    assert (disabled(), juan.data["life"]) == (["redo"], 6)
    juan.post("values", life="7")
    assert juan.data["life"] == 7


def test_undo_takes_back_what_was_typed_just_before_it_was_pressed(juan):
    juan.post("values", life="6", do="undo:")
    assert juan.data["life"] == 5
    juan.post("values", do="redo:")
    assert juan.data["life"] == 6


def test_the_rest_is_filled_up_to_a_legal_sheet_that_keeps_what_was_there(juan):
    Sheet.objects.update(data=patched(example()["data"], {"abilities": [], "attacks.0.dice": 2}))
    juan.post("figure", do="fill:")
    wizard = Wizard(juan.sheet)
    assert (wizard.ledger.left, wizard.verdict.verdict) == (0, "legal")
    assert juan.data["attacks"][1] == example()["data"]["attacks"][1] | {"dice": juan.data["attacks"][1]["dice"],
                                                                          "range": juan.data["attacks"][1]["range"]}


def test_nothing_is_filled_up_where_too_much_is_spent_and_it_is_said_why(juan):
    answer = juan.post("figure", do="fill:", htmx=True)
    assert juan.data == example()["data"]
    Sheet.objects.update(data=example()["data"] | {"life": 9})
    answer = juan.post("figure", do="fill:", htmx=True)
    assert "4 points too many is spent already" in text_of(answer) or "4 points too many are spent" in text_of(answer)
    assert juan.data["life"] == 9


def test_a_random_character_takes_the_place_of_the_draft_and_can_be_taken_back(juan):
    juan.post("figure", do="random:")
    assert juan.data != example()["data"]
    assert juan.sheet.name
    juan.post("figure", do="undo:")
    assert (juan.data, juan.sheet.name) == (example()["data"], "Juan")

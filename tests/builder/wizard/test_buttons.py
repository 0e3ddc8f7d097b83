"""What the wizard's buttons do, and what no button does."""

import re

import pytest

from builder.wizard.context import Wizard
from rulesets.kit import patched
from sheets.models import Sheet
from tests.support.guest import example, text_of, top

pytestmark = [pytest.mark.django_db, pytest.mark.alike]


@pytest.mark.parametrize(("do", "focus"), [
    ("add:attacks", "f-attacks-2"), ("copy:attacks.0", "f-attacks-1"), ("down:attacks.0", "f-attacks-1"),
    ("more:attacks.0.dice", "f-attacks-0-dice"),
])
def test_a_button_is_answered_with_the_whole_bench_and_where_to_look(juan, do, focus):
    answer = juan.post("attacks", do=do, htmx=True)
    assert [attributes.split()[0] for _tag, attributes in top(answer)] == ['id="workspace"']
    assert (answer["HX-Retarget"], answer["HX-Reswap"]) == ("#workspace", "outerHTML")
    assert answer["HX-Trigger-After-Settle"] == f'{{"focus-on": {{"id": "{focus}"}}}}'
    assert f'id="{focus}"' in answer.text
    assert juan.post("attacks", do=do)["Location"].partition("#")[2].startswith("f-attacks")


def test_a_button_saves_what_was_typed_beside_it_and_adds_its_entry_of_the_catalogue(juan):
    juan.post("attacks", {"attacks.0.dice": "x", "attacks.1.name": "Tritt"}, do="drop:attacks.0")
    assert ([row["name"] for row in juan.data["attacks"]], juan.sheet.typed) == (["Tritt"], {})
    for do in re.findall(r'value="(add:[^"]*)"', juan.get("abilities").text):
        assert juan.post("abilities", do=do).status_code == 302
    assert len(juan.data["abilities"]) == 3 + 18


@pytest.mark.parametrize("fields", [
    *({"do": do} for do in (
        "burn", "burn:attacks", "add", "add:nowhere", "drop:attacks.7", "drop:attacks.²", "more:attacks", "Undo", "_do",
        "add:attacks:x", "\0", "delete:", "drop:attacks." + "9" * 5000)),
    {"attacks.0.nowhere": "1"}, {"attacks": "1"}, {"attacks.00.dice": "1"}, {"attacks.0.name": "a\0b"}, {"0": "x"},
    {"_name": "x" * 201}, {"attacks.0.name": "x" * 70_000}, {"_version": "x"}, {"_version": ""},
    {"_version": "9" * 5000}, {"_version": "-1"}, {"_version": "²"}, {"_version": "1.0"},
], ids=lambda fields: next(f"{key}={value[:9]!r}" for key, value in fields.items()))
def test_a_button_or_a_form_that_no_page_has_is_refused_and_nothing_is_saved(juan, fields):
    for htmx in (False, True):
        answer = juan.post("attacks", {"attacks.1.name": "Neu"} | fields, htmx=htmx)
        assert (answer.status_code, "This request can't be read" in text_of(answer)) == (400, True)
    assert (juan.sheet.version, juan.data) == (1, example()["data"])


@pytest.mark.parametrize("fields", [{}, {"life": "6"}], ids=["saved before", "typed just before"])
def test_undo_and_redo_are_buttons_that_know_when_there_is_nothing_to_do(juan, fields):
    def disabled():
        return re.findall(r'value="(undo|redo):" disabled', juan.get("values").text), juan.data["life"]

    assert disabled() == (["undo", "redo"], 5)
    if not fields:
        juan.post("values", life="6")
        assert disabled() == (["redo"], 6)
    juan.post("values", fields, do="undo:")
    assert disabled() == (["undo"], 5)
    juan.post("values", do="redo:")
    assert disabled() == (["redo"], 6)
    juan.post("values", life="7")
    assert juan.data["life"] == 7


def test_the_rest_is_filled_up_to_a_legal_sheet_that_keeps_what_was_there(juan):
    Sheet.objects.update(data=patched(example()["data"], {"abilities": [], "attacks.0.dice": 2}))
    juan.post("figure", do="fill:")
    wizard, second = Wizard(juan.sheet), juan.data["attacks"][1]
    assert (wizard.ledger.left, wizard.verdict.verdict) == (0, "legal")
    assert second == example()["data"]["attacks"][1] | {"dice": second["dice"], "range": second["range"]}


def test_nothing_is_filled_up_where_too_much_is_spent_and_it_is_said_why_and_dice_can_be_taken_back(juan):
    juan.post("figure", do="fill:", htmx=True)
    assert juan.data == example()["data"]
    juan.post("figure", do="random:", _sure="1")
    assert (juan.data != example()["data"], bool(juan.sheet.name)) == (True, True)
    juan.post("figure", do="undo:")
    assert (juan.data, juan.sheet.name) == (example()["data"], "Juan")
    Sheet.objects.update(data=example()["data"] | {"life": 9})
    assert "You have already overspent by 4 points" in text_of(juan.post("figure", do="fill:", htmx=True))
    assert juan.data["life"] == 9

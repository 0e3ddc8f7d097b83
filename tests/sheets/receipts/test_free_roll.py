"""Free rolls: thrown from a formula on sheets, at tables and on dice pages, with odds and a receipt like all others."""

import json

import pytest
from django.utils.translation import override

from rulesets import systems
from rulesets.dice import Outcome
from rulesets.kit import FreeRoll
from sheets.models import Event, Receipt
from tests.support.commands import run
from tests.support.guest import text_of
from tests.support.sheets.fight import table_of
from tests.support.sheets.pieces import Player
from tests.support.sheets.table_people import browser_of

pytestmark = pytest.mark.django_db
FREE = "roll-free-roll"


@pytest.mark.parametrize("slug", systems())
def test_a_formula_is_rolled_on_a_sheet_of_every_system_and_its_receipt_holds(slug, tmp_path):
    player = Player("", system=slug)
    assert "Any dice: 4d6 (3 highest) − 1: " in text_of(player.press(FREE, formula="4W6 höchste 3 - 1"))
    event, receipt = Event.objects.get(), Receipt.objects.get()
    assert (event.roll, event.given, len(event.faces)) == ("free-roll", {"formula": "4d6kh3-1"}, 4)
    assert event.outcome == sum(sorted(event.faces)[1:]) - 1
    assert receipt.rolled == {"formula": "4d6kh3-1"}
    told = player.client.get(f"/rolls/{receipt.token}.json").json()
    key = player.client.get(f"/rolls/keys/{told['key']}.json").json()
    for name, content in (("roll", told), ("keys", {"keys": [key]})):
        (tmp_path / name).write_text(json.dumps(content))
    (found,) = json.loads(run("verify_rolls", tmp_path / "roll", "--keys", tmp_path / "keys", "--format", "json"))
    assert (found["verdict"], found["outcome_proved"]) == ("holds", True)
    told["says"]["outcome"] += 1
    (tmp_path / "roll").write_text(json.dumps(told))
    (found,) = json.loads(run("verify_rolls", tmp_path / "roll", "--keys", tmp_path / "keys", "--format", "json"))
    assert found["verdict"] == "refused"


def test_where_a_formula_cannot_be_read_is_said_at_its_field_and_nothing_is_rolled():
    player = Player()
    answer = text_of(player.press(FREE, formula="3x6"))
    assert "A plus or a minus is expected here. Reading stopped at “x6”." in answer
    assert not Event.objects.exists()
    assert not Receipt.objects.exists()


def test_it_is_rolled_on_a_dice_page_and_the_receipt_there_shows_the_formula(client, django_user_model):
    page = client.post("/dice/condice/", {"w": FREE, "formula": "2d20kl"}, follow=True)
    tray = page.context["tray"]
    assert tray.outcome == str(min(die.face for pool in tray.dice for die in pool))
    assert "2W20 (niedrigster)" in tray.detail
    assert not Receipt.objects.exists()
    _anna, browser = browser_of(django_user_model.objects, "anna")
    browser.post("/dice/battle-dice/", {"w": FREE, "formula": "W100"}, follow=True)
    receipt = Receipt.objects.get()
    assert receipt.rolled == {"formula": "1d100"}
    assert f"1d100: {receipt.outcome['value']}" in text_of(browser.get(f"/rolls/{receipt.token}/"))


@table_of("dice-rumble")
def test_at_a_table_the_log_shows_it_to_everybody(table):
    table.press(FREE, formula="2d6+1")
    event = Event.objects.get(roll="free-roll")
    assert f"2d6 + 1: {event.outcome}" in text_of(table.look("ben", by="ben", at="anna"))
    assert Receipt.objects.get(event=event).rolled == {
        "formula": "2d6+1", "by": str(event.sheet_id), "at": sorted(event.aimed_at)}


def test_dice_are_written_as_people_write_them_in_each_language():
    roll = FreeRoll(formula="2d20kh1+3")
    for language, said in (("en", "2d20 (highest) + 3: 20"), ("de", "2W20 (höchster) + 3: 20")):
        with override(language):
            assert roll.tell(Outcome(20)) == said

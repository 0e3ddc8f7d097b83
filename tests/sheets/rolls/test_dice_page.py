"""The page of a system's dice: the same rows and the same tray as on a sheet, and nothing is kept."""

import re

import pytest

from rulesets import systems
from rulesets.condice.examples import EXAMPLES
from sheets.forms.inputs import MAX_ROLL_ANSWER

pytestmark = [pytest.mark.django_db, pytest.mark.alike]


def test_the_dice_page_rolls_on_along_a_chain_and_reload_throws_nothing(client):
    url = "/dice/daemmersturm/"
    answer = client.post(url, {"w": "roll-targets", "range": "2-2"})
    page = client.get(answer["Location"])
    assert page.context["tray"].dice == client.get(answer["Location"]).context["tray"].dice
    first, _second = [card.widget.key for card in page.context["tray"].follows
                      if card.widget.key.startswith("roll-damage-")]
    answer = client.post(url, {"w": first, "fell": page.context["fell"], "range": "3-3", "rolls": "1", "critical": "0"})
    tray = client.get(answer["Location"]).context["tray"]
    assert [card.widget.slug for card in tray.follows] == ["armour"]
    assert any(card.widget.key.startswith("roll-damage-") and card.widget.key != first for card in tray.remaining)


def test_htmx_is_shown_the_tray_and_where_a_reload_finds_it(client):
    headers = {"HX-Request": "true", "Accept-Language": "en"}
    answer = client.post("/dice/condice/", {"w": "roll-attack", "dice": "4", "against.defence": "3"}, headers=headers)
    assert answer["HX-Reswap"] == "none"
    assert re.search(r'class="tray fresh falling" id="tray"[^>]*hx-swap-oob="true"', answer.text)
    assert "against Defence 3" in answer.text
    assert client.get(answer["HX-Replace-Url"]).context["tray"].dice


def test_a_fault_at_the_dice_page_stays_in_its_row_and_leaves_the_tray(client):
    asked = {"w": "roll-attack", "dice": "x"}
    page = client.post("/dice/condice/", asked, headers={"HX-Request": "true"}).text
    assert [one in page for one in ('id="w-roll-attack"', "aria-invalid", 'id="tray"')] == [True, True, False]
    assert client.post("/dice/condice/", asked).status_code == 422


def test_the_dice_page_begins_with_figures_of_the_examples_and_keeps_those_that_were_rolled(client):
    def dice(address):
        cards = client.get(address).context["cards"]
        return next(card.widget.values["dice"] for card in cards if card.widget.key == "roll-attack")

    assert dice("/dice/condice/") == EXAMPLES["juan"]["data"]["attacks"][0]["dice"]
    assert dice(client.post("/dice/condice/", {"w": "roll-attack", "dice": "9"})["Location"]) == 9


def test_a_text_that_is_longer_than_an_answer_may_be_is_refused_whatever_asks_for_it(client):
    for slug, roll, key in (("daemmersturm", "damage", "range"), ("condice", "attack", "dice"),
                            ("augen-des-zwielichts", "help", "colour")):
        said = {"w": f"roll-{roll}", key: " " * MAX_ROLL_ANSWER}
        assert client.post(f"/dice/{slug}/", said).status_code == 422
        for ask in (client.post, client.get):
            assert ask(f"/dice/{slug}/", {**said, key: [" " * (MAX_ROLL_ANSWER + 1), "1"]}).status_code == 400


def test_no_field_of_a_roll_or_an_act_takes_a_longer_text_than_an_answer_may_be():
    for ruleset in systems().values():
        for shape in (*ruleset.rolls.values(), *ruleset.acts.values()):
            fields = shape.model_json_schema()["properties"].values()
            assert max((field.get("maxLength", 0) for field in fields), default=0) <= MAX_ROLL_ANSWER // 2, shape

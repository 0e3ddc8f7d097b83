"""Two tabs on one draft: both values of each field, and the person chooses."""

import re

import pytest
from playwright.sync_api import expect

from tests.support.browser.waits import Held
from tests.support.browser.wizard_actions import asked_before_closing, document, drafted, saved, stored

pytestmark = pytest.mark.browser


def two_tabs(visit, step):
    visit.expect("status of 409")
    here = visit("/")
    where = drafted(here)
    here.goto(where + step)
    return here, visit.tab(here.context, where + step)


def test_two_tabs_choose_for_each_field(visit):
    here, there = two_tabs(visit, "attacks/")
    there.locator("#f-attacks-0-name").fill("Dort")
    there.locator("#f-attacks-1-dice").fill("7")
    saved(there)
    answer = Held(here, "**/drafts/**")
    here.locator("#f-attacks-0-name").fill("Hier")
    here.locator("#f-attacks-1-range").fill("drei")
    answer.wait()
    answer.let_go()
    expect(here.get_by_role("heading", level=1)).to_have_text("An zwei Stellen geändert")
    expect(here.get_by_role("heading", level=1)).to_be_focused()
    fields = here.locator("fieldset")
    expect(fields).to_have_count(3)
    assert [re.sub(r"\s+", " ", one) for one in fields.all_inner_texts()] == [
        "Angriff 1 (Hier): Name Hier: Hier Anderswo gespeichert: Dort",
        "Angriff 2 (Faustschlag): Würfel Hier: 5 Anderswo gespeichert: 7",
        "Angriff 2 (Faustschlag): Zusätzliche Reichweite Hier: drei Anderswo gespeichert: 0",
    ]
    chosen = [fields.nth(index).locator("input:checked").get_attribute("value") for index in range(3)]
    assert chosen == ["mine", "theirs", "mine"]
    assert asked_before_closing(here) == ["beforeunload"]
    here.locator("button[value=settle]").click()
    expect(here.locator("#f-attacks-0-name")).to_have_value("Hier")
    attacks = stored(here).data["attacks"]
    assert (attacks[0]["name"], attacks[1]["dice"], stored(here).typed) == ("Hier", 7, {"attacks.1.range": "drei"})


def test_what_is_typed_while_the_conflict_is_found_is_in_the_choice(visit):
    here, there = two_tabs(visit, "figure/")
    there.locator("#f-_name").fill("Dort")
    saved(there)
    answer = Held(here, "**/drafts/**")
    here.locator("#f-_name").fill("Hi")
    answer.wait()
    here.locator("#f-_name").press("End")
    here.keyboard.type("er bin ich")
    answer.let_go()
    expect(here.locator("fieldset")).to_contain_text("Hier bin ich")


def test_a_row_added_in_one_tab_while_the_other_types(visit):
    here, there = two_tabs(visit, "attacks/")
    there.locator("button[value='add:attacks']").click()
    there.locator("#f-attacks-2-name").fill("Neu")
    saved(there)
    here.locator("#f-attacks-0-name").fill("Hier getippt")
    choice = here.locator("fieldset")
    expect(choice).to_have_count(1)
    expect(choice).to_contain_text("Hier getippt")
    expect(choice).to_contain_text("Neu")
    before = document(there)
    here.get_by_role("link", name="Alles anderswo Gespeicherte übernehmen").click()
    expect(here.locator("#f-attacks-2-name")).to_have_value("Neu")
    assert document(here) == before

"""A first visit by phone, from home to a character, in under two minutes at a person's pace, its presses counted."""

import pytest
from playwright.sync_api import expect

from rulesets import systems
from sheets.models import Sheet
from tests.support.browser.persona import PHONE, Persona
from tests.support.browser.waits import quiet
from tests.support.browser.wizard_actions import stored
from tests.support.everyday import everyday
from tests.support.rulesets.contract import SYSTEMS

pytestmark = pytest.mark.browser
BY_DICE, BY_HAND, SECONDS = 12, 25, 120


def come(visit):
    """Come to the first page with a phone."""
    page = visit("/", width=PHONE)
    quiet(page)
    return page, Persona(page)


@pytest.mark.parametrize("ruleset", everyday(SYSTEMS, each=2), ids=lambda ruleset: ruleset.slug)
def test_a_random_character_is_a_few_presses_from_home(visit, ruleset):
    page, somebody = come(visit)
    somebody.press(f"article[data-system={ruleset.slug}] button[value=random]")
    page.wait_for_url("**/sheets/*/")
    expect(page.get_by_role("heading", level=1)).to_be_visible()
    assert stored(page).name
    assert (somebody.presses <= BY_DICE, somebody.seconds < SECONDS) == (True, True)


@pytest.mark.parametrize("slug", everyday([slug for slug, ruleset in systems().items() if ruleset.concepts], each=2))
def test_who_says_what_to_be_good_at_has_such_a_character_in_a_few_presses(visit, slug):
    page, somebody = come(visit)
    world = page.locator(f"article[data-system={slug}]")
    somebody.press(world.get_by_text("Wähle ein Konzept").first)
    wanted, title = next(iter(systems()[slug].concept_titles.items()))
    somebody.choose(f"#concept-{slug}", str(title))
    somebody.press(world.locator("button[value=random]"))
    page.wait_for_url("**/sheets/*/")
    assert stored(page).concept == wanted
    assert (somebody.presses <= BY_DICE, somebody.seconds < SECONDS) == (True, True)


def test_a_character_is_built_by_hand_on_a_phone_in_under_two_minutes(visit):
    page, somebody = come(visit)
    somebody.press("article[data-system=condice] button:not([value])")
    somebody.write("#f-_name", "Bauer Jost")
    for step, fields in {
        "values": {"defence": "8", "life": "8", "mental_resistance": "3", "movement": "4"},
        "attacks": {"attacks-0-name": "Mistgabel", "attacks-0-dice": "5"},
        "abilities": {},
    }.items():
        somebody.press(page.locator(f".onward button[value='go:{step}']"))
        page.wait_for_url(f"**/{step}/")
        if step == "attacks":
            somebody.press("button[value='add:attacks']")
        for field, text in fields.items():
            somebody.write(f"#f-{field}", text)
    somebody.press("button[value='add:abilities:heilung']")
    somebody.press(".onward button[value='go:finish']")
    page.wait_for_url("**/finish/")
    somebody.press(".onward button[value=finish]")
    page.wait_for_url("**/sheets/*/")
    sheet = Sheet.objects.get()
    assert (sheet.name, bool(sheet.finished), sheet.data["attacks"][0]["dice"]) == ("Bauer Jost", True, 5)
    assert (somebody.presses <= BY_HAND, somebody.seconds < SECONDS) == (True, True)

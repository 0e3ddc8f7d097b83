"""Numbers dealt out by keyboard."""

import pytest
from playwright.sync_api import expect

from tests.support.browser.kinds import either_way
from tests.support.browser.wizard_actions import address, focused, stored

pytestmark = pytest.mark.browser


def begin(page, step):
    page.locator("[data-system=dice-rumble] button:not([value])").click()
    page.goto(address(page) + f"{step}/")


def press(page, key, number):
    button = page.locator(f"button[value='deal:attributes.{key}:{number}']")
    button.focus()
    page.keyboard.press("Enter")
    expect(page.locator(f"#f-attributes-{key}[aria-pressed=true]")).to_have_text(f"{key.title()}: {number}")


@pytest.mark.rule("DR-01")
@either_way
def test_three_two_one_and_one_are_given_out_and_swapped_by_keyboard(visit, javascript):
    page = visit("/", javascript=javascript, locale="en-GB")
    begin(page, "attributes")
    for key, number in (("strength", 3), ("dexterity", 2), ("mind", 1), ("charisma", 1), ("charisma", 3)):
        press(page, key, number)
        if javascript:
            expect(page.locator(f"#f-attributes-{key}")).to_be_focused()
    assert stored(page).data["attributes"] == {"strength": 1, "dexterity": 2, "mind": 1, "charisma": 3}
    assert not javascript or focused(page) == "f-attributes-charisma"
    page.locator("button[value='undo:']").click()
    expect(page.locator("#f-attributes-strength")).to_have_text("Strength: 3")

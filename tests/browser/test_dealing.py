"""Numbers dealt out by keyboard and without JavaScript, and a sheet of such a system rolled and played on."""

import pytest
from playwright.sync_api import expect

from rulesets.dice_rumble.examples import EXAMPLES
from sheets.models import Event, Sheet
from tests.support.browser.looks import sound
from tests.support.browser.sheet_actions import lines, roll_all, undo
from tests.support.browser.wizard_actions import address, focused, stored

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


def begin(page, step):
    page.locator("[data-system=dice-rumble] button:not([value])").click()
    page.goto(address(page) + f"{step}/")


def press(page, key, number):
    button = page.locator(f"button[value='deal:attributes.{key}:{number}']")
    button.focus()
    page.keyboard.press("Enter")
    expect(page.locator(f"#f-attributes-{key}[aria-pressed=true]")).to_have_text(f"{key.title()}: {number}")


@pytest.mark.rule("DR-01")
@pytest.mark.parametrize("javascript", [True, False])
def test_three_two_one_and_one_are_given_out_and_swapped_by_keyboard(visit, javascript):
    page = visit("/", javascript=javascript, locale="en-GB")
    begin(page, "attributes")
    for key, number in (("strength", 3), ("dexterity", 2), ("mind", 1), ("charisma", 1), ("charisma", 3)):
        press(page, key, number)
        if javascript:
            page.wait_for_function(f"document.activeElement.id === 'f-attributes-{key}'")
    assert stored(page).data["attributes"] == {"strength": 1, "dexterity": 2, "mind": 1, "charisma": 3}
    assert not javascript or focused(page) == "f-attributes-charisma"
    page.locator("button[value='undo:']").click()
    expect(page.locator("#f-attributes-strength")).to_have_text("Strength: 3")


@pytest.mark.rule("DR-03")
@pytest.mark.parametrize("javascript", [True, False])
def test_a_known_talent_is_added_by_its_button(visit, javascript):
    page = visit("/", javascript=javascript, locale="en-GB")
    begin(page, "talents")
    entry = page.get_by_role("listitem").filter(has=page.get_by_role("button", name="Add: Willenskraft"))
    expect(entry.locator(".taken")).to_have_count(0)
    entry.get_by_role("button").click()
    expect(page.locator("#f-talents-0-name")).to_have_value("Willenskraft")
    expect(page.locator("#f-talents-0-attribute")).to_have_value("mind")
    expect(entry.locator(".taken")).to_have_text("✓ 1×")


@pytest.mark.parametrize("javascript", [True, False])
def test_every_widget_of_the_sheet_is_rolled_and_fate_is_spent(visit, javascript):
    page = visit("/", javascript=javascript, locale="en-GB")
    begin(page, "figure")
    example = EXAMPLES["aunt"]
    Sheet.objects.filter(pk=stored(page).pk).update(name=example["name"], data=example["data"])
    page.goto(address(page).replace("/drafts/", "/sheets/"))
    rolled = roll_all(page)
    assert rolled == len(example["data"]["talents"]) + len(example["data"]["weapons"]) + 7
    assert all(event.faces for event in Event.objects.all())
    page.locator("#tray-press-act-repeat").click()
    expect(lines(page)).to_have_count(rolled + 1)
    undo(page)
    expect(lines(page)).to_have_count(rolled + 1)
    expect(page.locator(".log > .undone")).to_have_count(1)


@pytest.mark.layout
@pytest.mark.parametrize(("width", "scheme"), [(320, "light"), (360, "dark"), (1280, "light"), (1280, "dark")])
def test_axe_finds_nothing_and_nothing_scrolls_sideways(visit, width, scheme):
    page = visit("/", scheme=scheme, width=width)
    begin(page, "attributes")
    places = [address(page) + step for step in ("attributes/", "talents/", "weapons/")]
    for place in [*places, address(page).replace("/drafts/", "/sheets/"), "/dice/dice-rumble/", "/rules/dice-rumble/"]:
        page.goto(place)
        sound(page, [width], [scheme])

"""The first promise: without JavaScript somebody builds a ConDice character and rolls its attack."""

import re

import pytest
from playwright.sync_api import expect

from sheets.models import Sheet
from tests.support.browser.wizard_actions import address, begin, press, stored

pytestmark = pytest.mark.browser


def events(page) -> int:
    return Sheet.objects.get(pk=page.url.split("/sheets/")[1].split("/")[0]).events.count()


def attack(page):
    """The row of the first attack."""
    return page.locator("article.roll-row").filter(has_text="Mistgabel").first


def test_from_the_front_page_to_a_rolled_attack_without_javascript(visit):
    page = visit("/", javascript=False)
    where = begin(page)
    page.locator("#f-_name").fill("Bauer Jost")
    press(page, "go:values")
    for key, value in {"defence": "8", "life": "9", "mental_resistance": "3", "movement": "5"}.items():
        page.locator(f"#f-{key}").fill(value)
    press(page, "go:attacks")
    press(page, "add:attacks")
    page.locator("#f-attacks-0-name").fill("Mistgabel")
    page.locator("#f-attacks-0-dice").fill("4")
    page.locator("#f-attacks-0-range").fill("2")
    press(page, "go:abilities")
    press(page, "go:finish")
    expect(page.locator("#sidebar .points-left")).to_have_text("1 Punkt zu viel; 30 sind erlaubt")
    expect(page.locator("#verdict + .badge")).to_have_text("ungültig")
    press(page, "finish")
    assert "/finish/" in page.url
    assert stored(page).finished is None
    note = page.locator("#findings > li")
    expect(note).to_contain_text("31 Punkte sind ausgegeben, 30 sind erlaubt")
    note.get_by_role("link", name="CD-01").click()
    expect(page.locator("#CD-01")).to_be_in_viewport()
    page.go_back()
    page.locator("#findings .mend button").first.click()
    expect(page.locator("#sidebar .figure")).to_have_text("0")
    expect(page.locator("#findings > li")).to_have_count(0)
    press(page, "finish")
    expect(page.get_by_role("heading", level=1)).to_have_text("Bauer Jost")
    assert Sheet.objects.get(pk=where.split("/")[-2]).finished

    card = attack(page)
    page.locator("[id='against.defence']").fill("3")
    page.locator("[id='against.defence']").press("Enter")
    card.locator("summary").first.click()
    card.get_by_role("button", name="Chancen zeigen").click()
    assert events(page) == 0
    odds = dict(re.findall(r"(\d+)\s+(\d+,\d)\s%", attack(page).locator(".odds").inner_text()))
    assert odds["0"] == "72,0"
    attack(page).get_by_role("button", name="Würfeln").click()
    assert events(page) == 1
    expect(page.locator("#tray .tray-dice")).to_be_visible()
    expect(page.locator("#tray .fallen")).to_have_count(4)


def test_one_press_is_one_roll_whatever_one_reloads(visit):
    page = visit("/", javascript=False)
    begin(page, "random")
    page.goto(address(page).replace("/drafts/", "/sheets/"))
    form = page.locator("article.roll-row form").first
    pressed = {one.get_attribute("name"): one.input_value() for one in form.locator("[name]:not(button)").all()}
    action = form.get_attribute("action")
    with page.expect_navigation():
        form.locator("button.roll").click()
    assert events(page) == 1
    page.reload()
    page.go_back()
    page.go_forward()
    assert events(page) == 1
    # The same form once more, as an impatient second press or a reload that posts again sends it.
    assert page.request.post(action, form=pressed).ok
    assert events(page) == 1
    page.locator("article.roll-row button.roll").first.click()
    assert events(page) == 2

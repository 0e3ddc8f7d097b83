"""Two sheets compared in the browser: chosen, typed, live and without JavaScript; nothing in anybody's way."""

import re

import pytest
from playwright.sync_api import expect

from rulesets import systems
from sheets.models import Sheet
from tests.support.browser.kinds import either_way, every_system_either_way
from tests.support.browser.waits import quiet
from tests.support.browser.wizard_actions import seated

pytestmark = pytest.mark.browser


def both(visit, slug, **how):
    """The page that compares the first example, which is chosen, with the second, which is to be chosen."""
    first, second = (list(systems()[slug].examples.values()) * 2)[:2]
    page = seated(visit, first, **how)
    made = Sheet.objects.get(pk=page.url.split("/")[4])
    Sheet.objects.create(ruleset=slug, name="Gegenüber", data=second["data"], guest=made.guest)
    page.locator("#more > summary").click()
    page.get_by_role("link", name=re.compile("^(Vergleichen|Compare)$")).click()
    quiet(page)
    return page


def choose(page, name, *, javascript):
    page.locator("#side-b").select_option(label=name)
    if not javascript:
        page.locator("#compare .button").click()
    quiet(page)


@every_system_either_way
def test_a_sheet_is_chosen_and_stands_beside_the_other(visit, slug, javascript):
    page = both(visit, slug, javascript=javascript)
    # What makes sense stands there already.
    expect(page.locator("#comparison thead th")).to_have_count(2)
    choose(page, "Gegenüber", javascript=javascript)
    expect(page.locator("#comparison thead th")).to_have_count(2)
    expect(page.locator("#comparison thead th").last).to_have_text("Gegenüber")
    assert page.locator("#comparison tbody tr").count() > 2


@either_way
def test_figures_follow_the_choice_and_typed_ones_change_the_odds(visit, javascript):
    page = both(visit, "condice", javascript=javascript, locale="en")
    button = page.locator("#compare .button")
    fight = page.locator("#comparison .odds").first
    choose(page, "Gegenüber", javascript=javascript)
    expect(page.locator("[name='b_of']").first).not_to_have_value("")
    expect(page.locator("#comparison thead th")).to_have_count(2)
    expect(fight).to_contain_text("Gegenüber wins")
    before, life = fight.inner_text(), page.locator("[name='b.life']")
    start = life.input_value()
    page.locator("details:has([name='b.life']) > summary").click()
    life.fill("1")
    if not javascript:
        button.click()
    expect(fight).not_to_have_text(before, use_inner_text=True)
    assert "b.life=1" in page.url.split("?")[1].split("&") or javascript
    if javascript:
        expect(page).to_have_url(re.compile(r"[?&]b\.life=1(&|$)"))
    page.reload()
    expect(page.locator("[name='b.life']")).to_have_value("1")
    page.locator("button[name=b_of]").click()
    expect(page.locator("[name='b.life']")).to_have_value(start)
    quiet(page)
    page.locator("details:has([name='b.life']) > summary").click()
    page.locator("[name='b.life']").fill("many")
    if not javascript:
        button.click()
    expect(page.get_by_role("alert")).to_contain_text("“many” is not a whole number.")
    expect(page.locator("#comparison .odds")).to_have_count(0)


@either_way
def test_a_link_that_is_pasted_brings_a_sheet_that_only_it_leads_to(visit, javascript):
    owner = seated(visit, systems()["dice-rumble"].examples["aunt"], locale="en")
    owner.locator("#more > summary").click()
    owner.get_by_role("button", name="Create a link").click()
    link = owner.locator("#share-link").input_value()
    page = visit("/compare/dice-rumble/", javascript=javascript, locale="en")
    page.locator("details:has(#side-a-link) > summary").click()
    page.locator("#side-a-link").fill(link)
    page.locator("#side-a-link").press("Tab" if javascript else "Enter")
    expect(page.locator("#side-a option:checked")).to_have_text("Tante Hedwig (shared)")
    expect(page.locator("[name='a.threshold']")).to_have_value("6")
    expect(page.locator("#comparison .odds").first).to_contain_text("Tante Hedwig wins")


def test_the_keyboard_alone_compares(visit):
    page = both(visit, "dice-rumble", locale="en")
    page.locator("#side-b").focus()
    page.keyboard.press("ArrowDown")
    expect(page.locator("[name='b_of']").first).not_to_have_value("")
    expect(page.locator("#comparison thead th")).to_have_count(2)
    expect(page.locator("#side-b")).to_be_focused()

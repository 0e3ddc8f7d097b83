"""The way in, as somebody walks it who has never been here: few presses, nothing moves, nothing is far."""

import pytest
from playwright.sync_api import expect

from builder.wizard.steps import steps
from rulesets import systems
from rulesets.kit import slots
from tests.support.browser.waits import drawn, quiet
from tests.support.browser.wizard_actions import address, begin, saved, stored
from tests.support.everyday import everyday, slow
from tests.support.rulesets.contract import every_system

pytestmark = pytest.mark.browser
SIZES = [(1366, 768), (360, 780)]
TIMES = 10


@pytest.fixture(params=[SIZES[1], slow(SIZES[0])], ids=["phone", "desk"])
def visitor(visit, request):
    """Opens an address on a screen of some size."""
    width, height = request.param

    def opened(where):
        page = visit(where, width=width)
        page.set_viewport_size({"width": width, "height": height})
        return page

    return opened


def test_from_the_front_page_to_a_roll_on_a_random_sheet_are_two_presses(visitor):
    page = visitor("/")
    begin(page, "random")
    page.locator("article.roll-row button.roll").first.click()
    expect(page.locator("#tray .tray-outcome")).to_be_visible()
    assert stored(page).events.count() == 1


def test_a_roll_is_tried_on_the_front_page_itself(visitor):
    page = visitor("/")
    where = page.url
    page.get_by_role("button", name="Würfeln", exact=True).click()
    expect(page.locator("#tray.falling .tray-outcome")).to_be_visible()
    assert page.url == where


def test_what_unfolds_on_the_front_page_moves_nothing(visitor):
    page = visitor("/")
    places = """[...document.querySelectorAll('.world, .world .button, footer')].map(
        one => one.getBoundingClientRect().y + scrollY)"""
    before = page.evaluate(places)
    for summary in page.locator(".world summary").all():
        summary.click()
        expect(summary.locator("xpath=following-sibling::*").first).to_be_visible()
        assert page.evaluate(places) == before


def test_a_character_is_built_by_hand_in_at_most_forty_presses(visitor):
    page, presses = visitor("/"), 1
    begin(page)
    page.keyboard.press("Tab")
    page.locator("#f-_name").fill("Bauer Jost")
    page.keyboard.press("Enter")
    presses += 2
    page.wait_for_url("**/values/")
    for key, value in {"defence": "5", "life": "6", "mental_resistance": "3", "movement": "5"}.items():
        page.locator(f"#f-{key}").fill(value)
        presses += 2
    page.keyboard.press("Enter")
    page.wait_for_url("**/attacks/")
    page.locator("[value='add:attacks']").click()
    page.locator("#f-attacks-0-name").fill("Mistgabel")
    page.locator("#f-attacks-0-dice").fill("6")
    page.locator("#f-attacks-0-range").fill("5")
    page.keyboard.press("Enter")
    page.wait_for_url("**/abilities/")
    page.locator(".onward .button:not(.before)").click()
    page.wait_for_url("**/finish/")
    page.locator(".onward [value='finish']").click()
    presses += 8
    page.wait_for_url("**/sheets/**")
    expect(page.locator("#told")).to_contain_text("Wie es weitergeht")
    assert stored(page).finished
    assert presses <= 40


def test_what_comes_next_stands_through_a_roll_until_one_closes_it(visitor):
    page = visitor("/")
    begin(page, "random")
    page.goto(f"{address(page)}finish/")
    page.locator(".onward [value='finish']").click()
    told = page.locator("#told .note")
    expect(told).to_contain_text("Wie es weitergeht")
    drawn(page)
    button = page.locator("article.roll-row button.roll").first
    button.scroll_into_view_if_needed()
    before = button.bounding_box()
    button.click()
    expect(page.locator("#tray .tray-outcome")).to_be_visible()
    after = button.bounding_box()
    assert abs(after["y"] - before["y"]) <= 2
    expect(told).to_contain_text("Wie es weitergeht")
    page.keyboard.press("Escape")  # on a phone the tray lies over it
    told.get_by_role("button", name="Schließen").click()
    expect(told).to_have_count(0)


def test_on_a_phone_another_tab_puts_the_tray_away(visit):
    page = visit("/", width=360)
    begin(page, "random")
    page.locator("article.roll-row button.roll").first.click()
    expect(page.locator("#tray.fresh")).to_be_visible()
    page.locator("nav.tabs a").nth(2).click()
    expect(page.locator("#tray.fresh")).to_have_count(0)


@every_system
def test_next_is_in_view_on_every_step(visit, ruleset):
    page = visit("/")
    page.locator(f"article[data-system={ruleset.slug}] button:not([value])").click()
    for slug in steps(ruleset):
        page.goto(f"{address(page)}{slug}/")
        for width, height in SIZES:
            page.set_viewport_size({"width": width, "height": height})
            page.evaluate("window.scrollTo(0, 0)")
            expect(page.locator(".onward .button:not(.before)")).to_be_in_viewport(ratio=1)
            page.evaluate("window.scrollTo(0, document.body.scrollHeight)")
            expect(page.locator(".onward .button:not(.before)")).to_be_in_viewport()


CATALOGUES = [(ruleset.slug, slug) for ruleset in systems().values() for slug, (_step, keys) in steps(ruleset).items()
              if any(one.tag or one.ask.presets or one.ask.preset_groups
                     for key, one in slots(ruleset.sheet).items() if key in keys)]


@pytest.mark.parametrize(("system", "slug"), everyday(CATALOGUES, each=4))
def test_what_is_added_from_a_catalogue_moves_nothing_under_the_finger(visit, system, slug):
    page = visit("/")
    page.locator(f"article[data-system={system}] button:not([value])").click()
    page.goto(f"{address(page)}{slug}/")
    buttons = page.locator("#catalogues :is([id$='--add'], [id$='--more'])")
    # What is one's own comes to where one pressed, to be written.
    keys = [key for one in buttons.all() if "-custom-" not in (key := one.get_attribute("id"))]
    for number in range(TIMES):
        width, height = SIZES[number >= TIMES // 2]
        page.set_viewport_size({"width": width, "height": height})
        button = page.locator(f"[id='{keys[number % len(keys)]}']")
        button.scroll_into_view_if_needed()
        before, version = button.bounding_box(), stored(page).version
        button.click()
        expect(page.locator("#saved")).not_to_have_attribute("data-version", str(version))
        saved(page)
        quiet(page)
        after = button.bounding_box()
        assert abs(after["y"] - before["y"]) <= 2, (number, before, after)
        assert abs(after["x"] - before["x"]) <= 2, (number, before, after)
        expect(button).to_be_focused()


@pytest.mark.parametrize(("system", "slug", "width"), everyday([
    ("battle-dice", "deck", 390), ("condice", "abilities", 1280), ("battle-dice", "deck", 1280),
    ("condice", "abilities", 390)], 2))
def test_what_is_ones_own_opens_where_one_pressed_and_is_written_at_once(visit, system, slug, width):
    page = visit("/", width=width)
    page.locator(f"article[data-system={system}] button:not([value])").click()
    page.goto(f"{address(page)}{slug}/")
    page.locator("#catalogues [id*='-custom-']").click()
    own = page.locator(".row").last
    expect(own).to_be_in_viewport()
    expect(own.locator("input[id]").first).to_be_focused()
    quiet(page)
    expect(own.locator("input[id]").first).to_be_in_viewport(ratio=1)


def test_what_one_row_alone_may_be_is_pressed_where_it_stands(visitor):
    page = visitor("/")
    page.locator("article[data-system=augen-des-zwielichts] button:not([value])").click()
    page.goto(f"{address(page)}abilities/")
    button = page.locator("#f-abilities-1-demon")
    button.scroll_into_view_if_needed()
    before = button.bounding_box()
    button.click()
    expect(button).to_have_attribute("aria-pressed", "true")
    expect(button).to_be_focused()
    assert abs(button.bounding_box()["y"] - before["y"]) <= 2


def test_switching_the_language_keeps_the_place(visit):
    page = visit("/rules/condice/")
    rule = page.locator("#CD-05")
    rule.evaluate("one => window.scrollTo({ top: one.offsetTop - 10, behavior: 'instant' })")
    before = rule.bounding_box()["y"]
    page.evaluate("document.querySelector('#language [value=en]').click()")
    expect(page.locator("html")).to_have_attribute("lang", "en")
    quiet(page)
    assert abs(page.locator("#CD-05").bounding_box()["y"] - before) < 40


def test_the_shortcuts_are_listed_at_a_question_mark_and_can_be_turned_off(visit):
    page = visit("/sheets/")
    page.keyboard.press("?")
    expect(page.locator("#shortcuts")).to_be_visible()
    page.locator("#shortcuts-on").uncheck()
    page.keyboard.press("Escape")
    expect(page.locator("#shortcuts")).to_be_hidden()
    page.locator("h1").click()
    page.keyboard.press("?")
    expect(page.locator("#shortcuts")).to_be_hidden()

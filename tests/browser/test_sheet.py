"""The finished sheet at the table, with JavaScript and without: rolled, played, taken back, printed, taken along."""


import re

import pytest
from playwright.sync_api import expect

from rulesets import systems
from tests.support.browser.kinds import either_way, every_system_either_way
from tests.support.browser.looks import sound
from tests.support.browser.sheet_actions import (
    act_all,
    act_first,
    carried,
    chart,
    figures,
    roll_all,
    stored,
    undo_all,
)
from tests.support.browser.waits import Held, stopped
from tests.support.browser.wizard_actions import seated

pytestmark = pytest.mark.browser
RULE = re.compile(r"/rules/[^/]+/[?]rule=")



def first(slug):
    """The first example of a system."""
    return next(iter(systems()[slug].examples.values()))


@every_system_either_way
def test_every_widget_is_rolled_and_every_act_done_and_all_acts_taken_back(visit, slug, javascript):
    page = seated(visit, first(slug), javascript=javascript)
    start, sheet = figures(page), stored(page)
    rolled = roll_all(page)
    acted = act_all(page)
    assert rolled
    assert acted
    assert stored(page).play
    if javascript:
        sound(page)
    undo_all(page)
    after = stored(page)
    assert (after.play, after.data, figures(page)) == ({}, sheet.data, start)
    assert after.events.count() == rolled + acted
    page.reload()
    assert figures(page) == start


@every_system_either_way
def test_printed_exported_and_imported_again_to_an_equal_seal(visit, slug, javascript, tmp_path):
    page = seated(visit, first(slug), javascript=javascript, locale="en")
    act_first(page)
    page.locator("#notes > summary").click()
    page.locator("#notes-text").fill("Schuldet dem Wirt\n3 Taler.")
    page.locator("#notes-save").click()
    expect(page.locator("#notes-state")).to_have_text("Saved.")
    page.reload()
    expect(page.locator("#notes-text")).to_have_value("Schuldet dem Wirt\n3 Taler.")
    sheet = stored(page)
    copy = carried(page, tmp_path, javascript=javascript)
    assert (copy.notes, copy.play) == (sheet.notes, sheet.play)
    page.goto(f"/sheets/{copy.pk}/")
    expect(page.get_by_role("heading", level=1)).to_have_text(sheet.name)


@either_way
def test_odds_are_asked_for_by_an_address_of_answers_alone(visit, javascript):
    page = seated(visit, first("condice"), javascript=javascript, locale="en")
    asked = []
    page.on("request", lambda request: asked.append(request.url))
    page.locator("[id='against.defence']").fill("4")
    if not javascript:  # with it the odds follow what is typed
        page.locator("[id='against.defence']").press("Enter")
    page.locator("#against [name=less]").first.click()
    expect(page.locator("#promise-roll-attack-attacks-0")).to_contain_text("28%")
    expect(chart(page, "roll-attack-attacks-0")).to_contain_text("72.0")
    assert any("defence=3" in url for url in asked)
    # What a script has counted is not counted once more by the button that was pressed.
    assert [url for url in asked if javascript and "less=" in url] == []
    assert not any(word in url for url in asked for word in ("csrf", "_press"))
    assert not page.locator(".log > li:not(.muted)").count()


@pytest.mark.layout
def test_the_shared_page_reads_alike_and_offers_nothing_to_press(visit):
    page = seated(visit, first("condice"), locale="en")
    page.locator("#more > summary").click()
    page.get_by_role("button", name="Create a link").click()
    expect(page.locator("#share .done")).to_have_text("The link has been created.")
    link = page.locator("#share a").get_attribute("href")
    other = visit(link)
    sound(other)
    assert figures(other)
    assert not other.locator("button.roll, form.act, #notes, #share").count()


def test_a_term_says_its_rule_beside_it_and_the_rule_goes_as_it_came(visit):
    page = seated(visit, first("condice"), locale="en")
    term = page.locator(".strip").get_by_role("link", name="Defence", exact=True)
    term.focus()
    page.keyboard.press("Enter")
    rule = page.locator("#rule-text")
    expect(rule).to_be_visible()
    expect(rule).to_be_focused()
    below, beside = rule.bounding_box(), term.bounding_box()
    assert 0 < below["y"] - beside["y"] - beside["height"] < 16
    assert below["x"] == pytest.approx(beside["x"], abs=1)
    page.keyboard.press("Escape")
    expect(rule).to_be_hidden()
    expect(term).to_be_focused()
    page.keyboard.press("Enter")
    rule.get_by_role("button", name="Close").click()
    expect(rule).to_be_hidden()


def test_a_term_says_its_rule_to_whoever_rests_on_it_and_goes_with_them(visit):
    page = seated(visit, first("condice"), locale="en")
    stopped(page)
    rule, term = page.locator("#rule-text"), page.locator(".strip").get_by_role("link", name="Defence", exact=True)
    before = term.bounding_box()
    term.hover()
    page.clock.run_for(1_000)
    expect(rule).to_be_visible()
    expect(rule).not_to_be_focused()
    assert term.bounding_box() == before
    rule.hover()
    page.clock.run_for(1_000)
    expect(rule).to_be_visible()
    page.mouse.move(5, 5)
    page.clock.run_for(1_000)
    expect(rule).to_be_hidden()
    page.keyboard.press("Tab")
    term.focus()
    page.clock.run_for(1_000)
    expect(rule).to_be_visible()
    expect(term).to_be_focused()
    page.keyboard.press("Tab")
    page.clock.run_for(1_000)
    expect(rule).to_be_hidden()


def test_a_rule_that_comes_once_somebody_has_gone_on_covers_nothing(visit):
    page = seated(visit, first("condice"), locale="en")
    stopped(page)
    asked = Held(page, RULE)
    page.locator(".strip").get_by_role("link", name="Defence", exact=True).hover()
    page.clock.run_for(500)
    asked.wait()
    page.mouse.move(5, 5)
    page.clock.run_for(1_000)
    with page.expect_request_finished(lambda request: RULE.search(request.url)):
        asked.let_go()
    page.clock.run_for(1_000)
    expect(page.locator("#rule-text")).to_be_attached()
    expect(page.locator("#rule-text")).to_be_hidden()


def test_without_scripts_a_term_leads_to_its_rule(visit):
    page = seated(visit, first("condice"), javascript=False, locale="en")
    page.locator(".strip").get_by_role("link", name="Defence", exact=True).click()
    assert "/rules/condice/#CD-" in page.url

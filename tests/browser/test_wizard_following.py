"""What follows a live change without the page being loaded anew: what is short, what is unfolded."""

import pytest
from playwright.sync_api import expect

from tests.support.browser.wizard_actions import drafted, saved

pytestmark = pytest.mark.browser


def test_what_an_entry_is_short_of_follows_the_budget_at_once(visit):
    page = visit("/", locale="en")
    page.goto(drafted(page, life=5) + "abilities/")
    short = page.locator("#catalogues [data-cost='4']").first
    field = page.locator("#f-abilities-1-fields")
    left = int(page.locator("#sidebar .figure").inner_text())
    assert left == 0
    expect(short).to_have_text("4 points short")
    field.fill("0")
    saved(page)
    expect(page.locator("#saved")).not_to_have_attribute("data-left", "0")
    left = int(page.locator("#saved").get_attribute("data-left"))
    assert 0 < left < 3
    expect(short).to_have_text(f"{4 - left} points short")
    field.fill("9")
    saved(page)
    expect(page.locator("#sidebar .points-left .wrong")).to_be_visible()
    short_of = 4 - int(page.locator("#saved").get_attribute("data-left"))
    expect(short).to_have_text(f"{short_of} points short")


def test_what_a_mend_changes_stays_unfolded_while_one_types_on(visit):
    page = visit("/", locale="en")
    page.goto(drafted(page, abilities=[{"ability": "teleportieren", "fields": 2, "range": 2}]) + "values/")
    page.locator("#findings details summary").first.click()
    change = page.locator("#findings .mend details").first
    change.locator("summary").click()
    expect(change).to_have_attribute("open", "")
    page.locator("#f-movement").fill("3")
    saved(page)
    expect(page.locator("#saved")).to_have_attribute("data-version", "2")
    expect(page.locator("#findings .mend details").first).to_have_attribute("open", "")
    expect(page.locator("#findings .mend details").nth(1)).not_to_have_attribute("open", "")

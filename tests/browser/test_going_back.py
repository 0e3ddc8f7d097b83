"""A page to which one goes back, or that the browser had put by, shows what is so by now before it is pressed."""

import pytest
from django.contrib.auth.models import User
from playwright.sync_api import expect

from sheets.models import Sheet
from tests.support.browser.sheet_actions import lines
from tests.support.browser.waits import quiet, stopped
from tests.support.browser.wizard_actions import saved
from tests.support.sheets.fight import Fight

pytestmark = pytest.mark.browser
RESTORED = "window.dispatchEvent(new PageTransitionEvent('pageshow', {persisted: true}))"
"""As a browser does that shows a page again which it had kept with its scripts."""


def by_back(page, meanwhile):
    """One reads another page meanwhile, and goes back."""
    page.goto("/rules/condice/")
    meanwhile()
    page.go_back()
    quiet(page)


def as_it_was(page, meanwhile):
    """The page stands still meanwhile, as one that is put by does."""
    stopped(page)
    meanwhile()
    page.evaluate(RESTORED)


both_ways = pytest.mark.parametrize("back", [by_back, as_it_was])


@pytest.fixture
def fight(transactional_db):
    return Fight(User.objects)


@pytest.fixture
def come(visit, fight):
    return lambda who, address: visit(address, client=fight.browsers[who], locale="en")


def hurt(fight):
    fight.play("anna", "act-damage", points=3, against="nothing")


@both_ways
def test_a_sheet_shows_its_life_by_now_and_the_first_press_counts_from_there(fight, come, back):
    page, full = come("anna", f"/sheets/{fight.sheets['anna'].pk}/"), fight.full("anna")
    page.locator("#less-life").click()
    expect(lines(page)).to_have_count(1)
    back(page, lambda: hurt(fight))
    expect(page.locator("#figure-life .figure")).to_have_text(str(full - 4))
    page.locator("#less-life").click()
    expect(lines(page)).to_have_count(3)
    expect(page.locator("#figure-life .figure")).to_have_text(str(full - 5))
    assert fight.life("anna") == full - 5


@both_ways
def test_a_table_shows_what_happened_and_the_first_press_is_done(fight, come, back):
    page = come("ben", f"{fight.address}?{fight.seats('ben', 'anna')}")
    back(page, lambda: hurt(fight))
    expect(page.locator("#table-lines > li:not(.muted)")).to_have_count(1)
    page.locator("article.roll-row button.roll").first.click()
    expect(page.locator("#table-lines > li:not(.muted)")).to_have_count(2)
    assert fight.party.events.count() == 2


@both_ways
def test_a_draft_shows_what_another_tab_has_saved_and_goes_on_from_there(fight, come, back):
    pk = fight.sheets["anna"].pk
    page = come("anna", f"/drafts/{pk}/values/")

    def elsewhere():
        version = Sheet.objects.get(pk=pk).version
        fight.browsers["anna"].post(f"/drafts/{pk}/values/", {"_version": version, "life": "9"})
    back(page, elsewhere)
    expect(page.locator("[name=life]")).to_have_value("9")
    if back is as_it_was:
        page.clock.resume()
    page.locator("[name=movement]").fill("3")
    expect(page.locator("#saved")).to_have_attribute("data-version", "3")
    saved(page)
    sheet = Sheet.objects.get(pk=pk)
    assert (sheet.data["life"], sheet.data["movement"]) == (9, 3)


@both_ways
def test_an_approval_shows_what_its_gm_has_said(fight, come, back):
    fight.decide("anna", "submit")
    page = come("anna", f"/sheets/{fight.sheets['anna'].pk}/review/")
    back(page, lambda: fight.decide("gm", "return", **{"at.movement": "Wieso so schnell?"}))
    expect(page.locator("#fields .comment")).to_contain_text("Wieso so schnell?")

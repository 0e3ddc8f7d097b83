"""A page that is older than the browser's signing in or out says so where one looks, and keeps what was typed."""

import pytest
from playwright.sync_api import expect

from tests.support.browser.sheet_actions import lines
from tests.support.guest import held

pytestmark = pytest.mark.browser

FIRST = "#press-button-roll-attack-attacks-0"


@pytest.fixture
def guest(finished):
    return finished


def test_a_page_that_was_there_before_somebody_signed_in_elsewhere_goes_on(visit, guest):
    visit.expect("status of 403")
    page = visit(f"/sheets/{guest.pk}/", client=guest.client)
    page.locator("#fold-act-add-item > summary").click()
    page.locator("#act-add-item-name").fill("Seil")
    # As signing in does it.
    page.context.add_cookies([{"name": "csrftoken", "value": "n" * 32, "url": page.evaluate("location.origin")}])
    answers = []
    page.on("response", lambda answer: answers.append(answer.status) if "/play/" in answer.url else None)
    for number in (1, 2):
        page.locator(FIRST).click()
        expect(lines(page)).to_have_count(number)
    assert answers == [403, 200, 200]
    expect(page.locator("#act-add-item-name")).to_have_value("Seil")


def test_whoever_is_signed_out_is_told_so_beside_the_page_and_goes_on_after_signing_in(visit, guest):
    visit.expect("Error Code 404")
    page = visit(f"/sheets/{guest.pk}/", client=guest.client)
    page.locator("#fold-act-add-item > summary").click()
    page.locator("#act-add-item-name").fill("Seil")
    page.context.clear_cookies(name="sessionid")
    page.locator(FIRST).click()
    refused = page.locator("#refused")
    expect(refused).to_contain_text("Du bist abgemeldet")
    expect(refused.get_by_role("link", name="Anmelden")).to_have_attribute("target", "_blank")
    page.context.add_cookies(held(guest.client, page.url))
    page.locator(FIRST).click()
    expect(lines(page)).to_have_count(1)
    expect(refused).to_be_hidden()
    expect(page.locator("#act-add-item-name")).to_have_value("Seil")

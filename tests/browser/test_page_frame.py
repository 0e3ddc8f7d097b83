import pytest
from playwright.sync_api import expect

from tests.support.browser.looks import accessible

pytestmark = pytest.mark.browser

ADDRESSES = ["/", "/account/login/", "/account/signup/", "/nowhere"]


def test_axe_finds_nothing_to_complain_of(visit):
    page = visit("/")
    for address in ADDRESSES:
        page.goto(address)
        accessible(page)


def test_the_keyboard_reaches_the_content_first(visit):
    page = visit("/")
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    expect(page.locator("#main")).to_be_focused()


def test_the_language_is_switched_without_javascript(visit):
    page = visit("/account/login/", javascript=False)
    page.get_by_role("button", name="English").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Sign in")
    assert page.url.endswith("/account/login/")


def test_htmx_is_there_and_writes_no_styles_of_its_own(visit):
    page = visit("/")
    assert page.evaluate("[htmx.config.allowEval, htmx.config.includeIndicatorStyles]") == [False, False]
    assert page.evaluate("document.querySelectorAll('style').length") == 0

import pytest
from playwright.sync_api import expect

from sheets.models import Sheet
from tests.support.browser.looks import accessible, fits
from tests.support.guest import Guest, example

pytestmark = pytest.mark.browser


@pytest.fixture
def printed(visit):
    """The print page of an example, opened in a browser of some kind."""
    guest = Guest(example())
    Sheet.objects.update(name="Juan " + "W" * 190, notes="x" * 4000)

    def open_page(**how):
        return visit(f"/sheets/{guest.pk}/print/", client=guest.client, **how)

    return open_page


def test_the_print_page_is_for_everybody(printed):
    accessible(printed())


@pytest.mark.layout
def test_the_print_page_does_not_scroll_sideways(printed):
    fits(printed(javascript=False), 320, 360, 768, 1280)


def test_a_choice_shows_its_pages_without_javascript(printed):
    page = printed(javascript=False, locale="en")
    page.get_by_role("link", name="Pocket card").click()
    shown = page.get_by_role("img", name="Page 1 of")
    width, height = shown.evaluate(
        "one => one.decode().then(() => [one.naturalWidth, one.naturalHeight])")
    assert abs(height / width - 148 / 105) < 0.02
    assert "layout=pocket" in page.get_by_role("link", name="Open as PDF").get_attribute("href")


def test_the_browser_prints_the_pages_alone(printed):
    page = printed(scheme="dark")
    assert page.pdf(prefer_css_page_size=True).startswith(b"%PDF-")
    page.emulate_media(media="print")
    expect(page.locator(".site-header")).to_be_hidden()
    expect(page.locator(".printing > section")).to_be_hidden()
    expect(page.locator(".pages img").first).to_be_visible()

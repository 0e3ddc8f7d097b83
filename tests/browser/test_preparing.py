"""A GM prepares an evening, in as few presses as may be: those are counted."""

import pytest
from playwright.sync_api import expect

from sheets.models import Party
from tests.browser.test_parties import person, sheets_of
from tests.support.browser.waits import quiet

pytestmark = pytest.mark.browser
WIDE = {"width": 1280, "height": 900}


class Presses:
    """Presses something on a page, and counts that."""

    def __init__(self):
        self.count = 0

    def __call__(self, locator):
        self.count += 1
        locator.click()

    def choose(self, locator, value):
        """Choosing from a list is a press to open it and one on the choice."""
        self.count += 2
        locator.select_option(value)


@pytest.mark.parametrize("javascript", [True, False], ids=["scripts", "none"])
def test_a_party_is_founded_and_two_join_it_with_their_sheets_in_few_presses(visit, javascript):
    gm, *players = (person(visit, name, javascript=javascript) for name in ("gm", "anna", "ben"))
    press = Presses()
    gm.get_by_label("Name of the party").fill("Montagsrunde")
    press.choose(gm.get_by_label("System"), "condice")
    press(gm.get_by_role("button", name="Found it"))
    press(gm.get_by_role("button", name="Invite"))
    link = gm.locator("#invitation-link").input_value()
    expect(gm.locator(".invite .code svg")).to_be_visible()
    for name, page in zip(("anna", "ben"), players, strict=True):
        sheets_of(name, "condice")
        page.goto(link)
        press(page.get_by_role("button", name="Join"))
        expect(page.locator("#told")).to_contain_text("You are in, and")
    assert Party.objects.get().sheets.count() == 2
    assert press.count <= 14


def test_the_page_of_a_party_of_six_is_seen_as_a_whole(visit):
    gm, *players = (person(visit, name) for name in ("gm", "anna", "ben", "cleo", "dora", "emil"))
    gm.get_by_label("Name of the party").fill("Montagsrunde")
    gm.get_by_role("button", name="Found it").click()
    gm.get_by_role("button", name="Invite").click()
    link = gm.locator("#invitation-link").input_value()
    for name, page in zip(("anna", "ben", "cleo", "dora", "emil"), players, strict=True):
        sheets_of(name, Party.objects.get().ruleset)
        page.goto(link)
        page.get_by_role("button", name="Join").click()
        expect(page.locator("#told")).to_contain_text("You are in, and")
    gm.set_viewport_size(WIDE)
    gm.goto(f"/parties/{Party.objects.get().pk}/")
    quiet(gm)
    expect(gm.locator("#sheets .log > li")).to_have_count(5)
    assert gm.evaluate("document.documentElement.scrollHeight") < 1200

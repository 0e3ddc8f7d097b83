"""A deck from scratch; it is played in test_game_battle_dice.py and the evenings."""

import re

import pytest
from playwright.sync_api import expect

from sheets.models import Sheet
from tests.support.browser.kinds import either_way
from tests.support.browser.waits import quiet

pytestmark = pytest.mark.browser



def draft(page) -> Sheet:
    """The draft or sheet of the page as it is stored."""
    return Sheet.objects.get(pk=re.search(r"/(?:drafts|sheets)/([^/]+)/", page.url)[1])


def card(page, name):
    """A card of the catalogue by its name."""
    return page.locator("#catalogues li.face").filter(has=page.get_by_role("heading", name=name, exact=True))


def press(page, word):
    """Press a button of the wizard and wait until it is done."""
    before = draft(page).version
    page.locator(f"button[value='{word}']").first.click()
    expect(page.locator("#saved")).not_to_have_attribute("data-version", str(before))
    quiet(page)


def built(visit, **how):
    """A page on the deck step of a new draft with a name."""
    page = visit("/", **how)
    page.locator("[data-system=battle-dice] button:not([value])").click()
    page.locator("#f-_name").fill("Frostkuchen")
    page.locator("button[value='go:deck']").first.click()
    page.wait_for_url(re.compile("/deck/"))
    return page


@either_way
def test_a_deck_is_built_by_plus_and_minus_with_its_count_curve_and_chances_in_view(visit, javascript):
    page = built(visit, javascript=javascript, locale="en")
    left = page.locator("#sidebar .figure")
    expect(left).to_have_text("8")
    assert not card(page, "Dice Minion Boost").get_by_role("button").count()
    press(page, "add:cards:the-corona-look")
    for _more in range(2):
        press(page, "more:cards.0.copies")
    more = page.locator("button[value='more:cards.0.copies']").first
    expect(more).to_have_attribute("aria-disabled", "true")
    assert more.get_attribute("title") == "No more than 3 of a kind."
    assert card(page, "The Corona Look").locator(".count strong").inner_text() == "3"
    assert "In the opening hand: 64.3" in card(page, "The Corona Look").locator(".callout").inner_text()
    press(page, "add:cards:snowbuddies")
    press(page, "more:cards.1.copies")
    press(page, "add:cards:the-biggest-fan")
    press(page, "drop:cards.2")
    press(page, "add:cards:pina-rohkinar")
    press(page, "more:cards.2.copies")
    expect(left).to_have_text("1")
    curve = re.findall(r"(\d) mana\s+(\d)", page.locator(".chart").first.inner_text())
    assert curve == [("1", "3"), ("2", "2"), ("4", "2")]
    press(page, "more:cards.2.copies")
    expect(left).to_have_text("0")
    assert not page.locator("#findings > li").count()
    assert draft(page).data["cards"] == [
        {"card": slug, "copies": copies}
        for slug, copies in (("the-corona-look", 3), ("snowbuddies", 2), ("pina-rohkinar", 3))]

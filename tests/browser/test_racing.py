"""Answers that come in another order than they were asked for: each finds the page that it belongs to, or gives way."""

import re

import pytest
from playwright.sync_api import expect

from rulesets.battle_dice.examples import EXAMPLES as DECKS
from rulesets.condice.examples import EXAMPLES
from sheets.models import Event
from tests.support.browser.sheet_actions import figures, lines
from tests.support.browser.waits import Held, quiet
from tests.support.browser.wizard_actions import seated

pytestmark = pytest.mark.browser

DEFENCE = "[id='against.defence']"
FIRST, SECOND = "roll-attack-attacks-0", "roll-attack-attacks-1"
ODDS = re.compile(r"/sheets/[^/?]+/\?(?!known)")
PLAY = re.compile(r"/sheets/[^/]+/play/")


SENT = """() => {
  window.sent = 0;
  document.addEventListener("htmx:beforeSend", () => { window.sent += 1; });
}"""
PUT_OFF = """() => addEventListener("htmx:beforeRequest", (event) => {
  if (event.target.id === "against") document.documentElement.dataset.putOff = event.defaultPrevented;
})"""


def settled(page, number):
    expect(lines(page)).to_have_count(number)
    quiet(page)


@pytest.fixture
def deck(sit):
    """A deck whose game has begun, with its player."""
    anna = sit(DECKS["attack"])
    anna.press("Start a game", {"Who hugged Ole last?": "I did"}, dice=[1, 3])
    return anna


@pytest.mark.parametrize("language", ["en"])
def test_odds_that_are_answered_after_a_press_has_drawn_the_page_anew_are_asked_for_anew(deck):
    page, deck.dice[:] = deck.page, [3]
    promise = page.locator("#promise-roll-battle-attack")
    field = page.locator("#against input:not([type=hidden])").first
    before, odds = promise.inner_text(), Held(page, ODDS)
    field.fill("4")
    odds.wait()
    page.locator("[id^='board-act-put-away-hand-0-']").first.click()
    settled(page, 2)
    odds.let_go()
    expect(promise).not_to_have_text(before)
    assert page.locator("#against input:not([type=hidden])").first.input_value() == "4"


def test_odds_that_are_asked_for_while_a_press_is_under_way_wait_for_its_answer(visit):
    page = seated(visit, EXAMPLES["juan"], locale="en")
    press, asked = Held(page, PLAY), []
    page.on("request", lambda one: asked.append(one.url) if ODDS.search(one.url) else None)
    page.locator(f"#press-button-{FIRST}").click()
    press.wait()
    page.evaluate(PUT_OFF)
    page.locator(DEFENCE).fill("9")
    expect(page.locator("html[data-put-off=true]")).to_have_count(1)
    assert not asked
    press.let_go()
    settled(page, 1)
    expect(page.locator(f"#promise-{FIRST}")).not_to_contain_text("28%")
    assert len(asked) == 1


def test_what_is_pressed_while_another_press_is_under_way_is_done_after_it(visit):
    page = seated(visit, EXAMPLES["juan"], locale="en")
    life = int(figures(page)["Life points"])
    page.locator("#about-life > summary").click()
    page.locator("#act-damage-points").fill("3")
    page.locator("#act-damage-against").select_option("nothing")
    first = Held(page, PLAY)
    page.locator("#press-button-act-damage").click()
    first.wait()
    page.evaluate(SENT)
    for which in (SECOND, SECOND):
        page.locator(f"#press-button-{which}").click()
    assert page.evaluate("window.sent") == 0
    assert Event.objects.count() == 1
    first.let_go()
    settled(page, 2)
    assert [one.widget for one in Event.objects.order_by("pk")] == ["act-damage", SECOND]
    assert int(figures(page)["Life points"]) == life - 3


@pytest.mark.parametrize("language", ["en"])
def test_a_button_that_the_answer_before_takes_away_was_pressed_all_the_same(deck):
    page = deck.page
    deck.press("Put away Piña ≠ Rohkinar and draw", dice=[3])
    deck.press("Gather time mana")
    first = Held(page, PLAY)
    page.locator("[id^='board-act-summon-']").first.click()
    first.wait()
    page.locator("[id^='board-act-to-battle-']").first.click()
    first.let_go()
    settled(page, 5)
    expect(page.locator("[id^='board-act-to-battle-']")).to_have_count(0)

"""The tray in a browser: dice that tumble for those who like that, still ones for others, and words at once for all."""

import re

import pytest
from playwright.sync_api import expect

from rulesets.condice.examples import EXAMPLES
from tests.browser.wizard_actions import focused, seated

pytestmark = pytest.mark.browser

FIRST = "roll-attack-attacks-0"
LASTING = """one => one.getAnimations({subtree: true}).map(({effect}) => effect.getComputedTiming().endTime)"""


@pytest.fixture
def page(visit):
    return seated(visit, EXAMPLES["juan"], locale="en")


def roll(page):
    page.locator(f"#press-button-{FIRST}").click()
    expect(page.locator("#tray.falling .fallen").first).to_be_attached()
    return page.locator("#tray")


def test_who_wants_less_motion_sees_still_dice(page):
    assert roll(page).evaluate(LASTING) == []


def test_dice_tumble_for_six_tenths_of_a_second_at_the_most(page):
    page.emulate_media(reduced_motion="no-preference")
    # They hang in the air, so that the test hangs on no clock.
    devtools = page.context.new_cdp_session(page)
    devtools.send("Animation.enable")
    devtools.send("Animation.setPlaybackRate", {"playbackRate": 0})
    tray = roll(page)
    names = tray.evaluate("one => one.getAnimations({subtree: true}).map(one => one.animationName)")
    assert {*names} >= {"fall", "tumble"}
    assert max(tray.evaluate(LASTING)) <= 600
    outcome = tray.locator(".tray-outcome")
    assert outcome.evaluate("one => one.getAnimations().length") == 0
    assert outcome.evaluate("one => getComputedStyle(one).opacity") == "1"


def test_one_sentence_is_heard_and_the_dice_are_not(page):
    tray = roll(page)
    said = page.locator("#messages[role=status]")
    assert said.inner_text().count("\n") == 0
    assert tray.locator(".tray-outcome").inner_text() in said.inner_text()
    assert "Die" not in tray.aria_snapshot()
    assert tray.locator(".tray-dice").get_attribute("aria-hidden") == "true"
    assert not re.search(r"listitem|img", tray.aria_snapshot())


def test_each_cube_turns_to_the_viewer_the_face_that_fell(page):
    tray = roll(page)
    towards = tray.locator(".cube").evaluate_all("""cubes => cubes.map(cube => {
        const turned = new DOMMatrix(getComputedStyle(cube).transform);
        const depth = face => turned.multiply(new DOMMatrix(getComputedStyle(face).transform))
            .transformPoint(new DOMPoint(0, 0, 0)).z;
        const faces = [...cube.children].map(depth);
        return 1 + faces.indexOf(Math.max(...faces));
    })""")
    assert towards == [int(re.search(r" f(\d)", one)[1]) for one in tray.locator(".fallen").evaluate_all(
        "dice => dice.map(die => die.className)")]


def test_the_dice_page_rolls_in_place_and_a_reload_shows_the_same(visit):
    page = visit("/dice/condice/")
    button = page.locator("#press-button-roll-healing")
    button.focus()
    page.keyboard.press("Enter")
    outcome = page.locator("#tray.falling .tray-outcome")
    expect(outcome).to_be_visible()
    assert focused(page) == "press-button-roll-healing"
    said = outcome.inner_text()
    page.reload()
    assert page.locator("#tray .tray-outcome").inner_text() == said


def test_without_scripts_the_dice_page_shows_what_fell(visit):
    page = visit("/dice/daemmersturm/", javascript=False, width=360)
    page.locator("#w-roll-targets summary").click()
    page.locator("#w-roll-targets [name=range]").fill("2-2")
    page.locator("#press-button-roll-targets").click()
    expect(page.locator("#tray .tray-outcome")).to_be_in_viewport()
    page.locator("#tray form[id^=tray-roll-cover] summary").click()
    page.locator("#tray form[id^=tray-roll-cover] [name=target]").fill("10")
    page.locator("#tray form[id^=tray-roll-cover] [id^=tray-press]").click()
    expect(page.locator("#tray .fallen.d20")).to_be_visible()

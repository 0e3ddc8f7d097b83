"""The tray in a browser: dice that tumble for those who like that, still ones for others, and words at once for all."""

import re
from datetime import timedelta

import pytest
from django.utils import timezone
from playwright.sync_api import expect

from rulesets.condice.examples import EXAMPLES
from rulesets.dice_rumble.examples import EXAMPLES as DUELLISTS
from sheets.models import Event
from tests.support.browser.wizard_actions import focused, seated

pytestmark = pytest.mark.browser

FIRST = "roll-attack-attacks-0"
SEEN = """buttons => buttons.map((one) => {
  const box = one.getBoundingClientRect();
  return one.contains(document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2));
})"""
LASTING = """one => one.getAnimations({subtree: true}).map(({effect}) => effect.getComputedTiming().endTime)"""


@pytest.fixture
def page(visit):
    return seated(visit, EXAMPLES["juan"], locale="en")


def roll(page):
    page.locator(f"#press-button-{FIRST}").click()
    expect(page.locator("#tray.falling .fallen").first).to_be_attached()
    return page.locator("#tray")


def test_on_a_phone_what_fell_before_lies_at_the_edge_and_leaves_the_rolls_in_view(visit):
    page = seated(visit, EXAMPLES["juan"], locale="en", width=360)
    page.set_viewport_size({"width": 360, "height": 780})
    roll(page)
    Event.objects.update(made=timezone.now() - timedelta(minutes=1))
    page.reload()
    tray, outcome = page.locator("#tray"), page.locator("#tray .tray-outcome")
    expect(tray).not_to_have_class(re.compile("fresh"))
    expect(outcome).to_be_in_viewport(ratio=1)
    assert page.locator("article.roll-row button.roll:visible").evaluate_all(SEEN) == [True] * 4
    outcome.click()
    expect(tray).to_have_class(re.compile("fresh"))
    page.keyboard.press("Escape")
    expect(outcome).to_be_hidden()
    page.reload()
    page.locator("nav.tabs a").nth(1).click()
    expect(outcome).to_be_hidden()


def test_on_a_phone_without_scripts_what_fell_before_lies_beside_what_one_rolls_and_the_log(visit):
    page = seated(visit, EXAMPLES["juan"], javascript=False, width=360)
    outcome, tabs = page.locator("#tray .tray-outcome"), page.locator("nav.tabs a")
    page.locator(f"#press-button-{FIRST}").click()
    # A page that is still on its way cannot be loaded anew.
    expect(outcome).to_be_visible()
    Event.objects.update(made=timezone.now() - timedelta(minutes=1))
    page.reload()
    for tab, shown in enumerate([True, True, False, True]):
        tabs.nth(tab).click()
        expect(outcome).to_be_visible(visible=shown)


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


def test_what_came_to_the_edge_goes_back_to_its_place_when_one_scrolls_there(visit):
    page = seated(visit, DUELLISTS["captain"], locale="en")
    page.set_viewport_size({"width": 1280, "height": 600})
    beside = page.locator("#rolls-beside button.roll")
    beside.last.evaluate("one => one.scrollIntoView({block: 'center'})")
    beside.last.click()
    tray = page.locator("#tray")
    expect(tray).to_have_class(re.compile("adrift"))
    page.mouse.wheel(0, -5000)
    expect(tray).not_to_have_class(re.compile("adrift"))
    expect(tray).to_be_in_viewport(ratio=0.9)
    assert beside.first.bounding_box()["y"] >= tray.bounding_box()["y"] + tray.bounding_box()["height"]

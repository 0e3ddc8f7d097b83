"""One character, built by keyboard; test_from_scratch.py builds some by mouse, with scripts and without."""

import re

import pytest
from playwright.sync_api import expect

from rulesets.document import canonical
from tests.support.browser.waits import quiet
from tests.support.browser.wizard_actions import document, saved

pytestmark = pytest.mark.browser

NAME = "Ólöf „die Große“ Ångström"
VALUES = {"defence": 3, "life": 5, "mental_resistance": 2, "movement": 3}
ATTACKS = [
    {"name": "Einhornpiranhas", "dice": 4, "range": 2, "description": "Rosa & geflügelt,\n<b>hungrig</b>: „Ñam!“"},
    {"name": "Faustschlag", "dice": 2, "range": 0, "description": "Wenn die Piranhas satt sind."},
]
ABILITIES = [
    {"ability": "aura", "range": 0, "attribute": "life"},
    {"ability": "mindcontrol", "range": 1, "dice": 3},
    {"ability": "zaubern", "range": 0},
]
WANTED = canonical({"name": NAME, "data": VALUES | {"attacks": ATTACKS, "abilities": ABILITIES}})


class Keyboard:
    """A page that is used without a mouse."""

    def __init__(self, page):
        self.page = page

    def reach(self, selector):
        """Tab to what a selector means."""
        for _press in range(150):
            self.page.keyboard.press("Tab")
            if self.page.evaluate("selector => document.activeElement.matches(selector)", selector):
                return
        pytest.fail(f"Tab never comes to {selector}")

    def press(self, word, key="Enter", focus=""):
        """Press a button by the word that it posts; what it made has the focus then."""
        self.reach(f"button[value='{word}']")
        self.page.keyboard.press(key)
        if focus:
            expect(self.page.locator(focus)).to_be_focused()

    def choose(self, slug, field=""):
        """Search for an ability and add it, then go to a field of it; what was sought before is written over."""
        self.reach("input[type=search]")
        with self.page.expect_response(re.compile(rf"[?&]q={slug}(&|$)")):
            self.page.keyboard.type(slug)
        quiet(self.page)
        self.press(f"add:abilities:{slug}")
        if field:
            expect(self.page.locator(field)).to_be_visible()
            self.reach(field)


def test_by_keyboard_alone(visit):
    page = visit("/")
    keys = Keyboard(page)
    reach, press, choose = keys.reach, keys.press, keys.choose
    reach("[data-system=condice] button:not([value])")
    page.keyboard.press("Enter")
    page.wait_for_url("**/figure/")
    reach("#f-_name")
    page.keyboard.type(NAME)
    press("go:values")
    page.wait_for_url("**/values/")
    for key, points in VALUES.items():
        reach(f"#f-{key}")
        for _press in range(points + 1):
            page.keyboard.press("ArrowUp")
        page.keyboard.press("ArrowDown")
    press("go:attacks", "Space")
    page.wait_for_url("**/attacks/")
    for index, attack in enumerate(ATTACKS):
        press("add:attacks", focus=f"#f-attacks-{index}-name")
        page.keyboard.type(attack["name"])
        for key in ("dice", "range"):
            reach(f"#f-attacks-{index}-{key}")
            page.keyboard.type(str(attack[key]))
        reach(f"#f-attacks-{index}-description")
        page.keyboard.type(attack["description"])
    reach("#steps a[href$='/abilities/']")
    page.keyboard.press("Enter")
    page.wait_for_url("**/abilities/")
    choose("aura", "#f-abilities-0-attribute")
    page.keyboard.type("Leb")
    choose("mindcontrol", "#f-abilities-1-dice")
    page.keyboard.type("3")
    reach("#f-abilities-1-range")
    page.keyboard.press("ArrowUp")
    choose("zaubern")
    expect(page.locator("#f-abilities-2")).to_be_visible()
    saved(page)
    assert document(page) == WANTED
    reach("#steps a[href$='/finish/']")
    page.keyboard.press("Enter")
    page.wait_for_url("**/finish/")
    press("finish")
    page.wait_for_url("**/sheets/**")

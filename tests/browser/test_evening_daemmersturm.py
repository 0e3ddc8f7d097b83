"""An evening of Dämmersturm with presses on what the page shows; what a roll still leads on to unfolds in the tray."""

import re

import pytest
from playwright.sync_api import expect

from rulesets.daemmersturm.examples import EXAMPLES
from rulesets.kit import patched
from tests.support.browser.kinds import either_way
from tests.support.browser.sheet_actions import stored
from tests.support.browser.waits import quiet
from tests.support.browser.wizard_actions import seated

pytestmark = pytest.mark.browser

MAGPIE = EXAMPLES["two-weapons"]


def press(page, button, *faces, dice, told=1):
    """Press what is seen and wait until so much more is told in the log; no other dice fall."""
    expect(button).to_be_visible()
    dice[:] = faces
    lines = page.locator(".log > li:not(.muted)")
    before = lines.count()
    button.click()
    expect(lines).to_have_count(before + told)
    quiet(page)
    assert not dice


@pytest.mark.rule("DS-26", "DS-29", "DS-50")
@either_way
def test_a_fight_with_paired_daggers_a_pistol_and_exhaustion_without_unfolding(visit, dice, javascript):
    data = patched(MAGPIE["data"], {"weapons.2": MAGPIE["data"]["weapons"][0]})
    page = seated(visit, MAGPIE | {"data": data}, javascript=javascript)

    def button(name):
        return page.get_by_role("button", name=name).first

    def roll(name, *faces, **more):
        row = page.get_by_role("article", name=name, exact=True)
        press(page, row.locator("button.roll"), *faces, dice=dice, **more)

    def follow(name, *faces):
        button = page.locator("#tray button.tray-button").filter(has_text=re.compile(rf"^\s*{name}\b"))
        press(page, button, *faces, dice=dice)

    press(page, button("Zug beginnen"), dice=dice)
    roll("Stilett 1 und Stilett 2", 9)
    follow("Angriff mit der zweiten Waffe", 13)
    follow("Schaden", 4)
    roll("Faustpistole", 15, told=2)
    expect(page.locator("#tray")).to_contain_text("Faustpistole abgefeuert: Aktionen, bis sie bereit ist: 1")
    follow("Schaden", 7)
    press(page, page.locator("#board").get_by_role("button", name="Nachladen"), dice=dice)
    expect(page.locator("#board .unready")).to_have_count(0)
    for _blow in range(14):
        press(page, page.locator("#less-life"), dice=dice)
    for face in (6, 5):
        press(page, button("Zug beginnen"), dice=dice)
        press(page, button("Auf Erschöpfung würfeln"), face, dice=dice)
    assert stored(page).play["down"]

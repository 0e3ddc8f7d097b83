"""A line of a forum post becomes a sheet that is rolled and played on, each roll leading on by one press."""

import pytest
from playwright.sync_api import expect

from rulesets.dice import RealTray
from sheets.models import Event
from tests.support.browser.kinds import either_way
from tests.support.browser.looks import sound
from tests.support.browser.sheet_actions import unfold
from tests.support.browser.wizard_actions import address

pytestmark = pytest.mark.browser

POST = """[b]Die Elster[/b]: ( N = +3 | 14, F=20+2|14,
Z=20-2|11 ) LP 19, Besondere Fähigkeiten: Revolverheld
[AP: 6 | FP: 1 | MP: 0] Gruß!"""
LINE = """Die Elster: (N=20+3|14, F=20+2|14, Z=20-2|11) LP 19, Besondere Fähigkeiten: Revolverheld
[AP: 6 | FP: 1 | MP: 0]"""


def pasted(visit, **options):
    """The sheet's page of the pasted post."""
    page = visit("/paste/", locale="en-GB", **options)
    page.get_by_label("The text").fill(POST)
    page.get_by_role("button", name="Check").click()
    expect(page.get_by_label("Exactly as written")).to_have_value(LINE)
    page.get_by_role("button", name="Make 1 draft").click()
    expect(page.locator("h1")).to_have_text("Character")
    page.goto(address(page).replace("/drafts/", "/sheets/"))
    return page


def pressed(page, key):
    """Roll a row; what lies in the tray then."""
    row = page.locator(f"[id='w-{key}']")
    unfold(page, row)
    row.locator("button.roll").click()
    expect(page.locator("#tray .tray-dice")).to_be_visible()
    return page.locator("#tray")


@pytest.mark.rule("DS-07")
@either_way
def test_a_pasted_line_is_a_sheet_whose_rolls_lead_on(visit, javascript):
    page = pasted(visit, javascript=javascript)
    expect(page.get_by_label("Profile line")).to_have_value(LINE)
    damage = pressed(page, "roll-critical").locator("[id='tray-roll-damage-roll-critical']")
    damage.locator("summary").click()
    damage.locator("[name=range]").fill("5-9")
    damage.get_by_role("button", name="Roll", exact=False).click()
    expect(page.locator("#tray [id='tray-roll-armour-roll-damage-roll-critical']")).to_be_visible()
    assert Event.objects.filter(roll="damage").get().given["critical"] in range(1, 7)


def highest(tray, faces):
    """The face that leads on to most, with notes beside it: a 6 has a button of its own for a normal enemy."""
    tray.fallen.append(max(faces))
    return max(faces)


@pytest.mark.layout
def test_paste_sheet_and_dice_pages_are_free_of_barriers(visit, monkeypatch):
    monkeypatch.setattr(RealTray, "face", highest)
    page = pasted(visit)
    tray = pressed(page, "roll-critical")
    assert tray.locator("small").count()
    tray.locator("[id='tray-roll-damage-roll-critical'] summary").click()
    sound(page)
    for address_ in (page.url, "/paste/"):
        page.goto(address_)
        sound(page)

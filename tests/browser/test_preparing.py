"""A GM prepares an evening, in as few presses as may be: those are counted."""

import pytest
from playwright.sync_api import expect

from sheets.models import Party, Sheet
from tests.browser.test_parties import person, sheets_of
from tests.support.browser.kinds import either_way
from tests.support.browser.waits import quiet

pytestmark = pytest.mark.browser
WIDE = {"width": 1280, "height": 900}


class Presses:
    """Presses something on a page, and counts that: from the page that opens to whoever is signed in to the end."""

    def __init__(self):
        self.count = 0

    def __call__(self, locator):
        self.count += 1
        locator.click()

    def fill(self, locator, text):
        """Typing begins with a press into the field."""
        self.count += 1
        locator.fill(text)

    def choose(self, locator, value):
        """Choosing from a list is a press to open it and one on the choice."""
        self.count += 2
        locator.select_option(value)


@either_way
def test_a_party_is_founded_and_two_join_it_with_their_sheets_in_few_presses(visit, javascript):
    gm, *players = (person(visit, name, javascript=javascript) for name in ("gm", "anna", "ben"))
    press = Presses()
    gm.goto("/")
    press(gm.get_by_role("banner").get_by_role("link", name="Parties"))
    press.fill(gm.get_by_label("Name of the party"), "Montagsrunde")
    press.choose(gm.get_by_label("System"), "condice")
    press(gm.get_by_role("button", name="Create it"))
    press(gm.get_by_role("button", name="Invite"))
    link = gm.locator("#invitation-link").input_value()
    expect(gm.locator(".invite .code svg")).to_be_visible()
    # It is copied, or shown as a code.
    press.count += 1
    for name, page in zip(("anna", "ben"), players, strict=True):
        sheets_of(name, "condice")
        # The link is pressed where it was posted.
        press.count += 1
        page.goto(link)
        press(page.get_by_role("button", name="Join"))
        expect(page.locator("#told")).to_contain_text("You have joined, and")
    assert Party.objects.get().sheets.count() == 2
    assert press.count <= 14


def test_the_page_of_a_party_of_six_is_seen_as_a_whole(visit):
    gm, *players = (person(visit, name) for name in ("gm", "anna", "ben", "cleo", "dora", "emil"))
    gm.get_by_label("Name of the party").fill("Montagsrunde")
    gm.get_by_role("button", name="Create it").click()
    gm.get_by_role("button", name="Invite").click()
    link = gm.locator("#invitation-link").input_value()
    for name, page in zip(("anna", "ben", "cleo", "dora", "emil"), players, strict=True):
        sheets_of(name, Party.objects.get().ruleset)
        page.goto(link)
        page.get_by_role("button", name="Join").click()
        expect(page.locator("#told")).to_contain_text("You have joined, and")
    gm.set_viewport_size(WIDE)
    gm.goto(f"/parties/{Party.objects.get().pk}/")
    quiet(gm)
    expect(gm.locator("#sheets .log > li")).to_have_count(5)
    assert gm.evaluate("document.documentElement.scrollHeight") < 1200


def led(visit, **how):
    """A GM's party, its page open."""
    gm = person(visit, "gm", **how)
    gm.get_by_label("Name of the party").fill("Montagsrunde")
    gm.get_by_label("System").select_option("condice")
    gm.get_by_role("button", name="Create it").click()
    quiet(gm)
    return gm


@either_way
def test_a_kept_encounter_of_four_is_put_on_stage_in_few_presses(visit, javascript):
    gm, press = led(visit, javascript=javascript), Presses()
    party = gm.url
    gm.goto("/opponents/?system=condice")
    for name in ("Wolf", "Ratte"):
        # Where there is none yet, the form for the first one stands open.
        if name != "Wolf":
            gm.locator("#new summary").first.click()
        gm.locator("#name-figures").fill(name)
        gm.get_by_role("button", name="Create opponents").first.click()
        quiet(gm)
    for box in gm.locator(".pick input").all():
        box.check()
    gm.locator("#encounter-name").fill("Am Weiher")
    gm.get_by_role("button", name="Add to the encounter").click()
    for number in gm.locator(".opponents input").all():
        number.fill("2")
    gm.get_by_role("button", name="Save").click()
    gm.goto("/")
    press(gm.get_by_role("link", name="Montagsrunde").first)
    expect(gm).to_have_url(party)
    press(gm.get_by_role("link", name="Opponents"))
    press(gm.locator("button[value^=encounter]"))
    expect(gm).to_have_url(f"{party}table/")
    assert sorted(Party.objects.get().sheets.values_list("name", flat=True)) == [
        "Ratte 1", "Ratte 2", "Wolf 1", "Wolf 2"]
    assert press.count <= 3


def test_six_ready_made_characters_are_made_laid_out_and_printed_in_few_presses(visit):
    gm, press = led(visit, javascript=False), Presses()
    gm.goto("/")
    press(gm.get_by_role("link", name="Montagsrunde").first)
    press(gm.get_by_role("link", name="Ready-made characters"))
    press.fill(gm.locator("#count"), "6")
    press(gm.get_by_role("button", name="Create and offer"))
    expect(gm.locator(".pregens > li")).to_have_count(6)
    for name in ("Sheets", "Cards to hand out", "Play sheets to fill in with a pencil"):
        link = gm.locator("#print").get_by_role("link", name=name, exact=True)
        press.count += 1
        assert gm.request.get(link.get_attribute("href")).body().startswith(b"%PDF-")
    assert Sheet.objects.filter(offered=True).exclude(name="").count() == 6
    assert press.count <= 12


def test_a_file_is_ticked_where_it_was_pressed_and_nothing_moves_meanwhile(visit):
    gm = led(visit)
    gm.get_by_role("link", name="Ready-made characters").click()
    gm.locator("#count").fill("2")
    gm.get_by_role("button", name="Create and offer").click()
    for where in ("ready", "print"):
        gm.goto(f"/parties/{Party.objects.get().pk}/{where}/")
        links = gm.locator("a[data-waits]")
        before = [links.nth(number).bounding_box() for number in range(3)]
        for number in range(3):
            with gm.expect_download():
                links.nth(number).click()
            expect(links.nth(number)).to_have_attribute("data-state", "there")
            assert [links.nth(one).bounding_box() for one in range(3)] == before
        expect(gm.locator('a[data-state="there"]')).to_have_count(3)
    with gm.expect_download() as download:
        gm.get_by_role("button", name="Everything for the session").click()
    expect(gm.locator("button[data-state]")).to_have_attribute("data-state", "there")
    assert download.value.suggested_filename == "montagsrunde-evening.pdf"


def test_opponents_are_made_ticked_and_put_into_an_encounter_in_few_presses(visit):
    gm, press = led(visit), Presses()
    gm.goto("/opponents/?system=condice")
    gm.locator("#name-figures").fill("Wolf")
    gm.locator("#count-figures").fill("3")
    gm.get_by_role("button", name="Create opponents").first.click()
    expect(gm.locator(".pick input:checked")).to_have_count(3)
    press(gm.get_by_label("Tick all"))
    expect(gm.locator(".pick input:checked")).to_have_count(0)
    press(gm.get_by_label("Tick all"))
    gm.locator("#encounter-name").fill("Am Weiher")
    press(gm.get_by_role("button", name="Add to the encounter"))
    expect(gm.locator(".opponents > li")).to_have_count(3)
    assert press.count == 3

"""The pages that prove an approval: the check of a code, and an approved sheet as it is printed and exported."""

import pytest
from playwright.sync_api import expect

from sheets.models import Review, Revision
from sheets.reviews import services as reviews
from tests.support.browser.looks import sound
from tests.support.everyday import everyday
from tests.support.party import Round

pytestmark = pytest.mark.browser


@pytest.fixture
def proven(transactional_db):
    """A sheet with a long name that is approved with an exception, and a draft beside it."""
    one = Round().bring("own-ability")
    one.sheet.name = "Uhrmacherin Tick-Tack " + "W" * 60
    one.sheet.save()
    one.entry = one.approve("Der Zirkus lehrt es.\n" + "W" * 120)
    one.change(life=3)
    return one


@pytest.mark.layout
@pytest.mark.parametrize("locale", everyday(["de-DE", "en-GB"]))
def test_every_answer_to_a_code_is_accessible_and_fits(visit, proven, locale):
    page = visit("/verify/?code=ABCDE-12345", locale=locale)

    def look(address=f"/verify/{proven.entry.code}/"):
        page.goto(address)
        sound(page)

    sound(page)
    look()
    reviews.withdraw(proven.member(proven.gm), proven.sheet, {"comment": "x"})
    look()
    Revision.objects.update(name="Betrug")
    look()
    Revision.objects.update(name=proven.sheet.name)
    proven.sheet.delete()
    look()


def test_a_code_is_typed_and_answered_without_scripts(visit, proven):
    page = visit("/verify/", javascript=False, locale="en-GB")
    page.get_by_label("Check code").fill(f" {proven.entry.code[:5].lower()} {proven.entry.code[5:].lower()}")
    page.get_by_role("button", name="Check").click()
    expect(page.get_by_text("Approved, and in force")).to_be_visible()
    page.get_by_role("link", name="CD-08").click()
    expect(page.locator("#CD-08")).to_be_visible()
    assert Review.objects.count() == 2


@pytest.mark.layout
@pytest.mark.parametrize("locale", everyday(["de-DE", "en-GB"]))
def test_an_approved_sheet_is_taken_along_with_its_code_and_footnotes(visit, client, proven, locale):
    client.force_login(proven.player)
    page = visit("/sheets/", client=client, locale=locale)
    for address in ("print", "export"):
        page.goto(f"/sheets/{proven.sheet.pk}/{address}/")
        sound(page)
        page.locator("main .note a").click()
        assert page.url.endswith("?of=draft")
        sound(page)
        page.locator("main .note a").click()
        assert not page.url.endswith("?of=draft")

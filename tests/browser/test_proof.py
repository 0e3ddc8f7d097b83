"""The pages that prove an approval: the check of a code, and an approved sheet as it is printed and exported."""

import os

import pytest
from playwright.sync_api import expect

from sheets.models import Review, Revision
from sheets.reviews import services as reviews
from tests.support.browser.looks import accessible, fits
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


def seen(page, scheme, shot):
    """No complaint of axe's, and nothing beyond the edge."""
    if folder := os.environ.get("SHOTS"):
        page.screenshot(path=f"{folder}/{shot}.png", full_page=True)
    fits(page)
    accessible(page, [scheme])


LOOKS = [("light", 320, "de-DE"), ("dark", 1280, "en-GB"), ("dark", 360, "en-GB"), ("light", 1280, "de-DE")]


@pytest.mark.layout
@pytest.mark.parametrize(("scheme", "width", "locale"), LOOKS)
def test_every_answer_to_a_code_is_accessible_and_fits(visit, proven, scheme, width, locale):
    def look(address, what):
        page = visit(address, scheme=scheme, width=width, locale=locale)
        seen(page, scheme, f"verify-{what}-{scheme}-{width}")

    answer = f"/verify/{proven.entry.code}/"
    look("/verify/", "form")
    look("/verify/?code=ABCDE-12345", "unknown")
    look(answer, "holds")
    reviews.withdraw(proven.member(proven.gm), proven.sheet, {"comment": "x"})
    look(answer, "withdrawn")
    Revision.objects.update(name="Betrug")
    look(answer, "broken")
    Revision.objects.update(name=proven.sheet.name)
    proven.sheet.delete()
    look(answer, "gone")


def test_a_code_is_typed_and_answered_without_scripts(visit, proven):
    page = visit("/verify/", javascript=False, locale="en-GB")
    page.get_by_label("Check code").fill(f" {proven.entry.code[:5].lower()} {proven.entry.code[5:].lower()}")
    page.get_by_role("button", name="Check").click()
    expect(page.get_by_text("Approved, and in force")).to_be_visible()
    page.get_by_role("link", name="CD-08").click()
    expect(page.locator("#CD-08")).to_be_visible()
    assert Review.objects.count() == 2


@pytest.mark.layout
@pytest.mark.parametrize(("scheme", "width", "locale"), LOOKS)
@pytest.mark.parametrize("address", ["print", "export"])
def test_an_approved_sheet_is_taken_along_with_its_code_and_footnotes(visit, client, live_server, proven, address,
                                                                       scheme, width, locale):
    page = visit("/account/login/", scheme=scheme, width=width, locale=locale)
    client.force_login(proven.player)
    page.context.add_cookies([{"name": "sessionid", "value": client.cookies["sessionid"].value,
                               "url": live_server.url}])
    page.goto(f"/sheets/{proven.sheet.pk}/{address}/")
    seen(page, scheme, f"{address}-played-{scheme}-{width}")
    page.locator("main .note a").click()
    assert page.url.endswith("?of=draft")
    seen(page, scheme, f"{address}-draft-{scheme}-{width}")
    page.locator("main .note a").click()
    assert not page.url.endswith("?of=draft")

"""The pages on which an evening is prepared: accessible, laid out, and of use without scripts."""

import pytest
from playwright.sync_api import expect

from sheets.models import Encounter, Party, Sheet, Tag
from tests.support.browser.layout import faults
from tests.support.browser.long_words import all_named
from tests.support.browser.looks import SCHEMES, fits, violations
from tests.support.browser.waits import quiet, unfold_all

pytestmark = pytest.mark.browser
NEW = ("/parties/{party}/", "/parties/{party}/settings/", "/parties/{party}/opponents/", "/parties/{party}/ready/",
       "/parties/{party}/print/", "/opponents/?system=condice", "/opponents/?system=augen-des-zwielichts",
       "/opponents/?system=battle-dice", "/opponents/encounters/{encounter}/", "/sheets/",
       "/sheets/?state=archived", "/sheets/?q=ada&sort=called")


def test_they_are_accessible_and_laid_out_on_a_phone_and_on_a_desk(transactional_db, visit, full):
    """A phone is dark and a desk light; in `make prove` either is both."""
    client, places = all_named("Ada", gm="gm")
    page, wrong = visit(client=client, locale="de-DE"), {}
    for address in NEW:
        page.goto(address.format(**places))
        unfold_all(page, "main")
        for width in (1280, 360):
            page.set_viewport_size({"width": width, "height": 800})
            schemes = SCHEMES if full else SCHEMES[width == 360:][:1]
            wrong[address, width] = [*violations(page, schemes), *faults(page, width, covered=False)]
        fits(page, 320)
    assert {key: found for key, found in wrong.items() if found} == {}


def test_one_prepares_without_scripts(transactional_db, visit):
    client, places = all_named("Ada", gm="gm")
    page = visit(client=client, locale="en", javascript=False)
    page.goto(f"/parties/{places['party']}/settings/")
    page.get_by_label("Name of the party").fill("Die Runde")
    page.get_by_role("button", name="Save").click()
    assert Party.objects.get().name == "Die Runde"
    page.goto("/sheets/?sort=called")
    loose = page.locator(".of-sheet").first
    expect(loose).to_be_visible()
    page.locator("input[name=sheet]").first.check()
    page.get_by_label("Tag", exact=True).last.fill("Con")
    page.get_by_role("button", name="Add tag").click()
    assert Tag.objects.get(name="Con").sheets.count() == 1
    page.goto("/sheets/?tag=Con")
    page.locator("input[name=sheet]").first.check()
    page.get_by_role("button", name="Archive").click()
    assert Sheet.objects.exclude(archived=None).filter(tags__name="Con").count() == 1
    page.goto(f"/opponents/encounters/{places['encounter']}/")
    page.locator(".opponents input").fill("4")
    page.get_by_role("button", name="Save").click()
    quiet(page)
    assert Encounter.objects.get().placed.get().number == 4
    page.get_by_role("button", name="Bring it into play again").click()
    assert Sheet.objects.filter(party=places["party"], opponent=True).count() == 5

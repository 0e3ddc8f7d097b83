"""Who switches the language goes on with what was typed, on every page with a form."""

import pytest
from django.contrib.auth import get_user_model
from playwright.sync_api import expect

from rulesets import systems
from rulesets.condice.examples import EXAMPLES
from sheets.models import Sheet
from sheets.parties import services as parties
from tests.support.browser.sheet_actions import unfold
from tests.support.browser.waits import until
from tests.support.guest import Guest

pytestmark = pytest.mark.browser
WORDS = "Halb getippt,"
PAGES = [
    ("/parties/", "#name"), ("/paste/", "#document"), ("/import/", "#document"), ("/validate/", "#document"),
    ("/parties/{party}/", "#notes-text"), ("/parties/{party}/settings/", "#party-name"),
    ("/parties/{party}/opponents/", "#name-random"), ("/parties/{party}/handouts/", "#handout-text"),
    ("/parties/{party}/scenes/", "#scene-name"), ("/parties/{party}/house/", "[name=budget]"),
    ("/sheets/{sheet}/", "#notes-text"), ("/sheets/{sheet}/", "#remark-text"),
    ("/sheets/{sheet}/", "#act-add-item-name"), ("/sheets/{sheet}/review/", "#comment"),
    ("/drafts/{sheet}/figure/", "#step input[name=_name]"),
]


@pytest.fixture
def gm(transactional_db):
    user = get_user_model().objects.create_user("anna")
    guest = Guest(EXAMPLES["juan"], user=user)
    guest.post("finish", do="finish")
    guest.party = parties.found_party(user, "Runde", systems()["condice"])
    Sheet.objects.filter(pk=guest.pk).update(party=guest.party)
    return guest


def switched(page):
    page.get_by_role("button", name="English").click()
    expect(page.locator("html")).to_have_attribute("lang", "en")


def test_what_is_typed_stays_when_the_language_is_switched(visit, gm):
    page = visit(client=gm.client)
    for address, field in PAGES:
        page.context.clear_cookies(name="django_language")
        page.goto(address.format(party=gm.party.pk, sheet=gm.pk))
        text = "7" if "budget" in field else WORDS
        unfold(page, page.locator(field))
        page.locator(field).fill(text)
        switched(page)
        expect(page.locator(field)).to_have_value(text)
    until(page, lambda: gm.sheet.notes == WORDS)


def test_passwords_are_not_kept(visit):
    page = visit("/account/signup/")
    page.locator("[name=username]").fill("bettina")
    page.locator("[name=password1]").fill("goldener-oktober")
    kept = {}
    page.expose_function("note", lambda text: kept.update(text=text))
    page.evaluate("document.getElementById('language').addEventListener('submit', () => note(sessionStorage.typed))")
    switched(page)
    expect(page.locator("[name=username]")).to_have_value("bettina")
    expect(page.locator("[name=password1]")).to_have_value("")
    assert "bettina" in kept["text"]
    assert "oktober" not in kept["text"]


def test_without_scripts_a_page_with_a_form_says_that_nothing_typed_is_kept(visit):
    page = visit("/paste/", javascript=False)
    expect(page.get_by_text("Beim Umschalten geht verloren")).to_be_visible()
    page.goto("/privacy/")
    expect(page.get_by_text("Beim Umschalten geht verloren")).to_be_hidden()

"""Nothing is refused in silence: whatever is in the way, one reads it, loses nothing, and goes on with one press."""

import pytest
from django.test import Client
from playwright.sync_api import expect

from rulesets import systems
from sheets.models import CO_GM, Event, Member, Party, Review, Sheet
from sheets.parties import services as parties
from sheets.reviews import services as reviews
from tests.support.browser.sheet_actions import unfold
from tests.support.browser.waits import quiet, until
from tests.support.everyday import everyday
from tests.support.guest import held

pytestmark = pytest.mark.browser

FIRST = "#press-button-roll-attack-attacks-0"


@pytest.fixture
def table(finished):
    """A finished sheet in a party that its owner leads."""
    finished.party = parties.found_party(finished.sheet.owner, "Runde", systems()["condice"])
    Sheet.objects.filter(pk=finished.pk).update(party=finished.party)
    return finished


WORDS = "Sie schuldet dem Wirt noch drei Silberlinge."
PRESSES = {
    "sheet": ("/sheets/{sheet}/", "", FIRST, lambda _one: Event.objects.exists()),
    "table": ("/parties/{party}/table/?_by={sheet}", "", "button:has-text('Würfeln')",
              lambda _one: Event.objects.exists()),
    "builder": ("/drafts/{sheet}/figure/", "[name=_name]", "button[name=do][value^=go\\:]",
                lambda one: one.sheet.name == WORDS),
    "review": ("/sheets/{sheet}/review/", "#comment", "button[value=submit]",
               lambda _one: Review.objects.filter(said__comment=WORDS).exists()),
    "party": ("/parties/{party}/settings/", "#party-name", ".settings button",
              lambda one: Party.objects.get(pk=one.party.pk).name == WORDS),
    "notes": ("/parties/{party}/", "#notes-text", "#notes button",
              lambda one: one.party.members.get().notes == WORDS),
}
"""{kind of page: (address, field, button, whether it is done)}."""


@pytest.mark.parametrize(("kind", "javascript"), everyday(
    [(kind, javascript) for javascript in (True, False) for kind in PRESSES], len(PRESSES) + 1))
def test_an_ended_session_is_told_and_what_was_pressed_is_done_after_signing_in(visit, table, kind, javascript):
    visit.expect("Error Code 404", "htmx:")
    address, field, button, done = PRESSES[kind]
    page = visit(address.format(sheet=table.pk, party=table.party.pk), client=table.client, javascript=javascript)
    page.context.clear_cookies(name="sessionid")
    if field:
        page.locator(field).fill(WORDS)
    pressed = page.locator(f"main {button}").locator("visible=true").first
    pressed.click()
    said = page.locator("#refused:popover-open, main:has(h1:text-is('Du bist abgemeldet'))")
    expect(said).to_contain_text("Du bist abgemeldet")
    expect(said.get_by_role("link", name="Anmelden")).to_have_attribute("target", "_blank")
    assert not done(table)
    page.context.add_cookies(held(table.client, page.url))
    again = page.get_by_role("button", name="Noch einmal abschicken")
    (again if again.count() else pressed).click()
    until(page, lambda: done(table))


AWAY = "#away:popover-open"
SCRIPTED = ["sheet", "table", "builder", "notes"]
"""Kinds of pages on which a press is answered without a new page."""
TOO_OFTEN = "<main><h1>Zu viele Versuche</h1><p class=lead>Versuch es in 2 Minuten noch einmal.</p></main>"


ANSWERS = [({"status": 429, "body": TOO_OFTEN}, "Zu viele Versuche. Versuch es in 2 Minuten noch einmal."),
           ({"status": 500, "body": ""}, "Der Server antwortet gerade nicht"),
           (None, "Der Server antwortet gerade nicht")]


@pytest.mark.parametrize(("kind", "answer", "told"), everyday(
    [(kind, *one) for kind in SCRIPTED for one in ANSWERS], each=2))
def test_what_is_not_done_is_told_and_done_once_pressed_again(visit, table, kind, answer, told):
    visit.expect("Error Code", "htmx:", "ERR_FAILED", "status of")
    address, field, button, done = PRESSES[kind]
    page = visit(address.format(sheet=table.pk, party=table.party.pk), client=table.client)
    page.route("**/*", lambda route: route.continue_() if route.request.method != "POST" else
               route.fulfill(**answer, content_type="text/html") if answer else route.abort())
    if field:
        page.locator(field).fill(WORDS)
    pressed = page.locator(f"main {button}").locator("visible=true").first
    pressed.click()
    expect(page.locator(f"#refused:popover-open, {AWAY}").first).to_contain_text(told)
    # Nobody is signed out; and what a page asks for by itself ends nothing that is told.
    page.evaluate("document.dispatchEvent(new Event('news'))")
    quiet(page)
    assert not page.locator("#refused a").is_visible()
    expect(page.locator(f"#refused:popover-open, {AWAY}").first).to_contain_text(told)
    page.unroute("**/*")
    if field:
        expect(page.locator(field)).to_have_value(WORDS)
    pressed.click()
    until(page, lambda: done(table))
    expect(page.locator(AWAY)).to_have_count(0)


@pytest.mark.parametrize("types", [True, False], ids=["typed", "nothing typed"])
@pytest.mark.parametrize("kind", ["table", "review"])
def test_whoever_may_see_a_page_no_longer_is_told_so_and_keeps_what_they_typed(visit, table, django_user_model, kind,
                                                                               types):
    visit.expect("Error Code 404", "htmx:")
    ben, browser = django_user_model.objects.create_user("ben"), Client()
    browser.force_login(ben)
    me = Member.objects.create(party=table.party, user=ben, role=CO_GM)
    if kind == "review":
        reviews.submit(table.sheet, table.sheet.owner, "")
    address, field = {"table": ("/parties/{party}/table/", "#say-text"),
                      "review": ("/sheets/{sheet}/review/", "#comment")}[kind]
    page = visit(address.format(sheet=table.pk, party=table.party.pk), client=browser)
    if types:
        unfold(page, page.locator(field))
        page.locator(field).fill("7")
    me.delete()
    page.evaluate("document.dispatchEvent(new Event('news'))")
    if types:
        expect(page.locator("#refused:popover-open")).to_contain_text("hast keinen Zugriff mehr")
        expect(page.locator(field)).to_have_value("7")
    else:
        expect(page.locator("main h1")).to_have_text("Hier ist nichts")

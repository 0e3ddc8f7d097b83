"""Notes save themselves; what is changed in two places, or cannot be sent, is lost in neither."""

import pytest
from django.contrib.auth import get_user_model
from playwright.sync_api import expect

from rulesets.condice.examples import EXAMPLES
from sheets.models import Sheet
from tests.support.browser.waits import until
from tests.support.guest import Guest

pytestmark = pytest.mark.browser
TEXT, STATE = "#notes-text", "#notes-state"


@pytest.fixture
def guest(transactional_db):
    guest = Guest(EXAMPLES["juan"], user=get_user_model().objects.create_user("anna"))
    guest.post("finish", do="finish")
    Sheet.objects.filter(pk=guest.pk).update(notes="Anfang")
    return guest


@pytest.fixture
def page(visit, guest):
    return visit(f"/sheets/{guest.pk}/", client=guest.client)


def test_notes_are_saved_while_one_writes_and_where_one_leaves_at_once(page, guest):
    page.locator(TEXT).press_sequentially("!")
    expect(page.locator(STATE)).to_have_text("Gespeichert.")
    page.locator(TEXT).fill("Zuletzt")
    page.goto("/")
    until(page, lambda: guest.sheet.notes == "Zuletzt")


def test_of_two_devices_the_later_one_is_shown_both_texts_and_saves_by_the_button_alone(page, guest, visit):
    other = visit(f"/sheets/{guest.pk}/", client=guest.client)
    other.locator(TEXT).fill("Dort")
    expect(other.locator(STATE)).to_have_text("Gespeichert.")
    page.locator(TEXT).fill("Hier")
    expect(page.locator("#notes-other")).to_have_value("Dort")
    page.locator(TEXT).fill("Hier und dort")
    assert guest.sheet.notes == "Dort"
    page.locator("#notes-save").click()
    expect(page.locator(STATE)).to_have_text("Gespeichert.")
    assert guest.sheet.notes == "Hier und dort"


def test_what_could_not_be_sent_says_so_stays_and_is_sent_once_it_can(page, guest, visit):
    visit.expect("net::ERR_INTERNET_DISCONNECTED", "htmx:")
    page.context.set_offline(True)
    page.locator(TEXT).fill("Unterwegs")
    expect(page.locator(STATE)).to_have_text("Nicht gespeichert.")
    page.context.set_offline(False)
    expect(page.locator(STATE)).to_have_text("Gespeichert.")
    assert guest.sheet.notes == "Unterwegs"

"""A passkey is added and signs in by itself, in a Chromium with a device of its own."""

import pytest
from playwright.sync_api import expect

from tests.support.builder.accounts import PASSWORD

pytestmark = pytest.mark.browser
DEVICE = {"protocol": "ctap2", "transport": "internal", "hasResidentKey": True, "hasUserVerification": True,
          "isUserVerified": True, "automaticPresenceSimulation": True}


def device(page, **options):
    """Give a page a device that has passkeys; return what speaks to it, and its number."""
    line = page.context.new_cdp_session(page)
    line.send("WebAuthn.enable")
    number = line.send("WebAuthn.addVirtualAuthenticator", {"options": DEVICE | options})["authenticatorId"]
    return line, number


def test_a_passkey_is_added_and_signs_in_alone(visit, django_user_model):
    django_user_model.objects.create_user("anna", password=PASSWORD)
    page = visit("/account/login/?next=/account/2fa/")
    line, number = device(page)
    page.fill("#id_login", "anna")
    page.fill("#id_password", PASSWORD)
    page.locator("main form.card button").click()
    page.get_by_role("link", name="Passkey hinzufügen").click()
    page.fill("#id_password", PASSWORD)
    page.locator("main form.card button").click()
    page.get_by_label("Name").fill("Annas Telefon")
    page.get_by_role("button", name="Hinzufügen").click()
    expect(page.get_by_role("heading", name="Wiederherstellungscodes")).to_be_visible()
    assert len(line.send("WebAuthn.getCredentials", {"authenticatorId": number})["credentials"]) == 1
    page.goto("/account/2fa/")
    expect(page.get_by_text("Annas Telefon")).to_be_visible()
    page.context.clear_cookies()
    page.goto("/account/login/?next=/sheets/")
    page.get_by_role("button", name="Mit einem Passkey anmelden").click()
    expect(page).to_have_url(page.url.partition("/account")[0] + "/sheets/")
    expect(page.get_by_role("link", name="anna")).to_be_visible()


def test_whoever_has_no_passkey_is_told_where_they_pressed(visit):
    page = visit("/account/login/")
    device(page)
    button = page.get_by_role("button", name="Mit einem Passkey anmelden")
    refused = page.get_by_text("Es wurde kein Passkey verwendet")
    expect(refused).to_be_hidden()
    button.click()
    expect(refused).to_be_visible()
    below = refused.bounding_box()["y"] - button.bounding_box()["y"]
    assert 0 < below < 120

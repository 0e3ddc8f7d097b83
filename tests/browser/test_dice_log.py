"""The dice page of somebody signed in: a press brings its nonce, its answer leads to the receipt to be shared."""

import pytest
from django.test import Client
from playwright.sync_api import expect

from sheets.models import Receipt
from tests.support.browser.kinds import either_way
from tests.support.browser.looks import sound

pytestmark = pytest.mark.browser


@either_way
def test_a_roll_leads_to_its_receipt_which_one_shares(visit, django_user_model, javascript):
    client = Client()
    client.force_login(django_user_model.objects.create_user("anna"))
    page = visit("/dice/condice/", client=client, locale="en", width=360, javascript=javascript)
    for number in (1, 2):
        page.locator("#press-button-roll-healing").click()
        link = page.locator("#tray .tray-receipt a")
        expect(link).to_have_text(f"Roll {number} · receipt")
    assert {*Receipt.objects.values_list("nonce_by", flat=True)} == {"roller" if javascript else "server"}
    if javascript:
        sound(page)
    link.click()
    page.get_by_role("button", name="Share by link").click()
    expect(page.get_by_role("button", name="Stop sharing")).to_be_visible()
    if javascript:
        expect(page.locator("[data-state=proved]")).to_be_visible()
        sound(page)
    else:
        expect(page.locator("[data-state=checking]")).to_be_hidden()
    assert Client().get(f"/rolls/{Receipt.objects.get(number=2).token}/").status_code == 200

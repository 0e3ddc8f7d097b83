"""Dice thrown by hand, with and without JavaScript: a roll asks what fell, and the page stays so for the next one."""

import pytest
from playwright.sync_api import expect

from sheets.models import Event, Party, Receipt
from tests.support.browser.kinds import either_way
from tests.support.browser.looks import sound
from tests.support.sheets.table_people import RoundTable

pytestmark = pytest.mark.browser


@either_way
def test_a_roll_asks_what_fell_on_the_sheet_and_at_the_table(visit, django_user_model, javascript):
    table = RoundTable(django_user_model.objects)
    Party.objects.update(by_hand=True)
    for number, address in enumerate((f"/sheets/{table.sheets['anna'].pk}/", table.address), 1):
        page = visit(address, client=table.browsers["anna"], locale="en", width=360, javascript=javascript)
        page.get_by_role("link", name="Roll my own dice").click()
        expect(page.locator("#by-hand")).to_be_visible()
        page.locator("[id^=press-button-roll-attack]").first.click()
        expect(page.get_by_role("heading", name="What did you roll?")).to_be_visible()
        if javascript:
            sound(page)
        while (faces := page.locator("input[type=number][name=_face]")).count():
            for one in faces.all():
                one.fill("1")
            page.get_by_role("button", name="Enter the roll").click()
            page.wait_for_load_state()
        expect(page.locator("#by-hand")).to_be_visible()
        assert [*Receipt.objects.values_list("by_hand", flat=True)] == [True] * number
        assert {*Event.objects.latest("pk").faces} == {1}

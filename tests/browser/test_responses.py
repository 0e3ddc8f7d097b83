"""Whoever is attacked is asked on top of their page, answers by one press, and both see what falls then."""

import pytest
from django.contrib.auth.models import User
from playwright.sync_api import expect

from sheets.models import Event, Party, Sheet
from tests.support.sheets.fight import Fight

pytestmark = pytest.mark.browser


@pytest.fixture
def table(transactional_db, settings, streams):
    """A table of Dice Rumble that waits for responses; Ben has a die left."""
    settings.LIVE_PORT = streams
    fight = Fight(User.objects, "dice-rumble")
    Sheet.objects.filter(pk=fight.sheets["ben"].pk).update(play={"initiative": 4})
    Party.objects.filter(pk=fight.party.pk).update(waits=True)
    return fight


def test_who_is_attacked_answers_on_a_phone_by_one_press_and_both_see_what_falls(table, visit):
    anna = visit(f"{table.address}?{table.seats()}", client=table.browsers["anna"], locale="en")
    ben = visit(f"{table.address}?{table.seats('ben', None)}", client=table.browsers["ben"], locale="en",
                width=390)
    for page in (anna, ben):
        expect(page.locator("html")).to_have_attribute("data-live", "true")
    anna.locator("#w-roll-attack-unarmed button.roll").click()
    expect(anna.get_by_text("Ben is asked first.")).to_be_in_viewport()
    expect(anna.get_by_text("waits for Ben")).to_be_visible()
    dodge = ben.get_by_role("button", name="Dodge: Akrobatik")
    expect(dodge).to_be_in_viewport()
    dodge.click()
    expect(ben.locator("#questions")).to_have_count(0)
    expect(anna.get_by_text("waits for Ben")).to_have_count(0)
    for page in (anna, ben):
        expect(page.locator("#table-lines")).to_contain_text("Anna")
    assert [one.roll or one.act for one in Event.objects.order_by("pk")] == ["spend-die", "dodge-duel"]

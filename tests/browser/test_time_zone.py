"""The time zone of a browser: proposed to whoever has chosen none, and mentioned where dates are shown in another."""

import pytest
from django.contrib.auth import get_user_model
from django.test import Client
from playwright.sync_api import expect

from rulesets import systems
from sheets.models import UserZone
from sheets.parties.services import found_party

pytestmark = pytest.mark.browser
NOTE = "[data-zone]"


def signed_in(name="anna"):
    user, client = get_user_model().objects.create_user(name), Client()
    client.force_login(user)
    return user, client


def test_the_zone_of_the_browser_is_proposed_and_saved(visit):
    user, client = signed_in()
    page = visit("/account/calendar/", client=client, zone="Asia/Tokyo")
    expect(page.locator("#zone")).to_have_value("Asia/Tokyo")
    page.locator("button[value=zone]").click()
    expect(page.locator("#zone")).to_have_value("Asia/Tokyo")
    expect(page.locator("#zone[data-suggests]")).to_have_count(0)
    assert UserZone.objects.get(user=user).name == "Asia/Tokyo"


def test_a_zone_that_was_chosen_stays(visit):
    user, client = signed_in()
    UserZone.objects.create(user=user, name="America/New_York")
    page = visit("/account/calendar/", client=client, zone="Asia/Tokyo")
    expect(page.locator("#zone")).to_have_value("America/New_York")


@pytest.mark.parametrize(("zone", "differs"), [("Europe/Berlin", False), ("Europe/Vienna", False),
                                               ("Asia/Tokyo", True)])
def test_the_page_of_an_evening_says_that_the_device_is_in_another_zone(visit, zone, differs):
    user, client = signed_in()
    party = found_party(user, "Die Runde", systems()["condice"])
    page = visit(f"/parties/{party.pk}/evening/", client=client, zone=zone)
    expect(page.locator(NOTE)).to_be_visible() if differs else expect(page.locator(NOTE)).to_be_hidden()

"""The front page: what this is, a roll to try, every system as a world; what one had in hand last comes first."""

import html
import re
from datetime import timedelta

import pytest
from django.utils import timezone
from django.utils.translation import override

from rulesets import systems
from sheets.models import Sheet
from tests.support.builder.held import lacking
from tests.support.guest import Guest
from tests.support.rulesets.contract import every_system

pytestmark = pytest.mark.django_db


def page(client, address="/", language="de"):
    return html.unescape(client.get(address, headers={"Accept-Language": language}).text)


def world(shown, slug):
    return shown.partition(f'<article class="world" data-system="{slug}">')[2].partition("</article>")[0]


@every_system
def test_each_world_says_what_it_is_and_leads_to_a_sample_its_rules_and_into_it(client, ruleset):
    shown = page(client)
    assert re.findall(r'<article class="world" data-system="([a-z-]+)"', shown) == list(systems())
    own = world(shown, ruleset.slug)
    with override("de"):
        assert lacking(own, str(ruleset.summary), f'href="/rules/{ruleset.slug}/"', f'action="/build/{ruleset.slug}/"',
                       'value="random"', "tray-dice") == []
    assert client.get(re.search(r'href="(/samples/[^"]+)"', own)[1]).status_code == 200


def test_the_roll_to_try_is_thrown_from_the_page_and_shown_on_it_the_same_for_everybody(client):
    shown = page(client)
    form = shown.partition('<form class="try"')[2].partition("</form>")[0]
    action, key = re.search(r'action="([^"]+)"', form)[1], re.search(r'name="w" value="([^"]+)"', form)[1]
    there = client.post(action, {"w": key}, headers={"HX-Request": "true", "HX-Target": "tray"}).text
    assert there.startswith('<section class="tray')
    assert lacking(there, "tray-outcome", "hx-swap-oob") == ["hx-swap-oob"]
    # Without scripts the sheet is where it lies.
    assert client.post(action, {"w": key})["Location"].startswith(f"{action}?fell=")
    assert re.findall(r'class="fallen[^"]*"', shown) == re.findall(r'class="fallen[^"]*"', page(Guest().client))


def test_with_no_system_the_page_stands(client, monkeypatch):
    monkeypatch.setattr("builder.home.systems", dict)
    assert "Hier gibt es noch kein System" in page(client)


def test_who_comes_back_finds_first_what_was_in_hand_last(client):
    guest = Guest()
    guest.client.post("/build/dice-rumble/")
    older, newer = Sheet.objects.order_by("created")
    now = timezone.now()
    Sheet.objects.filter(pk=older.pk).update(name="Altbert", updated=now - timedelta(days=3), played=now)
    Sheet.objects.filter(pk=newer.pk).update(name="Neubert", updated=now - timedelta(days=1))
    shown = page(guest.client)
    assert shown.index("Altbert") < shown.index("Neubert") < shown.index('class="worlds"')
    # The roll to try is one of the game that was played last.
    assert '<form class="try" data-system="condice"' in shown
    assert "Altbert" not in page(client)


def test_a_draft_leads_on_to_the_builder_and_a_finished_sheet_to_the_table():
    guest = Guest()
    assert f'class="button" href="/drafts/{guest.pk}/"' in page(guest.client)
    Sheet.objects.update(finished=timezone.now())
    assert f'class="button" href="/sheets/{guest.pk}/"' in page(guest.client)

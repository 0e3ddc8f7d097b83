"""Sample sheets: for everybody to read and to roll on; what falls is nobody else's, and the sample never changes."""

import re

import pytest
from django.contrib.sessions.models import Session
from django.test import Client

from sheets.models import Event, Sheet
from tests.support.rulesets.contract import every_system

pytestmark = pytest.mark.django_db


def rolled(client, address, **fields):
    shown = client.get(address).content.decode()
    key = re.search(r'<article class="roll-row" id="w-([^"]+)"', shown)[1]
    return client.post(address, {"w": key, **fields})


@every_system
def test_every_example_is_a_page_that_everybody_reads(client, ruleset):
    for which, document in ruleset.examples.items():
        answer = client.get(f"/samples/{ruleset.slug}/{which}/")
        assert answer.status_code == 200
        assert f"<h1>{document['name']}</h1>" in answer.content.decode()


@every_system
def test_a_roll_on_a_sample_lies_there_for_whoever_threw_it_and_changes_nothing(client, ruleset):
    address = f"/samples/{ruleset.slug}/{next(iter(ruleset.examples))}/"
    there = rolled(client, address)["Location"]
    assert there.startswith(f"{address}?fell=")
    shown = client.get(there.partition("#")[0]).content.decode()
    assert 'class="tray-outcome' in shown
    assert 'class="tray-outcome' not in client.get(address).content.decode()
    assert (Sheet.objects.count(), Event.objects.count(), Session.objects.count()) == (0, 0, 0)


def test_what_fell_cannot_be_made_up(client):
    shown = Client().get("/samples/condice/juan/?fell=made-up").content.decode()
    assert 'class="tray-outcome' not in shown


def test_nothing_is_done_at_a_sample_but_rolling(client):
    shown = client.get("/samples/condice/juan/").content.decode()
    assert 'name="_nudge"' not in shown
    assert 'id="act-list"' not in shown
    assert client.post("/samples/condice/juan/", {"w": "act-damage"}).status_code == 422


@pytest.mark.parametrize("address", ["/samples/condice/nobody/", "/samples/nothing/juan/"])
def test_of_no_example_there_is_no_page(client, address):
    assert client.get(address).status_code == 404
    assert client.post(address, {"w": "x"}).status_code == 404

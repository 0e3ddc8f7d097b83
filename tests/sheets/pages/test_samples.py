"""Sample sheets: for everybody to read and to roll on; what falls is nobody else's, and the sample never changes."""

import re

import pytest
from django.contrib.sessions.models import Session

from sheets.models import Event, Sheet
from tests.support.guest import words_in
from tests.support.rulesets.contract import every_system

pytestmark = pytest.mark.alike


@every_system
def test_every_example_is_a_page_that_everybody_reads_and_a_roll_lies_there_for_whoever_threw_it(db, client, ruleset):
    """It changes nothing."""
    for which, document in ruleset.examples.items():
        answer = client.get(f"/samples/{ruleset.slug}/{which}/")
        assert answer.status_code == 200
        assert f"<h1>{document['name']}</h1>" in answer.text
    address = f"/samples/{ruleset.slug}/{next(iter(ruleset.examples))}/"
    roll = re.search(r'<article class="roll-row" id="w-([^"]+)"', client.get(address).text)[1]
    there = client.post(address, {"w": roll})["Location"]
    assert there.startswith(f"{address}?fell=")
    assert ['class="tray-outcome' in client.get(where).text for where in (there.partition("#")[0], address)] == [
        True, False]
    assert (Sheet.objects.count(), Event.objects.count(), Session.objects.count()) == (0, 0, 0)


def test_nothing_is_done_at_a_sample_but_rolling_and_what_fell_cannot_be_made_up(db, client):
    shown = client.get("/samples/condice/juan/?fell=made-up")
    assert words_in(shown, "Juan", 'class="tray-outcome', 'name="_nudge"', 'id="act-list"') == ["Juan"]
    assert client.post("/samples/condice/juan/", {"w": "act-damage"}).status_code == 422


@pytest.mark.parametrize("address", ["/samples/condice/nobody/", "/samples/nothing/juan/"])
def test_of_no_example_there_is_no_page(db, client, address):
    assert client.get(address).status_code == 404
    assert client.post(address, {"w": "x"}).status_code == 404

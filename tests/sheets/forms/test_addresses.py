"""Addresses that hold what was answered: whatever that is, no proxy refuses them for their length."""

import uuid
from itertools import product

import pytest

from rulesets import systems
from sheets.forms.addresses import MAX_BYTES, fields_query_string
from sheets.rolls.dice_page import MAX_MIDDLE_ROLLS, DicePage, signed_chain
from sheets.rolls.widgets import Widget
from tests.support.sheets.table_people import RoundTable

pytestmark = pytest.mark.alike
PROXY = 8 * 1024
"""Bytes of an address that proxies take."""
LONG = "ü" * 2_000
"""What is longer in an address than that; Django itself leads nowhere at twice as much."""
ATTACK = "roll-attack-attacks-0"


def test_an_address_holds_as_many_answers_as_there_is_room_for_the_short_ones_first():
    assert fields_query_string({"a": ["x", "y"], "b": ["ä b"], "_press": ["z"], "do": ["odds"]}) == "a=x&a=y&b=%C3%A4+b"
    assert fields_query_string({"long": ["x" * MAX_BYTES], "short": ["1"], "none": []}) == "short=1"
    assert len(fields_query_string({f"n{number}": ["1"] for number in range(MAX_BYTES)})) <= MAX_BYTES


@pytest.fixture
def round_table(django_user_model):
    return RoundTable(django_user_model.objects)


@pytest.mark.parametrize("place", ["sheet", "table", "dice"])
def test_no_press_leads_to_an_address_that_proxies_refuse(round_table, place):
    sheet = round_table.sheets["anna"].pk
    url = {"sheet": f"/sheets/{sheet}/play/", "table": f"/parties/{round_table.party.pk}/table/play/",
           "dice": "/dice/condice/"}[place]
    given = {"w": ATTACK, "_by": sheet, "defence": "3", "extra_dice": "0"}
    for do, name in product(("odds", ""), ("dice", "against.defence", "w", "_by")):
        sent = given | {"do": do, name: LONG, "_press": str(uuid.uuid4())}
        answer = round_table.browsers["anna"].post(url, sent)
        assert answer.status_code == 302 or not do
        assert len(answer.headers.get("Location", "")) < PROXY, (do, name)


def test_a_short_answer_leads_to_the_odds_that_were_asked_for(round_table):
    sheet = round_table.sheets["anna"].pk
    answer = round_table.browsers["anna"].post(f"/sheets/{sheet}/play/", {
        "w": ATTACK, "do": "odds", "defence": "3", "note": LONG})
    assert answer["Location"] == f"/sheets/{sheet}/?w={ATTACK}&defence=3#w-{ATTACK}"


def test_a_chain_of_many_dice_is_kept_as_far_as_an_address_has_room_for_it():
    ruleset, chains = systems()["condice"], [[]]
    many = Widget(ruleset.rolls["attack"].offer(), {"dice": ["999"], "extra_dice": ["999"], "defence": ["3"]})
    for _throw in range(MAX_MIDDLE_ROLLS):
        chains.append(DicePage(ruleset, {}, "", chains[-1], offers=[]).throw(many))
    first, last = chains[1][0], chains[-1]
    assert (last[0], all(len(signed_chain(one)) < PROXY for one in chains)) == (first, True)
    assert 2 <= len(last) < len(chains) - 1

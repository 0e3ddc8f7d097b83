"""Acts of several at once in Augen des Zwielichts, of which one takes back the own."""

import pytest

from sheets.models import Event
from tests.support.guest import text_of
from tests.support.sheets.twilight import Twilight

pytestmark = pytest.mark.alike


@pytest.fixture
def fight(django_user_model, dice):
    """Anna, Ben and Cleo, whom the GM had start a fight at danger level 12."""
    table = Twilight(django_user_model.objects)
    dice += [[3, 4], [5, 2], [1, 1]]
    table.do("round", w="act-begin-fight", danger_level=12)
    assert not dice
    return table


def last(table, who):
    """The last act of somebody."""
    return table.sheets[who].events.exclude(act="").latest("pk")


def throw(table, dice, *faces):
    """Everybody throws a combat die."""
    dice += [[face] for face in faces]
    table.do("round", w="act-throw-combat-die")
    assert not dice


@pytest.mark.rule("SZ-31")
@pytest.mark.parametrize("place", ["sheet", "table", "gm"])
def test_nobody_takes_back_alone_her_share_of_a_round_that_was_settled_for_all(fight, dice, place):
    throw(fight, dice, 2, 5, 3)
    thrown = fight.stands()
    fight.do("round", w="act-settle-together")
    before, act = fight.stands(), last(fight, "anna")
    if place == "sheet":
        fight.play("anna", "undo", _event=act.pk)
    else:
        fight.settle("back", "anna" if place == "table" else "gm", act.pk)
    assert fight.stands() == before
    assert "nobody takes it back alone" in text_of(fight.look("gm" if place == "gm" else "anna"))
    # Nobody is offered that, but the GM may take it back for everyone.
    assert f'value="back:{act.pk}"' not in fight.look("anna").text
    assert 'id="take-back"' not in fight.browsers["anna"].get(f"/sheets/{fight.sheets['anna'].pk}/").text
    fight.settle("all-back", "gm", act.pk)
    assert fight.stands() == thrown


@pytest.mark.rule("SZ-31")
def test_a_round_that_was_settled_for_all_stays_whole_once_one_of_them_has_done_something_else(fight, dice):
    throw(fight, dice, 2, 5, 3)
    fight.do("round", w="act-settle-together")
    fight.play("ben", "act-note-condition", word="Nass")
    before = fight.stands()
    fight.settle("all-back", "gm", last(fight, "anna").pk)
    assert fight.stands() == before


@pytest.mark.rule("SZ-30")
@pytest.mark.rule("SZ-31")
def test_a_gm_who_takes_back_the_start_of_a_fight_of_one_leaves_the_danger_level_to_those_who_fight(fight):
    first = Event.objects.filter(act="begin-fight").earliest("pk").sheet.name.lower()
    counted = fight.stands()[1]
    assert (counted["danger_level"], counted["fighters"]) == (12, 3)
    fight.settle("back", "gm", last(fight, first).pk)
    after = fight.stands()[1]
    assert (after["danger_level"], after["fighters"], after["fights"]) == (12, 2, counted["fights"])
    for who in {"anna", "ben", "cleo"} - {first}:
        fight.settle("back", "gm", last(fight, who).pk)
    after = fight.stands()[1]
    assert ("danger_level" in after, "fighters" in after) == (False, False)


@pytest.mark.rule("SZ-30")
def test_the_start_of_a_fight_is_taken_back_for_all_with_its_danger_level(fight):
    fight.settle("all-back", "gm", last(fight, "anna").pk)
    assert fight.stands()[1] == {}


def test_the_number_of_fights_is_counted_by_the_rules_alone(fight):
    page = fight.browsers["gm"].get(fight.address)
    counters = [one.key for one in page.context["party_table"].counters]
    assert ("fighters" in counters, "fights" in counters) == (True, False)
    assert fight.browsers["gm"].post(fight.address, {"do": "count:fights:1"}).status_code == 400

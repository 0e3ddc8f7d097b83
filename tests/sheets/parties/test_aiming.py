"""Playing at the party's table: who acts, whom it is aimed at, what that knows of the other side."""

import re
import uuid

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from sheets.models import Event, Landing, Sheet
from tests.support.guest import text_of
from tests.support.sheets.fight import ATTACK, Fight, hit, table

pytestmark = pytest.mark.django_db
__all__ = ["hit", "table"]
TABLE = 16
"""Questions to the database for the page of a table, with who asks and what waits."""


@pytest.mark.rule("CD-41", "CD-45")
def test_an_attack_knows_the_defence_of_its_target_and_lands_there_as_an_offer(hit):
    event, landing = Event.objects.get(), Landing.objects.get()
    assert (event.given["defence"], event.outcome, event.aimed_at) == (2, 2, {str(hit.sheets["ben"].pk): "Ben"})
    assert (landing.event, landing.sheet, landing.act, landing.state) == (event, hit.sheets["ben"], "damage", "open")
    assert hit.life("ben") == 10


def test_a_miss_lands_nowhere_and_is_told(table, dice):
    dice += [[1] * 9]
    table.press()
    assert Event.objects.get().aimed_at
    assert not Landing.objects.exists()
    assert "→ Ben" in text_of(table.look("ben", "ben", None))


def test_the_odds_stand_there_before_it_is_thrown(hit):
    bare = hit.look("anna", at=None)
    assert 'name="against.defence"' in bare.text
    aimed = hit.look("anna")
    assert 'name="against.defence"' not in aimed.text
    assert re.search(r"\d+ % hit", text_of(aimed))


def test_odds_are_those_of_the_other_side_as_it_is_now(hit):
    before = re.search(r"(\d+) % hit", text_of(hit.look("anna")))[1]
    hit.play("ben", "act-change-attributes-others", attributes="defence", by=3, rounds=2, name="Schild")
    after = re.search(r"(\d+) % hit", text_of(hit.look("anna")))[1]
    assert int(after) < int(before)


def test_a_press_that_arrives_twice_is_one(table):
    key = uuid.uuid4()
    for _time in range(2):
        assert table.press(key=key).status_code == 302
    assert Event.objects.count() == 1


def test_by_htmx_the_press_answers_what_it_has_changed(hit, dice):
    dice += [[6, 5, 4, 1]]
    answer = hit.press(htmx=True)
    assert answer["HX-Reswap"] == "none"
    assert 'id="tray"' in answer.text
    assert f'id="press-{ATTACK}"' in answer.text
    assert 'id="aim"' not in answer.text


def test_nobody_but_a_gm_acts_for_anothers_sheet(table):
    assert table.press(who="ben", by="anna", at="ben").status_code == 404
    assert not Event.objects.exists()
    assert table.press(who="gm", by="anna", at="ben").status_code == 302
    assert Event.objects.get().who == table.users["gm"]


def test_what_a_gm_mends_is_logged_and_undoable_by_both(table):
    for who in ("anna", "gm"):
        table.press("act-damage", "gm", "anna", None, points=2, against="nothing")
        event = Event.objects.latest("pk")
        assert (event.act, event.who, table.life("anna")) == ("damage", table.users["gm"], table.full("anna") - 2)
        assert f"back:{event.pk}" in table.look(who, "anna", None).text
        table.settle("back", who, event.pk)
        assert table.life("anna") == table.full("anna")


def test_a_sheet_that_one_does_not_see_is_no_target(table):
    Sheet.objects.filter(pk=table.sheets["ben"].pk).update(seen_by="private")
    assert table.press().status_code == 404
    assert "Ben" not in text_of(table.look("anna"))


def test_others_find_nothing_at_the_address(table, client, django_user_model):
    client.force_login(django_user_model.objects.create_user("stranger"))
    address, press = f"{table.address}play/?{table.seats()}", {"w": ATTACK, "_press": str(uuid.uuid4())}
    assert (client.get(address).status_code, client.post(address, press).status_code) == (404, 404)


def test_the_table_asks_the_database_no_more_often_however_much_has_landed(django_user_model):
    """In a system whose landings may be stopped by rolls."""
    fight, asked = Fight(django_user_model.objects, "daemmersturm"), []
    data = fight.sheet("ben").data | {"shield": {"target": 18}}
    Sheet.objects.filter(pk=fight.sheets["ben"].pk).update(data=data)
    for number in range(9):
        Sheet.objects.create(owner=fight.users["gm"], party=fight.party, opponent=True, ruleset="daemmersturm",
                             name=f"Goblin {number}", data=data)
    for _look in range(2):
        for _time in range(3):
            fight.press("roll-damage", range="5-6", rolls=1, critical=0)
        fight.look("gm")
        with CaptureQueriesContext(connection) as queries:
            assert "guard:" in fight.look("gm").text
        asked.append(len(queries))
    assert asked[0] == asked[1] <= TABLE, [one["sql"][:120] for one in queries]

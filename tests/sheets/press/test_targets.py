"""Playing at the party's table: who acts, whom it is aimed at, what that knows of the other side."""

import re
import uuid

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from sheets.models import Event, PendingEffect, Sheet
from tests.support.guest import text_of
from tests.support.sheets.fight import ATTACK, table_of

pytestmark = pytest.mark.alike
TABLE = 20
"""Questions to the database for the page of a table, with who asks, what waits and what is said."""


@pytest.mark.rule("CD-41", "CD-45")
def test_an_attack_meets_what_its_target_has_against_it_now_and_lands_there_as_an_offer(hit):
    event, effect = Event.objects.get(), PendingEffect.objects.get()
    assert (event.parameters["defence"], event.outcome, event.aimed_at) == (2, 2, {str(hit.sheets["ben"].pk): "Ben"})
    assert (effect.event, effect.sheet, effect.act, effect.state) == (event, hit.sheets["ben"], "damage", "open")
    assert hit.life("ben") == 10
    assert ['name="against.defence"' in hit.look(at=at).text for at in (None, "ben")] == [True, False]
    before = re.search(r"(\d+)% hit", text_of(hit.look("anna")))[1]
    hit.play("ben", "act-change-attributes-others", attributes="defence", by=3, rounds=2, name="Schild")
    assert int(re.search(r"(\d+)% hit", text_of(hit.look("anna")))[1]) < int(before)


def test_a_miss_lands_nowhere_is_told_and_is_one_press_however_often_it_arrives(table, dice):
    dice += [[1] * 9]
    key = uuid.uuid4()
    for _time in range(2):
        assert table.press(key=key).status_code == 302
    assert Event.objects.get().aimed_at
    assert not PendingEffect.objects.exists()
    assert "misses Ben" in text_of(table.look("ben", "ben", None))


def test_nobody_but_a_gm_acts_for_anothers_sheet_and_both_take_it_back(table):
    assert table.press(who="ben", by="anna", at="ben").status_code == 404
    assert not Event.objects.exists()
    for who in ("anna", "gm"):
        table.press("act-damage", "gm", "anna", None, points=2, against="nothing")
        event = Event.objects.latest("pk")
        assert (event.act, event.who, table.life("anna")) == ("damage", table.users["gm"], table.full("anna") - 2)
        assert f"back:{event.pk}" in table.look(who, "anna", None).text
        table.settle("back", who, event.pk)
        assert table.life("anna") == table.full("anna")


def test_a_sheet_that_one_does_not_see_is_no_target_and_strangers_find_nothing(table, client, django_user_model):
    Sheet.objects.filter(pk=table.sheets["ben"].pk).update(seen_by="private")
    assert table.press().status_code == 404
    assert "Ben" not in text_of(table.look("anna"))
    client.force_login(django_user_model.objects.create_user("stranger"))
    address, press = f"{table.address}play/?{table.seats()}", {"w": ATTACK, "_press": str(uuid.uuid4())}
    assert (client.get(address).status_code, client.post(address, press).status_code) == (404, 404)


@table_of("daemmersturm")
def test_the_table_asks_the_database_no_more_often_however_much_has_landed(table):
    """In a system whose landings may be stopped by rolls."""
    table.have("ben", shield={"target": 18})
    asked = []
    for number in range(9):
        table.bring(f"Goblin {number}", data=table.sheet("ben").data)
    for _look in range(2):
        for _time in range(3):
            table.press("roll-damage", range="5-6", rolls=1, critical=0)
        table.look("gm")
        with CaptureQueriesContext(connection) as queries:
            assert "guard:" in table.look("gm").text
        asked.append(len(queries))
    assert asked[0] == asked[1] <= TABLE, [one["sql"][:120] for one in queries]


@pytest.mark.rule("CD-29", "CD-33", "CD-35")
@pytest.mark.parametrize(("which", "fields"), [
    ("act-boost-other-abilities-1", {"attributes": "defence", "way": "raise"}),
    ("act-give-life-abilities-0", {"points": 3}), ("act-take-life-abilities-0", {"points": 3}),
    ("roll-drain-life-abilities-0", {}), ("act-area-attack-abilities-2", {})])
def test_what_is_for_others_is_refused_at_oneself(table, which, fields):
    table.have("anna", abilities=[
        {"ability": "leben-transferieren", "life_points": 4}, {"ability": "boost-debuff", "variant": "I"},
        {"ability": "flaechenangriff", "fields": 1, "damage": 1}])
    Sheet.objects.filter(name="Anna").update(play={"life": 1})
    table.press(which, at="anna", **fields)
    assert (Event.objects.count(), table.sheet("anna").play) == (0, {"life": 1})
    assert "That is for somebody else; choose who." in text_of(table.look())

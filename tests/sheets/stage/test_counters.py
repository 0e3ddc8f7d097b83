"""What a party counts in common: by how much was pressed, and in the party's place of what its sheets would count."""

from typing import ClassVar

import pytest

from rulesets.kit import Count, Table, field
from sheets.character import Character
from sheets.models import Event, Sheet
from tests.support.guest import text_of
from tests.support.sheets.table_people import RoundTable

pytestmark = pytest.mark.alike


class Counted(Table):
    """Counters of no game: one for all, one for the GMs, one that may be open, and one that sheets have as well."""

    clues: Count = field("Clues", 0)
    doom: Count = field("Doom", 0)
    danger: Count | None = field("Danger", None)
    fate_spent: Count = field("Fate spent by all", 0)
    secret: ClassVar[frozenset[str]] = frozenset({"doom"})


@pytest.fixture
def table(django_user_model, monkeypatch):
    table = RoundTable(django_user_model.objects, "dice-rumble")
    monkeypatch.setitem(vars(table.ruleset), "table", Counted)
    monkeypatch.setitem(vars(table.ruleset), "shared", ("fate_spent",))
    return table


def count(table, key, by, who="gm"):
    return table.do(f"count:{key}:{by}", who)


def fate(table, who):
    return Character(Sheet.objects.select_related("party").get(pk=table.sheets[who].pk)).play.fate_spent


def test_counters_go_by_what_was_pressed_whoever_else_counts_and_leave_no_bounds(table):
    for who, by in (("gm", 1), ("helper", 1), ("gm", 1), ("helper", -1)):
        count(table, "clues", by, who)
    assert table.stored.table == {"clues": 2}
    assert "Clues 2" in text_of(table.read("anna"))
    for _time in range(3):
        count(table, "clues", -1)
    assert "Clues is 0; it has to be from 0 to 999." in text_of(table.read())
    assert table.stored.table == {"clues": 0}
    # One that may be open is opened below its least.
    assert "Danger –" in text_of(table.read("anna"))
    for by, now in ((1, 0), (1, 1), (-1, 0), (-1, None)):
        count(table, "danger", by)
        assert table.stored.table["danger"] == now


def test_what_gms_alone_count_no_player_sees_or_hears_of(table):
    seen = {who: table.now(who) for who in table.browsers}
    count(table, "doom", 1)
    for who in ("gm", "helper"):
        assert "Doom (GMs only)" in text_of(table.since(who, seen[who]))
    for who in ("anna", "ben"):
        assert table.since(who, seen[who]).status_code == 204
        assert "Doom" not in table.read(who).text


def test_only_counters_are_counted_and_by_one(table):
    for word in ("clues", "clues:2", "clues:x", "order:1", "secret:1"):
        assert table.do(f"count:{word}").status_code == 400, word
    assert table.stored.table == {}


def test_a_counter_of_sheets_is_the_partys_while_they_are_in_it_and_an_act_takes_back_what_it_counted_alone(table):
    Sheet.objects.filter(pk=table.sheets["anna"].pk).update(play={"fate_spent": 1})
    assert fate(table, "anna") == 0
    count(table, "fate_spent", 1)
    assert (fate(table, "anna"), fate(table, "ben")) == (1, 1)
    table.play("ben", "act-turn-fate", turn="Glück")
    assert table.stored.table == {"fate_spent": 2}
    assert (table.sheet("anna").play, table.sheet("ben").play) == ({"fate_spent": 1}, {})
    event = Event.objects.get()
    assert event.group == {"fate_spent": [1, 2]}
    for _time in range(2):
        count(table, "fate_spent", 1)
    table.play("ben", "undo", _event=event.pk)
    assert (table.stored.table, fate(table, "anna")) == ({"fate_spent": 3}, 3)
    table.browsers["anna"].post(f"/parties/{table.party.pk}/", {"do": f"drop:{table.sheets['anna'].pk}"})
    assert fate(table, "anna") == 1


def test_what_one_counts_in_a_round_for_all_the_next_one_counts_on(table, monkeypatch):
    act = table.ruleset.acts["turn-fate"]
    monkeypatch.setattr(Counted, "rounds", lambda self, characters: iter([act.offer(turn="x")]))
    table.do("round", w="act-turn-fate")
    assert table.stored.table == {"fate_spent": 2}
    assert [event.group for event in Event.objects.order_by("pk")] == [{"fate_spent": [0, 1]}, {"fate_spent": [1, 2]}]


def test_what_is_the_partys_own_stands_with_its_counters_and_not_on_each_card(table, monkeypatch):
    monkeypatch.setitem(vars(table.ruleset), "shared", ("fate_points",))
    monkeypatch.setattr(Character, "common", lambda character: {})
    assert text_of(table.read("anna")).count("Fate points") == 0

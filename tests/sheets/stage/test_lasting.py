"""Conditions that last some turns end with the last of them, where turns are counted (DS-44, DS-45, DS-58)."""

import pytest

from sheets.models import Event, Sheet
from tests.support.guest import text_of
from tests.support.sheets.fight import table_of

pytestmark = [table_of("daemmersturm"), pytest.mark.alike]


@pytest.fixture
def sick(table):
    """Ben faints for one turn; Anna's turn comes first, then Ben's."""
    table.have("ben", melee={"attack": 0, "defence": 12})
    table.do(f"place:{table.sheets['anna'].pk}:0")
    table.settle("turn", "gm", "begin")
    Sheet.objects.filter(name="Ben").update(play={"conditions": [{"kind": "faint", "turns": 1}]})
    return table


def defence(table):
    """The figures of Ben that attacks are compared with."""
    sheet = table.sheet("ben")
    written = table.ruleset.sheet.model_validate(sheet.data)
    return table.ruleset.play.model_validate(sheet.play).effective(written).melee.defence


def following(table, *words):
    """The defence after each press of the turns."""
    found = []
    for word in words:
        table.settle("turn", "gm", word)
        found.append((table.on, defence(table)))
    return found


@pytest.mark.rule("DS-58")
def test_a_faint_is_over_with_its_last_turn_and_back_with_what_is_taken_back(sick):
    assert (sick.on, defence(sick)) == (["Anna"], 6)
    assert following(sick, "next", "next") == [(["Ben"], 6), (["Anna"], 12)]
    assert "Over: Unconscious" in text_of(sick.read("gm"))
    last = Event.objects.filter(turn__isnull=False).latest("pk")
    assert following(sick, f"back:{last.pk}", "next", "next") == [(["Ben"], 6), (["Anna"], 12), (["Ben"], 12)]


@pytest.mark.rule("DS-58")
def test_who_has_no_turn_order_ends_it_by_hand_or_with_the_next_turn(sick):
    sick.settle("turn", "gm", "end")
    Sheet.objects.filter(name="Ben").update(play={"conditions": [{"kind": "faint", "turns": 1}]})
    sick.play("ben", "act-begin-turn")
    assert defence(sick) == 6
    sick.play("ben", "act-end-lasting")
    assert defence(sick) == 12


@pytest.mark.rule("DS-45")
def test_damage_that_is_due_is_rolled_at_the_end_of_the_turn_where_it_was_left_out(sick, dice):
    Sheet.objects.filter(name="Ben").update(play={"conditions": [
        {"name": "Brand", "turns": 2, "damage": "1-5"}, {"name": "Gift", "turns": 1, "damage": "1-9"}]})
    following(sick, "next")
    dice += [[4]]
    sick.play("ben", "act-damage-over-time-conditions-0", reduced=2)
    assert sick.full("ben") - sick.life("ben") == 2
    # Rolled at once, it is not due again; the other is rolled by itself, and is over.
    dice += [[9]]
    following(sick, "next")
    assert sick.full("ben") - sick.life("ben") == 11
    assert [one["name"] for one in sick.sheet("ben").play["conditions"]] == ["Brand"]
    dice += [[5]]
    following(sick, "next", "next")
    assert (sick.full("ben") - sick.life("ben"), sick.sheet("ben").play.get("conditions", [])) == (16, [])


@pytest.mark.rule("DS-57", "DS-60")
@pytest.mark.parametrize(("life", "left"), [(5, 2), (3, 0)])
def test_what_the_shadow_takes_as_a_turn_begins_is_in_the_log(sick, life, left):
    Sheet.objects.filter(name="Ben").update(play={"life": life, "shadow_owed": 3})
    sick.settle("turn", "gm", "next")
    assert sick.life("ben") == left
    assert f"3 damage by the shadow, life {left}" in text_of(sick.read("gm"))

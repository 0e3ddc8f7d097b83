"""A party's table: what forbids to act is said where one presses (DS-22, DS-26, DS-32, DS-44, DS-54, DS-58)."""

import re

import pytest

from sheets.models import Event, Sheet
from sheets.stage.press_form import NOBODY
from tests.support.sheets.fight import Fight

pytestmark = pytest.mark.alike
CROSSBOW = {"name": "Armbrust", "kind": "crossbow", "hands": 2, "damage": "2-9", "reload_actions": 3}
OUT = "Out of the fight: no movement, no actions"


@pytest.fixture
def table(django_user_model):
    """Anna aims at Ben."""
    return Fight(django_user_model.objects, "daemmersturm")


def plays(table, name, **state):
    Sheet.objects.filter(pk=table.sheets[name].pk).update(play=state)


def aimed(page):
    """The key of whom a page is aimed at."""
    return re.search(r'id="seats">.*?name="_at" value="([^"]*)"', page.text, re.S)[1]


def said(page):
    """The lines above the rolls."""
    return re.search(r'<div id="turn-notices".*?</div>', page, re.DOTALL)[0]


@pytest.mark.parametrize(("state", "line"), [
    pytest.param({"down": True, "life": 0}, OUT, marks=pytest.mark.rule("DS-32")),
    pytest.param({"sheltered": 2}, "Seeking protection: cover 10+, no movement, no action.",
                 marks=pytest.mark.rule("DS-44")),
    pytest.param({"channelling": 2}, "Channelling: 2 rounds to go; no movement, no other attack.",
                 marks=pytest.mark.rule("DS-54")),
    pytest.param({"channelling": 0, "disturbed": True}, "1 hit disturbs the channelling",
                 marks=pytest.mark.rule("DS-54")),
    pytest.param({"conditions": [{"kind": "cramps"}]}, "Cramps: no actions.", marks=pytest.mark.rule("DS-58"))])
@pytest.mark.parametrize("turns", [False, True])
def test_who_can_do_nothing_is_told_so_where_one_presses(table, dice, state, line, turns):
    if turns:
        table.settle("turn", "gm", "begin")
    assert line not in said(table.look().text)
    plays(table, "anna", **state)
    assert line in said(table.look().text)
    # They may act all the same, and an attack breaks off what is channelled.
    dice += [[20]]
    answer = table.press("roll-attack-melee", htmx=True)
    assert (line in said(answer.text)) is ("channelling" not in state)
    assert Event.objects.get(roll="attack").outcome == "critical"


@pytest.mark.rule("DS-50")
@pytest.mark.parametrize(("face", "state"), [(6, False), (5, True)])
def test_attacks_spells_and_healing_wait_for_an_exhaustion_roll_that_is_due(table, dice, face, state):
    table.have("anna", weapons=[CROSSBOW])
    spells = [{"name": "Blitz", "damage": "1-8"}, {"name": "Ring", "w": 12, "targets": "1-4"},
              {"name": "Segen", "healing": "1-6"}]
    waiting = ["roll-attack-weapons-0-shot", "roll-friendly-fire-weapons-0", "roll-attack-spells-0",
               "roll-w-roll-spells-1", "roll-healing-spells-2-healing"]
    due = {"exhaustion_due": True, "life": 4, "spells": spells, "counters": [{"by": "Ben"}]}
    plays(table, "anna", **due)
    page = table.look().text
    assert "First roll for exhaustion." in said(page)
    assert [one for one in waiting if f'id="fold-{one}"' in page] == []
    assert 'id="fold-roll-counter-attack' in page
    table.press(waiting[0])
    assert Event.objects.count() == 0
    dice += [[face]]
    table.press("act-roll-exhaustion", at=None)
    page = table.look().text
    assert table.sheet("anna").play.get("down", False) is state
    if not state:
        assert "First roll for exhaustion." not in said(page)
        assert [one for one in waiting if f'id="fold-{one}"' not in page] == []


@pytest.mark.rule("DS-22", "DS-26")
def test_a_weapon_that_is_not_ready_says_so_in_the_row_where_one_presses(table):
    table.have("anna", weapons=[CROSSBOW])
    row = '<details class="fold" id="fold-roll-attack-weapons-0-{}".*?</summary>'
    for state, found in (({}, False), ({"unready": [{"weapon": "Armbrust", "place": 1, "steps": 3}]}, True)):
        plays(table, "anna", **state)
        page = table.look().text
        for way in ("shot", "close"):
            shown = re.search(row.format(way), page, re.DOTALL)[0]
            assert ("Not ready, actions left: 3." in shown) is found


@pytest.mark.rule("DS-32")
def test_whoever_is_out_is_aimed_at_no_more_unless_they_are_chosen(table, dice):
    table.settle("turn", "gm", "begin")
    dice += [[20]]
    table.press("roll-attack-melee")
    assert [aimed(table.read("anna")), aimed(table.look())] == [str(table.sheets["ben"].pk)] * 2
    plays(table, "ben", down=True, life=0)
    assert [aimed(table.read("anna")), aimed(table.look())] == [NOBODY, str(table.sheets["ben"].pk)]
    # Nor is whoever was chosen in an earlier turn.
    page = table.browsers["anna"].get(f"{table.address}?{table.seats()}&_turn=earlier")
    assert aimed(page) == NOBODY

"""In Dämmersturm a turn has one action; who goes on all the same is told so at the press (DS-60)."""

from html import unescape

import pytest

from sheets.models import Sheet
from tests.support.guest import text_of
from tests.support.sheets.fight import table_of

pytestmark = pytest.mark.alike
USED = "This turn's action is used."
GUN = {"name": "Muskete", "kind": "gun", "hands": 2, "damage": "1-20", "reload_actions": 2}
BOW = {"name": "Bogen", "kind": "bow", "hands": 2, "damage": "1-8", "reload_actions": 0}
CANNON = {"name": "Kanone", "kind": "artillery", "hands": 2, "damage": "1-20", "reload_actions": 3, "w": 10}
TWO = {"unready": [{"weapon": "Muskete", "place": 1, "steps": 2}]}


@pytest.fixture
def on(table):
    """Anna is on, with a gun that needs two actions of reloading, and a bow."""
    table.have("anna", weapons=[GUN, BOW, CANNON])
    Sheet.objects.filter(name="Anna").update(play=TWO)
    table.settle("turn", "gm", "begin")
    assert table.on == ["Anna"]
    return table


def told(table, who="anna"):
    return USED in text_of(table.look(who, who, "ben"))


@table_of("daemmersturm")
@pytest.mark.rule("DS-60", "DS-26")
def test_two_reloads_and_a_shot_in_one_turn_are_allowed_and_say_that_the_action_is_used(on, dice):
    assert not told(on)
    for _time in range(2):
        assert USED in unescape(on.press("act-make-ready-unready-0", htmx=True).text)
        assert told(on)
    dice += [[15]]
    assert on.press("roll-attack-weapons-0-shot", htmx=True).status_code == 200
    assert told(on)
    on.settle("turn", "gm", "next")
    on.settle("turn", "gm", "next")
    assert (on.on, told(on)) == (["Anna"], False)


@table_of("daemmersturm")
@pytest.mark.rule("DS-60", "DS-20", "DS-52", "DS-58", "DS-59")
@pytest.mark.parametrize(("which", "fields"), [
    ("roll-attack-weapons-1-shot", {}), ("roll-friendly-fire-weapons-1", {}), ("roll-perception", {}),
    ("roll-w-roll-weapons-2", {}), ("act-take-potion", {"given": ""}),
    ("act-apply-poison-weapons-1", {"poison": "Schlangengift"})])
def test_what_else_is_an_action_uses_it_too(on, dice, which, fields):
    dice += [[12]]
    assert on.press(which, **fields).status_code == 302
    assert told(on)


@table_of("daemmersturm")
@pytest.mark.rule("DS-60", "DS-26", "DS-58")
@pytest.mark.parametrize(("which", "fields"), [
    ("roll-shield", {"bonus": "3", "target": "14"}), ("act-take-potion", {"given": "on"}),
    ("act-take-cover", {"number": "12"}), ("act-make-ready-unready-1", {})])
def test_what_is_no_action_or_anothers_uses_none(on, dice, which, fields):
    Sheet.objects.filter(name="Anna").update(play={"unready": [
        *TWO["unready"], {"weapon": "Kanone", "place": 3, "steps": 2}]})
    dice += [[12]]
    assert on.press(which, **fields).status_code == 302
    assert not told(on)


@table_of("daemmersturm")
@pytest.mark.rule("DS-60")
def test_what_was_done_out_of_turn_or_taken_back_leaves_the_action_open(on, dice):
    dice += [[12]]
    on.press("roll-attack-magic", "ben", "ben", "anna")
    on.press("act-make-ready-unready-0")
    on.settle("turn", "gm", "next")
    assert (on.on, told(on, "ben")) == (["Ben"], False)
    on.settle("turn", "gm", "next")
    on.press("act-make-ready-unready-0")
    assert told(on)
    on.settle("back", "anna", on.sheet("anna").events.filter(act="make-ready").latest("pk").pk)
    assert not told(on)

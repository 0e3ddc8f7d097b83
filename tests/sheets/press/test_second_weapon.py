"""The second weapon of a pair is an attack of its own: it is aimed anew, and its damage hits whom it has hit."""

import re

import pytest

from sheets.models import Event, Party, PendingEffect, Question
from tests.support.sheets.fight import table_of

SWORD = {"name": "Schwert", "kind": "one-handed", "hands": 1, "damage": "1-10", "reload_actions": 0}
AXE = SWORD | {"name": "Axt", "damage": "1-8"}
PAIR = "roll-paired-attack-weapons-0-one-handed"
SECOND = f"roll-attack-second-{PAIR}"
pytestmark = [table_of("daemmersturm"), pytest.mark.rule("DS-29"), pytest.mark.alike]


@pytest.fixture
def armed(table, dice):
    """Anna has two weapons; her first attack has hit Ben, and she rolls no damage yet."""
    table.bring("Troll")
    for who, defence in (("anna", 10), ("ben", 12), ("troll", 18)):
        table.have(who, weapons=[SWORD, AXE], shield=None, armour=None, life=50,
                   melee={"attack": 3, "defence": defence})
    dice += [[16]]
    table.press(PAIR, heavy_opponent="")
    return table


def press(table, dice, which, face, at, **fields):
    dice[:] = [[face]]
    table.press(which, at=at, **fields)
    return Event.objects.exclude(roll="").latest("pk")


def at_of(event):
    return [*event.aimed_at.values()]


@pytest.mark.parametrize("waits", [False, True])
def test_it_meets_the_defence_of_whoever_is_the_target_by_then_and_each_damage_hits_its_own(armed, dice, waits):
    Party.objects.update(waits=waits)
    missed = press(armed, dice, SECOND, 16, "troll")
    assert (at_of(missed), missed.outcome, missed.parameters["defence"]) == (["Troll"], "miss", 18)
    dice[:] = [[16]]
    armed.press(PAIR, heavy_opponent="")
    hit = press(armed, dice, SECOND, 20, "troll")
    assert (at_of(hit), hit.outcome) == (["Troll"], "critical")
    press(armed, dice, f"roll-critical-{SECOND}", 2, "ben")
    # Whatever the target is by then, each hits its own.
    press(armed, dice, f"roll-damage-{PAIR}", 4, "troll")
    button = rf'id="tray-roll-damage-roll-critical-{SECOND}".*?</'
    assert "→ Troll" in re.search(button, armed.look().text, re.DOTALL)[0]
    press(armed, dice, f"roll-damage-roll-critical-{SECOND}", 3, "ben")
    assert not Question.objects.exists()
    assert [(one.sheet.name, one.filled["points"]) for one in PendingEffect.objects.order_by("pk")] == [
        ("Ben", 4), ("Troll", 6)]


def test_where_nobody_is_aimed_at_by_then_it_hits_nobody_at_the_table(armed, dice):
    fumble = press(armed, dice, SECOND, 1, None, **{"against.melee": "12", "defence": "12"})
    assert (at_of(fumble), fumble.outcome) == ([], "fumble")
    assert not PendingEffect.objects.exists()
    assert f'id="tray-roll-strike-back-{SECOND}"' in armed.look(at=None).text


def test_it_is_made_once_whomever_it_is_aimed_at(armed, dice):
    press(armed, dice, SECOND, 16, "ben")
    before = Event.objects.count()
    press(armed, dice, SECOND, 16, "troll")
    assert Event.objects.count() == before


def leads(table):
    """Whether the attack with the second weapon stands in the tray."""
    return f'id="tray-{SECOND}"' in table.look().text


def begin(table):
    """The GM begins a fight, in which Anna's turn comes first and her first attack hits Ben."""
    table.do(f"place:{table.sheets['anna'].pk}:0")
    table.settle("turn", "gm", "begin")
    assert table.on == ["Anna"]


def lapsed(table, dice):
    """Whether the second attack is neither offered nor made by an older page."""
    before = Event.objects.count()
    press(table, dice, SECOND, 16, "ben")
    return not leads(table) and Event.objects.count() == before


def test_it_lapses_with_the_turn_of_the_first_and_comes_again_if_that_turn_does(armed, dice):
    begin(armed)
    # The attack from before the fight is over, too.
    assert lapsed(armed, dice)
    dice[:] = [[16]]
    armed.press(PAIR, heavy_opponent="")
    assert leads(armed)
    armed.settle("turn", "gm", "next")
    assert lapsed(armed, dice)
    armed.settle("turn", "gm", f"back:{Event.objects.filter(turn__isnull=False).latest('pk').pk}")
    assert leads(armed)
    press(armed, dice, SECOND, 16, "ben")
    assert Event.objects.latest("pk").widget == SECOND


def test_the_damage_of_a_second_attack_that_was_made_is_still_rolled_after_the_turn(armed, dice):
    begin(armed)
    dice[:] = [[16]]
    armed.press(PAIR, heavy_opponent="")
    press(armed, dice, SECOND, 16, "ben")
    armed.settle("turn", "gm", "next")
    press(armed, dice, f"roll-damage-{SECOND}", 4, "ben")
    assert PendingEffect.objects.latest("pk").filled["points"] == 4


@pytest.mark.parametrize("act", ["begin-turn", "new-fight", "new-section"])
def test_where_turns_are_not_counted_the_next_turn_or_fight_of_the_attacker_ends_it(armed, dice, act):
    armed.put("anna", acted=True)
    armed.press("act-begin-turn", who="ben", by="ben", at=None)
    assert leads(armed)
    armed.press(f"act-{act}", at=None)
    assert lapsed(armed, dice)
    armed.play("anna", "undo", _event=armed.sheets["anna"].events.latest("pk").pk)
    assert press(armed, dice, SECOND, 16, "ben").widget == SECOND

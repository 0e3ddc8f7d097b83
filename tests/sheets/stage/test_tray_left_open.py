"""The rolls left of an attack stay with the attacker, whatever its target rolls meanwhile."""

import re

import pytest

from sheets.models import Event, Party, PendingEffect
from tests.support.sheets.fight import table_of

SWORD = {"name": "Schwert", "kind": "one-handed", "hands": 1, "damage": "1-10", "reload_actions": 0}
AXE = SWORD | {"name": "Axt", "damage": "1-8"}
PAIR = "roll-paired-attack-weapons-0-one-handed"
TARGETS = "roll-targets"
DEFENCE = {"attack": 0, "defence": 10}

pytestmark = [table_of("daemmersturm"), pytest.mark.alike]


@pytest.fixture
def armed(table):
    """Anna has two weapons; Ben and a troll of the GM's have armour."""
    table.bring("Troll")
    for who in ("anna", "ben", "troll"):
        table.have(who, weapons=[SWORD, AXE], armour={"target": 4, "max_damage": 0}, shield=None, life=50,
                   melee=DEFENCE | {"attack": 3})
    return table


def left(table, at="ben", who="anna"):
    """The text of Anna's tray."""
    return re.findall(r'id="tray-(roll-[^"]*)"', table.look(who, at=at).text)


def armour(table, dice, face, who):
    effect = PendingEffect.objects.filter(state="open").latest("pk")
    dice[:] = [[face]]
    table.settle("guard", who, f"{effect.pk}:roll-armour-landing-{effect.pk}")
    assert Event.objects.latest("pk").roll == "armour"


@pytest.mark.rule("DS-29", "DS-42")
@pytest.mark.parametrize("party", [{}, {"trust": True}, {"waits": True}, {"trust": True, "waits": True}])
@pytest.mark.parametrize(("at", "whose"), [("ben", "ben"), ("troll", "gm")])
@pytest.mark.parametrize("face", [6, 1])
def test_the_second_weapon_outlasts_the_armour_roll_against_the_first(armed, dice, party, at, whose, face):
    Party.objects.update(**party)
    dice[:] = [[16], [4]]
    armed.press(PAIR, at=at, heavy_opponent="")
    armed.press(f"roll-damage-{PAIR}", at=at)
    second = f"roll-attack-second-{PAIR}"
    for viewer in ("anna", "gm"):
        assert second in left(armed, at, viewer)
    armour(armed, dice, face, whose)
    for viewer in ("anna", "gm"):
        assert second in left(armed, at, viewer)
    dice[:] = [[16]]
    armed.press(second, at=at)
    assert f"roll-damage-{second}" in left(armed, at)


@pytest.mark.rule("DS-27", "DS-42")
def test_the_damage_to_other_targets_outlasts_the_armour_roll_of_one_and_what_it_takes_back(armed, dice):
    dice[:] = [[2], [4]]
    armed.press(TARGETS, at=None, range="1-4", critical="0")
    armed.press(f"roll-damage-1-{TARGETS}", range="1-6")
    armour(armed, dice, 1, "ben")
    assert f"roll-damage-2-{TARGETS}" in left(armed)
    armed.settle("apply")
    armed.settle("back", "ben", Event.objects.get(act="damage").pk)
    assert f"roll-damage-2-{TARGETS}" in left(armed)


@pytest.mark.rule("DS-42")
def test_where_nothing_is_left_to_roll_the_tray_shows_the_armour_roll(armed, dice):
    dice[:] = [[16], [4]]
    armed.press("roll-attack-weapons-0")
    armed.press("roll-damage-roll-attack-weapons-0")
    armour(armed, dice, 6, "ben")
    tray = re.search(r'<section class="tray.*?</section>', armed.look().text, re.DOTALL)[0]
    assert "Blocked: no damage" in tray

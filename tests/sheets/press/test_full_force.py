"""Volle Kraft is more damage of a blow: a shield stops the two one by one, so that it must hold twice (DS-05a)."""

import pytest

from sheets.models import Party, Question
from tests.support.sheets.fight import table_of

SWORD = {"name": "Schwert", "kind": "one-handed", "hands": 1, "damage": "1-10", "reload_actions": 0}
BLOW = "roll-attack-weapons-0"
pytestmark = [table_of("daemmersturm"), pytest.mark.rule("DS-05a", "DS-40", "DS-41"), pytest.mark.alike]


def damage(table, dice, which, face, shield):
    """Damage falls that Ben's shield meets with a die."""
    dice[:] = [[shield]] if shield >= 14 else [[shield], [face]]
    table.press(which)
    table.settle("respond", "ben", f"{Question.objects.latest('pk').pk}:shield")
    assert not dice


@pytest.mark.parametrize(("blow", "force", "lost"), [(14, 14, 0), (14, 2, 9), (2, 14, 4), (2, 2, 13)])
def test_a_shield_must_hold_twice_to_stop_all_of_it(table, dice, blow, force, lost):
    Party.objects.update(waits=True, trust=True)
    table.have("anna", weapons=[SWORD])
    table.have("ben", shield={"target": 14}, armour=None, life=50, melee={"attack": 0, "defence": 10})
    dice += [[17]]
    table.press(BLOW)
    damage(table, dice, f"roll-damage-{BLOW}", 4, blow)
    damage(table, dice, "roll-damage-full-force", 9, force)
    assert table.full("ben") - table.life("ben") == lost

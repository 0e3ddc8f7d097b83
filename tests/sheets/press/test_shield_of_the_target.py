"""Shield, cover and armour of whoever is hit: rolled there, or by the attacker for somebody who has no sheet here."""

import re

import pytest

from sheets.models import Event, Party, PendingEffect, Question
from tests.support.guest import text_of
from tests.support.sheets.fight import table_of

pytestmark = pytest.mark.alike
SWORD = {"name": "Schwert", "kind": "one-handed", "hands": 1, "damage": "1-10", "reload_actions": 0}
BOW = {"name": "Bogen", "kind": "bow", "hands": 2, "damage": "1-8", "reload_actions": 0}
HIT, SHOT = "roll-attack-weapons-0", "roll-attack-weapons-1-shot"
SHIELD, DAMAGE = f"roll-shield-{HIT}", f"roll-damage-{HIT}"
WAITS, LANDS, AT_ONCE = {"waits": True}, {}, {"trust": True}


@pytest.fixture
def armed(table):
    """Anna has a sword, and Ben a shield; nothing falls below what hits."""
    table.have("anna", weapons=[SWORD, BOW], ranged={"attack": 0, "defence": 10})
    guarded = {one: {"attack": 0, "defence": 10} for one in ("melee", "ranged")}
    table.have("ben", shield={"target": 14}, armour=None, life=50, **guarded)
    return table


def leading(table, at="ben"):
    """What stands in the tray and leads on, or is left of the same roll."""
    return {one.split("-")[1] for one in re.findall(r'id="tray-(roll-[^"]*)"', table.look(at=at).text)}


@table_of("daemmersturm")
@pytest.mark.rule("DS-40", "DS-41", "DS-43")
@pytest.mark.parametrize(("party", "at", "offered"), [
    (WAITS, "ben", False), (WAITS | AT_ONCE, "ben", False), (LANDS, "ben", False), (AT_ONCE, "ben", True),
    (WAITS, None, True), (LANDS, None, True)])
def test_what_protects_the_target_is_offered_to_the_attacker_where_no_sheet_decides_on_it(
        armed, dice, party, at, offered):
    Party.objects.update(**party)
    dice += [[17], [17]]
    armed.press(HIT, at=at, defence=10)
    assert leading(armed, at) == {"damage", *(["shield"] if offered else [])}
    armed.press(SHOT, at=at, defence=10)
    assert leading(armed, at) == {"damage", *(["shield", "cover"] if offered else [])}


@table_of("daemmersturm")
@pytest.mark.rule("DS-40", "DS-41")
def test_a_target_that_is_asked_has_one_shield_roll_an_older_page_adds_none(armed, dice):
    Party.objects.update(waits=True)
    dice += [[17]]
    armed.press(HIT)
    dice[:] = [[20]]
    armed.press(SHIELD, bonus=3, target=12)
    assert [one.roll for one in Event.objects.all()] == ["attack"]
    dice[:] = [[1], [4]]
    armed.press(DAMAGE)
    armed.settle("respond", "ben", f"{Question.objects.get().pk}:shield")
    assert [one.filled["points"] for one in PendingEffect.objects.all()] == [4]


@table_of("daemmersturm")
@pytest.mark.rule("DS-21", "DS-40")
@pytest.mark.parametrize(("face", "next_one"), [(17, "damage"), (20, "critical")])
@pytest.mark.parametrize(("party", "at"), [(LANDS, None), (AT_ONCE, "ben")])
def test_a_shield_that_the_attacker_rolls_for_the_target_takes_the_damage_away_where_it_holds(
        armed, dice, party, at, face, next_one):
    Party.objects.update(**party)
    dice += [[face]]
    armed.press(HIT, at=at, defence=10)
    for falls, left in ((2, {next_one, "shield"}), (19, {"shield"})):
        dice[:] = [[falls]]
        armed.press(SHIELD, at=at, bonus=0, target=14)
        assert leading(armed, at) | {"shield"} == left
    dice[:] = [[5]]
    armed.press(f"roll-{next_one}-{HIT}", at=at)
    assert [one.roll for one in Event.objects.order_by("pk")] == ["attack", "shield", "shield"]
    assert not PendingEffect.objects.exists()
    assert "blocked: no damage" in text_of(armed.look(at=at))
    # Another hit is another matter.
    dice[:] = [[face]]
    armed.press(HIT, at=at, defence=10)
    assert leading(armed, at) == {next_one, "shield"}

"""What follows from one roll is made once: it is not offered again, and a page from before does not make it again."""

import re

import pytest

from sheets.models import Event, Party, PendingEffect, Question
from tests.support.guest import text_of
from tests.support.sheets.fight import table_of

SWORD = {"name": "Schwert", "kind": "one-handed", "hands": 1, "damage": "1-10", "reload_actions": 0}
AXE = SWORD | {"name": "Axt", "damage": "1-6"}
GRENADE = {"name": "Granate", "kind": "explosive", "hands": 1, "damage": "1-6", "reload_actions": 0, "w": 10,
           "targets": "1-4"}
SWORDS, HIT, GRENADES = "roll-paired-attack-weapons-0-one-handed", "roll-attack-weapons-0", "roll-w-roll-weapons-2"


@pytest.fixture
def armed(table):
    """Anna has a sword, an axe and grenades; neither side has anything that protects."""
    table.have("anna", weapons=[SWORD, AXE, GRENADE], shield=None, armour=None)
    table.have("ben", shield=None, armour=None, life=200)
    return table


def leading(table):
    """What stands in the tray and leads on, or is left of the same roll, but for what protects."""
    found = re.findall(r'id="tray-(roll-[^"]*)"', table.look().text)
    return [one for one in found if not one.startswith(("roll-shield", "roll-cover", "roll-armour"))]


def once_more(table, dice, which, **fields):
    """Press what was made already, as a page does that was open since; nothing comes of it."""
    before = Event.objects.count(), PendingEffect.objects.count()
    dice += [[1]]
    table.press(which, **fields)
    dice.clear()
    assert (Event.objects.count(), PendingEffect.objects.count()) == before
    return "only once per roll" in text_of(table.look())


@table_of("daemmersturm")
@pytest.mark.rule("DS-23", "DS-29")
def test_each_hit_with_two_weapons_has_one_damage_and_the_second_attack_is_one(armed, dice):
    dice += [[19], [18]]
    armed.press(SWORDS, heavy_opponent="")
    second, first = f"roll-attack-second-{SWORDS}", f"roll-damage-{SWORDS}"
    assert {first, second} == {*leading(armed)}
    armed.press(second)
    other = f"roll-damage-{second}"
    assert {first, other} == {*leading(armed)}
    dice += [[4]]
    armed.press(other)
    assert leading(armed) == [first], "neither the second attack nor its damage again"
    dice += [[9]]
    armed.press(first)
    assert leading(armed) == []
    assert [once_more(armed, dice, one) for one in (second, other, first)] == [True] * 3
    assert sorted(one.filled["points"] for one in PendingEffect.objects.filter(act="damage")) == [4, 9]


@table_of("daemmersturm")
@pytest.mark.rule("DS-21")
def test_the_die_of_a_critical_hit_falls_once(armed, dice):
    dice += [[20], [2], [5]]
    for which in (HIT, critical := f"roll-critical-{HIT}", f"roll-damage-{critical}"):
        armed.press(which)
    assert leading(armed) == []
    assert once_more(armed, dice, critical)
    dice += [[20]]
    armed.press(HIT)
    assert leading(armed) == [critical], "another hit has a die of its own"


@table_of("daemmersturm")
@pytest.mark.rule("DS-27", "DS-33")
def test_how_many_a_grenade_hits_falls_once_and_each_of_them_has_its_own_damage(armed, dice):
    targets = f"roll-targets-{GRENADES}"
    dice += [[19], [2], [3], [6]]
    armed.press(GRENADES)
    armed.press(targets)
    first, second = (f"roll-damage-{number}-{targets}" for number in (1, 2))
    armed.press(first)
    assert leading(armed) == [second]
    armed.bring("Rat")
    armed.press(second, at="rat")
    assert leading(armed) == []
    assert [once_more(armed, dice, one) for one in (targets, first)] == [True] * 2


@table_of("daemmersturm")
@pytest.mark.rule("DS-40", "DS-41", "DS-43")
@pytest.mark.parametrize(("which", "stops", "protected"), [
    (HIT, "shield", {"shield": {"target": 12}}), ("roll-attack-magic", "cover", {})])
def test_a_hit_that_was_blocked_deals_no_damage_and_asks_nobody_again(armed, dice, which, stops, protected):
    Party.objects.update(waits=True)
    armed.have("ben", armour=None, **{"shield": None, **protected})
    if stops == "cover":
        armed.press("act-take-cover", "ben", "ben", None, number="10")
    damage = f"roll-damage-{which}"
    dice += [[19]]
    armed.press(which)
    armed.press(damage, range="1-10")
    dice += [[20]]
    armed.settle("respond", "ben", f"{Question.objects.get().pk}:{stops}")
    assert (Event.objects.filter(roll="damage").count(), PendingEffect.objects.count()) == (0, 0)
    assert leading(armed) == []
    page = text_of(armed.look())
    # Anna's own line says why, as the tray does, and not how Ben rolled.
    assert page.count(f"{stops.title()} roll: blocked: no damage") >= 2
    assert once_more(armed, dice, damage, range="1-10")
    assert Question.objects.filter(response__isnull=True).count() == 0
    # Another hit is another matter.
    dice += [[19]]
    armed.press(which)
    armed.press(damage, range="1-10")
    assert Question.objects.filter(response__isnull=True).count() == 1

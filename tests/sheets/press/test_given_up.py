"""In Dämmersturm damage that is not rolled before one's next attack is given up, whatever that is made with (DS-33)."""

import uuid

import pytest
from django.urls import reverse

from sheets.models import Event, PendingEffect, Sheet
from tests.sheets.press.test_areas import DAMAGE, SPELL, damage_of, meets, storm
from tests.sheets.press.test_once import AXE, GRENADE, HIT, SWORD
from tests.support.guest import text_of
from tests.support.sheets.fight import kept, table_of

__all__ = ["storm"]
pytestmark = [pytest.mark.rule("DS-33"), table_of("daemmersturm"), pytest.mark.alike]
OVER = "came after that roll, and what that led to is given up."


@pytest.fixture
def armed(storm):
    """Anna has a sword, an axe and grenades besides her spells."""
    storm.have("anna", weapons=[SWORD, AXE, GRENADE])
    for name in ("ben", "troll", "rat"):
        storm.have(name, shield=None, armour=None)
    return storm


def refused(table, which, at="ben", **fields):
    """Press as an older page does; answer True if nothing has changed and the page says why."""
    before = kept()
    answer = table.press(which, at=at, **fields)
    return OVER in text_of(table.browsers["anna"].get(answer["Location"])) and kept() == before


@pytest.mark.parametrize(("first", "second", "open_"), [
    (SPELL, HIT, f"roll-damage-{SPELL}"), (HIT, SPELL, f"roll-damage-{HIT}"),
    (HIT, "roll-attack-weapons-1", f"roll-damage-{HIT}"), (HIT, "roll-w-roll-weapons-2", f"roll-damage-{HIT}"),
    ("roll-w-roll-weapons-2", HIT, "roll-targets-roll-w-roll-weapons-2")])
def test_the_next_attack_gives_up_the_damage_of_the_one_before(armed, dice, first, second, open_):
    dice += [[18], [18]]
    for which in (first, second):
        armed.press(which)
    assert len(Event.objects.all()) == 2
    assert refused(armed, open_, range="1-6")
    assert f'id="tray-{open_}"' not in armed.look().text


def test_the_die_of_a_critical_hit_and_the_damage_after_it_are_given_up_with_the_hit(armed, dice):
    dice += [[20], [3], [18]]
    armed.press(HIT)
    armed.press(f"roll-critical-{HIT}")
    armed.press(SPELL)
    assert refused(armed, f"roll-damage-roll-critical-{HIT}")
    dice += [[20], [18]]
    armed.press(HIT)
    armed.press(SPELL)
    assert refused(armed, f"roll-critical-{HIT}")


def test_a_spell_gives_nothing_up_by_meeting_one_more_nor_by_other_rolls(armed, dice):
    dice += [[18]]
    armed.press(SPELL, targets="2-2")
    meets(armed, "rat", Event.objects.get().pk)
    dice += [[9], [4], [3]]
    armed.press("roll-perception", at=None)
    armed.press(DAMAGE, range="1-6")
    armed.press(damage_of("rat"), at="rat", range="1-6")
    assert {one.sheet.name: one.filled["points"] for one in PendingEffect.objects.all()} == {"Ben": 4, "Rat": 3}


@pytest.mark.rule("DS-22")
def test_what_a_fumble_brings_stays_due_after_the_next_attack(armed, dice):
    dice += [[1], [18], [1]]
    armed.press(SPELL)
    armed.press(HIT)
    armed.press(f"roll-escalation-{SPELL}")
    assert Event.objects.latest("pk").roll == "escalation"


def test_on_a_sheet_alone_it_is_given_up_as_well(armed, dice):
    Sheet.objects.filter(pk=armed.sheets["anna"].pk).update(party=None)
    dice += [[18], [18]]
    for which in (HIT, SPELL):
        armed.play("anna", which, defence="5")
    answer = armed.browsers["anna"].post(reverse("play", args=[armed.sheets["anna"].pk]), {
        "w": f"roll-damage-{HIT}", "_press": str(uuid.uuid4())})
    assert OVER in text_of(armed.browsers["anna"].get(answer["Location"]))
    assert Event.objects.count() == 2

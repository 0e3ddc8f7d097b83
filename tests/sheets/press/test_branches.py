"""Alternatives of one throw: a spell hits one target or an area, and once either is rolled the other is gone."""

import re

import pytest

from sheets.models import Event, Party, PendingEffect, Question
from tests.support.sheets.fight import kept, table_of

pytestmark = pytest.mark.alike
NOTED = {"number": "5", "damage": "1-10", "targets": "1-4", "healing": ""}
SPELL = "roll-w-roll-spells-0"
SINGLE, AREA = f"roll-damage-{SPELL}", f"roll-targets-{SPELL}"
CRITICAL = f"roll-critical-{SPELL}"


@pytest.fixture
def storm(table, dice):
    """Anna casts a spell that was noted with a W number and targets; Ben has a shield."""
    table.have("anna", magic={"attack": 3, "defence": 10})
    table.have("ben", shield={"target": 14}, armour=None, life=50)
    table.bring("Rat", data=table.sheet("ben").data)
    table.press("act-note-spell", at=None, name="Feuerball", **NOTED)
    return table


def casts(table, dice, *faces):
    dice[:] = [[face] for face in faces]
    table.press(SPELL, at=None)
    if faces[0] == 20:
        table.press(CRITICAL, at=None)


def falls(table, dice, which, face, at=None, **fields):
    """Press a roll; answer True if it is made."""
    before, dice[:] = Event.objects.count(), [[face]]
    table.press(which, at=at, **fields)
    return Event.objects.count() > before


def offered(table, at="ben"):
    return {*re.findall(r'id="tray-roll-([a-z]+)-', table.look(at=at).text)}


@table_of("daemmersturm")
@pytest.mark.rule("DS-27", "DS-33")
@pytest.mark.parametrize("critical", [False, True])
@pytest.mark.parametrize("area", [False, True])
def test_a_spell_hits_one_target_or_an_area_and_never_both(storm, dice, critical, area):
    casts(storm, dice, *((20, 4) if critical else (15,)))
    single, several = (one.replace(SPELL, CRITICAL) if critical else one for one in (SINGLE, AREA))
    assert {"targets", "damage"} <= offered(storm)
    first, other = (several, single) if area else (single, several)
    assert falls(storm, dice, first, 2, "ben")
    assert not falls(storm, dice, other, 2, "ben")
    assert not re.search(rf'id="tray-{other}"', storm.look().text)
    if area:
        assert falls(storm, dice, f"roll-damage-1-{several}", 3, "ben")
    assert PendingEffect.objects.count() == 1
    # The next spell has a choice of its own.
    casts(storm, dice, *((20, 4) if critical else (15,)))
    assert falls(storm, dice, other, 1, "ben")


@table_of("daemmersturm")
@pytest.mark.rule("DS-27", "DS-40")
def test_what_is_called_off_before_it_falls_leaves_the_choice_and_a_shield_that_holds_has_made_it(storm, dice):
    Party.objects.update(waits=True)
    casts(storm, dice, 15)
    storm.press(SINGLE)
    storm.settle("call-off", "anna", Question.objects.get().pk)
    assert {"targets", "damage"} <= offered(storm)
    # A question whose roll has come to nothing meanwhile is over.
    storm.press(SINGLE)
    assert falls(storm, dice, AREA, 1)
    before = Event.objects.count()
    storm.settle("respond", "ben", f"{Question.objects.get().pk}:forgo")
    assert (Event.objects.count(), Question.objects.count()) == (before, 0)
    casts(storm, dice, 15)
    storm.press(SINGLE)
    dice[:] = [[20]]
    storm.settle("respond", "ben", f"{Question.objects.get().pk}:shield")
    before = kept()
    storm.press(AREA)
    assert (kept(), offered(storm) & {"targets", "damage"}) == (before, set())


@table_of("daemmersturm")
@pytest.mark.rule("DS-27")
def test_a_spell_at_one_target_stays_so_when_its_damage_is_taken_back(storm, dice):
    casts(storm, dice, 15)
    falls(storm, dice, SINGLE, 4, "ben")
    storm.settle("apply", "ben")
    storm.settle("back", "ben", Event.objects.get(act="damage").pk)
    assert not falls(storm, dice, AREA, 1)
    storm.settle("apply", "ben")
    assert storm.life("ben") == 46


@table_of("daemmersturm")
@pytest.mark.rule("DS-40", "DS-41")
@pytest.mark.parametrize(("party", "at", "attacker"), [
    ({"waits": True}, "ben", False), ({}, "ben", False), ({"trust": True}, "ben", True), ({"waits": True}, None, True)])
@pytest.mark.parametrize("area", [False, True])
def test_who_casts_rolls_no_shield_for_a_target_that_decides_on_its_own(storm, dice, party, at, attacker, area):
    Party.objects.update(**party)
    casts(storm, dice, 15)
    if area:
        falls(storm, dice, AREA, 2, at)
    assert {"shield", "cover"} & offered(storm, at) == ({"shield", "cover"} if attacker else set())
    shield = f"roll-shield-{AREA if area else SPELL}"
    assert falls(storm, dice, shield, 20, at, bonus=0, target=14) is attacker

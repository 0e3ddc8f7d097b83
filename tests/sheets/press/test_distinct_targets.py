"""A throw that hits several: each roll that follows it hits another one."""

import re

import pytest

from sheets.models import Event, Party, PendingEffect, Question, Sheet
from tests.support.guest import text_of
from tests.support.sheets.fight import kept, table_of

pytestmark = pytest.mark.alike
TARGETS = "roll-targets"


@pytest.fixture
def grenade(table, dice):
    """Three of them are hit by what Anna has thrown; the rat and the troll stand there, too."""
    for name in ("Rat", "Troll"):
        table.bring(name)
    dice += [[3]]
    table.press(TARGETS, at=None, range="1-4", critical="0")
    return table


def falls(table, dice, number, at):
    dice[:] = [[4]]
    table.press(f"roll-damage-{number}-{TARGETS}", at=at, range="1-6")
    return [one.sheet.name for one in PendingEffect.objects.order_by("pk")]


@table_of("daemmersturm")
@pytest.mark.rule("DS-27", "DS-33")
def test_the_targets_of_a_grenade_are_not_all_spent_on_one(grenade, dice):
    assert falls(grenade, dice, 1, "ben") == ["Ben"]
    assert falls(grenade, dice, 2, "ben") == ["Ben"]
    assert falls(grenade, dice, 2, "rat") == ["Ben", "Rat"]
    # A roll whose effect was dismissed still counts.
    grenade.settle("dismiss", "gm", PendingEffect.objects.latest("pk").pk)
    assert falls(grenade, dice, 3, "rat") == ["Ben", "Rat"]
    assert "Rat is already one of its targets; choose another." in grenade.look(at="rat").text
    assert falls(grenade, dice, 3, "troll") == ["Ben", "Rat", "Troll"]
    # The next throw has targets of its own.
    dice[:] = [[1]]
    grenade.press(TARGETS, at=None, range="1-4", critical="0")
    assert falls(grenade, dice, 1, "ben")[-1] == "Ben"


@pytest.fixture
def bombed(grenade):
    """Ben is in cover, and is asked before any damage falls."""
    grenade.have("ben", armour=None, shield=None)
    Sheet.objects.filter(name="Ben").update(play={"cover": 10})
    Party.objects.update(waits=True)
    return grenade


def open_damage(table, at="rat"):
    """The damage rolls that stand in Anna's tray."""
    return re.findall(rf'id="tray-roll-damage-(\d+|own)-{TARGETS}"', table.look(at=at).text)


def asks(table, dice, number, *faces):
    """Press damage to Ben, who rolls for cover."""
    dice[:] = [[face] for face in faces]
    table.press(f"roll-damage-{number}-{TARGETS}", at="ben", range="1-6")
    table.settle("respond", "ben", f"{Question.objects.latest('pk').pk}:cover")


@table_of("daemmersturm")
@pytest.mark.rule("DS-27", "DS-40", "DS-43")
def test_whose_cover_holds_when_asked_is_one_of_the_targets(bombed, dice):
    asks(bombed, dice, 1, 15)
    assert not PendingEffect.objects.exists()
    before = kept()
    bombed.press(f"roll-damage-2-{TARGETS}", at="ben", range="1-6")
    assert (kept(), Question.objects.filter(response__isnull=True).count()) == (before, 0)
    assert "Ben is already one of its targets; choose another." in bombed.look().text
    Party.objects.update(waits=False)
    assert falls(bombed, dice, 2, "rat") == ["Rat"]
    assert falls(bombed, dice, 3, "troll") == ["Rat", "Troll"]


@table_of("daemmersturm")
@pytest.mark.rule("DS-27", "DS-40")
def test_who_is_still_asked_counts_and_no_longer_once_the_roll_is_called_off(grenade, dice):
    for who in ("anna", "ben"):
        grenade.have(who, armour=None, shield=None)
    Party.objects.update(waits=True)
    dice[:] = [[1]]
    grenade.press(TARGETS, at=None, range="1-4", critical="0", friends="on")
    grenade.press(f"roll-damage-1-{TARGETS}", at="ben", range="1-6")
    question, before = Question.objects.get(), kept()
    grenade.press(f"roll-damage-own-{TARGETS}", range="1-6")
    assert kept() == before
    assert "“Targets” hits no more targets." in text_of(grenade.look())
    grenade.settle("call-off", "anna", question.pk)
    dice[:] = [[4]]
    grenade.press(f"roll-damage-own-{TARGETS}", range="1-6")
    assert [one.sheet.name for one in PendingEffect.objects.all()] == ["Anna"]


@table_of("daemmersturm")
@pytest.mark.rule("DS-22", "DS-27")
@pytest.mark.parametrize("first", ["own", "1"])
def test_damage_to_oneself_is_one_of_the_targets(table, dice, first):
    table.have("anna", armour=None, shield=None)
    dice += [[1]]
    table.press(TARGETS, at=None, range="1-4", critical="0", friends="on")
    assert open_damage(table, "ben") == ["own", "1"]
    dice[:] = [[4]]
    table.press(f"roll-damage-{first}-{TARGETS}", range="1-6")
    assert open_damage(table, "ben") == []
    # An older page presses the other one.
    before = kept()
    table.press(f"roll-damage-{'1' if first == 'own' else 'own'}-{TARGETS}", range="1-6")
    assert (kept(), "“Targets” hits no more targets." in text_of(table.look())) == (before, True)
    # An effect taken back at its target has hit it all the same; the next throw has targets of its own.
    effect = PendingEffect.objects.get()
    who = effect.sheet.name.lower()
    table.settle("apply", who, effect.pk)
    table.settle("back", who, Event.objects.get(act="damage").pk)
    assert open_damage(table, "ben") == []
    dice[:] = [[2]]
    table.press(TARGETS, at=None, range="1-4", critical="0", friends="on")
    assert open_damage(table, "ben") == ["own", "1", "2"]


@table_of("daemmersturm")
@pytest.mark.rule("DS-27", "DS-43")
def test_whom_their_cover_has_spared_leaves_one_damage_roll_fewer(table, dice):
    table.bring("Rat")
    table.have("ben", armour=None, shield=None)
    Party.objects.update(trust=True)
    dice += [[2], [15], [4]]
    table.press(TARGETS, at=None, range="1-4", critical="0")
    table.press(f"roll-cover-{TARGETS}", at="ben", target=10)
    table.press(f"roll-damage-1-{TARGETS}", at="rat", range="1-6")
    assert open_damage(table) == []


@table_of("daemmersturm")
@pytest.mark.rule("DS-27")
def test_without_sheets_there_are_as_many_damage_rolls_as_targets(grenade, dice):
    for number in (1, 2, 3):
        assert open_damage(grenade, None) == [str(one) for one in range(number, 4)]
        dice[:] = [[4]]
        grenade.press(f"roll-damage-{number}-{TARGETS}", at=None, range="1-6")
    assert open_damage(grenade, None) == []

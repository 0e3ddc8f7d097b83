"""An area: the damage of each one that was met stays open until it is rolled, whoever is met or aimed at meanwhile."""

import re
from itertools import permutations

import pytest

from sheets.models import Event, Party, PendingEffect, Question
from tests.sheets.press.test_areas import AREA, DAMAGE, SPELL, damage_of, meets, storm
from tests.support.guest import text_of
from tests.support.sheets.fight import table_of

__all__ = ["storm"]
pytestmark = [pytest.mark.rule("DS-33"), table_of("daemmersturm")]
ONCE = "That has already been done for this roll"


@pytest.fixture
def met(storm, dice):
    """Anna's spell has hit Ben, and then the rat and the troll, before any damage; {name: its damage}."""
    dice += [[18]]
    storm.press(SPELL, targets=AREA)
    first = Event.objects.get().pk
    for name in ("rat", "troll"):
        meets(storm, name, first)
    return {"ben": DAMAGE, "rat": damage_of("rat"), "troll": damage_of("troll")}


def open_damage(table, at):
    """The damage that the tray offers, with its words on the button, as one aims at somebody."""
    page = table.look(at=at).text
    return dict(re.findall(r'id="tray-press-(roll-damage-[^"]*)">\s*(?:Roll)?<span[^>]*>(?:: )?([^<…]*?)\s*<', page))


def hurt():
    return {one.sheet.name: one.filled["points"] for one in PendingEffect.objects.all()}


@pytest.mark.parametrize("order", [*permutations(("ben", "rat", "troll"))])
def test_the_damage_of_each_is_rolled_in_any_order_whoever_is_aimed_at(storm, met, dice, order):
    assert len({*met.values()}) == 3
    left = dict(met)
    for points, name in enumerate(order, 1):
        for at in met:
            assert open_damage(storm, at) == {key: f"Damage → {whose.title()}" for whose, key in left.items()}
        dice[:] = [[points]]
        storm.press(left.pop(name), at="ben" if name != "ben" else "troll", range="1-6")
        event = Event.objects.latest("pk")
        assert ([*event.aimed_at.values()], hurt()[name.title()]) == ([name.title()], points)
    assert hurt() == {name.title(): points for points, name in enumerate(order, 1)}
    for at in met:
        assert open_damage(storm, at) == {}
    count = Event.objects.count()
    for name, key in met.items():
        answer = storm.press(key, at=name, range="1-6")
        assert ONCE in text_of(storm.browsers["anna"].get(answer["Location"]) if answer.status_code == 302 else answer)
    assert Event.objects.count() == count


def test_damage_of_one_alone_names_nobody(storm, dice):
    dice += [[18]]
    storm.press(SPELL, targets=AREA)
    assert open_damage(storm, "ben") == {DAMAGE: "Damage"}


def test_whom_the_dice_miss_has_no_damage_and_leaves_that_of_the_first_open(storm, dice):
    dice += [[12]]
    storm.press(SPELL, targets=AREA)
    meets(storm, "troll", Event.objects.get().pk)
    assert Event.objects.latest("pk").outcome == "miss"
    page = storm.look(at="troll").text
    assert "go on to the next turn" not in page
    assert open_damage(storm, "troll") == {DAMAGE: "Damage → Ben"}
    dice += [[4]]
    storm.press(DAMAGE, at="troll", range="1-6")
    assert hurt() == {"Ben": 4}


def test_a_new_spell_gives_up_what_was_open(storm, met, dice):
    dice += [[18]]
    storm.press(SPELL, at="rat", targets=AREA)
    assert open_damage(storm, "rat") == {DAMAGE: "Damage"}
    count = Event.objects.count()
    storm.press(met["troll"], at="troll", range="1-6")
    assert Event.objects.count() == count


def test_the_damage_of_each_is_taken_back_alone(storm, met, dice):
    Party.objects.update(trust=True)
    full = {name: storm.life(name) for name in met}
    for points, key in enumerate(met.values(), 1):
        dice[:] = [[points]]
        storm.press(key, at="ben", range="1-6")
    assert {name: full[name] - storm.life(name) for name in met} == {"ben": 1, "rat": 2, "troll": 3}
    taken = Event.objects.get(sheet=storm.sheets["rat"], act="damage")
    storm.settle("back", "gm", taken.pk)
    assert {name: full[name] - storm.life(name) for name in met} == {"ben": 1, "rat": 0, "troll": 3}
    assert PendingEffect.objects.get(sheet=storm.sheets["rat"]).state == "open"


def test_each_is_asked_before_its_own_damage(storm, met, dice):
    Party.objects.update(waits=True)
    for name in ("ben", "rat"):
        storm.press(met[name], at="troll", range="1-6")
        question = Question.objects.get(response__isnull=True)
        assert question.target.name == name.title()
        dice[:] = [[20]]
        storm.settle("respond", "gm" if name == "rat" else "ben", f"{question.pk}:shield")
        assert not Question.objects.filter(response__isnull=True).exists()
    assert (PendingEffect.objects.count(), [*open_damage(storm, "ben")]) == (0, [met["troll"]])


def test_the_dice_against_one_more_are_pressed_as_nothing_else(storm, met, dice):
    """A press of that name throws nothing."""
    count = Event.objects.count()
    storm.press(Event.objects.latest("pk").widget, at="ben")
    assert Event.objects.count() == count


def test_what_an_older_version_stored_under_the_name_of_the_roll_leads_on_as_it_did(storm, met, dice):
    Event.objects.filter(roll="attack").update(widget=SPELL)
    assert open_damage(storm, "ben") == {DAMAGE: "Damage"}
    dice += [[2]]
    storm.press(DAMAGE, at="ben", range="1-6")
    assert hurt() == {"Troll": 2}
    storm.bring("Cleo")
    storm.have("cleo", magic={"attack": 0, "defence": 10}, life=50)
    first = Event.objects.order_by("pk").first()
    meets(storm, "rat", first.pk)
    assert Event.objects.filter(roll="attack").count() == 3
    meets(storm, "cleo", first.pk)
    assert [*Event.objects.latest("pk").aimed_at.values()] == ["Cleo"]
    assert [*open_damage(storm, "ben")] == [damage_of("cleo")]

"""An area: one hit roll is compared with each target, and damage is rolled for each, asked about as any other."""

import re

import pytest

from sheets.models import Event, Party, PendingEffect, Question
from tests.support.sheets.fight import table_of

pytestmark = pytest.mark.alike
SPELL, AREA = "roll-attack-magic", "4-4"
DAMAGE = f"roll-damage-{SPELL}"


@pytest.fixture
def storm(table):
    """Anna throws spells with +3; Ben resists with 12, the troll with 18 and the rat with 10."""
    table.have("anna", magic={"attack": 3, "defence": 10})
    for name, resists in (("ben", 12), ("troll", 18), ("rat", 10)):
        if name != "ben":
            table.bring(name.title())
        table.have(name, magic={"attack": 0, "defence": resists}, shield={"target": 14}, life=50)
    return table


def also(table, at):
    """The number of the roll whose dice somebody may meet, None where there is none."""
    found = re.search(r'value="also:(\d+)"', table.look(at=at).text)
    return found and int(found[1])


def meets(table, at, number):
    return table.browsers["anna"].post(f"{table.address}play/?{table.seats('anna', at)}", {"do": f"also:{number}"})


def damage_of(name):
    """The damage that follows where the dice have met somebody after the first."""
    return f"roll-damage-{_met(name).widget}"


def _met(name):
    return next(one for one in Event.objects.filter(roll="attack").order_by("-pk") if name.title() in one.at)


@table_of("daemmersturm")
@pytest.mark.rule("DS-33")
def test_the_same_hit_roll_is_compared_with_each_ones_defence_and_damage_is_rolled_singly(storm, dice):
    dice += [[12]]
    storm.press(SPELL, targets=AREA)
    first = Event.objects.get()
    assert first.outcome == "hit"
    dice += [[5]]
    storm.press(DAMAGE, range="1-6")
    # From the damage on the button still means the hit roll.
    assert [also(storm, at) for at in ("ben", "troll", "rat", "anna")] == [None, first.pk, first.pk, None]
    for at, outcome in (("troll", "miss"), ("rat", "hit")):
        assert meets(storm, at, first.pk).status_code == 302
        event = Event.objects.latest("pk")
        assert (event.outcome, event.thrown, [*event.aimed_at.values()]) == (outcome, [12], [at.title()])
        assert "defence" not in event.given, "that of whom one does not read stays veiled"
        assert also(storm, at) is None
        meets(storm, at, first.pk)
        assert Event.objects.latest("pk") == event
    assert [one.sheet.name for one in PendingEffect.objects.all()] == ["Ben"]
    dice += [[2]]
    storm.press(damage_of("rat"), at="rat", range="1-6")
    assert {one.sheet.name: one.filled["points"] for one in PendingEffect.objects.all()} == {"Ben": 5, "Rat": 2}
    # The damage of one is not that of another.
    assert also(storm, "ben") is None
    assert also(storm, "troll") is None


@table_of("daemmersturm")
@pytest.mark.rule("DS-33", "DS-40")
def test_each_one_in_an_area_is_asked_before_the_damage(storm, dice):
    Party.objects.update(waits=True)
    dice += [[18]]
    storm.press(SPELL, targets=AREA)
    meets(storm, "troll", Event.objects.get().pk)
    assert (Event.objects.latest("pk").outcome, Question.objects.count()) == ("hit", 0)
    storm.press(damage_of("troll"), at="ben", range="1-6")
    question = Question.objects.get()
    assert (question.target.name, PendingEffect.objects.count()) == ("Troll", 0)
    dice += [[20]]
    storm.settle("respond", "gm", f"{question.pk}:shield")
    assert PendingEffect.objects.count() == 0


@table_of("daemmersturm")
@pytest.mark.rule("DS-22", "DS-33")
@pytest.mark.parametrize(("which", "face"), [("roll-attack-melee", 12), ("roll-attack-magic", 1)])
def test_a_strike_and_a_fumble_meet_nobody_else(storm, dice, which, face):
    storm.have("anna", weapons=[])
    dice += [[face]]
    storm.press(which)
    assert also(storm, "troll") is None
    meets(storm, "troll", Event.objects.get().pk)
    assert Event.objects.count() == 1


@table_of("daemmersturm")
@pytest.mark.rule("DS-21", "DS-33")
def test_a_new_roll_with_the_same_face_is_an_area_of_its_own(storm, dice):
    dice += [[20]]
    storm.press(SPELL, targets=AREA)
    first = Event.objects.get()
    meets(storm, "troll", first.pk)
    dice += [[20]]
    storm.press(SPELL, at="troll", targets=AREA)
    second = Event.objects.latest("pk")
    assert [also(storm, at) for at in ("ben", "troll", "rat")] == [second.pk, None, second.pk]
    meets(storm, "ben", first.pk)
    assert Event.objects.latest("pk") == second


@table_of("daemmersturm")
@pytest.mark.rule("DS-03", "DS-33")
def test_the_dice_of_a_spell_that_was_noted_meet_one_more_as_those_of_any_other(storm, dice):
    noted = {"number": "", "healing": "", "targets": "2-2"}
    for name, damage in (("Feuerball", "4-12"), ("Blitz", "1-10")):
        storm.press("act-note-spell", at=None, name=name, damage=damage, **noted)
    page = storm.look().text
    which = re.search(r'value="(roll-attack-spells-0~[^"]*)"', page)[1]
    dice += [[12]]
    storm.press(which)
    first = Event.objects.latest("pk")
    assert (first.what, first.outcome, also(storm, "rat")) == ("Feuerball", "hit", first.pk)
    meets(storm, "rat", first.pk)
    event = Event.objects.latest("pk")
    assert (event.what, event.outcome, [*event.aimed_at.values()]) == ("Feuerball", "hit", ["Rat"])
    dice += [[7]]
    storm.press(f"roll-damage-{event.widget}", at="rat")
    assert [(one.sheet.name, one.filled["points"]) for one in PendingEffect.objects.all()] == [("Rat", 7)]


@table_of("daemmersturm")
@pytest.mark.rule("DS-21", "DS-33")
def test_a_critical_spell_meets_each_one_with_a_die_and_damage_of_its_own(storm, dice):
    dice += [[20]]
    storm.press(SPELL, targets=AREA)
    number = Event.objects.get().pk
    critical = f"roll-critical-{SPELL}"
    for at, face, points in (("ben", 2, 10), ("rat", 4, 15), ("troll", 1, 7)):
        if at != "ben":
            meets(storm, at, number)
            assert Event.objects.latest("pk").outcome == "critical"
            critical = f"roll-critical-{_met(at).widget}"
        dice[:] = [[face]]
        storm.press(critical, at=at, area="on")
        assert f"roll-targets-{critical}" not in storm.look(at=at).text, "whom it hits the dice say, and no range"
        dice[:] = [[5, 2]] if face == 1 else [[5]]
        storm.press(f"roll-damage-{critical}", at=at, range="1-6")
        newest = PendingEffect.objects.latest("pk")
        assert (newest.sheet.name, newest.filled["points"]) == (at.title(), points)
    assert PendingEffect.objects.count() == 3


@table_of("daemmersturm")
@pytest.mark.rule("DS-33")
@pytest.mark.parametrize(("targets", "thrown", "reached"), [
    ("", [], 1), ("2-2", [], 2), ("1-2", [1], 1), ("1-2", [2], 2), ("1-6", [3], 3)])
def test_a_spell_meets_no_more_targets_than_it_has_and_a_range_is_thrown_with_it(storm, dice, targets, thrown, reached):
    storm.press("act-note-spell", at=None, name="Doppel", damage="3-6", number="", healing="", targets=targets)
    dice += [[*thrown, 19]]
    storm.press(re.search(r'value="(roll-attack-spells-0~[^"]*)"', storm.look().text)[1])
    first = Event.objects.latest("pk")
    assert (first.outcome, first.thrown) == ("hit", [*thrown, 19])
    for at in ("troll", "rat", "anna"):
        meets(storm, at, first.pk)
    found = [[*one.aimed_at.values()] for one in Event.objects.filter(roll="attack").order_by("pk")]
    assert found == [["Ben"], ["Troll"], ["Rat"]][:reached]

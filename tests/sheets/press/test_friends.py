"""Friendly fire: the friend whom it hits is aimed at and asked before the damage, and it is never the enemy."""

import pytest

from sheets.models import Event, Party, PendingEffect, Question
from tests.support.guest import text_of
from tests.support.sheets.fight import table_of

pytestmark = pytest.mark.alike
BOW = {"name": "Bogen", "kind": "bow", "hands": 2, "damage": "1-8", "reload_actions": 0}
GRENADE = {"name": "Granate", "kind": "explosive", "hands": 1, "damage": "1-8", "reload_actions": 0, "w": 10,
           "targets": "1-4"}
DAMAGE = "roll-damage-roll-friendly-fire-weapons-0"


@pytest.fixture
def missed(table, dice):
    """Anna has missed the troll, and Ben is in the line; all of them bear shields."""
    table.bring("Troll")
    table.bring("Rat")
    for name in ("anna", "ben", "troll"):
        table.have(name, weapons=[BOW], shield={"target": 14}, life=50)
    dice += [[5]]
    table.press("roll-friendly-fire-weapons-0", at="troll", defence=30)
    assert Event.objects.get().outcome == "friend"
    return table


@table_of("daemmersturm")
@pytest.mark.rule("DS-28")
@pytest.mark.parametrize(("at", "hit"), [("ben", ["Ben"]), ("troll", []), ("rat", []), (None, [])])
def test_damage_to_a_friend_lands_at_whom_one_aims_at_on_ones_own_side_and_else_at_nobody(missed, dice, at, hit):
    dice += [[6]]
    missed.press(DAMAGE, at=at)
    assert [one.sheet.name for one in PendingEffect.objects.all()] == hit
    assert [*Event.objects.latest("pk").aimed_at.values()] == hit
    # The dice are those of one alone.
    assert "also:" not in missed.look(at="rat" if hit else None).text


@table_of("daemmersturm")
@pytest.mark.rule("DS-27", "DS-28")
def test_nobody_aims_damage_to_friends_at_themselves_and_it_uses_up_no_target(missed, dice):
    assert "That is for somebody else" in text_of(missed.press(DAMAGE, at="anna", htmx=True))
    Event.objects.all().delete()
    targets = "roll-targets-roll-escalation-roll-w-roll-weapons-0"
    missed.have("anna", weapons=[GRENADE], life=50)
    dice += [[1], [1], [2], [7]]
    for which in ("roll-w-roll-weapons-0", targets.removeprefix("roll-targets-"), targets):
        missed.press(which, at=None)
    first, second, own = (f"roll-damage-{key}-{targets}" for key in ("1", "2", "own"))
    assert "That is for somebody else" in text_of(missed.press(first, at="anna", htmx=True))
    missed.press(own, at="anna")
    dice += [[3]]
    missed.press(first, at="ben")
    missed.press(second, at="rat")
    assert [(one.sheet.name, one.filled["points"]) for one in PendingEffect.objects.order_by("pk")] == [
        ("Anna", 7), ("Ben", 3)]


@table_of("daemmersturm")
@pytest.mark.rule("DS-28", "DS-40")
@pytest.mark.parametrize(("face", "landed"), [(20, []), (1, [("Ben", 6)])])
def test_a_friend_is_asked_before_the_damage_where_the_table_waits(missed, dice, face, landed):
    Party.objects.update(waits=True)
    for at in ("troll", "rat", None):
        assert "Choose a target first" in text_of(missed.press(DAMAGE, at=at, htmx=True))
    assert (Question.objects.count(), Event.objects.count()) == (0, 1)
    missed.press(DAMAGE, at="ben")
    question = Question.objects.get()
    assert (question.target.name, Event.objects.count()) == ("Ben", 1)
    page = missed.look("ben", "ben", None).text
    assert all(f"respond:{question.pk}:{one}" in page for one in ("shield", "seek-protection", "forgo"))
    dice += [[face]]
    missed.settle("respond", "ben", f"{question.pk}:shield")
    if landed:
        dice += [[6]]
        missed.settle("respond", "ben", f"{question.pk}:forgo")
    assert [(one.sheet.name, one.filled["points"]) for one in PendingEffect.objects.all()] == landed


@table_of("daemmersturm")
@pytest.mark.rule("DS-28", "DS-40")
def test_dice_that_fell_for_nobody_hit_no_friend_unasked_once_the_table_waits(missed, dice):
    dice += [[6]]
    missed.press(DAMAGE, at="troll")
    number = Event.objects.latest("pk").pk
    assert f"also:{number}" in missed.look(at="ben").text
    Party.objects.update(waits=True)
    assert "also:" not in missed.look(at="ben").text
    missed.browsers["anna"].post(f"{missed.address}play/?{missed.seats()}", {"do": f"also:{number}"})
    assert PendingEffect.objects.count() == 0

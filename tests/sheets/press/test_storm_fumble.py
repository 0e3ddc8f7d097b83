"""A melee fumble in Dämmersturm: its target decides what comes of it, and whoever fumbled is asked like anybody."""

import re

import pytest

from sheets.models import Event, Party, PendingEffect, Question
from tests.support.guest import text_of
from tests.support.sheets.fight import table_of

BOW = {"name": "Bogen", "kind": "bow", "hands": 2, "damage": "1-8", "reload_actions": 0}
CLUB = {"name": "Keule", "kind": "two-handed", "hands": 2, "damage": "111-118", "reload_actions": 0}
SWORD = {"name": "Schwert", "kind": "one-handed", "hands": 1, "damage": "1-10", "reload_actions": 0}
COUNTER = "roll-counter-attack-weapons-1-counter"


@pytest.fixture
def fumbled(table, dice):
    """Anna has fumbled against Ben, who has a club and a bow; Anna has a shield."""
    table.have("ben", weapons=[BOW, CLUB], shield=None)
    table.have("anna", weapons=[SWORD], shield={"target": 14}, life=200)
    dice += [[1]]
    table.press("roll-attack-weapons-0")
    return table


def counters(table):
    return re.findall(r'id="fold-(roll-counter-attack[^"]*)"', table.look("ben", "ben", "anna").text)


@table_of("daemmersturm")
@pytest.mark.rule("DS-22")
def test_a_melee_fumble_waits_at_its_target_and_whoever_fumbled_cannot_keep_it_back(fumbled):
    effect = PendingEffect.objects.get()
    assert (effect.sheet.name, effect.act, effect.filled) == ("Ben", "answer-fumble", {"answer": "strike"})
    page = fumbled.look().text
    assert "strike-back" not in page
    assert f'"dismiss:{effect.pk}"' not in page
    assert fumbled.settle("dismiss", "anna").status_code == 404
    assert PendingEffect.objects.get().state == "open"
    assert f'"apply:{effect.pk}"' in fumbled.look("ben", "ben", "anna").text
    assert f'"dismiss:{effect.pk}"' in fumbled.look("ben", "ben", "anna").text
    fumbled.settle("dismiss", "ben")
    assert PendingEffect.objects.get().state == "dismissed"


@table_of("daemmersturm")
@pytest.mark.rule("DS-22")
def test_nobody_but_the_target_takes_back_what_it_answers_to_a_fumble(fumbled):
    fumbled.settle("apply", "ben")
    event = Event.objects.get(act="answer-fumble")
    assert [f'"back:{event.pk}"' in fumbled.look(who, who, None).text for who in ("anna", "ben")] == [False, True]
    assert fumbled.settle("back", "anna", event.pk).status_code == 404
    assert fumbled.sheet("ben").play["counters"] == 1
    fumbled.settle("back", "ben", event.pk)
    assert PendingEffect.objects.get().state == "open"


@table_of("daemmersturm")
@pytest.mark.rule("DS-22")
def test_the_target_of_a_fumble_may_move_off_instead(fumbled):
    assert counters(fumbled) == []
    fumbled.settle("change", "ben", answer="move")
    assert "Überrennen" in Event.objects.latest("pk").text
    assert counters(fumbled) == []


@table_of("daemmersturm")
@pytest.mark.rule("DS-22", "DS-40")
@pytest.mark.parametrize("face", [20, 1])
def test_whoever_fumbled_is_asked_for_a_shield_before_the_damage_of_the_counter_attack(fumbled, dice, face):
    Party.objects.update(waits=True)
    fumbled.settle("apply", "ben")
    assert counters(fumbled) == [COUNTER]
    fumbled.press(COUNTER, "ben", "ben", "anna")
    hit = Event.objects.get(roll="counter-attack")
    assert (hit.outcome, hit.thrown, [*hit.aimed_at.values()]) == ("hit", [], ["Anna"])
    assert "Made already" in fumbled.look("ben", "ben", "anna").text
    fumbled.press(f"roll-damage-{COUNTER}", "ben", "ben", "anna")
    question = Question.objects.get()
    assert (question.target.name, Event.objects.filter(roll="damage").count()) == ("Anna", 0)
    assert f"respond:{question.pk}:shield" in fumbled.look().text
    dice += [[face], [113]]
    fumbled.settle("respond", "anna", f"{question.pk}:shield")
    assert fumbled.full("anna") == fumbled.life("anna")
    found = PendingEffect.objects.filter(act="damage")
    assert [(one.sheet.name, one.filled["points"]) for one in found] == [("Anna", 113)] * (face == 1)
    assert counters(fumbled) == [], "it is over, whether its damage fell or was stopped"


@table_of("daemmersturm")
@pytest.mark.rule("DS-22")
def test_who_fumbled_without_aiming_at_anybody_rolls_what_comes_back(table, dice):
    table.have("anna", weapons=[SWORD])
    dice += [[1]]
    table.press("roll-attack-weapons-0", at=None, **{"against.melee": "12"})
    assert "The target strikes back and hits" in text_of(table.look(at=None))
    assert PendingEffect.objects.count() == 0

"""A melee fumble in Dämmersturm: its target decides what comes of it, and whoever fumbled is asked like anybody."""

import re

import pytest

from sheets.models import Event, Party, PendingEffect, Question, Sheet
from tests.support.guest import text_of
from tests.support.sheets.fight import table_of

BOW = {"name": "Bogen", "kind": "bow", "hands": 2, "damage": "1-8", "reload_actions": 0}
CLUB = {"name": "Keule", "kind": "two-handed", "hands": 2, "damage": "111-118", "reload_actions": 0}
SWORD = {"name": "Schwert", "kind": "one-handed", "hands": 1, "damage": "1-10", "reload_actions": 0}
COUNTER = "roll-counter-attack-weapons-1-counter"


def counter(table, who="anna"):
    """The name of Ben's counter-attack on somebody, with his club."""
    return f"{COUNTER}-{table.sheets[who].pk}"


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
    assert (effect.sheet.name, effect.act, effect.filled) == ("Ben", "answer-fumble", {
        "answer": "strike", "by": "Anna", "source": str(fumbled.sheets["anna"].pk)})
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
    assert [one["by"] for one in fumbled.sheet("ben").play["counters"]] == ["Anna"]
    fumbled.settle("back", "ben", event.pk)
    assert PendingEffect.objects.get().state == "open"
    assert "counters" not in fumbled.sheet("ben").play


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
    assert counters(fumbled) == [counter(fumbled)]
    fumbled.press(counter(fumbled), "ben", "ben", "anna")
    hit = Event.objects.get(roll="counter-attack")
    assert (hit.outcome, hit.thrown, [*hit.aimed_at.values()]) == ("hit", [], ["Anna"])
    assert "Already made" in fumbled.look("ben", "ben", "anna").text
    fumbled.press(f"roll-damage-{counter(fumbled)}", "ben", "ben", "anna")
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


@table_of("daemmersturm")
@pytest.mark.rule("DS-22")
@pytest.mark.parametrize("at", ["anna", "troll", "ben", None])
def test_a_counter_attack_hits_who_fumbled_whomever_one_aims_at_by_then_and_says_so(fumbled, dice, at):
    fumbled.bring("Troll")
    fumbled.settle("apply", "ben")
    page = text_of(fumbled.look("ben", "ben", at))
    assert "Strike back at Anna: Keule" in page
    assert "Move away from Anna instead" in page
    fumbled.press(counter(fumbled), "ben", "ben", at)
    dice += [[113]]
    fumbled.press(f"roll-damage-{counter(fumbled)}", "ben", "ben", at)
    assert [[*one.aimed_at.values()] for one in Event.objects.filter(roll__in=("counter-attack", "damage"))] == [
        ["Anna"], ["Anna"]]
    assert [one.sheet.name for one in PendingEffect.objects.filter(act="damage")] == ["Anna"]
    assert counters(fumbled) == []


@table_of("daemmersturm")
@pytest.mark.rule("DS-22")
def test_each_who_fumbled_is_struck_back_at_for_themselves(fumbled, dice):
    fumbled.bring("Troll")
    fumbled.have("troll", weapons=[SWORD])
    fumbled.settle("apply", "ben")
    dice += [[1]]
    fumbled.press("roll-attack-weapons-0", "gm", "troll", "ben")
    fumbled.settle("apply", "ben")
    assert counters(fumbled) == [counter(fumbled), counter(fumbled, "troll")]
    # Of both the damage is open at once, and each hits its own.
    for name in ("troll", "anna"):
        fumbled.press(counter(fumbled, name), "ben", "ben", "anna")
    dice += [[112], [117]]
    for name in ("troll", "anna"):
        fumbled.press(f"roll-damage-{counter(fumbled, name)}", "ben", "ben", "anna")
    assert [(one.sheet.name, one.filled["points"]) for one in PendingEffect.objects.filter(act="damage").order_by("pk")
            ] == [("Troll", 112), ("Anna", 117)]
    assert counters(fumbled) == []


@table_of("daemmersturm")
@pytest.mark.rule("DS-22")
@pytest.mark.parametrize("gone", [{"party": None}, {"deleted": "2026-01-01T00:00Z"}, {"offered": True}])
def test_who_fumbled_and_is_gone_is_not_struck_back_at_and_neither_is_anybody_else(fumbled, gone):
    fumbled.bring("Troll")
    fumbled.settle("apply", "ben")
    Sheet.objects.filter(name="Anna").update(**gone)
    page = fumbled.look("ben", "ben", "troll")
    assert ("Strike back at" in text_of(page), "Move away from Anna instead" in text_of(page)) == (False, True)
    fumbled.press(counter(fumbled), "ben", "ben", "troll")
    assert not Event.objects.filter(roll="counter-attack").exists()
    fumbled.press(f"act-end-counter-{fumbled.sheets['anna'].pk}", "ben", "ben", "troll")
    assert "counters" not in fumbled.sheet("ben").play


@table_of("daemmersturm")
@pytest.mark.rule("DS-22")
def test_what_a_counter_attack_has_done_is_taken_back_whole(fumbled):
    fumbled.settle("apply", "ben")
    due = fumbled.sheet("ben").play
    fumbled.press(counter(fumbled), "ben", "ben", None)
    assert [one["made"] for one in fumbled.sheet("ben").play["counters"]] == [True]
    fumbled.settle("back", "ben", Event.objects.get(act="end-counter").pk)
    assert fumbled.sheet("ben").play == due
    fumbled.settle("back", "ben", Event.objects.get(act="answer-fumble").pk)
    assert (fumbled.sheet("ben").play, PendingEffect.objects.get(act="answer-fumble").state) == ({}, "open")


@table_of("daemmersturm")
@pytest.mark.rule("DS-22")
def test_a_fumble_that_waits_since_before_is_answered_as_it_was(fumbled, dice):
    PendingEffect.objects.update(filled={"answer": "strike"})
    assert "Sheet of the one who fumbled" not in text_of(fumbled.look("ben", "ben", "anna"))
    fumbled.settle("change", "ben", answer="strike")
    assert counters(fumbled) == [COUNTER]
    fumbled.press(COUNTER, "ben", "ben", "anna")
    dice += [[113]]
    fumbled.press(f"roll-damage-{COUNTER}", "ben", "ben", "anna")
    assert [one.sheet.name for one in PendingEffect.objects.filter(act="damage")] == ["Anna"]


@table_of("daemmersturm")
@pytest.mark.rule("DS-22")
@pytest.mark.parametrize(("stored", "notes"), [
    ({"counters": 1}, ["It hits automatically"]), ({"struck": True}, ["Already made"]),
    ({"counters": 2, "struck": True}, ["It hits automatically"])])
def test_a_state_that_knows_their_number_alone_is_read_and_its_counter_attack_hits_whom_one_aims_at(
        fumbled, dice, stored, notes):
    Sheet.objects.filter(name="Ben").update(play=stored)
    assert counters(fumbled) == [COUNTER]
    page = text_of(fumbled.look("ben", "ben", "anna"))
    assert [one for one in ("It hits automatically", "Already made") if one in page] == notes
    for left in range(stored.get("counters", 0), 0, -1):
        fumbled.press(COUNTER, "ben", "ben", "anna")
        dice += [[113]]
        fumbled.press(f"roll-damage-{COUNTER}", "ben", "ben", "anna")
        assert PendingEffect.objects.filter(act="damage").count() == stored["counters"] - left + 1
    assert counters(fumbled) == ([] if "counters" in stored else [COUNTER])


def tray(table, page=None):
    """The rolls in Anna's tray."""
    return re.findall(r'id="tray-roll-([^"]*)"', (page or table.look(at=None)).text)


@table_of("daemmersturm")
@pytest.mark.rule("DS-22")
@pytest.mark.parametrize("answer", ["apply", "dismiss"])
def test_what_the_target_answers_stands_in_no_tray_even_of_who_may_not_know_the_target(table, dice, answer):
    table.have("ben", weapons=[CLUB])
    table.have("anna", weapons=[SWORD])
    Sheet.objects.filter(name="Ben").update(seen_by="private", at_table=False)
    dice += [[1]]
    table.press("roll-attack-weapons-0", "gm")
    for _time in range(2):
        assert (tray(table), tray(table, table.own("anna")), tray(table, table.look("gm"))) == ([], [], [])
        table.settle(answer, "ben")


@table_of("daemmersturm")
@pytest.mark.rule("DS-22", "DS-29")
def test_a_fumble_of_the_second_weapon_alone_was_aimed_at_somebody_and_is_answered_there(table, dice):
    table.have("anna", weapons=[SWORD, SWORD])
    table.have("ben", weapons=[CLUB])
    first = "roll-paired-attack-weapons-0-one-handed"
    dice += [[18], [1], [3]]
    table.press(first, at=None, heavy_opponent="", **{"against.melee": "5"})
    table.press(f"roll-attack-second-{first}")
    table.settle("apply")
    table.press(f"roll-damage-{first}", at=None)
    assert Event.objects.latest("pk").roll == "damage"
    assert not [one for one in tray(table) if one.startswith("strike-back")]
    # Only the first attack was aimed at nobody.
    before = Event.objects.count()
    table.press(f"roll-strike-back-roll-attack-second-{first}", range="1-6")
    assert Event.objects.count() == before

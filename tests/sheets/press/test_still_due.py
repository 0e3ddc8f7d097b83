"""The followups of a hit stay on offer beside what else is pressed in that turn, until the next attack (DS-33)."""

import re
import uuid

import pytest

from sheets.models import Event, Party, PendingEffect, Question
from tests.support.guest import text_of
from tests.support.sheets.fight import table_of

pytestmark = [pytest.mark.rule("DS-23", "DS-33"), table_of("daemmersturm")]
SWORD = {"name": "Schwert", "kind": "one-handed", "hands": 1, "damage": "1-10", "reload_actions": 0}
GRENADE = {"name": "Granate", "kind": "explosive", "hands": 1, "damage": "1-6", "reload_actions": 0, "w": 10,
           "targets": "1-4"}
HIT, GRENADES = "roll-attack-weapons-0", "roll-w-roll-weapons-1"
DAMAGE = f"roll-damage-{HIT}"
OTHERWISE = [("act-spend-action_points", {"points": 1, "what": "Nachsetzen"}, []), ("roll-perception", {}, [[11]]),
             ("roll-damage", {"range": "5-15", "rolls": 1, "critical": 0, "source": "melee"}, [[9]])]


@pytest.fixture
def armed(table):
    table.have("anna", weapons=[SWORD, GRENADE], shield=None, armour=None)
    table.have("ben", shield=None, armour=None, life=200)
    return table


def on_offer(text):
    found = re.findall(r'id="tray-(roll-[^"]*)"', text)
    return [one for one in found if not one.startswith(("roll-shield", "roll-cover", "roll-armour"))]


def own_page(table):
    return on_offer(table.browsers["anna"].get(f"/sheets/{table.sheets['anna'].pk}/").text)


def turn(table, word):
    table.browsers["gm"].post(f"{table.address}play/", {"do": f"turn:{word}", "_press": str(uuid.uuid4())})


@pytest.mark.parametrize(("which", "fields", "faces"), OTHERWISE)
def test_the_damage_of_a_hit_stays_beside_what_else_is_pressed(armed, dice, which, fields, faces):
    dice += [[19], *faces, [7]]
    armed.press(HIT)
    answer = armed.press(which, htmx=True, **fields)
    assert Event.objects.latest("pk").widget == which
    for page in (answer.text, armed.look().text):
        assert DAMAGE in on_offer(page)
    assert DAMAGE in own_page(armed)
    armed.press(DAMAGE)
    assert PendingEffect.objects.latest("pk").filled["points"] == 7
    assert DAMAGE not in [*on_offer(armed.look().text), *own_page(armed)]


def test_on_the_page_of_a_sheet_alone_it_stays_as_well(armed, dice):
    sheet = armed.sheets["anna"]
    dice += [[19], [11], [7]]
    play = f"/sheets/{sheet.pk}/play/"
    for which in (HIT, "roll-perception"):
        answer = armed.browsers["anna"].post(play, {"w": which, "_press": str(uuid.uuid4()), "defence": 10},
                                             headers={"HX-Request": "true"})
    assert DAMAGE in on_offer(answer.text)


def test_damage_to_each_target_stays_while_some_of_it_is_rolled(armed, dice):
    dice += [[15], [3], [2], [11]]
    armed.press(GRENADES)
    armed.press(f"roll-targets-{GRENADES}")
    first, *rest = [one for one in on_offer(armed.look().text) if "damage" in one]
    assert len(rest) == 2
    armed.press(first)
    armed.press("roll-perception")
    assert on_offer(armed.look().text) == rest


def test_it_lapses_with_the_next_attack_or_turn_and_after_a_miss_nothing_is_due(armed, dice):
    dice += [[2], [11]]
    armed.press(HIT)
    armed.press("roll-perception")
    assert on_offer(armed.look().text) == []
    dice += [[19], [2]]
    armed.press(HIT)
    armed.press(HIT)
    assert on_offer(armed.look().text) == []
    turn(armed, "begin")
    while armed.on != ["Anna"]:
        turn(armed, "next")
    dice += [[19], [11]]
    armed.press(HIT)
    armed.press("roll-perception")
    assert on_offer(armed.look().text) == [DAMAGE]
    turn(armed, "next")
    assert on_offer(armed.look().text) == []


def test_no_other_attack_is_made_while_a_target_is_asked_about_the_damage_of_the_last(armed, dice):
    Party.objects.update(waits=True)
    armed.have("ben", shield={"target": 14}, armour=None, life=200)
    dice += [[19]]
    armed.press(HIT)
    armed.press(DAMAGE)
    assert Question.objects.get(response__isnull=True).target == armed.sheets["ben"]
    armed.press(HIT)
    assert "Ben has not responded to your last roll yet" in re.sub("[\u2066-\u2069]", "", text_of(armed.look()))
    assert Event.objects.filter(widget=HIT).count() == 1
    dice += [[11], [19]]
    armed.press("roll-perception")
    Question.objects.all().delete()
    armed.press(HIT)
    assert Event.objects.filter(widget=HIT).count() == 2

"""What a roll does by itself: a shot marks its weapon, a grenade that is thrown is one less; and it is taken back."""

import uuid

import pytest

from sheets.models import Event, PendingEffect
from tests.support.guest import text_of
from tests.support.sheets.fight import CLUB, fallen_again, table_of

pytestmark = pytest.mark.alike
GUN = {"name": "Pistole", "kind": "handgun", "hands": 1, "damage": "2-9", "reload_actions": 1}
GRENADE = {"name": "Granate", "kind": "explosive", "hands": 1, "damage": "1-6", "reload_actions": 0, "w": 10,
           "targets": "1-4"}
ARMED = {"weapons": [GUN, {**GUN, "name": "Muskete"}, GRENADE]}
SHOT, NOTED = "roll-attack-weapons-0-shot", "Pistole was fired: Actions until it is ready: 1"


def unready(sheet):
    """The weapons that are to be made ready, {name: actions}."""
    sheet.refresh_from_db()
    return {one["weapon"]: one["steps"] for one in (sheet.play or {}).get("unready", [])}


@pytest.fixture
def armed(table):
    """A table at which Anna has pistols and grenades, and Ben is unhurt."""
    table.have("anna", **table.sheets["anna"].data | ARMED)
    return table


@table_of("daemmersturm")
@pytest.mark.rule("DS-26")
@pytest.mark.parametrize("htmx", [False, True])
def test_a_shot_marks_its_weapon_by_itself_and_that_stands_beside_what_it_came_to(armed, dice, htmx):
    dice += [[19]]
    answer = armed.press(SHOT, htmx=htmx)
    page = answer if htmx else armed.look()
    assert unready(armed.sheets["anna"]) == {"Pistole": 1}
    assert NOTED in text_of(page)
    # The hit leads on all the same, and nothing is to be pressed that is done.
    assert f'id="tray-roll-damage-{SHOT}"' in page.text
    assert "act-not-ready-weapons-0-after" not in page.text
    shot, fired = Event.objects.order_by("pk")
    assert (shot.roll, fired.act, fired.text) == ("attack", "not-ready", "Actions until it is ready: 1")
    assert "Not ready, actions left: 1" in text_of(armed.look())


@table_of("daemmersturm")
@pytest.mark.rule("DS-26")
def test_what_a_shot_has_done_by_itself_is_taken_back_alone_and_may_be_done_once_more(armed, dice):
    dice += [[19]]
    armed.press(SHOT)
    armed.play("anna", "undo", _event=Event.objects.latest("pk").pk)
    assert unready(armed.sheets["anna"]) == {}
    assert [one.undone for one in Event.objects.order_by("pk")] == [False, True]
    assert f'id="tray-roll-damage-{SHOT}"' in armed.look().text
    effect = PendingEffect.objects.get()
    assert (effect.sheet.name, effect.state) == ("Anna", "open")
    armed.settle("apply", who="anna")
    assert unready(armed.sheets["anna"]) == {"Pistole": 1}


@table_of("daemmersturm")
@pytest.mark.rule("DS-26")
def test_a_shot_that_is_pressed_twice_is_one_and_marks_once(armed, dice):
    key = uuid.uuid4()
    dice += [[15], [15]]
    for _arrival in range(2):
        armed.press(SHOT, key=key)
    assert (Event.objects.count(), unready(armed.sheets["anna"])) == (2, {"Pistole": 1})


@table_of("daemmersturm")
@pytest.mark.rule("DS-22", "DS-26", "DS-29")
def test_of_two_guns_each_is_marked_by_its_own_attack_and_after_a_fumble_treated_too(armed, dice):
    dice += [[1]]
    armed.press("roll-paired-attack-weapons-0-handguns")
    assert unready(armed.sheets["anna"]) == {"Pistole": 2}
    armed.have("anna", **armed.sheets["anna"].data | {"ranged": {"attack": 5, "defence": 10}})
    dice += [[15], [9]]
    armed.press("roll-paired-attack-weapons-1-handguns")
    assert unready(armed.sheets["anna"]) == {"Pistole": 2, "Muskete": 1}
    armed.play("anna", "act-make-ready-unready-0")
    armed.play("anna", "act-make-ready-unready-0")
    armed.press("roll-attack-second-roll-paired-attack-weapons-1-handguns")
    assert unready(armed.sheets["anna"]) == {"Muskete": 1, "Pistole": 1}


@table_of("daemmersturm")
@pytest.mark.rule("DS-22", "DS-27", "DS-60")
def test_a_grenade_that_is_thrown_is_counted_down_by_itself(armed, dice):
    armed.play("anna", "act-pack-item", name="Granate", number=2)
    for left in ([1], []):
        dice += [[15]]
        armed.press("roll-w-roll-weapons-2")
        assert [one.get("number", 1) for one in armed.sheet("anna").play.get("items", [])] == left
    dice += [[15]]
    armed.press("roll-w-roll-weapons-2")
    assert Event.objects.latest("pk").roll == "w-roll"


@pytest.fixture
def fighting(table, dice):
    """A fight in ConDice in which Anna is on and has hit the troll by her first roll."""
    table.have("anna", attacks=CLUB)
    table.troll()
    table.do(f"place:{table.sheets['anna'].pk}:0")
    table.settle("turn", "gm", "begin")
    dice += [[6, 6, 5, 1]]
    table.press(at="troll")
    return table


@pytest.mark.rule("CD-09", "CD-52")
def test_in_ones_own_turn_an_attack_is_the_action_and_nothing_more_is_to_be_pressed(fighting):
    assert fighting.sheet("anna").play == {"acted": True}
    page = fighting.look(at="troll")
    assert "act-take-action" not in _tray(fighting)
    assert "Finish the action: Movement is still available" in text_of(page)


@pytest.mark.rule("CD-52")
def test_once_the_turn_is_over_the_tray_of_its_attack_leads_on_to_nothing_that_it_has_done(fighting):
    fighting.settle("apply", "gm")
    fighting.settle("turn", "gm", "next")
    assert "hits" in text_of(fighting.look(at="troll"))
    assert "The target loses" not in _tray(fighting)


@pytest.mark.rule("CD-52")
def test_an_action_that_was_not_meant_so_is_open_again_when_it_is_taken_back(fighting, dice):
    fighting.settle("back", "anna", Event.objects.get(act="take-action").pk)
    assert not fighting.sheet("anna").play.get("acted")
    dice += [[1, 1, 1, 1]]
    fighting.press(at="troll")
    assert fighting.sheet("anna").play["acted"]


@pytest.mark.rule("CD-52")
def test_out_of_turn_and_without_turns_an_attack_leaves_the_action_open(fighting, dice):
    for word in ("begin", "end"):
        dice += [[1] * 4]
        fighting.settle("turn", "gm", word)
        fighting.press(who="ben", by="ben", at="troll")
        assert not fighting.sheet("ben").play.get("acted")


@pytest.mark.rule("CD-49", "CD-52")
def test_a_repeat_of_an_attack_in_ones_own_turn_leaves_the_action_spent(fighting, monkeypatch):
    repeat = {"ability": "wurf-wiederholen", "range": 0}
    fighting.have("anna", attacks=CLUB, abilities=[repeat])
    fallen_again(monkeypatch, 6, 6, 6, 6)
    fighting.press("act-repeat", at="troll")
    assert Event.objects.get(act="repeat").thrown == [6, 6, 6, 6]
    assert (fighting.sheet("anna").play["acted"], Event.objects.filter(act="take-action").count()) == (True, 1)
    assert fighting.newest_effect().filled["points"] == 5
    _in_the_next_round(fighting)


@pytest.mark.rule("CD-49", "CD-52")
def test_an_action_that_was_taken_back_is_not_to_be_announced_in_the_next_round(fighting):
    fighting.settle("back", "anna", Event.objects.get(act="take-action").pk)
    assert "The target loses" in _tray(fighting)
    _in_the_next_round(fighting)


def _tray(table):
    return table.look(at="troll").text.partition('id="tray"')[2].partition("</section>")[0]


def _in_the_next_round(table):
    """Anna is on again, and nothing is left to be announced of what she did in her last turn."""
    while (table.scene.round, table.on) != (2, ["Anna"]):
        table.settle("turn", "gm", "next")
    assert "Keule" in _tray(table) or "Reroll" in _tray(table)
    assert "The target loses" not in _tray(table)

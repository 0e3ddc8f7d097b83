"""Volle Kraft is a setting of a melee attack: a hit does more damage, after a miss the target hits back (DS-05a)."""

import pytest

from sheets.models import Event, Party, PendingEffect, Question
from tests.support.guest import text_of
from tests.support.sheets.fight import table_of

SWORD = {"name": "Schwert", "kind": "one-handed", "hands": 1, "damage": "1-10", "reload_actions": 0}
BOW = {"name": "Bogen", "kind": "bow", "hands": 2, "damage": "1-8", "reload_actions": 0}
BLOW, FULL = "roll-attack-weapons-0", {"full_force": "on"}
DAMAGE, EXTRA = f"roll-damage-{BLOW}", f"roll-damage-full-force-{BLOW}"
pytestmark = [table_of("daemmersturm"), pytest.mark.rule("DS-05a"), pytest.mark.alike]


@pytest.fixture
def armed(table):
    table.have("anna", weapons=[SWORD, BOW], life=200, shield=None)
    table.have("ben", weapons=[SWORD], shield={"target": 14}, armour=None, life=50, melee={"attack": 0, "defence": 10})
    return table


def damage(table, dice, which, face, shield):
    """Damage falls that Ben's shield meets with a die."""
    dice[:] = [[shield]] if shield >= 14 else [[shield], [face]]
    table.press(which)
    table.settle("respond", "ben", f"{Question.objects.latest('pk').pk}:shield")
    assert not dice


@pytest.mark.rule("DS-40", "DS-41")
@pytest.mark.parametrize(("blow", "force", "lost"), [(14, 14, 0), (14, 2, 9), (2, 14, 4), (2, 2, 13)])
def test_a_shield_must_hold_twice_to_stop_all_of_it(armed, dice, blow, force, lost):
    Party.objects.update(waits=True, trust=True)
    dice += [[17]]
    armed.press(BLOW, **FULL)
    damage(armed, dice, DAMAGE, 4, blow)
    damage(armed, dice, EXTRA, 9, force)
    assert armed.full("ben") - armed.life("ben") == lost


@pytest.mark.rule("DS-40", "DS-41")
def test_a_shield_that_the_attacker_rolls_afterwards_stops_the_newer_damage_then_the_other(armed, dice):
    Party.objects.update(trust=True)
    dice += [[17], [4], [9]]
    for which in (BLOW, DAMAGE, EXTRA):
        armed.press(which, **(FULL if which == BLOW else {}))
    for lost in (4, 0):
        dice += [[14]]
        armed.press(f"roll-shield-{BLOW}", target=14, bonus=0)
        assert armed.full("ben") - armed.life("ben") == lost


@pytest.mark.rule("DS-21", "DS-40", "DS-41")
def test_so_it_does_after_a_critical_hit(armed, dice):
    Party.objects.update(trust=True)
    critical = f"roll-critical-{BLOW}"
    dice += [[20], [4], [5], [9]]
    for which in (BLOW, critical, f"roll-damage-{critical}", EXTRA):
        armed.press(which, **(FULL if which == BLOW else {}))
    for lost in (15, 0):
        dice += [[14]]
        armed.press(f"roll-shield-{BLOW}", target=14, bonus=0)
        assert armed.full("ben") - armed.life("ben") == lost


def test_a_shield_leaves_both_on_offer_while_neither_has_fallen(armed, dice):
    Party.objects.update(trust=True)
    for face, first in ((17, DAMAGE), (20, f"roll-critical-{BLOW}")):
        dice += [[face], [14]]
        armed.press(BLOW, **FULL)
        armed.press(f"roll-shield-{BLOW}", target=14, bonus=0)
        page = armed.look().text
        assert f'"{first}"' in page
        assert f'"{EXTRA}"' in page


@pytest.mark.rule("DS-21")
def test_it_comes_with_a_critical_hit_too_and_is_not_multiplied(armed, dice):
    dice += [[20], [4], [5], [9]]
    critical = f"roll-critical-{BLOW}"
    for which in (BLOW, critical, f"roll-damage-{critical}", EXTRA):
        armed.press(which, **(FULL if which == BLOW else {}))
    assert [one.filled["points"] for one in PendingEffect.objects.order_by("pk")] == [15, 9]


def test_it_is_the_damage_of_that_hit_alone_and_the_setting_is_gone_with_the_next_attack(armed, dice):
    dice += [[17]]
    armed.press(BLOW, **FULL)
    page = armed.look()
    assert EXTRA in page.text
    assert "checked" not in page.text.partition('name="full_force"')[2].partition(">")[0]
    dice += [[17]]
    armed.press(BLOW)
    assert EXTRA not in armed.look().text
    dice += [[17]]
    armed.press("roll-attack-weapons-1-shot", **FULL)
    assert "full-force" not in armed.look().text, "no shot has it"


@pytest.mark.rule("DS-22")
def test_after_a_miss_the_target_hits_back_and_cannot_move_away_instead(armed, dice):
    dice += [[3]]
    armed.press(BLOW, **FULL)
    assert "hits back automatically" in text_of(armed.look())
    effect = PendingEffect.objects.get()
    assert (effect.sheet.name, effect.act) == ("Ben", "answer-miss")
    assert armed.settle("dismiss", "anna").status_code == 404
    armed.settle("apply", "ben")
    counter = f"roll-counter-attack-weapons-0-counter-{armed.sheets['anna'].pk}"
    page = armed.look("ben", "ben", "anna")
    assert counter in page.text
    assert "Move away from Anna instead" not in text_of(page)
    armed.press(counter, "ben", "ben", "anna")
    dice += [[7]]
    armed.press(f"roll-damage-{counter}", "ben", "ben", "anna")
    newest = PendingEffect.objects.get(act="damage")
    assert (newest.sheet.name, newest.filled["points"]) == ("Anna", 7)


@pytest.mark.rule("DS-22")
@pytest.mark.parametrize(("face", "fields", "effects"), [(1, FULL, ["answer-fumble"]), (3, {}, [])])
def test_a_fumble_stays_a_fumble_and_an_ordinary_miss_brings_nothing(armed, dice, face, fields, effects):
    dice += [[face]]
    armed.press(BLOW, **fields)
    assert [one.act for one in PendingEffect.objects.all()] == effects


@pytest.mark.rule("DS-22")
def test_without_a_target_whoever_missed_rolls_what_comes_back(armed, dice):
    dice += [[3]]
    armed.press(BLOW, at=None, **{"against.melee": "12"}, **FULL)
    assert "The target strikes back and hits" in text_of(armed.look(at=None))


def test_a_log_with_the_former_roll_of_its_own_stays_readable(armed, dice):
    dice += [[9]]
    armed.press("roll-damage", range="5-15", rolls=1, critical=0, source="melee", victim="target")
    Event.objects.update(widget="roll-damage-full-force", titles={"en": "Volle Kraft: extra damage"})
    page = text_of(armed.look())
    assert "Volle Kraft: extra damage" in page
    assert "9 damage" in page

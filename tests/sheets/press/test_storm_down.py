"""In Dämmersturm nothing is lost by those who are down, so that nothing comes of it (DS-32)."""

import pytest

from sheets.models import Event, Party, PendingEffect
from tests.sheets.press.test_protection_afterwards import HIT, guard, press, quick
from tests.support.guest import text_of
from tests.support.sheets.fight import table_of

__all__ = ["quick"]


@table_of("daemmersturm")
@pytest.mark.rule("DS-57", "DS-59", "DS-32")
def test_damage_at_somebody_who_is_down_pays_no_shadow_and_brings_no_poison(quick, dice):
    quick.have("anna", resource="shadow", magic={"attack": 5, "defence": 0})
    quick.put("anna", poisons=[{"weapon": "Schwert", "place": 1, "kind": "one-handed", "lasting": True}])
    quick.press("act-use-shadow", at=None, points=1)
    follows = f"act-deal-damage-roll-damage-{HIT}", f"act-roll-poison-poisons-0-roll-damage-{HIT}"
    for life, loses in ((5, True), (0, False)):
        quick.put("ben", life=life, down=not life)
        press(quick, dice, HIT, 17)
        press(quick, dice, f"roll-damage-{HIT}", 4)
        page = quick.look().text
        assert [f'id="tray-{one}"' in page for one in follows] == [loses, loses]
    for which in follows:
        dice[:] = [[19]]
        quick.press(which)
    assert (quick.sheet("anna").play["shadow_owed"], Event.objects.filter(act="roll-poison").count()) == (3, 0)


@table_of("daemmersturm")
@pytest.mark.rule("DS-57", "DS-32")
def test_damage_that_waits_for_somebody_who_has_gone_down_meanwhile_is_refused_and_pays_nothing(quick, dice):
    Party.objects.update(trust=False)
    quick.have("anna", resource="shadow", magic={"attack": 5, "defence": 0})
    quick.press("act-use-shadow", at=None, points=1)
    press(quick, dice, HIT, 17)
    press(quick, dice, f"roll-damage-{HIT}", 4)
    quick.put("ben", life=0, down=True)
    quick.settle("apply")
    assert "Nobody out of the fight loses any more life" in text_of(quick.look("ben", "ben", None))
    assert f"act-deal-damage-roll-damage-{HIT}" not in quick.look().text


@table_of("daemmersturm")
@pytest.mark.rule("DS-59", "DS-40")
@pytest.mark.parametrize(("face", "works"), [(19, False), (2, True)])
def test_poison_is_asked_for_after_a_hit_that_cost_life_and_not_after_one_that_was_stopped(quick, dice, face, works):
    Party.objects.update(trust=False)
    quick.put("anna", poisons=[{"weapon": "Schwert", "place": 1, "kind": "one-handed"}])
    press(quick, dice, HIT, 17)
    press(quick, dice, f"roll-damage-{HIT}", 4)
    poison = f"act-roll-poison-poisons-0-roll-damage-{HIT}"
    assert f'id="tray-{poison}"' not in quick.look().text
    guard(quick, dice, "shield", face)
    if works:
        quick.settle("apply")
    assert (f'id="tray-{poison}"' in quick.look().text) is works
    dice[:] = [[15]]
    quick.press(poison)
    there = "poisons" in quick.sheet("anna").play
    assert (Event.objects.filter(act="roll-poison").count(), there) == (works, not works)


@table_of("daemmersturm")
@pytest.mark.rule("DS-21", "DS-32", "DS-50")
@pytest.mark.parametrize("trust", [False, True])
def test_whoever_goes_down_by_a_critical_hit_is_asked_for_no_exhaustion_roll(quick, dice, trust):
    Party.objects.update(trust=trust)
    quick.put("ben", life=20)
    press(quick, dice, HIT, 20)
    press(quick, dice, f"roll-critical-{HIT}", 6)
    press(quick, dice, f"roll-damage-roll-critical-{HIT}", 4)
    asked = PendingEffect.objects.get(act="roll-exhaustion")
    if not trust:
        assert asked.state == "open"
        quick.settle("apply", number=PendingEffect.objects.get(act="damage").pk)
        asked.refresh_from_db()
    assert (quick.life("ben"), asked.state) == (0, "dismissed")
    assert f'value="apply:{asked.pk}"' not in quick.look("ben", "ben", None).text


@table_of("daemmersturm")
@pytest.mark.rule("DS-22", "DS-32")
@pytest.mark.parametrize("state", [{"unready": {"gone": True}}, {"down": True, "unready": {}}])
def test_a_weapon_that_its_bearer_cannot_get_ready_has_no_button_for_it(quick, state):
    weapon = {"weapon": "Schwert", "place": 1, "steps": 2}
    quick.put("anna", **state | {"unready": [weapon | state["unready"]]})
    page = quick.browsers["anna"].get(f"/sheets/{quick.sheets['anna'].pk}/")
    assert (page.status_code, 'id="board-act-make-ready' in page.text) == (200, False)

"""Where hits count at once and nobody is asked, protection still stops them: in time, or afterwards (DS-40)."""

import re
import uuid

import pytest

from sheets.models import Event, Party, PendingEffect
from tests.support.guest import text_of
from tests.support.sheets.fight import kept, table_of

SWORD = {"name": "Schwert", "kind": "one-handed", "hands": 1, "damage": "1-10", "reload_actions": 0}
BOMB = {"name": "Bombe", "kind": "explosive", "hands": 1, "damage": "1-10", "reload_actions": 0, "w": 5,
        "targets": "1-4"}
HIT, BURST = "roll-attack-weapons-0", "roll-targets-roll-w-roll-weapons-1"
DEFENCE = {"attack": 0, "defence": 10}


@pytest.fixture
def quick(table):
    """Hits count at once, and nobody is asked; Anna has a sword and a bomb, Ben a shield."""
    for who in ("anna", "ben"):
        table.have(who, weapons=[SWORD, BOMB], shield={"target": 14}, armour=None, life=50, melee=DEFENCE,
                   ranged=DEFENCE)
    Party.objects.update(trust=True, waits=False)
    return table


def press(table, dice, key, *faces, at="ben", **fields):
    dice[:] = [[face] for face in faces]
    return table.press(key, at=at, **fields)


def guards(table, who="ben"):
    """The rolls that somebody is offered against what has arrived."""
    return {*re.findall(r'value="guard:\d+:roll-([a-z]+)-', table.look(who, who, None).text)}


def guard(table, dice, kind, face, who="ben"):
    dice[:] = [[face]]
    number, choice = re.search(
        rf'value="guard:(\d+):(roll-{kind}-[^"]*)"', table.look(who, who, None).text).groups()
    table.settle("guard", who, f"{number}:{choice}")


@table_of("daemmersturm")
@pytest.mark.rule("DS-40", "DS-41")
@pytest.mark.parametrize(("face", "lost"), [(19, 0), (2, 4)])
@pytest.mark.parametrize("critical", [False, True])
def test_a_shield_that_holds_after_the_damage_has_landed_gives_it_back(quick, dice, face, lost, critical):
    press(quick, dice, HIT, 20 if critical else 17)
    if critical:
        press(quick, dice, f"roll-critical-{HIT}", 4)
    damage = f"roll-damage-roll-critical-{HIT}" if critical else f"roll-damage-{HIT}"
    press(quick, dice, damage, 4)
    assert quick.full("ben") - quick.life("ben") == (12 if critical else 4)
    press(quick, dice, f"roll-shield-{HIT}", face, bonus=0, target=14)
    assert quick.full("ben") - quick.life("ben") == (lost and (12 if critical else 4))
    assert [one.state for one in PendingEffect.objects.all()] == ["applied" if lost else "dismissed"]
    assert Event.objects.get(act="damage").undone is not bool(lost)


@table_of("daemmersturm")
@pytest.mark.rule("DS-40", "DS-41")
def test_the_page_of_whoever_rolls_the_shield_shows_at_once_that_life_is_given_back(quick, dice):
    press(quick, dice, HIT, 17)
    press(quick, dice, f"roll-damage-{HIT}", 4)
    assert "46 /50" in text_of(quick.look())
    page = quick.look().text
    sent = dict(re.findall(r'<input type="hidden"[^>]* name="(_rows|_by|_at|_seen)" value="([^"]*)"', page))
    sent["_since"] = re.search(r'id="newest"[^>]* data-word="([^"]*)"', page)[1]
    answer = text_of(press(quick, dice, f"roll-shield-{HIT}", 19, bonus=0, target=14, htmx=True, **sent))
    assert (answer.count("50 /50"), "life 46 (taken back)" in answer) == (2, True)


@table_of("daemmersturm")
@pytest.mark.rule("DS-40", "DS-41")
def test_a_shield_gives_back_nothing_of_another_hit_and_none_once_its_target_has_gone_on(quick, dice):
    for face in (3, 4):
        press(quick, dice, HIT, 17)
        press(quick, dice, f"roll-damage-{HIT}", face)
    press(quick, dice, f"roll-shield-{HIT}", 19, bonus=0, target=14)
    assert quick.life("ben") == 47
    press(quick, dice, HIT, 17)
    press(quick, dice, f"roll-damage-{HIT}", 5)
    quick.play("ben", "act-damage", points=1, source="other")
    before, dice[:] = kept(), []
    page = text_of(quick.press(f"roll-shield-{HIT}", bonus=0, target=14, htmx=True))
    assert (kept(), "Something else has followed from that hit: Ben" in page) == (before, True)


@table_of("daemmersturm")
@pytest.mark.rule("DS-40", "DS-42")
@pytest.mark.parametrize(("face", "lost"), [(6, 0), (1, 4)])
def test_damage_waits_for_an_armour_roll_of_its_target_alone(quick, dice, face, lost):
    quick.have("ben", armour={"target": 4, "max_damage": 8})
    press(quick, dice, HIT, 17)
    press(quick, dice, f"roll-shield-{HIT}", 2, bonus=0, target=14)
    press(quick, dice, f"roll-damage-{HIT}", 4)
    assert (quick.life("ben"), guards(quick), "roll-armour-" in quick.look().text) == (50, {"armour"}, False)
    guard(quick, dice, "armour", face)
    if lost:
        assert guards(quick) == set()
        quick.settle("apply")
    assert quick.life("ben") == 50 - lost
    # More damage than it stops does not wait.
    press(quick, dice, HIT, 17)
    press(quick, dice, f"roll-damage-{HIT}", 9)
    assert quick.life("ben") == 41 - lost


@table_of("daemmersturm")
@pytest.mark.rule("DS-40", "DS-41", "DS-42")
def test_a_target_whose_damage_waits_rolls_the_shield_that_nobody_has_rolled_for_it(quick, dice):
    quick.have("ben", armour={"target": 4, "max_damage": 0})
    press(quick, dice, HIT, 17)
    press(quick, dice, f"roll-damage-{HIT}", 4)
    assert guards(quick) == {"shield", "armour"}
    press(quick, dice, f"roll-shield-{HIT}", 2, bonus=0, target=14)
    assert guards(quick) == {"armour"}
    # That of the next hit is another one.
    press(quick, dice, HIT, 17)
    press(quick, dice, f"roll-damage-{HIT}", 5)
    assert len(re.findall(r'value="guard:', quick.look("ben", "ben", None).text)) == 3
    press(quick, dice, f"roll-shield-{HIT}", 19, bonus=0, target=14)
    assert [one.state for one in PendingEffect.objects.order_by("pk")] == ["open", "dismissed"]


@table_of("daemmersturm")
@pytest.mark.rule("DS-22", "DS-42")
def test_armour_stops_the_damage_of_a_counter_attack(quick, dice):
    quick.have("anna", armour={"target": 4, "max_damage": 0})
    press(quick, dice, HIT, 1)
    counter = f"roll-counter-attack-weapons-0-counter-{quick.sheets['anna'].pk}"
    quick.press(counter, "ben", "ben", "anna")
    dice[:] = [[4]]
    quick.press(f"roll-damage-{counter}", "ben", "ben", "anna")
    assert quick.life("anna") == 50
    guard(quick, dice, "armour", 6, "anna")
    assert (quick.life("anna"), PendingEffect.objects.get(act="damage").state) == (50, "dismissed")


@table_of("daemmersturm")
@pytest.mark.rule("DS-21", "DS-50")
@pytest.mark.parametrize("at", ["ben", "troll"])
def test_the_exhaustion_roll_of_a_critical_six_is_its_targets_alone(quick, dice, at):
    quick.bring("Troll")
    press(quick, dice, HIT, 20, at=at)
    press(quick, dice, f"roll-critical-{HIT}", 6, at=at)
    assert "roll-exhaustion-" not in quick.look(at=at).text
    press(quick, dice, f"roll-damage-roll-critical-{HIT}", 3, at=at)
    assert not Event.objects.filter(roll="exhaustion").exists()
    exhaustion = PendingEffect.objects.get(act="roll-exhaustion")
    assert (exhaustion.sheet.name.lower(), exhaustion.state, quick.life(at)) == (at, "open", quick.full(at) - 30)
    assert "roll-exhaustion-" not in quick.look(at=at).text
    dice[:] = [[1]]
    quick.settle("apply", "ben" if at == "ben" else "gm", exhaustion.pk)
    assert Event.objects.get(roll="exhaustion").sheet.name.lower() == at
    # A shield that holds after all takes back both.
    press(quick, dice, f"roll-shield-{HIT}", 19, at=at, bonus=0, target=14)
    assert (quick.life(at), quick.sheet(at).play.get("down")) == (quick.full(at), None)


@table_of("daemmersturm")
@pytest.mark.rule("DS-21", "DS-50")
def test_where_nobody_is_aimed_at_a_critical_six_leads_to_the_exhaustion_roll(quick, dice):
    press(quick, dice, HIT, 20, at=None, **{"against.melee": "12"})
    press(quick, dice, f"roll-critical-{HIT}", 6, at=None)
    assert f"tray-roll-exhaustion-roll-critical-{HIT}" in quick.look(at=None).text


@table_of("daemmersturm")
@pytest.mark.rule("DS-27", "DS-43")
@pytest.mark.parametrize("first", ["cover", "damage"])
def test_cover_that_holds_for_one_target_of_an_explosive_spares_that_one(quick, dice, first):
    quick.bring("Troll")
    press(quick, dice, "roll-w-roll-weapons-1", 15, at=None)
    press(quick, dice, BURST, 2, at=None)
    # The one who holds their cover counts as one of the two.
    for kind in ("cover", "damage") if first == "cover" else ("damage", "cover"):
        press(quick, dice, f"roll-{kind}-{'1-' * (kind == 'damage')}{BURST}", 12, target=10) \
            if kind == "cover" else press(quick, dice, f"roll-damage-1-{BURST}", 4)
    if first == "cover":
        assert "Ben is already one of its targets; choose another." in text_of(quick.look())
    assert quick.life("ben") == 50
    press(quick, dice, f"roll-damage-2-{BURST}", 5, at="troll")
    assert (quick.life("ben"), quick.full("troll") - quick.life("troll")) == (50, 5)


@table_of("daemmersturm")
@pytest.mark.rule("DS-22", "DS-40")
def test_a_caster_hit_by_the_own_spell_is_given_back_what_the_shield_holds(quick, dice):
    press(quick, dice, "roll-attack-magic", 1)
    press(quick, dice, "roll-escalation-roll-attack-magic", 1)
    damage = re.search(r'id="tray-(roll-damage-[^"]*)"', quick.look().text)[1]
    press(quick, dice, damage, 4, range="1-6")
    assert quick.life("anna") == 46
    shield = re.search(r'id="tray-(roll-shield-[^"]*)"', quick.look().text)[1]
    key = uuid.uuid4()
    for _arrival in range(2):
        dice[:] = [[19]]
        quick.press(shield, bonus=0, target=14, key=key)
        assert quick.life("anna") == 50


@table_of("daemmersturm")
@pytest.mark.rule("DS-57", "DS-42")
@pytest.mark.parametrize(("face", "pays"), [(6, False), (1, True)])
def test_damage_that_armour_averts_pays_no_shadow(quick, dice, face, pays):
    quick.have("anna", resource="shadow", magic={"attack": 5, "defence": 0})
    quick.have("ben", armour={"target": 5, "max_damage": 9})
    quick.press("act-use-shadow", at=None, points=1)
    press(quick, dice, HIT, 17)
    press(quick, dice, f"roll-damage-{HIT}", 4)
    pay = f"act-deal-damage-roll-damage-{HIT}"
    assert pay not in quick.look().text
    guard(quick, dice, "armour", face)
    if not pays:
        assert pay not in quick.look().text
        quick.press(pay, points=3)
        assert quick.sheet("anna").play["shadow_owed"] == 3
        return
    quick.settle("apply")
    quick.press(pay)
    assert "shadow_owed" not in quick.sheet("anna").play


@table_of("daemmersturm")
@pytest.mark.rule("DS-57", "DS-41")
def test_a_shield_that_holds_afterwards_takes_back_what_paid_the_shadow(quick, dice):
    quick.have("anna", resource="shadow", magic={"attack": 5, "defence": 0})
    quick.press("act-use-shadow", at=None, points=1)
    press(quick, dice, HIT, 17)
    press(quick, dice, f"roll-damage-{HIT}", 4)
    quick.press(f"act-deal-damage-roll-damage-{HIT}")
    assert "shadow_owed" not in quick.sheet("anna").play
    press(quick, dice, f"roll-shield-{HIT}", 19, bonus=0, target=14)
    assert (quick.full("ben") - quick.life("ben"), quick.sheet("anna").play["shadow_owed"]) == (0, 3)


@table_of("daemmersturm")
@pytest.mark.rule("DS-40", "DS-41")
def test_a_shield_number_of_0_is_refused_in_words_and_gives_nothing_back(quick, dice):
    press(quick, dice, HIT, 17)
    press(quick, dice, f"roll-damage-{HIT}", 5)
    dice += [[1]]
    assert "0 means that there is no shield" in text_of(quick.press(f"roll-shield-{HIT}", bonus=0, target=0))
    assert quick.full("ben") - quick.life("ben") == 5
    assert not Event.objects.filter(roll="shield").exists()


@table_of("daemmersturm")
@pytest.mark.rule("DS-41")
def test_the_log_of_a_shield_roll_that_had_the_number_0_stays_readable(quick, dice):
    press(quick, dice, HIT, 17)
    press(quick, dice, f"roll-shield-{HIT}", 2, bonus=0, target=14)
    Event.objects.filter(roll="shield").update(given={"bonus": 0, "target": 0}, outcome="blocked")
    assert "blocked: no damage" in text_of(quick.look())


@table_of("daemmersturm")
@pytest.mark.rule("DS-09", "DS-41")
def test_a_shield_that_has_no_number_yet_is_not_rolled(quick, dice):
    quick.have("ben", shield={"target": 0})
    Party.objects.update(waits=True)
    press(quick, dice, HIT, 17)
    press(quick, dice, f"roll-damage-{HIT}", 5)
    assert quick.full("ben") - quick.life("ben") == 5
    assert "roll-shield" not in quick.look("ben", "ben", "anna").text

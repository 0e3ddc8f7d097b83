"""A roll hits its target, whoever made it, or somebody who is chosen then; and a shield may stop it."""

import re
import uuid

import pytest

from sheets.models import Event, Party, PendingEffect, Question, Sheet
from tests.support.sheets.fight import table_of

pytestmark = pytest.mark.alike
BOW = {"name": "Bogen", "kind": "bow", "hands": 2, "damage": "1-8", "reload_actions": 0}
CLUB = {"name": "Keule", "kind": "two-handed", "hands": 2, "damage": "111-118", "reload_actions": 0}
SWORD = {"name": "Schwert", "kind": "one-handed", "hands": 1, "damage": "1-10", "reload_actions": 0}
GRENADE = {"name": "Granate", "kind": "explosive", "hands": 1, "damage": "1-6", "w": 10, "targets": "1-4"}
GUARDED = {"shield": {"target": 14}, "armour": {"target": 4, "max_damage": 0}}


@table_of("daemmersturm")
@pytest.mark.rule("DS-22")
def test_what_a_fumble_does_to_the_caster_lands_there_and_not_at_the_enemy(table, dice):
    table.bring("Troll")
    table.have("anna", **table.sheets["anna"].data | {"resource": "mana"})
    dice += [[1]]
    table.press("roll-attack-magic", at="troll", criticals="20", fumbles="1")
    dice += [[1]]
    table.press("roll-escalation-roll-attack-magic", at="troll")
    dice += [[5]]
    table.press("roll-damage-roll-escalation-roll-attack-magic", at="troll", range="1-6")
    effect = PendingEffect.objects.get()
    assert (effect.sheet.name, effect.filled["points"], effect.filled["source"]) == ("Anna", 5, "magic")
    assert Event.objects.latest("pk").aimed_at == {}


@table_of("daemmersturm")
@pytest.mark.rule("DS-22", "DS-27")
@pytest.mark.parametrize(("weapon", "source", "at"), [
    (None, "magic", "ben"), (None, "magic", None), (GRENADE, "explosive", None)])
def test_what_a_fumbled_w_roll_does_to_whoever_made_it_lands_there_whomever_one_aims_at(
        table, dice, weapon, source, at):
    table.have("anna", **table.sheets["anna"].data | GUARDED | {"weapons": [weapon] if weapon else []})
    rolled = "roll-w-roll-weapons-0" if weapon else "roll-w-roll-magic"
    dice += [[1], [1], [2], [5]] if weapon else [[1], [1], [5]]
    table.press(rolled, at=at, target=10, criticals="20", fumbles="1")
    chain = [f"roll-escalation-{rolled}", *([f"roll-targets-roll-escalation-{rolled}"] if weapon else [])]
    for one in chain:
        table.press(one, at=at)
    # Protection is rolled once, where the damage arrives.
    assert not re.search(r'"tray-press-roll-(shield|cover)', table.look("anna", at=at).text)
    table.press(f"roll-damage-{'own-' if weapon else ''}{chain[-1]}", at=at, range="1-6")
    effect = PendingEffect.objects.get()
    assert (effect.sheet.name, effect.filled["points"], effect.filled["source"]) == ("Anna", 5, source)
    page = table.look("anna", at=at).text
    assert ("Take 5 damage" in page, "Shield roll</button>" in page) == (False, source == "magic")
    table.settle("apply", "anna")
    assert table.full("anna") - table.life("anna") == 5


@table_of("daemmersturm")
@pytest.mark.rule("DS-22", "DS-27")
def test_on_a_sheet_alone_it_is_taken_by_a_press(table, dice):
    Sheet.objects.filter(pk=table.sheets["anna"].pk).update(party=None)
    dice += [[1], [1], [5]]
    table.play("anna", "roll-w-roll-magic", target=10, criticals="20", fumbles="1")
    table.play("anna", "roll-escalation-roll-w-roll-magic")
    table.play("anna", damage := "roll-damage-roll-escalation-roll-w-roll-magic", range="1-6")
    assert "Take 5 damage" in table.own("anna").text
    table.play("anna", f"act-damage-{damage}")
    assert (table.full("anna") - table.life("anna"), PendingEffect.objects.count()) == (5, 0)


@table_of("daemmersturm")
@pytest.mark.rule("DS-24")
@pytest.mark.parametrize(("at", "htmx"), [("ben", False), ("ben", True), (None, False), ("anna", True)])
def test_damage_hits_whom_the_attack_has_hit_whomever_one_aims_at_by_now(table, dice, at, htmx):
    table.bring("Troll")
    table.have("anna", **table.sheets["anna"].data | {"weapons": [SWORD]})
    dice += [[19], [4]]
    table.press("roll-attack-weapons-0", at="troll")
    answer = table.press("roll-damage-roll-attack-weapons-0", at=at, htmx=htmx)
    assert PendingEffect.objects.get().sheet.name == "Troll"
    assert [*Event.objects.latest("pk").aimed_at.values()] == ["Troll"]
    if htmx:
        assert f'name="_at" value="{table.sheets[at].pk}"' in answer.text, "one still aims at whom one aimed at"


@table_of("daemmersturm")
@pytest.mark.rule("DS-24")
@pytest.mark.parametrize("at", ["ben", None])
def test_damage_of_a_hit_on_somebody_who_has_left_hits_nobody_else(table, dice, at):
    table.bring("Troll")
    table.have("anna", **table.sheets["anna"].data | {"weapons": [SWORD]})
    dice += [[19]]
    table.press("roll-attack-weapons-0", at="troll")
    Sheet.objects.filter(name="Troll").update(party=None)
    page = table.press("roll-damage-roll-attack-weapons-0", at=at, htmx=True).text
    assert "it hits nobody else instead" in page
    assert (PendingEffect.objects.count(), Event.objects.filter(roll="damage").count()) == (0, 0)


@table_of("daemmersturm")
@pytest.mark.rule("DS-20", "DS-29")
def test_the_second_attack_of_a_pair_meets_the_same_target_as_the_first(table, dice):
    table.bring("Troll")
    table.have("anna", **table.sheets["anna"].data | {"weapons": [SWORD, SWORD]})
    dice += [[18]]
    table.press("roll-paired-attack-weapons-0-one-handed", at="troll")
    dice += [[2]]
    table.press("roll-attack-second-roll-paired-attack-weapons-0-one-handed", at="troll")
    event = Event.objects.latest("pk")
    assert (event.parameters["defence"], [*event.aimed_at.values()]) == (
        table.sheet("troll").data["melee"]["defence"], ["Troll"])


@table_of("daemmersturm")
@pytest.mark.rule("DS-53")
def test_who_hides_meets_the_bonus_of_whoever_searches(table, dice):
    table.bring("Troll", data=table.sheets["ben"].data | {
        "ranged": {"attack": -5, "defence": 10}, "magic": {"attack": 3, "defence": 10}})
    for face, value in ((11, "guessed"), (12, "seen")):
        dice += [[face]]
        table.press("roll-stealth", at="troll")
        event = Event.objects.latest("pk")
        # That of a troll whom one does not read stays secret, beyond what comes of it.
        assert (event.outcome, event.parameters["bonus"], "bonus" in event.given) == (value, 3, False)


@table_of("daemmersturm")
@pytest.mark.rule("DS-28")
def test_a_friend_who_is_hit_is_chosen_and_is_never_the_enemy(table, dice):
    table.bring("Troll")
    Party.objects.filter(pk=table.party.pk).update(trust=True)
    table.have("anna", **table.sheets["anna"].data | {"weapons": [BOW]})
    dice += [[5]]
    table.press("roll-friendly-fire-weapons-0", at="troll", defence=30)
    dice += [[6]]
    table.press("roll-damage-roll-friendly-fire-weapons-0", at="troll")
    event = Event.objects.latest("pk")
    assert (event.given["victim"], PendingEffect.objects.count(), event.aimed_at) == ("friend", 0, {})
    assert table.life("troll") == table.full("troll")
    # Anna aims at Ben now, whom the same dice hit.
    assert f'value="also:{event.pk}"' in table.look("anna", at="ben").text
    table.browsers["anna"].post(f"{table.address}play/?{table.seats('anna', 'ben')}", {"do": f"also:{event.pk}"})
    assert (PendingEffect.objects.get().sheet.name, table.full("ben") - table.life("ben")) == ("Ben", 6)


@table_of("daemmersturm")
@pytest.mark.rule("DS-40")
def test_a_shield_that_holds_stops_the_roll_of_the_damage(table, dice):
    Party.objects.filter(pk=table.party.pk).update(waits=True)
    table.have("ben", **table.sheets["ben"].data | GUARDED)

    def asked():
        table.press("roll-damage", at="ben", range="1-6", rolls=1, critical=0, source="melee")
        return Question.objects.latest("pk")
    for face, fallen in ((20, ["shield", "stopped"]), (1, ["shield", "damage"])):
        Event.objects.all().delete()
        question = asked()
        dice += [[face]] if face == 20 else [[face], [4]]
        table.browsers["ben"].post(f"{table.address}play/", {
            "do": f"respond:{question.pk}:shield", "_press": str(uuid.uuid4())})
        assert [one.roll or "stopped" for one in Event.objects.order_by("pk")] == fallen
        assert PendingEffect.objects.count() == fallen.count("damage")
    assert PendingEffect.objects.get().filled["points"] == 4
    page = table.look("ben", "ben", None).text
    assert ("guard:" in page, "Armour roll" in page, "Shield roll</button>" in page) == (True, True, False)


@table_of("daemmersturm")
@pytest.mark.rule("DS-40", "DS-43")
def test_after_a_cover_that_does_not_hold_a_shield_may_follow_before_the_damage_falls(table, dice):
    Party.objects.filter(pk=table.party.pk).update(waits=True)
    table.have("ben", **table.sheets["ben"].data | GUARDED)
    Sheet.objects.filter(pk=table.sheets["ben"].pk).update(play={"sheltered": 1})
    table.press("roll-damage", at="ben", range="1-6", rolls=1, critical=0, source="ranged")

    def tried(choice, key):
        table.browsers["ben"].post(f"{table.address}play/", {
            "do": f"respond:{Question.objects.get().pk}:{choice}", "_press": key})
        return [one.roll for one in Event.objects.order_by("pk")], Question.objects.get().response is None
    first, dice[:] = str(uuid.uuid4()), [[1]]
    for _arrival in range(2):
        assert tried("cover", first) == (["cover"], True)
    assert re.findall(r'value="respond:\d+:([a-z-]+)"', table.look("ben", "ben", None).text) == ["shield", "forgo"]
    dice[:] = [[1], [4]]
    assert tried("shield", str(uuid.uuid4())) == (["cover", "shield", "damage"], False)


@pytest.mark.rule("CD-28", "CD-42")
def test_a_mental_attack_that_works_leads_on_to_the_size_of_the_target_which_changes_there(table, dice):
    table.have("anna", abilities=[{"ability": "groesse-aendern", "dice": 4, "range": 0}])
    dice += [[6, 6, 6, 6, *[1] * 10]]
    table.press("roll-mental-attack-abilities-0")
    assert not PendingEffect.objects.exists()
    table.press("act-resize-other-roll-mental-attack-abilities-0", size="shrink", rounds="")
    effect = PendingEffect.objects.get()
    assert (effect.sheet.name, effect.act, effect.filled["size"]) == ("Ben", "change-size", "shrink")
    table.settle("apply")
    assert (table.sheet("ben").play["effects"][0]["defence"], table.sheet("anna").play.get("effects")) == (4, None)
    assert table.sheet("anna").play["acted"]


@pytest.mark.rule("CD-33", "CD-42")
def test_a_debuff_that_works_lowers_what_the_variant_allows_at_the_target(table, dice):
    table.have("anna", abilities=[{"ability": "boost-debuff", "variant": "I", "extra_targets": 0, "range": 0}])
    dice += [[6, 6, 6, 6, *[1] * 10]]
    table.press("roll-mental-attack-abilities-0", dice=4)
    table.press("act-boost-other-roll-mental-attack-abilities-0", attributes="defence")
    table.settle("apply")
    assert table.sheet("ben").play["effects"][0]["defence"] == -4


@pytest.mark.rule("CD-42")
def test_one_that_does_not_work_leads_to_nothing_but_the_end_of_the_action(table, dice):
    table.have("anna", abilities=[{"ability": "groesse-aendern", "dice": 4, "range": 0}])
    dice += [[1, 1, 1, 1, *[6] * 10]]
    table.press("roll-mental-attack-abilities-0")
    assert "act-resize-other-roll" not in table.look().text
    assert "act-take-action-roll-mental-attack-abilities-0" in table.look().text


@pytest.fixture
def holding(table, dice):
    """Anna holds Ben by mind control; Cleo, whose mind is stronger, is at the table, too."""
    mind = [{"ability": "mindcontrol", "dice": 4}]
    table.have("anna", abilities=mind)
    table.have("ben", mental_resistance=1)
    table.bring("Cleo", opponent=False, owner=table.users["ben"], seen_by="party")
    table.have("cleo", mental_resistance=5)
    Sheet.objects.filter(pk=table.sheets["anna"].pk).update(play={
        "holds": [{"ability": "mindcontrol", "target": "Ben", "dice": 4}]})
    return table


@pytest.mark.rule("CD-54")
def test_who_tries_to_break_free_meets_the_one_who_is_held_and_nobody_else(holding, dice):
    dice += [[1, 1, 1, 1, 6, 6]]
    holding.press("act-try-free-holds-0", at="ben")
    event = Event.objects.latest("pk")
    assert event.answered["resistance"] == 1
    assert [(one.sheet.name, one.act) for one in PendingEffect.objects.all()] == [("Ben", "give-up")]


@pytest.mark.rule("CD-54")
def test_while_another_is_aimed_at_the_resistance_of_who_is_held_is_asked_and_nothing_lands_at_the_other(holding, dice):
    asked = {at: holding.look(at=at).text.count('name="resistance"') for at in ("ben", "cleo")}
    assert asked["cleo"] == asked["ben"] + 1
    dice += [[1, 1, 1, 1, 6, 6]]
    holding.press("act-try-free-holds-0", at="cleo", resistance=1)
    assert Event.objects.latest("pk").answered["resistance"] == 1
    assert not PendingEffect.objects.exists()


@pytest.mark.rule("CD-54", "CD-22")
def test_whom_one_aims_at_is_held_without_being_typed(holding, dice):
    Sheet.objects.filter(pk=holding.sheets["anna"].pk).update(play={})
    holding.press("act-hold-target-abilities-0", at="cleo")
    assert [one["target"] for one in holding.sheet("anna").play["holds"]] == ["Cleo"]


@pytest.mark.rule("CD-29")
@pytest.mark.parametrize("at", ["cleo", None])
def test_nobody_gains_the_life_of_somebody_who_is_gone_and_has_lost_none(table, dice, at):
    table.bring("Cleo", opponent=False, owner=table.users["ben"], seen_by="party")
    table.have("anna", life=6, abilities=[{"ability": "leben-transferieren", "range": 0, "life_points": 2}])
    table.have("ben", mental_resistance=0, life=5)
    Sheet.objects.filter(name="Anna").update(play={"life": 3})
    dice += [[6, 6]]
    roll = "roll-drain-life-abilities-0"
    table.press(roll)
    assert [one.sheet.name for one in PendingEffect.objects.all()] == ["Ben"]
    Sheet.objects.filter(name="Ben").update(party=None)
    table.press(f"act-draw-life-{roll}", at=at)
    assert (table.life("anna"), Event.objects.filter(act="draw-life").exists()) == (3, False)


@table_of("daemmersturm")
@pytest.mark.rule("DS-27")
def test_nobody_is_asked_for_the_die_of_a_critical_hit_after_a_grenade(table, dice):
    table.have("anna", weapons=[GRENADE])
    dice += [[20], [2], [5]]
    rolled = "roll-w-roll-weapons-0"
    targets = f"roll-targets-{rolled}"
    for which in (rolled, targets, f"roll-damage-1-{targets}"):
        table.press(which, critical=4)
        assert not re.search(rf'id="tray-roll-(targets|damage)[^"]*{rolled}-critical"', table.look().text)
    assert PendingEffect.objects.get().filled["points"] == 5


@table_of("daemmersturm")
@pytest.mark.rule("DS-27")
def test_after_a_spell_with_a_w_roll_it_is_asked_for(table, dice):
    dice += [[15], [2], [5]]
    rolled = "roll-w-roll-magic"
    table.press(rolled, target=10, criticals="20", fumbles="1")
    table.press(targets := f"roll-targets-{rolled}", range="1-4", critical=4)
    table.press(f"roll-damage-1-{targets}", range="1-6")
    assert PendingEffect.objects.get().filled["points"] == 15

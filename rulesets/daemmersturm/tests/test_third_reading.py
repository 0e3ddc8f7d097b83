"""Rolls that count down, use up or destroy something (DS-22, DS-26, DS-27, DS-57, DS-58, DS-60)."""

import pytest

from rulesets.daemmersturm import RULESET, rolls
from rulesets.daemmersturm.tests.helpers import Table, profile
from rulesets.dice import LoadedTray, Outcome, thrown
from rulesets.kit import Refused

CANNON = {"name": "Kanone", "kind": "artillery", "hands": 2, "damage": "5-20", "reload_actions": 3, "w": 12,
          "targets": "1-3"}


def offer(table, slug, key):
    return next(one for one in table.sheet.roll_offers(table.play) if (one.cls.slug, one.key) == (slug, key))


def led(table, key, value):
    """Return the follow-ups of a W roll with a weapon, {slug: offer}."""
    return {one.cls.slug: one for one in offer(table, "w-roll", key).leads(None, Outcome(value))}


@pytest.mark.rule("DS-22")
def test_a_piece_of_artillery_that_fumbles_explodes_and_is_not_to_be_reloaded():
    table = Table(profile({"weapons.2": CANNON}, start="two-weapons"))
    assert led(table, "weapons.2", "failure")["not-ready"].filled["fumbled"] is False
    table.take(led(table, "weapons.2", "fumble")["not-ready"].take())
    assert [(one.steps, one.gone) for one in table.play.unready] == [(0, True)]
    assert str(offer(table, "w-roll", "weapons.2").note).startswith("Destroyed.")
    assert led(table, "weapons.2", "success") == {}
    again, = table.offers("make-ready")
    assert (str(again.title), again.rare) == ("Kanone is there again", True)
    (state,) = [one for one in table.play.board(table.sheet)["weapons"] if one.title == "Kanone"]
    assert (str(state.unready), state.reload) == ("destroyed", None)
    table.do("make-ready", key="unready.0")
    assert table.play.unready == []


@pytest.mark.rule("DS-22", "DS-60")
@pytest.mark.parametrize("value", ["success", "failure", "fumble"])
def test_a_grenade_that_is_thrown_is_one_less_of_those_that_are_packed_and_never_reloaded(value):
    table = Table(profile(start="two-weapons"))
    assert led(table, "weapons.2", value) == {}
    table.do("pack-item", name="handgranate", number=2)
    found = led(table, "weapons.2", value)
    assert list(found) == ["use-item"]
    table.take(found["use-item"].take())
    assert [one.number for one in table.play.items] == [1]
    assert "weapons.2" not in [one.key for one in table.offers("not-ready")]


@pytest.mark.rule("DS-58")
def test_a_potion_that_is_packed_is_counted_down_as_it_is_taken():
    table = Table(profile())
    table.do("pack-item", name="Kletterseil")
    table.do("pack-item", name="Heiltrank", number=2, potion=True)
    assert [one.key for one in table.offers("take-potion")] == ["items.1", ""]
    with pytest.raises(Refused):
        table.do("take-potion", key="items.1", enemy_near=True)
    table.do("take-potion", key="items.1")
    table.do("take-potion", 5, key="items.1")
    assert (table.play.potions, [one.name for one in table.play.items]) == (2, ["Kletterseil"])
    table.do("take-potion", 5, given=True)
    assert (table.play.potions, len(table.play.items)) == (3, 1)


@pytest.mark.rule("DS-57")
def test_damage_that_is_dealt_leads_to_paying_the_shadow_as_long_as_it_demands_some():
    sheet = profile({"resource": "shadow"}, start="shaman")
    table = Table(sheet)
    dealt, own = (rolls.Damage(range="1-6", victim=victim) for victim in ("target", "own"))
    assert [*offer(table, "attack", "weapons.0").onward["damage"](dealt, Outcome(4))] == []
    table.do("use-shadow", points=2)
    leads = offer(table, "attack", "weapons.0").onward["damage"]
    assert [one.cls.slug for one in offer(table, "damage", "").leads(dealt, Outcome(4))] == ["deal-damage"]
    assert [*leads(dealt, Outcome(0))] == []
    # Damage to oneself is taken, and pays nothing.
    assert [(one.cls.slug, one.without_target) for one in leads(own, Outcome(4))] == [("damage", True)]
    (pays,) = leads(dealt, Outcome(4))
    assert str(pays.title) == "Pay the shadow with 4 damage"
    table.take(pays.take())
    assert table.play.shadow_owed == 2


@pytest.mark.rule("DS-03", "DS-20", "DS-27")
def test_a_spell_that_was_noted_once_is_thrown_with_its_figures_until_it_is_forgotten():
    table = Table(profile(start="light-caster"))
    assert table.do("note-spell", name="Feuerball", number=14, damage="2-12", targets="1-4") == (
        "Feuerball: W 14+, damage 2-12, targets 1-4")
    table.do("note-spell", name="Blitz", damage="1-8")
    table.do("note-spell", name="Heilkreis", number=12, healing="1-8")
    for again in ("new-fight", "new-section"):
        if table.offers(again):
            table.do(again)
    ball, bolt = offer(table, "w-roll", "spells.0"), offer(table, "attack", "spells.1")
    assert (ball.filled, ball.then) == ({"bonus": 4, "target": 14, "kind": "spell"}, {
        "damage": {"range": "2-12", "source": "magic"}, "targets": {"range": "1-4"}})
    assert (bolt.filled, bolt.aims, bolt.then) == (
        {"bonus": 4, "skill": "magic", "targets": "", "full_force": False}, {"defence": "magic"},
        {"damage": {"range": "1-8", "source": "magic"}})
    circle, amount = offer(table, "w-roll", "spells.2"), offer(table, "healing", "spells.2.healing")
    # A spell on nobody else asks for no range of targets, and a healing for no damage.
    assert (circle.filled["fumbles"], circle.then, amount.filled) == (
        "", {"damage": None, "targets": None, "healing": {"range": "1-8"}}, {"range": "1-8"})
    table.do("note-spell", name=" blitz ", damage="1-10")
    table.do("forget-spell", key="spells.0")
    assert [one.what() for one in table.play.spells] == ["W 12+, healing 1-8", "damage 1-10"]
    for wrong in ({"name": " ", "number": 3}, {"name": "Segen"}):
        with pytest.raises(Refused, match="Say what it is called"):
            table.do("note-spell", **wrong)


@pytest.mark.rule("DS-10")
def test_healing_that_is_aimed_at_nobody_is_ones_own():
    table = Table(profile(), life=5)
    heals = offer(table, "healing", "")
    made = heals.take(range="1-8", factor=2)
    (one,) = heals.leads(made, thrown(made.throw, LoadedTray(3))[0])
    assert one.without_target
    table.take(one.take())
    assert table.left["life"] == 11
    assert RULESET.rolls["healing"] is heals.cls

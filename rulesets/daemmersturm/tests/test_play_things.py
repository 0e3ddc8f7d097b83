import pytest
from django.utils import translation

from rulesets.daemmersturm import RULESET
from rulesets.daemmersturm.tests.helpers import Table, profile
from rulesets.kit import Refused


@pytest.fixture
def hans():
    return Table(profile())


@pytest.mark.rule("DS-58")
def test_the_second_potion_in_a_kampfabschnitt_has_side_effects_and_none_is_taken_next_to_an_enemy(hans):
    with pytest.raises(Refused):
        hans.do("take-potion", enemy_near=True)
    hans.do("take-potion", enemy_near=True, given=True)
    hans.do("take-potion", 5)
    assert (hans.play.potions, hans.play.conditions) == (2, [])
    hans.do("take-potion", 4)
    assert hans.left["life"] == 10
    hans.do("new-section")
    assert hans.play.potions == 0


@pytest.mark.rule("DS-58")
def test_sickness_lowers_all_values_but_life_for_four_turns(hans):
    hans.do("take-potion")
    hans.do("take-potion", 1)
    for turn in range(5):
        now = hans.now
        assert [*((one.attack, one.defence) for one in (now.melee, now.ranged, now.magic)), now.life] == [
            (-2, 10), (-8, 7), (-5, 5), 20], turn
        hans.do("begin-turn")
    assert hans.now == hans.sheet


@pytest.mark.rule("DS-58")
@pytest.mark.parametrize(("face", "kind"), [(2, "cramps"), (3, "faint")])
def test_cramps_and_faint_last_three_turns(hans, face, kind):
    hans.do("take-potion")
    hans.do("take-potion", face)
    for turn in range(3):
        hans.do("begin-turn")
        assert [one.kind for one in hans.play.conditions] == [kind]
        assert hans.notices == ["DS-58"]
        assert len(hans.offers("end-lasting")) == (turn == 2)
    hans.do("end-lasting")
    assert hans.play.conditions == []


@pytest.mark.rule("DS-58")
def test_where_nobody_ends_a_turn_what_has_run_out_is_over_with_the_next_one(hans):
    hans.do("add-condition", kind="faint", turns=1)
    hans.do("begin-turn")
    assert hans.now.melee.defence == 6
    hans.do("begin-turn")
    assert (hans.play.conditions, hans.now) == ([], hans.sheet)


@pytest.mark.rule("DS-45")
def test_what_has_run_out_stays_while_its_damage_is_due(hans):
    hans.do("add-condition", name="Brand", turns=1, lowest=1, highest=5)
    hans.do("begin-turn")
    assert hans.offers("end-lasting") == []
    hans.do("damage-over-time", 4, key="conditions.0", reduced=0)
    assert len(hans.offers("end-lasting")) == 1


@pytest.mark.rule("DS-58")
def test_in_a_faint_all_defences_fall_to_six():
    weak = Table(profile({"magic.defence": 4}))
    weak.do("add-condition", kind="faint", turns=3)
    assert [getattr(weak.now, key).defence for key in ("melee", "ranged", "magic")] == [6, 6, 4]


@pytest.mark.rule("DS-59")
def test_poison_is_put_on_one_weapon_once_and_none_on_guns():
    elster = Table(profile(start="two-weapons"))
    assert [offer.key for offer in elster.offers("apply-poison")] == ["weapons.0", "weapons.2"]
    elster.do("apply-poison", key="weapons.0", poison="Natternblut")
    assert [offer.key for offer in elster.offers("apply-poison")] == ["weapons.2"]
    for index in (0, 1):
        with pytest.raises(Refused):
            elster.take(RULESET.acts["apply-poison"](index=index))


@pytest.mark.rule("DS-59")
@pytest.mark.parametrize("stored", ["", "Waffe ohne Namen"])
def test_poison_stays_on_a_weapon_without_a_name_whatever_language_it_is_read_in(stored):
    nameless = Table(profile({"weapons": [{"name": "", "kind": "dagger", "damage": "1-6"}]}))
    with translation.override("de"):
        nameless.do("apply-poison", key="weapons.0", poison="Natternblut")
    (poison,) = nameless.play.poisons
    if stored:
        # As states of earlier days have it.
        poison = poison.model_copy(update={"weapon": stored})
    with translation.override("de" if stored else "en"):
        assert poison.at(nameless.sheet) == 0


@pytest.mark.rule("DS-59")
@pytest.mark.parametrize("face", [9, 10])
@pytest.mark.parametrize("lasting", [False, True])
def test_volatile_poison_is_used_up_either_way_and_lasting_poison_holds(lasting, face):
    elster = Table(profile(start="two-weapons"))
    elster.do("apply-poison", key="weapons.0", lasting=lasting)
    elster.do("roll-poison", face, key="poisons.0")
    assert len(elster.play.poisons) == lasting
    elster.do("take-potion")
    elster.do("new-section")
    assert elster.play.poisons == []


@pytest.mark.rule("DS-22", "DS-25", "DS-26")
@pytest.mark.parametrize(("start", "reload", "key", "fumbled", "steps"), [
    ("two-weapons", 2, "weapons.1", False, 2), ("two-weapons", 1, "weapons.1", True, 2),
    ("marksman", 0, "weapons.0", True, 2),
])
def test_a_weapon_that_is_reloaded_or_fumbled_needs_its_actions(start, reload, key, fumbled, steps):
    table = Table(profile({f"{key}.reload_actions": reload}, start=start))
    table.do("not-ready", key=key, **({"fumbled": True} if fumbled and reload else {}))
    assert [one.steps for one in table.play.unready] == [steps]
    for _action in range(steps):
        table.do("make-ready", key="unready.0")
    assert table.play.unready == []


@pytest.mark.rule("DS-22")
def test_a_bow_needs_something_after_a_fumble_alone():
    bow, = (one for one in pair().offers("not-ready") if one.filled["index"] == 4)
    assert (str(bow.title), bow.rare, bow.filled["fumbled"]) == ("Bogen: a fumble", True, True)


def pair():
    """Somebody with two pistols of one name, two daggers of one name, and a bow."""
    pistol = {"name": "Pistole", "kind": "handgun", "hands": 1, "damage": "1-10", "reload_actions": 2}
    dagger = {"name": "Dolch", "kind": "dagger", "hands": 1, "damage": "1-6"}
    bow = {"name": "Bogen", "kind": "bow", "hands": 2, "damage": "1-8"}
    return Table(profile({"weapons": [pistol, pistol, dagger, dagger, bow]}))


@pytest.mark.rule("DS-26", "DS-29")
def test_of_two_weapons_of_one_name_each_is_fired_and_reloaded_by_itself():
    two = pair()
    two.do("not-ready", key="weapons.0")
    assert [(one.weapon, one.place, one.steps) for one in two.play.unready] == [("Pistole", 1, 2)]
    assert [str(one.title) for one in two.offers("not-ready") if not one.rare] == ["Pistole 2 was fired"]
    two.do("not-ready", key="weapons.1")
    assert [str(one.title) for one in two.offers("make-ready")] == [
        "Reload or fix Pistole 1", "Reload or fix Pistole 2"]
    with pytest.raises(Refused, match="already not ready"):
        two.take(RULESET.acts["not-ready"](index=1))


@pytest.mark.rule("DS-29", "DS-59")
def test_of_two_daggers_of_one_name_each_bears_a_poison_of_its_own():
    two = pair()
    two.do("apply-poison", key="weapons.2", poison="Schlangengift")
    assert [one.filled["index"] for one in two.offers("apply-poison")] == [3, 4]
    two.do("apply-poison", key="weapons.3", poison="Fingerhut")
    assert [(one.place, one.poison) for one in two.play.poisons] == [(3, "Schlangengift"), (4, "Fingerhut")]
    assert [str(one.title) for one in two.offers("roll-poison")] == ["Poison of Dolch 1", "Poison of Dolch 2"]
    # In an older log it is the first weapon's of its name.
    two.play = RULESET.play(poisons=[{"weapon": "Dolch", "kind": "dagger"}])
    assert [one.filled["index"] for one in two.offers("apply-poison")] == [3, 4]


@pytest.mark.rule("DS-60", "DS-58")
def test_items_are_packed_used_up_and_do_not_grow_back_with_a_rest(hans):
    assert hans.do("pack-item", name="Heiltrank", number=2) == "Heiltrank: now 2"
    hans.do("pack-item", name="Kletterseil")
    hans.do("use-item", key="items.0")
    hans.do("use-item", key="items.1")
    hans.do("new-section")
    hans.do("new-fight")
    assert [(str(one.title), str(one.note)) for one in hans.offers("use-item")] == [("Use up: Heiltrank", "1 left")]
    assert hans.do("pack-item", name=" Heiltrank ", number=3) == "Heiltrank: now 4"
    for wrong in ({"name": " "}, {"name": "Seil", "number": 0}):
        with pytest.raises(Refused, match="Say what it is"):
            hans.do("pack-item", **wrong)

import pytest

from rulesets.daemmersturm import RULESET
from rulesets.kit import Refused
from tests.rulesets.daemmersturm.hand import Table, fell, profile


@pytest.fixture
def hans():
    return Table(profile())


@pytest.mark.rule("DS-58")
def test_the_second_potion_in_a_kampfabschnitt_has_side_effects(hans):
    hans.do("take-potion")
    assert hans.play.conditions == []
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
        values = [now.melee.attack, now.melee.defence, now.ranged.attack, now.ranged.defence, now.magic.attack,
                  now.magic.defence, now.life]
        assert values == [-2, 10, -8, 7, -5, 5, 20], turn
        hans.do("begin-turn")
    assert hans.now == hans.sheet


@pytest.mark.rule("DS-58")
@pytest.mark.parametrize(("face", "kind"), [(2, "cramps"), (3, "faint")])
def test_cramps_and_faint_last_three_turns(hans, face, kind):
    hans.do("take-potion")
    hans.do("take-potion", face)
    for _turn in range(3):
        hans.do("begin-turn")
        assert [one.kind for one in hans.play.conditions] == [kind]
        assert hans.notices == ["DS-58"]
    hans.do("begin-turn")
    assert hans.play.conditions == []


@pytest.mark.rule("DS-58")
def test_in_a_faint_all_defences_fall_to_six():
    weak = Table(profile({"magic.defence": 4}))
    weak.do("add-condition", kind="faint", turns=3)
    assert [getattr(weak.now, key).defence for key in ("melee", "ranged", "magic")] == [6, 6, 4]


@pytest.mark.rule("DS-58")
def test_a_potion_is_not_taken_next_to_an_enemy_but_may_be_given(hans):
    with pytest.raises(Refused):
        hans.do("take-potion", enemy_near=True)
    hans.do("take-potion", enemy_near=True, given=True)
    assert hans.play.potions == 1


@pytest.mark.rule("DS-59")
def test_poison_is_put_on_one_weapon_once_and_none_on_guns():
    elster = Table(profile(start="two-weapons"))
    assert [offer.key for offer in elster.offers("apply-poison")] == ["weapons.0", "weapons.2"]
    elster.do("apply-poison", key="weapons.0", poison="Natternblut")
    assert [offer.key for offer in elster.offers("apply-poison")] == ["weapons.2"]
    with pytest.raises(Refused):
        RULESET.acts["apply-poison"](index=0).apply(elster.sheet, elster.play)
    with pytest.raises(Refused):
        RULESET.acts["apply-poison"](index=1).apply(elster.sheet, elster.play)


@pytest.mark.rule("DS-59")
@pytest.mark.parametrize("face", [9, 10])
def test_volatile_poison_is_used_up_either_way_and_lasting_poison_holds(face):
    for lasting, left in ((False, 0), (True, 1)):
        elster = Table(profile(start="two-weapons"))
        elster.do("apply-poison", key="weapons.0", lasting=lasting)
        elster.do("roll-poison", face, key="poisons.0")
        assert len(elster.play.poisons) == left
        elster.do("take-potion")
        elster.do("new-section")
        assert elster.play.poisons == []


@pytest.mark.rule("DS-59")
def test_the_kind_of_weapon_counts_for_its_poison():
    assert (fell("poison", 10, weapon="dagger"), fell("poison", 9, weapon="dagger")) == ("works", "fails")


@pytest.mark.rule("DS-26", "DS-25")
def test_a_weapon_that_is_reloaded_needs_its_actions():
    elster = Table(profile({"weapons.1.reload_actions": 2}, start="two-weapons"))
    elster.do("not-ready", key="weapons.1")
    assert [one.steps for one in elster.play.unready] == [2]
    elster.do("make-ready", key="unready.0")
    elster.do("make-ready", key="unready.0")
    assert elster.play.unready == []


@pytest.mark.rule("DS-22")
def test_a_weapon_that_fumbled_must_be_treated_and_reloaded():
    elster = Table(profile(start="two-weapons"))
    elster.do("not-ready", key="weapons.1", fumbled=True)
    assert [one.steps for one in elster.play.unready] == [2]
    lioba = Table(profile(start="marksman"))
    lioba.do("not-ready", key="weapons.0")
    assert lioba.play.unready == []
    lioba.do("not-ready", key="weapons.0", fumbled=True)
    assert [one.steps for one in lioba.play.unready] == [2]

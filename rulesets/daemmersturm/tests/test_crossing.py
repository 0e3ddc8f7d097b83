"""Damage crosses the table in Dämmersturm: its victims, and the protection from it (DS-22 to DS-43)."""

import pytest

from rulesets.daemmersturm import RULESET, play, rolls
from rulesets.daemmersturm.play.counter import AnswerFumble, EndCounter
from rulesets.daemmersturm.play.state import Condition
from rulesets.daemmersturm.tests.helpers import Table, profile
from rulesets.dice import LoadedTray, Outcome, thrown
from rulesets.kit import Refused

CROSSING = RULESET.crossing
GUARDED = {"shield": {"target": 14}, "armour": {"target": 4, "max_damage": 0}}


def guards(source, **more):
    """The slugs of the rolls that may stop damage at somebody with shield and armour, in cover."""
    sheet, state = profile(GUARDED).sheet, play.DaemmersturmPlay(sheltered=1)
    act = RULESET.acts["damage"](points=5, source=source)
    return [one.cls.slug for one in CROSSING.guards(sheet, state, act, **more)]


@pytest.mark.rule("DS-24", "DS-27", "DS-41", "DS-42", "DS-43")
@pytest.mark.parametrize(("source", "protects"), [
    ("other", ["shield", "cover", "armour"]), ("melee", ["shield", "armour"]), ("behind", []),
    ("ranged", ["shield", "cover", "armour"]), ("magic", ["shield", "cover", "armour"]),
    ("explosive", ["cover"]), ("artillery", ["cover"])])
def test_what_does_the_damage_says_what_protects_from_it(source, protects):
    assert guards(source) == protects
    # Whoever was asked before the damage has the armour alone left.
    assert guards(source, asked=True) == [one for one in protects if one == "armour"]


@pytest.mark.rule("DS-32", "DS-40")
@pytest.mark.parametrize("source", ["other", "melee", "ranged", "magic", "explosive"])
def test_who_is_out_of_the_fight_has_no_protection_rolls_any_more(source):
    sheet, state = profile(GUARDED).sheet, play.DaemmersturmPlay(down=True, sheltered=1)
    assert [*CROSSING.guards(sheet, state, RULESET.acts["damage"](points=5, source=source))] == []
    assert [*CROSSING.responses(sheet, state, rolls.Damage(range="1-6", source=source), turns=True)] == []


@pytest.mark.rule("DS-40", "DS-41", "DS-44", "DS-58")
@pytest.mark.parametrize("source", ["other", "melee", "ranged", "magic", "explosive"])
def test_who_is_in_a_faint_raises_no_shield_and_seeks_no_protection(source):
    table = Table(profile(GUARDED))
    roll, act = rolls.Damage(range="1-6", source=source), RULESET.acts["damage"](points=5, source=source)
    armour = [] if source == "explosive" else ["armour"]

    def answers():
        return [one.key for one in CROSSING.responses(table.sheet, table.play, roll, turns=True)]

    assert answers()
    table.do("add-condition", kind="faint", turns=3)
    assert answers() == []
    assert [one.cls.slug for one in CROSSING.guards(table.sheet, table.play, act)] == armour
    # A cover that stands there already is between them all the same.
    table.do("take-cover", number=13)
    assert answers() == ([] if source == "melee" else ["cover"])


@pytest.mark.rule("DS-28", "DS-40")
def test_before_the_damage_falls_shield_and_cover_may_stop_it_and_armour_waits():
    sheet, state = profile(GUARDED).sheet, play.DaemmersturmPlay(sheltered=1)
    for victim, keys in (("target", ["shield", "cover"]), ("own", []), ("friend", ["shield", "cover"])):
        roll = rolls.Damage(range="1-6", source="ranged", victim=victim)
        assert [one.key for one in CROSSING.responses(sheet, state, roll, turns=True)] == keys


@pytest.mark.rule("DS-44")
@pytest.mark.parametrize(("source", "sought"), [
    ("ranged", True), ("magic", True), ("explosive", True), ("artillery", True), ("melee", False), ("behind", False)])
def test_protection_is_sought_before_the_damage_falls_where_cover_helps(source, sought):
    def responses(**state):
        found = CROSSING.responses(profile().sheet, play.DaemmersturmPlay(**state), roll, turns=True)
        return [one.key for one in found]

    roll = rolls.Damage(range="1-6", source=source)
    assert responses() == ["seek-protection"] * sought
    assert responses(down=True) == []
    assert responses(sheltered=2) == ["cover"] * sought
    # In cover it is sought only for a better number.
    assert responses(cover=11) == ["cover", "seek-protection"] * sought
    assert responses(cover=10) == ["cover"] * sought


@pytest.mark.rule("DS-43", "DS-44")
@pytest.mark.parametrize(("source", "helps"), [
    ("ranged", True), ("magic", True), ("explosive", True), ("artillery", True), ("melee", False), ("behind", False)])
def test_who_is_in_cover_is_asked_for_its_roll_before_the_damage_with_the_gms_number(source, helps):
    table = Table(profile())

    def numbers():
        found = CROSSING.responses(table.sheet, table.play, rolls.Damage(range="1-6", source=source), turns=True)
        return [one.offer.filled["target"] for one in found if one.key == "cover"]

    assert numbers() == []
    with pytest.raises(Refused):
        table.do("take-cover", number=0)
    assert (table.do("take-cover", number=13), table.notices) == ("In cover, 13+", ["DS-43"])
    assert (numbers(), table.offers("take-cover")) == ([13] * helps, [])
    # Somebody who seeks protection there rolls once, for the lower number.
    table.do("seek-protection")
    assert numbers() == [10] * helps
    table.do("leave-cover")
    table.do("take-cover", number=7)
    assert numbers() == [7] * helps
    (one,) = CROSSING.guards(table.sheet, table.play, RULESET.acts["damage"](points=5, source="ranged"))
    assert one.filled == {"target": 7}
    table.do("protection", 7)
    table.do("leave-cover")
    assert (numbers(), table.offers("leave-cover")) == ([10] * helps, [])


@pytest.mark.rule("DS-32", "DS-43")
def test_cover_ends_with_the_fight():
    table = Table(profile())
    table.do("take-cover", number=13)
    table.do("new-fight")
    assert table.play.cover == 0
    table.do("take-cover", number=13)
    table.do("damage", points=99)
    assert (table.play.cover, table.offers("take-cover"), table.offers("protection")) == (0, [], [])


@pytest.mark.rule("DS-42")
@pytest.mark.parametrize(("points", "slugs"), [(5, ["armour"]), (6, [])])
def test_armour_is_no_help_against_more_damage_than_it_takes(points, slugs):
    sheet = profile({"armour": {"target": 4, "max_damage": 5}}).sheet
    act = RULESET.acts["damage"](points=points, source="melee")
    assert [one.cls.slug for one in CROSSING.guards(sheet, play.DaemmersturmPlay(), act)] == slugs


def test_an_older_landing_that_does_not_say_what_did_it_may_be_stopped_by_all():
    assert guards(RULESET.acts["damage"](points=3).source) == ["shield", "cover", "armour"]


@pytest.mark.rule("DS-22", "DS-26")
@pytest.mark.parametrize(("kinds", "state", "ranges"), [
    (["bow", "two-handed", "dagger"], {}, ["2-5", "3-5"]), (["bow", "gun"], {}, ["2-5"]), (["bow"], {}, [None]),
    (["bow", "gun"], {"unready": [{"weapon": "W1", "place": 2, "steps": 1}]}, [None])])
def test_a_melee_fumble_is_answered_with_each_weapon_that_is_ready_in_melee_reach_and_once(kinds, state, ranges):
    arms = [{"name": f"W{place}", "kind": kind, "hands": 1, "damage": f"{place + 1}-5",
             "reload_actions": int(kind == "gun")} for place, kind in enumerate(kinds)]
    table = Table(profile({"weapons": arms}), **state)

    def counters():
        return [one for one in table.sheet.roll_offers(table.play) if one.cls is rolls.CounterAttack]

    assert counters() == []
    assert "move away freely" in table.do("answer-fumble", answer="strike")
    assert [one.then.get("damage", {}).get("range") for one in counters()] == ranges
    hit, tray = thrown(rolls.CounterAttack().throw, LoadedTray())
    assert (hit.value, tray.fallen, [one.cls.slug for one in rolls.CounterAttack().follow(hit)]) == (
        "hit", [], ["shield", "damage"])
    done = [*counters()[0].leads(None, hit)]
    assert [(one.cls.slug, one.automatic) for one in done][:1] == [("end-counter", "always")]
    assert [one.cls.slug for one in done][1:] == (["not-ready"] if ranges == ["2-5"] else [])
    for one in done:
        table.take(one.take())
    # Until its damage is rolled it stands there, and says that it is made.
    assert ("made" in str(counters()[0].note).lower(), counters()[0].rare) == (True, True)
    (over,) = counters()[0].onward["damage"](None, hit)
    table.take(over.take())
    assert (counters(), over.automatic) == ([], "always")
    assert len(table.play.unready) == ("gun" in kinds)


@pytest.mark.rule("DS-22", "DS-32")
def test_the_target_of_a_fumble_may_move_off_instead_and_strikes_back_before_its_next_turn_or_never():
    table = Table(profile())
    assert "Überrennen" in table.do("answer-fumble", answer="move")
    assert (table.play.counters, table.offers("end-counter")) == ([], [])
    table.do("answer-fumble", answer="strike")
    # Moving away settles the fumble, whichever way it is said; not another one that has come from a sheet.
    table.take(AnswerFumble(answer="move", source="00000000-0000-0000-0000-000000000000"))
    assert len(table.play.counters) == 1
    table.do("answer-fumble", answer="move")
    assert table.play.counters == []
    table.do("answer-fumble", answer="strike")
    assert "Überrennen" in table.do("end-counter")
    assert table.play.counters == []
    for ends in ("begin-turn", "new-fight"):
        table.do("answer-fumble", answer="strike")
        table.take(EndCounter(step="made"))
        table.do("answer-fumble", answer="strike")
        table.do(ends)
        assert table.play.counters == []
    table.do("answer-fumble", answer="strike")
    # Nobody in a faint strikes back, moves or responds (DS-58).
    fainted = table.play.evolve(conditions=[Condition(kind="faint", turns=3)])
    assert not any(one.cls is rolls.CounterAttack for one in table.sheet.roll_offers(fainted))
    roll, fumble = rolls.Attack(bonus=0, defence=9, skill="melee"), Outcome("fumble", natural=1)
    for state, count in ((table.play, 1), (fainted, 0), (table.play.put_out_of_fight(), 0)):
        assert len([*CROSSING.target_offers(roll, fumble, CROSSING.figures(table.sheet, state))]) == count
    for slug in ("answer-fumble", "end-counter"):
        assert not [*RULESET.acts[slug].offered(table.sheet, fainted)]
    with pytest.raises(Refused):
        RULESET.acts["answer-fumble"](answer="move").apply(table.sheet, fainted)
    table.do("damage", points=99)
    assert (table.play.counters, table.offers("answer-fumble")) == ([], [])
    with pytest.raises(Refused):
        table.take(RULESET.acts["answer-fumble"](answer="strike"))


@pytest.mark.rule("DS-22")
def test_who_fumbles_without_aiming_takes_what_comes_back_oneself():
    sheet = profile({"weapons": [{"name": "Axt", "kind": "one-handed", "hands": 1, "damage": "1-5"}]}).sheet
    axe = next(one for one in sheet.roll_offers(play.DaemmersturmPlay()) if one.cls is rolls.Attack)
    back = rolls.StrikeBack(range="1-6")
    (one,) = axe.onward["strike-back"](back, thrown(back.throw, LoadedTray(4))[0])
    assert (one.cls.slug, dict(one.filled), one.without_target) == ("damage", {"points": 4, "source": "melee"}, True)
    assert CROSSING.hits(back) == "actor"


@pytest.mark.rule("DS-28", "DS-33")
def test_damage_and_healing_are_rolled_for_each_one_singly():
    for victim, spreads in (("target", False), ("own", False), ("friend", True)):
        assert CROSSING.allows_more_targets(rolls.Damage(range="1-6", source="magic", victim=victim)) is spreads
    assert not CROSSING.allows_more_targets(rolls.Healing(range="1-6"))
    assert not CROSSING.allows_more_targets(rolls.Attack(bonus=3, defence=12, skill="melee"))


@pytest.mark.rule("DS-20", "DS-03")
def test_an_opponent_that_attacks_with_magic_casts_a_spell_against_resistance():
    data, state = CROSSING.opponent(CROSSING.side(skill="magic", bonus=5, damage="2-8"))
    sheet, state = RULESET.sheet.model_validate(data), play.DaemmersturmPlay.model_validate(state)
    assert sheet.weapons == []
    spell = next(one for one in sheet.roll_offers(state) if one.key == "spells.0")
    target = profile({"magic": {"attack": 0, "defence": 15}}).sheet
    met = CROSSING.with_target_figures(spell, CROSSING.figures(target, state))
    roll = met.take()
    assert (roll.skill, roll.bonus, roll.defence) == ("magic", 5, 15)
    assert spell.then["damage"] == {"source": "magic", "range": "2-8"}

from fractions import Fraction
from itertools import product

import icepool
import pytest

from rulesets.daemmersturm import RULESET
from rulesets.daemmersturm.rolls.damage import SOURCES
from rulesets.daemmersturm.tests.helpers import chances, fell, follows, profile, roll, told
from rulesets.dice import LoadedTray, thrown
from tests.support.rulesets.chances import counted, oracle


@pytest.mark.rule("DS-23")
@pytest.mark.parametrize(("text", "low", "high"), [("1-10", 1, 10), ("5-15", 5, 15), ("0-3", 0, 3), ("7-7", 7, 7)])
def test_damage_falls_evenly_over_the_range(text, low, high):
    assert chances("damage", range=text) == {n: Fraction(1, high - low + 1) for n in range(low, high + 1)}
    assert told("damage", high, range=text) == f"{high} damage"


def made(base, critical, more):
    """Damage under a critical hit as the source tells it."""
    if critical in (0, 2, 4):
        return base * {0: 1, 2: 2, 4: 3}[critical]
    if critical == 1:
        return base + more
    if critical == 3:
        return 2 * base + more
    return max(3 * base, 20 if critical == 5 else 30)


@pytest.mark.rule("DS-21")
@pytest.mark.parametrize("critical", range(7))
@pytest.mark.parametrize(("low", "high"), [(1, 10), (4, 12), (1, 3)])
def test_each_face_of_a_critical_hit_does_its_damage(critical, low, high):
    extra = range(1, {1: 6, 3: 11}.get(critical, 2))
    expected = counted(made(base, critical, more) for base in range(low, high + 1) for more in extra)
    assert chances("damage", range=f"{low}-{high}", critical=critical) == expected


@pytest.mark.rule("DS-21")
@pytest.mark.parametrize(("critical", "faces", "damage"), [
    (1, (7, 5), 12), (2, (7,), 14), (3, (7, 10), 24), (4, (7,), 21), (5, (2,), 20), (5, (9,), 27), (6, (2,), 30)])
def test_critical_damage_with_written_faces(critical, faces, damage):
    assert fell("damage", *faces, range="1-10", critical=critical) == damage


@pytest.mark.rule("DS-24")
def test_from_behind_a_second_damage_roll_is_added_and_multiplied_alike():
    assert fell("damage", 3, 9, range="1-10", rolls=2) == 12
    assert fell("damage", 3, 9, range="1-10", rolls=2, critical=2) == 24
    pairs = counted(a + b for a, b in product(range(1, 11), repeat=2))
    assert chances("damage", range="1-10", rolls=2) == pairs
    assert chances("damage", range="1-10", rolls=2) == oracle(2 @ icepool.d10)


@pytest.mark.rule("DS-23")
@pytest.mark.parametrize("critical", [0, 1, 3, 6])
def test_many_damage_rolls_agree_with_icepool(critical):
    die = icepool.Die(range(2, 8))
    extra = icepool.Die(range(1, {1: 6, 3: 11}.get(critical, 2)))
    both = icepool.map(lambda base, more: made(base, critical, more), 5 @ die, extra)
    assert chances("damage", range="2-7", rolls=5, critical=critical) == oracle(both)


@pytest.mark.rule("DS-21")
def test_a_critical_hit_throws_its_die_then_damage_then_armour():
    assert chances("critical") == {n: Fraction(1, 6) for n in range(1, 7)}
    assert follows("critical", 3) == {"damage": {"critical": 3, "victim": "target"}}
    assert list(follows("critical", 6)) == ["damage", "exhaustion"]
    assert told("critical", 4) == "4 (triple damage)"


@pytest.mark.rule("DS-40", "DS-42")
def test_the_armour_roll_comes_after_the_damage():
    assert follows("damage", 8, range="1-10") == {"armour": {"damage": 8}}
    assert follows("damage", 0, range="0-3") == {}


@pytest.mark.rule("DS-24", "DS-27", "DS-40", "DS-42")
def test_only_what_helps_is_offered_to_whoever_rolls():
    helps = {source: bool(follows("damage", 8, range="1-10", source=source)) for source in SOURCES}
    assert helps == {**dict.fromkeys(SOURCES, True), "behind": False, "explosive": False, "artillery": False}
    for kind, none in (("explosive", ["armour", "shield"]), ("artillery", ["armour", "shield"]), ("spell", [])):
        for face, slug in ((19, "targets"), (1, "escalation")):
            made, outcome = thrown_one("w-roll", face, bonus=0, target=12, kind=kind)
            (then,) = (one.then for one in made.follow(outcome) if one.cls.slug == slug)
            assert sorted(one for one, known in then.items() if known is None) == none
    offers = profile(start="two-weapons").sheet.roll_offers(RULESET.play())
    behind = [one for one in offers if one.key.endswith("behind")]
    assert {one.cls.slug for one in behind} == {"attack", "paired-attack"}
    assert [one.then.get("shield", {}) for one in behind] == [None] * len(behind)


@pytest.mark.rule("DS-21")
def test_a_critical_heal_is_doubled_or_tripled():
    assert chances("critical-heal") == {2: Fraction(1, 2), 3: Fraction(1, 2)}
    assert follows("critical-heal", 3) == {"healing": {"factor": 3}}


def thrown_one(slug, *faces, **given):
    """A roll, and its outcome when these faces fall."""
    made = roll(slug, **given)
    return made, thrown(made.throw, LoadedTray(*faces))[0]


@pytest.mark.rule("DS-10", "DS-21")
def test_an_amount_of_healing_falls_evenly_and_a_critical_one_is_multiplied():
    assert chances("healing", range="2-4") == {n: Fraction(1, 3) for n in (2, 3, 4)}
    assert chances("healing", range="2-4", factor=3) == {n: Fraction(1, 3) for n in (6, 9, 12)}
    assert told("healing", 3, range="2-4", factor=2) == "3 rolled, times 2: 6 life points"
    (brought,) = RULESET.crossing.target_offers(*thrown_one("healing", 3, range="2-4"), {})
    assert (brought.cls.slug, dict(brought.filled)) == ("heal", {"points": 3})


@pytest.mark.rule("DS-21", "DS-27")
def test_a_critical_spell_on_an_area_throws_its_die_and_each_target_takes_damage_under_it():
    assert follows("w-roll", 20, bonus=0, target=12, kind="spell")["critical"] == {"area": True}
    found = follows("critical", 4, area=True)
    assert found == {"targets": {"critical": 4, "friends": False}, "damage": {"critical": 4, "victim": "target"}}
    made, outcome = thrown_one("targets", 2, range="1-4", critical=4)
    damage = [dict(one.filled) for one in made.follow(outcome) if one.cls.slug == "damage"]
    assert damage == [{"critical": 4, "victim": "target"}] * 2


@pytest.mark.rule("DS-22", "DS-28")
def test_the_escalation_turns_damage_round_on_a_one():
    # The caster may use a shield, after a W roll as well; of what went off too early the targets say how many of one's
    # own it hits, and whoever threw it may be one of them.
    assert follows("escalation", 1) == {"shield": {}, "damage": {"victim": "own"}}
    assert follows("escalation", 1, area=True) == {"targets": {"friends": True}}
    assert follows("escalation", 2) == follows("escalation", 2, area=True) == {}
    made, outcome = thrown_one("targets", 2, range="1-4", friends=True)
    assert [one.filled["victim"] for one in made.follow(outcome) if one.cls.slug == "damage"] == [
        "own", "friend", "friend"]
    for kind, slugs in (("spell", {"targets", "shield", "cover", "damage"}), ("explosive", {"targets"})):
        assert {*follows("w-roll", 19, bonus=0, target=12, kind=kind)} == slugs, "a spell may be on one target"
    for kind, area in (("spell", False), ("explosive", True), ("artillery", True)):
        assert follows("w-roll", 1, bonus=0, target=12, kind=kind) == {"escalation": {"area": area}}


@pytest.mark.rule("DS-41")
@pytest.mark.parametrize(("bonus", "target"), [(3, 14), (-5, 10), (0, 25), (5, 1)])
def test_a_shield_holds_where_the_die_and_the_melee_bonus_reach_its_number(bonus, target):
    expected = counted("blocked" if n + bonus >= target else "open" for n in range(1, 21))
    assert chances("shield", bonus=bonus, target=target) == expected


@pytest.mark.rule("DS-42")
@pytest.mark.parametrize("target", range(1, 7))
def test_armour_is_rolled_without_a_bonus_and_only_up_to_its_damage(target):
    expected = counted("blocked" if n >= target else "open" for n in range(1, 7))
    assert chances("armour", target=target, damage=10, max_damage=10) == expected
    assert chances("armour", target=target, damage=50) == expected
    assert chances("armour", target=target, damage=11, max_damage=10) == {"open": 1}


@pytest.mark.rule("DS-42")
def test_too_much_damage_is_told_and_no_die_falls():
    assert told("armour", target=2, damage=11, max_damage=10) == \
        "11 damage is more than the 10 that the armour can stop: no roll"
    assert told("armour", 4, target=5, damage=3, max_damage=10) == "4 against 5+: not stopped"


@pytest.mark.rule("DS-43", "DS-44")
def test_cover_is_rolled_without_a_bonus():
    assert chances("cover", target=10) == {"blocked": Fraction(11, 20), "open": Fraction(9, 20)}
    assert told("cover", 10, target=10) == "10 against 10+: blocked: no damage"


@pytest.mark.rule("DS-27")
@pytest.mark.parametrize(("bonus", "target"), [(2, 10), (-3, 15), (5, 4)])
@pytest.mark.parametrize("kind", ["explosive", "artillery", "spell"])
def test_the_w_roll_must_reach_its_number(kind, bonus, target):
    def hand(n):
        if n == 1:
            return "fumble"
        if n == 20 and kind == "spell":
            return "critical"
        return "success" if n + bonus >= target else "failure"

    assert chances("w-roll", bonus=bonus, target=target, kind=kind) == counted(hand(n) for n in range(1, 21))


@pytest.mark.rule("DS-27")
def test_the_grenade_of_the_source():
    # Hans has +2, the grenade asks for 10+: an 8 is enough; 1-4 targets, a 2 hits two, each with its own damage.
    assert fell("w-roll", 8, bonus=2, target=10) == "success"
    assert list(follows("w-roll", 8, bonus=2, target=10)) == ["targets"]
    assert fell("targets", 2, range="1-4") == 2
    grenade = roll("targets", range="1-4")
    outcome, _tray = thrown(grenade.throw)
    offers = list(grenade.follow(outcome))
    # One of the two seeks protection, before any damage is rolled.
    assert [offer.cls.slug for offer in offers] == ["cover", "shield", *["damage"] * outcome.value]
    assert [offer.key for offer in offers[2:]] == [str(n) for n in range(1, outcome.value + 1)]


@pytest.mark.rule("DS-27")
def test_explosives_and_artillery_have_no_critical_hits_but_fumble_at_a_one():
    assert fell("w-roll", 20, bonus=-5, target=18) == "failure"
    assert list(follows("w-roll", 1, bonus=2, target=10, kind="artillery")) == ["escalation"]
    assert list(follows("w-roll", 20, bonus=2, target=10, kind="spell")) == ["critical", "critical-heal"]


@pytest.mark.rule("DS-21", "DS-22", "DS-27")
def test_critical_and_fumble_numbers_of_a_w_roll_may_be_widened_and_heals_cannot_fumble():
    spell = {"bonus": 0, "target": 25, "kind": "spell"}
    wide = chances("w-roll", **spell, criticals="18,19,20", fumbles="1,2,18")
    assert wide == {"critical": Fraction(2, 20), "fumble": Fraction(2, 20), "failure": Fraction(16, 20)}
    heal = {"bonus": 5, "target": 3, "kind": "spell", "fumbles": ""}
    assert (fell("w-roll", 1, **heal), fell("w-roll", 2, **heal)) == ("failure", "success")
    assert fell("w-roll", 19, bonus=0, target=10, criticals="19,20") == "success"


@pytest.mark.rule("DS-33", "DS-31")
def test_targets_fall_evenly_and_a_swarm_counts_thirds():
    assert chances("targets", range="1-4") == {n: Fraction(1, 4) for n in range(1, 5)}
    assert told("targets", 3, range="1-4") == "3 targets (in a swarm up to 9)"

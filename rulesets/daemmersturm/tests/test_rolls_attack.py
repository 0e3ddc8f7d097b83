from fractions import Fraction

import pytest
from pydantic import ValidationError

from rulesets.daemmersturm import RULESET
from rulesets.daemmersturm.tests.helpers import chances, fell, follows, roll, told
from rulesets.dice import LoadedTray, Outcome, thrown
from rulesets.kit import slots
from tests.support.rulesets.chances import counted

D20 = range(1, 21)


def hand(natural, bonus, defence, criticals=(20,), fumbles=(1,)):
    """One hit roll as the source tells it."""
    if natural in criticals and natural in fumbles:
        return "miss"
    if natural in criticals:
        return "critical"
    if natural in fumbles:
        return "fumble"
    if natural in (1, 20):
        return "hit" if natural == 20 else "miss"
    return "hit" if natural + bonus > defence else "miss"


@pytest.mark.rule("DS-20", "DS-21", "DS-24", "DS-30")
@pytest.mark.parametrize(("faces", "given", "outcome"), [
    *(((face,), {"bonus": 3, "defence": 12}, outcome) for face, outcome in (
        (1, "fumble"), (8, "miss"), (9, "miss"), (10, "hit"), (19, "hit"), (20, "critical"))),
    # A 20 hits and a 1 misses whatever the figures; critical numbers always hit, and both at once is a plain miss.
    ((20,), {"bonus": -5, "defence": 40, "criticals": ""}, "hit"),
    ((1,), {"bonus": 30, "defence": 1, "fumbles": ""}, "miss"),
    ((2,), {"bonus": -5, "defence": 30, "criticals": "2,20"}, "critical"),
    ((20,), {"bonus": 5, "defence": 3, "fumbles": "20"}, "miss"),
    ((1,), {"bonus": 5, "defence": 3, "criticals": "1,20"}, "miss"),
    ((1,), {"bonus": -5, "defence": 30, "criticals": "1,20", "fumbles": ""}, "critical"),
    # A failed roll and a fumble are thrown once more.
    *((faces, {"bonus": 0, "defence": 12, "repeat": True}, outcome) for faces, outcome in (
        ((3, 15), "hit"), ((1, 20), "critical"), ((1, 1), "fumble"), ((13,), "hit"))),
])
def test_the_sum_must_be_greater_than_the_defence(faces, given, outcome):
    assert fell("attack", *faces, **given) == outcome


@pytest.mark.rule("DS-20")
def test_hans_peter_hits_a_defence_of_twelve_in_half_of_all_attacks():
    assert chances("attack", bonus=3, defence=12) == {
        "critical": Fraction(1, 20), "hit": Fraction(10, 20), "miss": Fraction(8, 20), "fumble": Fraction(1, 20)}
    assert told("attack", 9, bonus=-3, defence=12) == "9 − 3 = 6, needed 13: miss"


@pytest.mark.rule("DS-20", "DS-21", "DS-22")
@pytest.mark.parametrize(("bonus", "defence", "criticals", "fumbles"), [
    *((bonus, defence, "20", "1") for bonus in (-25, -5, 0, 5, 25) for defence in (0, 5, 15, 30)),
    *((2, 13, criticals, fumbles) for criticals, fumbles in (
        ("19,20", "1, 2"), ("1,20", "1"), ("", ""), ("18,19,20", "1,2,3"), ("20", "1,20"), ("", "20"), ("1,20", ""))),
    (4, 0, "20", ""),  # heals and strengthening spells cannot fumble
])
def test_attacks_agree_with_counting_every_face(bonus, defence, criticals, fumbles):
    lists = [tuple(int(n) for n in text.split(",") if n.strip()) for text in (criticals, fumbles)]
    assert chances("attack", bonus=bonus, defence=defence, criticals=criticals, fumbles=fumbles) == counted(
        hand(n, bonus, defence, *lists) for n in D20)


@pytest.mark.rule("DS-24", "DS-30")
def test_a_failed_roll_and_a_fumble_are_thrown_once_more():
    twice = [hand(b, 3, 14) if hand(a, 3, 14) in ("miss", "fumble") else hand(a, 3, 14) for a in D20 for b in D20]
    assert chances("attack", bonus=3, defence=14, repeat=True) == counted(twice)


@pytest.mark.rule("DS-22")
def test_the_fumble_says_what_it_does_in_each_kind_of_attack():
    text = told("attack", 1, bonus=0, defence=12)
    assert all(word in text for word in ("Melee", "Ranged", "Magic", "then reload"))
    assert told("escalation", 1).startswith("1: all the damage")
    assert chances("escalation") == {1: Fraction(1, 3), 2: Fraction(1, 3), 3: Fraction(1, 3)}


@pytest.mark.rule("DS-22", "DS-27")
@pytest.mark.parametrize(("skill", "words", "others"), [
    ("melee", "hits back", ("then reload", "Escalation")), ("ranged", "a round fixing", ("hits back", "Escalation")),
    ("magic", "Escalation", ("hits back", "then reload"))])
def test_where_the_skill_is_known_the_fumble_says_what_it_does_there_and_no_more(skill, words, others):
    texts = [told("attack", 1, bonus=0, defence=12, skill=skill),
             told("paired-attack", 1, bonus=0, defence=12, skill=skill, pair="daggers")]
    if skill != "melee":
        texts.append(told("friendly-fire", 1, bonus=0, defence=12, skill=skill))
    assert [text for text in texts if words not in text or any(one in text for one in others)] == []
    assert list(follows("attack", 1, bonus=0, defence=12, skill=skill)) == {
        "melee": ["strike-back"], "ranged": [], "magic": ["escalation"]}[skill]
    assert told("w-roll", 1, bonus=0, target=9, kind="artillery").endswith("fumble. The artillery explodes.")
    assert told("w-roll", 1, bonus=0, target=9, kind="explosive").endswith("fumble. It goes off early.")


@pytest.mark.rule("DS-22")
def test_a_fumble_whose_skill_is_not_known_was_one_in_melee_or_in_magic_and_not_both():
    fumble = roll("attack", bonus=0, defence=12, skill="any")
    assert {one.cls.slug: one.branch for one in fumble.follow(Outcome("fumble", natural=1))} == {
        "strike-back": "melee", "escalation": "magic"}


@pytest.mark.rule("DS-24", "DS-29")
def test_two_weapons_from_behind_have_the_bonus_the_repeat_and_two_damage_rolls_for_both():
    made = roll("paired-attack", pair="one-handed-dagger", bonus=1, defence=12, second_damage="1-8", behind=True,
                skill="melee")
    outcome, _tray = thrown(made.throw, LoadedTray(1, 10))
    assert (outcome.value, made.tell(outcome).partition(",")[0]) == ("hit", "10 + 4 = 14")
    second, = (one for one in made.follow(outcome) if one.key == "second")
    assert (dict(second.filled), dict(second.then)) == (
        {"bonus": 4, "skill": "melee", "repeat": True, "targets": ""},
        {"damage": {"range": "1-8", "rolls": 2, "source": "behind"}})


@pytest.mark.rule("DS-21", "DS-22", "DS-28", "DS-40")
@pytest.mark.parametrize(("slug", "faces", "given", "next_"), [
    ("attack", (15,), {}, ["shield", "cover", "damage"]), ("attack", (20,), {}, ["shield", "cover", "critical"]),
    ("attack", (1,), {}, ["strike-back", "escalation"]), ("attack", (5,), {}, []),
    # The friend may use a shield, and a spell's fumble uses the same escalation.
    ("friendly-fire", (3,), {}, ["shield", "cover", "damage"]),
    ("friendly-fire", (3, 1), {"fumbles": "3"}, ["shield", "damage"]),
    ("friendly-fire", (3, 2), {"fumbles": "3"}, ["shield", "cover", "damage"]),
    ("friendly-fire", (1,), {}, ["escalation"]), ("friendly-fire", (20,), {}, ["shield", "cover", "critical"]),
])
def test_a_hit_leads_on_to_protection_then_to_damage_or_the_die_of_the_critical_hit(slug, faces, given, next_):
    assert list(follows(slug, *faces, bonus=0, defence=12, **given)) == next_


def friendly(natural, bonus, defence, criticals=(20,), fumbles=(1,)):
    """Thirds of an attack past an ally as the source tells it."""
    value = hand(natural, bonus, defence, criticals, fumbles)
    if natural not in (2, 3, 4, 5) or value in ("hit", "critical"):
        return [value] * 3
    return ["friend"] * 3 if value == "miss" else ["fumble", "friend-and-fumble", "friend-and-fumble"]


@pytest.mark.rule("DS-28")
@pytest.mark.parametrize(("bonus", "defence", "criticals", "fumbles"), [
    (0, 12, "20", "1"), (5, 3, "20", "1"), (0, 12, "20", "1,2,3"), (0, 12, "2,20", "1,2"), (-3, 9, "19,20", "1,5,6")])
def test_a_natural_two_to_five_that_misses_hits_a_friend(bonus, defence, criticals, fumbles):
    lists = [tuple(map(int, text.split(","))) for text in (criticals, fumbles)]
    expected = counted(value for n in D20 for value in friendly(n, bonus, defence, *lists))
    assert chances("friendly-fire", bonus=bonus, defence=defence, criticals=criticals, fumbles=fumbles) == expected


@pytest.mark.rule("DS-28")
@pytest.mark.parametrize(("faces", "fumbles", "outcome"), [
    ((3, 1), "1,3", "fumble"), ((3, 2), "1,3", "friend-and-fumble"), ((3,), "1", "friend"), ((1,), "1", "fumble")])
def test_a_fumble_among_friendly_numbers_is_alone_in_one_of_three(faces, fumbles, outcome):
    assert fell("friendly-fire", *faces, bonus=0, defence=12, fumbles=fumbles) == outcome


PAIRS = [("fists", 10, 0, -5), ("daggers", 10, 0, -5), ("one-handed-dagger", 14, 0, 0), ("one-handed-fist", 14, -2, -2),
         ("one-handed", 14, -2, -2), ("two-handed", 20, -4, -4), ("fist-handgun", 14, -1, -1),
         ("dagger-handgun", 14, -1, -1), ("one-handed-handgun", 14, -2, -2), ("handguns", 0, -4, -4)]


@pytest.mark.rule("DS-29")
@pytest.mark.parametrize(("pair", "number", "penalty", "heavy"), PAIRS)
@pytest.mark.parametrize("bonus", [-5, 0, 3, 5])
def test_an_attack_with_two_weapons_has_the_pairs_penalty_and_a_second_one_comes_by_its_total(
        pair, number, penalty, heavy, bonus):
    for opponent, off in ((False, penalty), (True, heavy)):
        given = {"pair": pair, "bonus": bonus, "heavy_opponent": opponent}
        assert chances("two-weapons", **given) == counted(
            "second" if n + bonus + off >= number else "none" for n in D20)
        assert chances("paired-attack", defence=12, **given) == chances("attack", bonus=bonus + off, defence=12)
        made, alone = roll("paired-attack", defence=12, second_damage="1-8", **given), roll("two-weapons", **given)
        for natural in D20:
            seconds = [one for one in made.follow(thrown(made.throw, LoadedTray(natural))[0]) if one.key == "second"]
            assert [(dict(one.filled), dict(one.then)) for one in seconds] == [
                ({"bonus": bonus + off, "skill": "any", "targets": ""}, {"damage": {"range": "1-8", "source": "other"}})
            ] * (natural + bonus + off >= number), natural
            assert [dict(one.filled) for one in alone.follow(thrown(alone.throw, LoadedTray(natural))[0])] == [
                {"bonus": bonus + off, "skill": "ranged" if pair == "handguns" else "melee"}
            ] * len(seconds), natural


@pytest.mark.rule("DS-29")
def test_the_first_attack_says_whether_the_second_weapon_follows():
    given = {"pair": "daggers", "bonus": 3, "defence": 20}
    assert told("paired-attack", 7, **given) == "7 + 3 = 10, needed 21: miss; 10+ reached: a second attack"
    assert told("paired-attack", 6, **given) == "6 + 3 = 9, needed 21: miss; 10+ not reached: no second attack"


@pytest.mark.rule("DS-22", "DS-28")
@pytest.mark.parametrize(("faces", "fumbles", "word"), [
    ([1], "1", "a round fixing the weapon"), ([2, 1], "1,2", "a round fixing the weapon"),
    ([2, 3], "1,2", "a round fixing the weapon"), ([3, 2], "3", "(escalation 2"), ([3], "1", "")])
def test_a_fumble_past_a_friend_is_explained_like_any_other(faces, fumbles, word):
    text = told("friendly-fire", *faces, bonus=0, defence=15, fumbles=fumbles)
    assert (word in text, "fixing" in text) == (True, bool(word))


@pytest.mark.rule("DS-22", "DS-28")
@pytest.mark.parametrize(("faces", "skill", "said"), [
    ([1], "magic", "Escalation; heals"), ([3, 1], "magic", "(escalation 1). All the damage hits the caster."),
    ([3, 2], "magic", "(escalation 2). The caster is spared the damage."),
    ([3, 1], "any", "Magic: all the damage hits the caster."),
    ([3, 3], "any", "Magic: the caster is spared the damage."), ([3, 2], "ranged", "(escalation 2). No shot;")])
def test_an_escalation_roll_that_is_made_past_a_friend_is_not_announced_again(faces, skill, said):
    text = told("friendly-fire", *faces, bonus=0, defence=15, fumbles="1,3", skill=skill)
    assert (said in text, text.lower().count("escalation")) == (True, 1)


@pytest.mark.parametrize(("slug", "given", "wrong"), [
    ("attack", {"bonus": 0, "defence": -1}, "defence"),
    ("attack", {"bonus": 0, "defence": 1, "criticals": "21"}, "criticals"),
    ("attack", {"bonus": 0, "defence": 1, "fumbles": "one"}, "fumbles"),
    ("attack", {"bonus": 0, "defence": 1, "fumbles": "1,,2"}, "fumbles"),
    ("attack", {"bonus": 1000, "defence": 1}, "bonus"),
    ("friendly-fire", {"bonus": 0, "defence": 1, "criticals": "0"}, "criticals"),
    ("two-weapons", {"bonus": 0, "pair": "spoons"}, "pair"),
    ("damage", {"range": "10-1"}, "range"), ("damage", {"range": "10"}, "range"),
    ("damage", {"range": "1-10", "rolls": 0}, "rolls"), ("damage", {"range": "1-10", "critical": 7}, "critical"),
    ("armour", {"target": 7}, "target"), ("targets", {"range": "1 bis 4"}, "range"),
    ("poison", {"weapon": "gun"}, "weapon"), ("w-roll", {"bonus": 0, "target": 9, "kind": "bow"}, "kind"),
])
def test_a_parameter_out_of_sense_is_refused_by_its_name(slug, given, wrong):
    with pytest.raises(ValidationError) as caught:
        roll(slug, **given)
    assert [error["loc"] for error in caught.value.errors()] == [(wrong,)]


PARAMETERS = {
    "attack": "bonus defence criticals fumbles repeat skill modifier full_force targets",
    "friendly-fire": "bonus defence criticals fumbles skill modifier",
    "paired-attack":
        "pair bonus heavy_opponent second_damage behind defence criticals fumbles repeat skill modifier full_force "
        "targets",
    "critical": "area", "critical-heal": "", "healing": "range factor", "escalation": "area",
    "counter-attack": "",
    "damage": "range rolls critical source victim", "strike-back": "range rolls critical source victim",
    "two-weapons": "pair bonus heavy_opponent", "shield": "bonus target", "armour": "target damage max_damage",
    "cover": "target", "exhaustion": "", "climbing": "rope gear weapon weather deadly shaking modifier repeats",
    "perception": "bonus modifier", "stealth": "bonus modifier", "channelling": "",
    "light": "bonus armour_class action_points", "elements": "maximum", "potion": "", "poison": "weapon",
    "w-roll": "bonus target kind criticals fumbles", "targets": "range critical friends",
}


def test_the_rolls_and_their_parameters_are_those_of_the_interface():
    assert {slug: set(slots(cls)) for slug, cls in RULESET.own_rolls.items()} == \
        {slug: set(keys.split()) for slug, keys in PARAMETERS.items()}


@pytest.mark.rule("DS-20")
@pytest.mark.parametrize("modifier", [-4, 2])
def test_a_modifier_of_the_moment_counts_for_this_roll_alone(modifier):
    for slug, more in (("attack", {}), ("friendly-fire", {}), ("paired-attack", {"pair": "daggers"})):
        assert chances(slug, bonus=3, defence=12, modifier=modifier, **more) == chances(
            slug, bonus=3 + modifier, defence=12, **more)
        assert RULESET.rolls[slug].model_fields["modifier"].default == 0
    made = roll("paired-attack", pair="handguns", bonus=3, defence=12, modifier=modifier)
    outcome, _tray = thrown(made.throw, LoadedTray(10))
    second, = (one for one in made.follow(outcome) if one.key == "second")
    assert (second.filled["bonus"], "modifier" in second.asks) == (-1, True)
    assert second.target_figures == {"defence": "ranged"}


@pytest.mark.rule("DS-22")
@pytest.mark.parametrize("skill", ["any", "melee"])
def test_the_text_of_a_fumble_promises_nothing_of_a_target_that_has_fainted(skill):
    said = told("attack", 1, bonus=3, defence=10, skill=skill)
    assert "nless the target has fainted, it hits back" in said

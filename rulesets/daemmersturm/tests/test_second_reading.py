"""What a second reading of the rules found: shots in melee, pairs that shoot, who is out, what the log repeats."""

import pytest
from django.utils.translation import override

from rulesets.daemmersturm import RULESET
from rulesets.daemmersturm.tests.helpers import Table, profile, told
from rulesets.daemmersturm.tests.test_widgets import widgets
from rulesets.dice import Outcome

GUN = {"kind": "handgun", "hands": 1, "damage": "2-9", "reload_actions": 1}
DAGGER = {"name": "Dolch", "kind": "dagger", "hands": 1, "damage": "1-6"}


def led(offer, value, natural):
    """The acts that an outcome of an offered roll leads on to."""
    made = offer.take(defence=12)
    return [(one.cls.slug, dict(one.filled)) for one in offer.leads(made, Outcome(value, natural=natural))]


@pytest.mark.rule("DS-22", "DS-26")
@pytest.mark.parametrize(("key", "fumbled"), [("weapons.0.shot", True), ("weapons.0.close", False),
                                              ("weapons.0.close.behind", False)])
def test_a_fumble_in_melee_reach_is_one_of_melee_and_leaves_the_weapon_to_be_reloaded_alone(key, fumbled):
    offer = widgets(profile({"weapons": [{**GUN, "name": "Pistole"}]}))["attack", key]
    assert led(offer, "fumble", 1) == [("not-ready", {"index": 0, "fumbled": fumbled})]
    assert led(offer, "hit", 15) == [("not-ready", {"index": 0, "fumbled": False})]


@pytest.mark.rule("DS-24", "DS-26")
def test_a_shot_in_melee_reach_may_come_from_behind():
    found = widgets(profile({"weapons": [{**GUN, "name": "Pistole"}], "melee.attack": 2}))
    behind = found["attack", "weapons.0.close.behind"]
    assert (behind.filled, behind.then["damage"]) == (
        {"bonus": 5, "repeat": True, "skill": "melee", "targets": ""}, {"range": "2-9", "rolls": 2, "source": "behind"})
    assert behind.rare


@pytest.mark.rule("DS-22", "DS-26", "DS-29")
def test_of_a_dagger_and_a_handgun_the_gun_is_fired_where_its_attack_comes():
    found = widgets(profile({"weapons": [DAGGER, {**GUN, "name": "Pistole"}]}))
    dagger, gun = (found["paired-attack", f"weapons.{place}.dagger-handgun"] for place in (0, 1))
    assert (dagger.leads, [*gun.onward]) == (None, ["strike-back", "damage"])
    for lead in (dagger.onward["attack"], gun.leads):
        for natural, value in ((15, "hit"), (5, "miss"), (1, "fumble")):
            led_to = lead(None, Outcome(value, natural=natural))
            assert [(one.cls.slug, dict(one.filled), one.automatic) for one in led_to] == [
                ("not-ready", {"index": 1, "fumbled": False}, "always")]


@pytest.mark.rule("DS-22", "DS-29")
def test_of_two_handguns_both_are_fired_and_the_one_that_fumbles_is_treated():
    found = widgets(profile({"weapons": [{**GUN, "name": "Links"}, {**GUN, "name": "Rechts"}], "ranged.attack": 4}))
    offer = found["paired-attack", "weapons.0.handguns"]
    for natural, value, fumbled in ((12, "miss", False), (1, "fumble", True)):
        assert offer.take(defence=30).allows_second_attack(Outcome(value, natural=natural))
        for index, lead in ((0, offer.leads), (1, offer.onward["attack"])):
            assert [dict(one.filled) for one in lead(None, Outcome(value, natural=natural))] == [
                {"index": index, "fumbled": fumbled}]


@pytest.mark.rule("DS-32", "DS-54", "DS-44")
@pytest.mark.parametrize("fall", ["damage", "exhaustion"])
def test_who_is_out_completes_no_spell_and_seeks_no_protection(fall):
    mage = Table(profile(), life=5, channelling=1, sheltered=2, exhaustion_due=True, exhausted_by="life")
    if fall == "damage":
        mage.do("damage", points=5)
    else:
        mage.do("roll-exhaustion", 5)
    assert (mage.play.down, mage.play.channelling, mage.play.owed, mage.play.sheltered) == (True, None, 0, 0)
    assert not [*mage.offers("end-channelling"), *mage.offers("hold-on"), *mage.offers("protection")]


@pytest.mark.rule("DS-58", "DS-45", "DS-59", "DS-26")
@pytest.mark.parametrize(("act", "key", "state", "faces"), [
    ("use-item", "items.0", {"items": [{"name": "Heiltrank", "number": 2}]}, ()),
    ("end-condition", "conditions.0", {"conditions": [{"name": "Brand", "damage": "1-3"}]}, ()),
    ("roll-poison", "poisons.0", {"poisons": [{"weapon": "Dolch", "kind": "dagger"}]}, (4,)),
    ("make-ready", "unready.0", {"unready": [{"weapon": "Dolch", "steps": 2}]}, ()),
    ("get-back", "action_points", {"action_points": 2}, ()),
    ("deal-damage", "", {"shadow_owed": 6}, ()),
    ("channel", "", {}, ()),
    ("apply-poison", "weapons.0", {}, ()),
    ("not-ready", "weapons.1", {}, ()),
    ("choose-element", "", {"resource": "elements"}, (1,)),
    ("roll-exhaustion", "", {"exhaustion_due": True}, (6,)),
])
def test_a_line_of_the_log_does_not_say_its_title_twice(act, key, state, faces):
    hans = Table(profile({"weapons": [DAGGER, {**GUN, "name": "Pistole"}]}), **state)
    answers, words = {
        "get-back": ({"points": 1}, "5 left"), "deal-damage": ({"points": 2}, "4 demanded"),
        "channel": ({"rounds": 2}, "K=2"), "apply-poison": ({"poison": "Schlangengift"}, "Schlangengift"),
        "not-ready": ({}, "Actions until it is ready: 1"), "choose-element": ({"element": "air"}, "Air"),
    }.get(act, ({}, ""))
    assert hans.do(act, *faces, key=key, **answers) == words


@pytest.mark.rule("DS-05a")
def test_feuerbereitschaft_is_named_once_in_its_line():
    archer = Table(profile({"abilities": [{"name": "Adlerauge"}]}))
    offer = next(one for one in archer.offers("use-action") if one.key == "feuerbereitschaft")
    line = archer.do("use-action", key="feuerbereitschaft")
    assert f"{offer.title}: {line}".count("Feuerbereitschaft") == 1
    assert str(offer.note) == "Feuerbereitschaft (0 FP)"


@pytest.mark.rule("DS-20", "DS-41", "DS-52")
@pytest.mark.parametrize(("slug", "parameters", "words"), [
    ("attack", {"bonus": -5, "defence": 3}, "1 − 5 = −4, needed 4"), ("w-roll", {"bonus": -5, "target": 3}, "= −4 "),
    ("shield", {"bonus": -5, "target": 3}, "−4 against 3+"), ("perception", {"bonus": -5}, "−4: "),
    ("two-weapons", {"pair": "one-handed", "bonus": -2}, "−3 against 14+"),
])
def test_sums_below_nought_have_a_real_minus_sign(slug, parameters, words):
    assert words in told(slug, 1, **parameters)


@pytest.mark.rule("DS-59")
def test_a_poison_works_in_german_as_poison_does():
    with override("de"):
        assert [told("poison", face) for face in (15, 14)] == ["15: wirkt", "14: wirkt nicht"]


TOLD = {
    "DS-22": ("takes one action to reload after the fixing", "die man sonst nicht nachlädt. Das kostet eine Aktion"),
    "DS-26": ("the weapon does not need fixing", "Behandeln musst du die Waffe aber nicht"),
    "DS-27": ("the GM says which", "Welche das sind, sagt die Spielleitung"),
    "DS-29": ("rank below other extra attacks", "kommen nach anderen Zusatzangriffen"),
    "DS-33": ("are close enough together", "dicht genug beieinanderstehen"),
    "DS-40": ("given no time", "Ging es zu schnell, darfst du"),
    "DS-43": ("not attacking out of it", "greifst nicht aus ihr heraus an"),
    "DS-51": ("On a creature each further turn needs another roll", "Auf einer Kreatur musst du in jedem weiteren Zug"),
    "DS-52": ("takes cover is not hidden", "nur in Deckung, ist es nicht verborgen"),
    "DS-54": ("announced by an emote", "kündigst du mit einem Emote an"),
    "DS-57": ("exhausted and out of mana rolls once", "kein Mana mehr, würfelst du nur einmal"),
    "DS-58": ("does not count among the weapons drawn", "zählt nicht zu den gezogenen Waffen"),
    "DS-60": ("grenades and throwing weapons do not count", "Granaten und Wurfwaffen zählen dabei nicht"),
}


@pytest.mark.parametrize("rule", [pytest.param(rule, marks=pytest.mark.rule(rule)) for rule in TOLD])
def test_what_the_source_says_beside_the_rolls_is_told_in_both_languages(rule):
    for lang, words in zip(("en", "de"), TOLD[rule], strict=True):
        assert words in RULESET.rules(lang)[rule].text, lang

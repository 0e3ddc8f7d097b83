from fractions import Fraction
from itertools import product

import icepool
import pytest

from rulesets.daemmersturm import RULESET
from rulesets.daemmersturm.tests.helpers import chances, fell, roll, told
from rulesets.kit import slots
from tests.support.rulesets.chances import counted, oracle

FAIL = (Fraction(6, 20), Fraction(9, 20), Fraction(14, 20))
"""Chances that a part roll of 7+, 10+ and 15+ fails."""


@pytest.mark.rule("DS-50")
def test_exhaustion_is_even():
    assert chances("exhaustion") == {"down": Fraction(1, 2), "stands": Fraction(1, 2)}
    assert [fell("exhaustion", face) for face in (1, 5, 6, 10)] == ["down", "down", "stands", "stands"]


@pytest.mark.rule("DS-51")
@pytest.mark.parametrize(("faces", "outcome"), [
    ((7,), "up"), ((6, 10), "up"), ((6, 9, 15), "up"), ((6, 9, 14), "falls")])
def test_climbing_takes_the_first_success_of_seven_ten_and_fifteen(faces, outcome):
    assert chances("climbing")["falls"] == FAIL[0] * FAIL[1] * FAIL[2]
    assert fell("climbing", *faces) == outcome
    assert told("climbing", 6, 10) == "Stage 2 (10+): makes it up"


CLIMBS = [
    ("", (1, 1, 1)),
    ("rope", (2, 1, 1)),
    ("gear", (2, 1, 1)),
    ("gear weapon", (2, 2, 1)),
    ("rope gear", (2, 2, 1)),
    ("rope gear weapon", (2, 2, 2)),
    ("weather", (0, 1, 1)),
    ("weather rope", (1, 1, 1)),
    ("weather gear", (1, 1, 1)),
    ("deadly", (0, 1, 1)),
    ("weather deadly", (0, 0, 1)),
    ("shaking", (0, 0, 1)),
    ("shaking deadly", (0, 0, 1)),
    ("shaking deadly gear", (1, 0, 1)),
    ("shaking gear", (1, 0, 1)),
    ("shaking weather", (0, 0, 1)),
    ("shaking weather rope", (0, 0, 1)),
    ("shaking weather rope gear", (1, 0, 1)),
    ("shaking weather gear weapon", (1, 0, 1)),
    ("weather deadly shaking rope gear weapon", (1, 0, 2)),
]
"""What holds, and how often each part is then thrown at best."""


@pytest.mark.rule("DS-51")
@pytest.mark.parametrize(("holds", "times"), CLIMBS)
def test_repeats_go_where_they_raise_the_chance_most(holds, times):
    falls = Fraction(1)
    for chance, count in zip(FAIL, times, strict=True):
        falls *= chance**count
    assert chances("climbing", **dict.fromkeys(holds.split(), True))["falls"] == falls


def best(rope, gear, weapon, weather, deadly, shaking):
    """The least chance to fall, over every legal way to place the repeats (DS-51)."""
    fails = [int(weather) + int(shaking), int(shaking), 0]
    if deadly:
        fails[1 if fails[0] else 0] += 1
    ways = []
    for places in product((None, 0, 1, 2), repeat=gear + weapon):
        repeats, legal = [int(rope), 0, 0], True
        for place in places:
            if place is not None:
                legal = legal and (repeats[place] == 0 or fails[place] > repeats[place])
                repeats[place] += 1
        if legal:
            chance = Fraction(1)
            for part in range(3):
                chance *= FAIL[part] ** max(0, 1 + repeats[part] - fails[part])
            ways.append(chance)
    return min(ways)


@pytest.mark.rule("DS-51")
def test_all_sixty_four_climbs_agree_with_trying_every_placement():
    keys = ("rope", "gear", "weapon", "weather", "deadly", "shaking")
    for way in product((False, True), repeat=6):
        given = dict(zip(keys, way, strict=True))
        assert chances("climbing", **given).get("falls", 0) == best(**given), given


@pytest.mark.rule("DS-52")
@pytest.mark.parametrize(("face", "outcome"), [(8, "nothing"), (9, "weak"), (11, "weak"), (12, "success"),
                                               (14, "success"), (15, "critical")])
def test_perception_knows_three_thresholds(face, outcome):
    assert fell("perception", face, bonus=3) == outcome


@pytest.mark.rule("DS-52", "DS-53")
@pytest.mark.parametrize(("bonus", "modifier"), [(0, 0), (3, 3), (-3, -8), (5, 8), (-5, -8), (5, 11)])
def test_perception_and_stealth_agree_with_counting_and_icepool(bonus, modifier):
    total = icepool.d20 + bonus + modifier
    names = ("nothing", "weak", "success", "critical")
    looking = total.map(lambda n: names[sum(n >= least for least in (12, 15, 18))])
    assert chances("perception", bonus=bonus, modifier=modifier) == oracle(looking)
    steps = ("hidden", "guessed", "seen", "exposed")
    hiding = counted(steps[sum(n + bonus + modifier >= least for least in (12, 15, 18))] for n in range(1, 21))
    assert chances("stealth", bonus=bonus, modifier=modifier) == hiding


@pytest.mark.rule("DS-52")
def test_the_modifiers_of_the_source_can_be_ticked():
    addends = slots(RULESET.rolls["perception"])["modifier"].ask.addends
    assert sorted(addends.values()) == [-8, -5, -3, 3, 3, 5]


@pytest.mark.rule("DS-53")
def test_hiding_must_stay_below_fifteen():
    assert [fell("stealth", face, bonus=2) for face in (9, 10, 12, 13, 15, 16)] == [
        "hidden", "guessed", "guessed", "seen", "seen", "exposed"]
    assert roll("stealth", bonus=0).gist(roll("stealth", bonus=0).odds()).startswith("70%")


@pytest.mark.rule("DS-54")
def test_channelling_breaks_on_one_of_four():
    assert chances("channelling") == {"holds": Fraction(3, 4), "breaks": Fraction(1, 4)}


@pytest.mark.rule("DS-55")
@pytest.mark.parametrize("armour", ["none", "light", "medium", "heavy"])
def test_the_light_test_agrees_with_counting_every_face(armour):
    for bonus, points in product(range(-5, 6), (0, 1, 2, 8)):
        light = armour in ("none", "light")
        assert chances("light", bonus=bonus, armour_class=armour, action_points=points) == counted(
            "works" if (light and n < 5) or n <= bonus or n - bonus <= points else "fails" for n in range(6)), bonus


@pytest.mark.rule("DS-55", "DS-08")
def test_lightly_armoured_only_a_five_fails_and_not_with_a_bonus_of_five():
    assert chances("light", bonus=0)["fails"] == Fraction(1, 6)
    assert chances("light", bonus=5) == {"works": 1}
    assert chances("light", bonus=0, armour_class="heavy")["fails"] == Fraction(5, 6)
    assert told("light", 5, bonus=3, action_points=2) == "5, 2 above the bonus: works"


@pytest.mark.rule("DS-56")
@pytest.mark.parametrize("maximum", [0, 2, 8])
def test_element_points_fall_from_nought_to_the_most(maximum):
    assert chances("elements", maximum=maximum) == {n: Fraction(1, maximum + 1) for n in range(maximum + 1)}


@pytest.mark.rule("DS-58")
def test_a_potion_has_one_of_five_side_effects():
    assert chances("potion") == {n: Fraction(1, 5) for n in range(1, 6)}
    assert told("potion", 4) == "4 (loses 10 life at once)"


BONUS = {"none": 0, "knife": 5, "dagger": 5, "hidden-blade": 5, "fist": 0, "one-handed": 0, "two-handed": 0, "lance": 0,
         "spear": 1, "bow": 3, "crossbow": 3, "throwing-knife": 3, "blowpipe": 5, "explosive": 0}


@pytest.mark.rule("DS-59")
@pytest.mark.parametrize(("weapon", "bonus"), BONUS.items())
def test_poison_works_from_fifteen_with_the_weapons_bonus(weapon, bonus):
    expected = counted("works" if n + bonus >= 15 else "fails" for n in range(1, 21))
    assert chances("poison", weapon=weapon) == expected


@pytest.mark.rule("DS-51")
@pytest.mark.parametrize("modifier", [-30, -3, 0, 4, 30])
def test_what_the_gm_adds_counts_for_each_part_roll(modifier):
    falls = Fraction(1)
    for least in (7, 10, 15):
        falls *= Fraction(sum(face + modifier < least for face in range(1, 21)), 20)
    assert chances("climbing", modifier=modifier).get("falls", 0) == falls


@pytest.mark.rule("DS-51")
def test_further_repeats_go_where_gear_would():
    assert chances("climbing", repeats=1) == chances("climbing", gear=True)
    assert chances("climbing", repeats=2) == chances("climbing", gear=True, weapon=True)
    assert chances("climbing", repeats=3)["falls"] == (FAIL[0] * FAIL[1] * FAIL[2]) ** 2

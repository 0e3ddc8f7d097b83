from fractions import Fraction
from functools import partial
from itertools import product

import icepool
import pytest
from pydantic import ValidationError

from rulesets.dice import LoadedTray, thrown
from rulesets.dice_rumble import RULESET
from tests.support.rulesets import table
from tests.support.rulesets.chances import counted, oracle

roll, chances, told = (partial(one, RULESET) for one in (table.roll, table.chances, table.told))

FACES = range(1, 11)


def good(face, threshold):
    """The source: at most the threshold; a 1 always, a 10 never."""
    return face == 1 or (face != 10 and face <= threshold)


def referee(own, theirs, threshold, opponent, modifier=0, opponent_modifier=0):
    """Who wins a duel, written out from the source; None where both roll again."""
    mine, other = good(own, threshold + modifier), good(theirs, opponent + opponent_modifier)
    if not mine and not other:
        return "neither"
    if mine and other and own == theirs:
        return None if threshold == opponent else "win" if threshold > opponent else "lose"
    return "win" if mine and (not other or own < theirs) else "lose"


PAIRS = [(0, 0, 0, 0), (9, 9, 0, 0), (7, 5, 0, 0), (5, 7, 0, 0), (5, 7, 3, 0), (6, 6, 2, -2), (3, 9, 0, -4),
         (12, 12, 0, 0), (1, 4, -3, 5), (9, 0, 0, 0)]
in_pairs = pytest.mark.parametrize(("threshold", "opponent", "modifier", "opponent_modifier"), PAIRS)


@pytest.mark.rule("DR-10")
@pytest.mark.parametrize(("face", "outcome", "margin"), [
    (1, "critical-success", 6), (2, "success", 5), (7, "success", 0), (8, "failure", -1), (9, "failure", -2),
    (10, "critical-failure", -3)])
def test_a_roll_of_at_most_the_threshold_succeeds_and_the_margin_is_told(face, outcome, margin):
    value, text = told("test", face, threshold=7)
    assert value == outcome
    assert text == f"{face} against 7: {outcome.replace('-', ' ')}, margin {str(margin).replace('-', '−')}"


@pytest.mark.rule("DR-10")
@pytest.mark.parametrize("threshold", [0, 10, 15, 999])
def test_a_one_is_a_critical_success_and_a_ten_a_critical_failure_whatever_the_threshold(threshold):
    assert told("test", 1, threshold=threshold)[0] == "critical-success"
    assert told("test", 10, threshold=threshold)[0] == "critical-failure"


@pytest.mark.rule("DR-10")
@pytest.mark.parametrize(("threshold", "success", "failure"), [(0, 0, 8), (1, 0, 8), (2, 1, 7), (7, 6, 2), (9, 8, 0),
                                                               (14, 8, 0)])
def test_the_odds_of_a_test_in_tenths(threshold, success, failure):
    expected = {"critical-success": 1, "success": success, "failure": failure, "critical-failure": 1}
    assert chances("test", threshold=threshold) == {key: Fraction(n, 10) for key, n in expected.items() if n}
    assert roll("test", threshold=threshold).odds().mean is None


@pytest.mark.rule("DR-11")
@pytest.mark.parametrize(("threshold", "modifier"), [(5, 2), (5, -2), (9, 3), (2, -9), (0, 4)])
def test_a_modifier_moves_the_threshold_of_a_test(threshold, modifier):
    moved = max(0, threshold + modifier)
    assert chances("test", threshold=threshold, modifier=modifier) == chances("test", threshold=moved)
    assert told("test", 4, threshold=5, modifier=2)[1] == "4 against 7: success, margin 3"


@pytest.mark.rule("DR-12")
@pytest.mark.parametrize(("own", "theirs", "result", "difference"), [
    (3, 7, "win", 4), (7, 3, "lose", 4), (1, 2, "win", 1), (3, 9, "win", 6), (9, 3, "lose", 6), (9, 10, "nobody", 0),
    (8, 9, "win", 1), (8, 10, "win", 2), (10, 1, "lose", 9),
])
def test_the_lower_successful_roll_wins_a_duel(own, theirs, result, difference):
    outcome, text = told("duel", own, theirs, threshold=8, opponent=7)
    assert outcome == {"nobody": "neither"}.get(result, result)
    told_as = "nobody wins" if result == "nobody" else f"{result}, difference {difference}"
    assert text.startswith(f"{own} against {theirs}: {told_as}")


@pytest.mark.rule("DR-12")
def test_if_only_one_succeeds_it_wins_even_with_the_higher_roll():
    assert told("duel", 6, 4, threshold=8, opponent=3)[0] == "win"
    assert told("duel-damage", 6, 4, threshold=8, opponent=3)[0] == 2
    assert told("duel-damage", 6, 6, threshold=8, opponent=3, weapon=2)[0] == 2


@pytest.mark.rule("DR-12")
def test_equal_successful_rolls_go_to_the_higher_attribute_and_talent():
    assert told("duel", 4, 4, threshold=8, opponent=7)[0] == "win"
    assert told("duel", 4, 4, threshold=7, opponent=8)[0] == "lose"
    assert told("duel-damage", 4, 4, threshold=8, opponent=7, weapon=3)[0] == 3


@pytest.mark.rule("DR-11")
@pytest.mark.rule("DR-12")
def test_the_modifier_of_the_gm_breaks_no_tie():
    assert told("duel", 4, 4, threshold=7, opponent=8, modifier=5)[0] == "lose"
    assert told("duel", 4, 4, threshold=8, opponent=7, modifier=-3, opponent_modifier=9)[0] == "win"
    assert told("duel", 4, 4, 2, 5, threshold=7, opponent=7, modifier=2)[0] == "win"


@pytest.mark.rule("DR-12")
def test_a_tie_of_all_is_rolled_again_and_the_log_keeps_each_try():
    outcome, tray = thrown(roll("duel", threshold=6, opponent=6).throw, LoadedTray(4, 4, 1, 1, 5, 2))
    assert outcome.value == "lose"
    assert (tray.tries, tray.fallen) == ([[4, 4], [1, 1]], [5, 2])


@pytest.mark.rule("DR-12")
def test_equal_failed_rolls_are_not_rolled_again():
    assert told("duel", 9, 9, threshold=6, opponent=6)[0] == "neither"
    assert told("duel", 10, 10, threshold=12, opponent=12)[0] == "neither"


@pytest.mark.rule("DR-12")
def test_two_equal_thresholds_of_six_by_hand():
    # Of 100 pairs 6 tie and are rolled again; nobody: 4 x 4; the rest is shared: 39 each of 94.
    assert chances("duel", threshold=6, opponent=6) == {
        "win": Fraction(39, 94), "lose": Fraction(39, 94), "neither": Fraction(16, 94)}


@pytest.mark.rule("DR-12")
@in_pairs
def test_duels_agree_with_counting_every_pair(threshold, opponent, modifier, opponent_modifier):
    found = [referee(a, b, threshold, opponent, modifier, opponent_modifier) for a, b in product(FACES, FACES)]
    assert chances("duel", threshold=threshold, opponent=opponent, modifier=modifier,
                   opponent_modifier=opponent_modifier) == counted(one for one in found if one)


@pytest.mark.rule("DR-12")
@in_pairs
def test_duels_agree_with_icepool(threshold, opponent, modifier, opponent_modifier):
    def judged(own, theirs):
        return referee(own, theirs, threshold, opponent, modifier, opponent_modifier) or icepool.Reroll

    assert chances("duel", threshold=threshold, opponent=opponent, modifier=modifier,
                   opponent_modifier=opponent_modifier) == oracle(icepool.map(judged, icepool.d10, icepool.d10))


@pytest.mark.rule("DR-12")
@in_pairs
@pytest.mark.parametrize("weapon", [0, 3])
def test_damage_of_duels_agrees_with_counting_every_pair_and_with_icepool(
        threshold, opponent, modifier, opponent_modifier, weapon):
    def dealt(own, theirs):
        result = referee(own, theirs, threshold, opponent, modifier, opponent_modifier)
        if result is None:
            return icepool.Reroll
        return abs(own - theirs) + weapon if result == "win" else 0

    mine = chances("duel-damage", threshold=threshold, opponent=opponent, modifier=modifier,
                   opponent_modifier=opponent_modifier, weapon=weapon)
    assert mine == oracle(icepool.map(dealt, icepool.d10, icepool.d10))
    found = [dealt(own, theirs) for own, theirs in product(FACES, FACES)]
    assert mine == counted(one for one in found if one is not icepool.Reroll)


@pytest.mark.rule("DR-12")
def test_a_duel_tells_damage_only_of_a_win():
    duel = {"threshold": 8, "opponent": 7, "weapon": 2}
    assert told("duel-damage", 3, 7, **duel) == (6, "3 against 7, difference 4 + weapon 2: win, 6 damage")
    assert told("duel-damage", 7, 3, **duel) == (0, "7 against 3: lose, difference 4")
    assert told("duel-damage", 9, 8, **duel) == (0, "9 against 8: nobody wins")
    assert told("duel-damage", 1, 8, **duel) == (
        9, "1 against 8, difference 7 + weapon 2: win, 9 damage (critical success)")


@pytest.mark.rule("DR-13")
@pytest.mark.parametrize(("face", "outcome", "text"), [
    (1, 8, "1 against 7: 8 damage (critical success)"), (3, 6, "3 against 7: 6 damage"),
    (7, 2, "7 against 7: 2 damage"), (8, "miss", "8 against 7: miss"),
    (10, "miss", "10 against 7: miss (critical failure)")])
def test_an_unanswered_attack_does_the_difference_and_the_weapons_damage(face, outcome, text):
    assert told("attack", face, threshold=7, weapon=2) == (outcome, text)


@pytest.mark.rule("DR-11")
@pytest.mark.rule("DR-13")
def test_the_modifier_helps_to_hit_and_leaves_the_damage_alone():
    assert told("attack", 7, threshold=5, modifier=3, weapon=1) == (1, "7 against 8: 1 damage")
    assert told("attack", 3, threshold=5, modifier=3) == (2, "3 against 8: 2 damage")
    assert told("attack", 3, threshold=5, modifier=-3) == ("miss", "3 against 2: miss")
    assert told("attack", 2, threshold=5, modifier=-3) == (3, "2 against 2: 3 damage")


@pytest.mark.rule("DR-13")
def test_a_miss_is_told_apart_from_no_damage_and_words_come_before_numbers():
    odds = roll("attack", threshold=4, modifier=2).odds()
    assert list(odds.chances) == ["miss", 0, 1, 2, 3]
    assert odds.chances == {"miss": Fraction(4, 10), 0: Fraction(3, 10), 1: Fraction(1, 10), 2: Fraction(1, 10),
                            3: Fraction(1, 10)}
    assert odds.mean is None


@pytest.mark.rule("DR-13")
@pytest.mark.parametrize(("threshold", "modifier", "weapon"), [
    (0, 0, 0), (5, 0, 0), (9, 0, 4), (5, 9, 1), (9, -9, 2), (15, 0, 0), (999, 0, 999)])
def test_attacks_agree_with_counting_every_face_and_with_icepool(threshold, modifier, weapon):
    def harm(face):
        return max(0, threshold - face) + weapon if good(face, threshold + modifier) else "miss"

    mine = chances("attack", threshold=threshold, modifier=modifier, weapon=weapon)
    assert mine == counted(harm(face) for face in FACES)
    coded = icepool.d10.map(lambda face: -1 if harm(face) == "miss" else harm(face))
    assert mine == {"miss" if value == -1 else value: chance for value, chance in oracle(coded).items()}


@pytest.mark.rule("DR-14")
def test_initiative_is_one_die():
    assert chances("initiative") == oracle(icepool.d10) == dict.fromkeys(FACES, Fraction(1, 10))
    assert told("initiative", 10) == (10, "10")


@pytest.mark.rule("DR-14")
@pytest.mark.parametrize(("faces", "place", "text"), [
    ((4, 7, 2, 9), 2, "4 among 2, 4, 7, 9: place 2"), ((1, 1, 2), 1, "1 among 1, 1, 2: place 1, tied with 1 other die"),
    ((10, 1, 10, 10), 2, "10 among 1, 10, 10, 10: place 2, tied with 2 other dice"), ((6,), 1, "6")])
def test_the_order_of_all_tells_each_die_the_place_and_ties(faces, place, text):
    assert told("initiative-order", *faces, fighters=len(faces)) == (place, text)


@pytest.mark.rule("DR-14")
@pytest.mark.parametrize("fighters", [1, 2, 3, 4])
def test_places_agree_with_counting_every_way(fighters):
    assert chances("initiative-order", fighters=fighters) == counted(
        1 + sum(other < faces[0] for other in faces[1:]) for faces in product(FACES, repeat=fighters))


@pytest.mark.rule("DR-14")
@pytest.mark.parametrize("fighters", [2, 6, 30])
def test_places_agree_with_icepool(fighters):
    place = icepool.d10.map(lambda own: (fighters - 1) @ (icepool.d10 < own)) + 1
    assert chances("initiative-order", fighters=fighters) == {int(k): v for k, v in oracle(place).items()}
    assert sum(chances("initiative-order", fighters=99).values()) == 1


@pytest.mark.rule("DR-10")
def test_the_dice_are_drawn_with_ten_sides():
    assert {one.sides for one in RULESET.rolls.values()} == {10}


@pytest.mark.parametrize(("slug", "parameters", "key"), [
    ("test", {}, "threshold"), ("test", {"threshold": -1}, "threshold"), ("test", {"threshold": 1000}, "threshold"),
    ("test", {"threshold": 5, "modifier": 1000}, "modifier"), ("test", {"threshold": 5, "weapon": 1}, "weapon"),
    ("duel", {"threshold": 5}, "opponent"), ("duel", {"opponent": 5}, "threshold"),
    ("duel", {"threshold": 5, "opponent": 5, "weapon": 1}, "weapon"),
    ("duel-damage", {"threshold": 5, "opponent": 5, "weapon": -1}, "weapon"),
    ("attack", {"threshold": 5, "opponent": 4}, "opponent"), ("attack", {"threshold": "5"}, "threshold"),
    ("initiative", {"fighters": 2}, "fighters"), ("initiative-order", {"fighters": 0}, "fighters"),
])
def test_a_parameter_out_of_sense_is_refused_by_name(slug, parameters, key):
    with pytest.raises(ValidationError) as error:
        roll(slug, **parameters)
    assert [one["loc"] for one in error.value.errors()] == [(key,)]


def test_the_rolls_are_those_of_the_interface_and_the_order_of_all():
    fields = {slug: set(one.model_fields) for slug, one in RULESET.rolls.items()}
    assert fields == {
        "test": {"threshold", "modifier"},
        "duel": {"threshold", "opponent", "modifier", "opponent_modifier"},
        "duel-damage": {"threshold", "opponent", "modifier", "opponent_modifier", "weapon"},
        "attack": {"threshold", "modifier", "weapon"},
        "initiative": set(),
        "initiative-order": {"fighters"},
    }

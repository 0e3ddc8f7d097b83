from fractions import Fraction
from functools import partial

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
    """Return the winner of a duel by the source, or None where both roll again."""
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
@pytest.mark.parametrize(("threshold", "face", "outcome"), [
    (7, 1, "critical-success"), (7, 2, "success"), (7, 7, "success"), (7, 8, "failure"), (7, 9, "failure"),
    (7, 10, "critical-failure"),
    *((threshold, face, f"critical-{word}") for threshold in (0, 10, 15, 999)
      for face, word in ((1, "success"), (10, "failure"))),
])
def test_a_roll_of_at_most_the_threshold_succeeds_and_the_margin_is_told(threshold, face, outcome):
    said = f"{face} against {threshold}: {outcome.replace('-', ' ')}, margin {threshold - face}"
    assert told("test", face, threshold=threshold) == (outcome, said.replace("-", "−"))


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
    assert chances("test", threshold=threshold, modifier=modifier) == chances(
        "test", threshold=max(0, threshold + modifier))
    assert told("test", 4, threshold=5, modifier=2)[1] == "4 against 7: success, margin 3"


@pytest.mark.rule("DR-11", "DR-12")
@pytest.mark.parametrize(("thresholds", "faces", "result", "difference"), [
    *(((8, 7), faces, result, difference) for faces, result, difference in (
        ((3, 7), "win", 4), ((7, 3), "lose", 4), ((1, 2), "win", 1), ((3, 9), "win", 6), ((9, 3), "lose", 6),
        ((9, 10), "neither", 0), ((8, 9), "win", 1), ((8, 10), "win", 2), ((10, 1), "lose", 9))),
    # If only one succeeds it wins even with the higher roll.
    ((8, 3), (6, 4), "win", 2), ((8, 3), (6, 6), "win", 0),
    # Equal successful rolls go to the higher attribute and talent, which what the GM adds does not change.
    ((8, 7), (4, 4), "win", 0), ((7, 8), (4, 4), "lose", 0), ((7, 8, 5), (4, 4), "lose", 0),
    ((8, 7, -3, 9), (4, 4), "win", 0), ((7, 7, 2), (4, 4, 2, 5), "win", 3),
    # Equal failed rolls are not rolled again.
    ((6, 6), (9, 9), "neither", 0), ((12, 12), (10, 10), "neither", 0),
])
def test_the_lower_successful_roll_wins_a_duel(thresholds, faces, result, difference):
    given = dict(zip(("threshold", "opponent", "modifier", "opponent_modifier"), thresholds, strict=False))
    outcome, text = told("duel", *faces, **given)
    assert outcome == result
    assert ("nobody wins" if result == "neither" else f"{result}, difference {difference}") in text
    assert told("duel-damage", *faces, **given, weapon=2)[0] == (difference + 2 if result == "win" else 0)


@pytest.mark.rule("DR-12")
def test_a_tie_of_all_is_rolled_again_and_the_log_keeps_each_try():
    outcome, tray = thrown(roll("duel", threshold=6, opponent=6).throw, LoadedTray(4, 4, 1, 1, 5, 2))
    assert (outcome.value, tray.tries, tray.fallen) == ("lose", [[4, 4], [1, 1]], [5, 2])


@pytest.mark.rule("DR-12")
def test_two_equal_thresholds_of_six_by_hand():
    # Of 100 pairs 6 tie and are rolled again; nobody: 4 x 4; the rest is shared: 39 each of 94.
    assert chances("duel", threshold=6, opponent=6) == {
        "win": Fraction(39, 94), "lose": Fraction(39, 94), "neither": Fraction(16, 94)}


@pytest.mark.rule("DR-12")
@in_pairs
def test_duels_and_their_damage_agree_with_icepool(threshold, opponent, modifier, opponent_modifier):
    def judged(own, theirs):
        return referee(own, theirs, threshold, opponent, modifier, opponent_modifier) or icepool.Reroll

    def dealt(own, theirs, weapon):
        result = judged(own, theirs)
        return result if result is icepool.Reroll else abs(own - theirs) + weapon if result == "win" else 0

    given = {"threshold": threshold, "opponent": opponent, "modifier": modifier, "opponent_modifier": opponent_modifier}
    assert chances("duel", **given) == oracle(icepool.map(judged, icepool.d10, icepool.d10))
    for weapon in (0, 3):
        assert chances("duel-damage", **given, weapon=weapon) == oracle(
            icepool.map(dealt, icepool.d10, icepool.d10, weapon))


DUEL, ATTACK = {"threshold": 8, "opponent": 7, "weapon": 2}, {"threshold": 7, "weapon": 2}


@pytest.mark.rule("DR-11", "DR-12", "DR-13")
@pytest.mark.parametrize(("slug", "given", "faces", "outcome", "text"), [
    ("duel-damage", DUEL, (3, 7), 6, "3 against 7, difference 4 + weapon 2: win, 6 damage"),
    ("duel-damage", DUEL, (7, 3), 0, "7 against 3: lose, difference 4"),
    ("duel-damage", DUEL, (9, 8), 0, "9 against 8: nobody wins"),
    ("duel-damage", DUEL, (1, 8), 9, "1 against 8, difference 7 + weapon 2: win, 9 damage (critical success)"),
    # An unanswered attack does the difference and the weapon's damage.
    ("attack", ATTACK, (1,), 8, "1 against 7: 8 damage (critical success)"),
    ("attack", ATTACK, (3,), 6, "3 against 7: 6 damage"), ("attack", ATTACK, (7,), 2, "7 against 7: 2 damage"),
    ("attack", ATTACK, (8,), "miss", "8 against 7: miss"),
    ("attack", ATTACK, (10,), "miss", "10 against 7: miss (critical failure)"),
    # What the GM adds helps to hit and leaves the damage alone.
    ("attack", {"threshold": 5, "modifier": 3, "weapon": 1}, (7,), 1, "7 against 8: 1 damage"),
    ("attack", {"threshold": 5, "modifier": 3}, (3,), 2, "3 against 8: 2 damage"),
    ("attack", {"threshold": 5, "modifier": -3}, (3,), "miss", "3 against 2: miss"),
    ("attack", {"threshold": 5, "modifier": -3}, (2,), 3, "2 against 2: 3 damage"),
])
def test_damage_is_told_of_a_win_and_of_a_hit_alone(slug, given, faces, outcome, text):
    assert told(slug, *faces, **given) == (outcome, text)


@pytest.mark.rule("DR-13")
def test_a_miss_is_told_apart_from_no_damage_and_words_come_before_numbers():
    odds = roll("attack", threshold=4, modifier=2).odds()
    assert list(odds.chances.items()) == [
        ("miss", Fraction(4, 10)), (0, Fraction(3, 10)), *((n, Fraction(1, 10)) for n in (1, 2, 3))]
    assert odds.mean is None


@pytest.mark.rule("DR-13")
@pytest.mark.parametrize(("threshold", "modifier", "weapon"), [
    (0, 0, 0), (5, 0, 0), (9, 0, 4), (5, 9, 1), (9, -9, 2), (15, 0, 0), (999, 0, 999)])
def test_attacks_agree_with_counting_every_face(threshold, modifier, weapon):
    assert chances("attack", threshold=threshold, modifier=modifier, weapon=weapon) == counted(
        max(0, threshold - face) + weapon if good(face, threshold + modifier) else "miss" for face in FACES)


@pytest.mark.rule("DR-14")
@pytest.mark.parametrize(("faces", "place", "text"), [
    ((4, 7, 2, 9), 2, "4 (all rolls: 2, 4, 7, 9): place 2"),
    ((1, 1, 2), 1, "1 (all rolls: 1, 1, 2): place 1, tied with 1 other die"),
    ((10, 1, 10, 10), 2, "10 (all rolls: 1, 10, 10, 10): place 2, tied with 2 other dice"), ((6,), 1, "6")])
def test_the_order_of_all_tells_each_die_the_place_and_ties(faces, place, text):
    assert told("initiative-order", *faces, fighters=len(faces)) == (place, text)


@pytest.mark.rule("DR-14")
@pytest.mark.parametrize("fighters", [1, 2, 3, 4, 6, 30])
def test_initiative_is_one_die_and_places_agree_with_icepool(fighters):
    assert chances("initiative") == oracle(icepool.d10)
    assert told("initiative", 10) == (10, "10")
    place = icepool.d10.map(lambda own: (fighters - 1) @ (icepool.d10 < own)) + 1
    assert chances("initiative-order", fighters=fighters) == {int(k): v for k, v in oracle(place).items()}
    assert sum(chances("initiative-order", fighters=99).values()) == 1


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


def test_the_rolls_are_those_of_the_interface_and_the_order_of_all_with_ten_sides():
    assert {slug: set(one.model_fields) for slug, one in RULESET.own_rolls.items()} == {
        "test": {"threshold", "modifier"},
        "duel": {"threshold", "opponent", "modifier", "opponent_modifier"},
        "duel-damage": {"threshold", "opponent", "modifier", "opponent_modifier", "weapon"},
        "counter-duel": {"threshold", "opponent", "modifier", "opponent_modifier", "weapon", "opponent_weapon"},
        "dodge-duel": {"threshold", "opponent", "modifier", "opponent_modifier", "weapon"},
        "attack": {"threshold", "modifier", "weapon"},
        "unanswered-duel": {"threshold", "modifier"},
        "initiative": set(),
        "initiative-order": {"fighters"},
    }
    assert {one.sides for one in RULESET.own_rolls.values()} == {10}

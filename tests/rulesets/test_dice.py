"""Dice: what falls is fair, what is counted is exact, and both are the same throw."""

from collections import Counter
from fractions import Fraction
from itertools import product
from math import comb

import icepool
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rulesets import dice
from rulesets.dice import LoadedTray, Odds, Outcome, RealTray, multisets, replayed, thrown, totals
from tests.support.rulesets.contract import brute, seeded


def scripted(*numbers):
    """A source of random bytes that answers as written."""
    left = list(numbers)
    return lambda width: left.pop(0).to_bytes(width, "big")


# Three verbs and one more


def duel(tray):
    first, second = tray.die(6), tray.die(6)
    if first == second:
        tray.again()
    return Outcome("first" if first > second else "second")


def late_again(tray):
    eyes = tray.pool(2, range(6))
    if eyes == (0, 0):
        tray.again()
    return Outcome(eyes[0] + tray.die(3))


def total(tray):
    return Outcome(tray.total(4, (0, 0, 0, 1, 1, 2)))


MECHANICS = {
    "pool": lambda tray: Outcome(sum(tray.pool(3, 6)[:2])), "total": total, "duel": duel, "again": late_again,
    "negative": lambda tray: Outcome(tray.total(3, (-2, -1, 0, 5))), "nothing": lambda tray: Outcome(7),
    "mixed": lambda tray: Outcome((die := tray.die(4)) * tray.total(die, (1, 3)) - tray.die(range(2))),
    **{f"place {place}": lambda tray, place=place: Outcome(tray.pool(3, 4)[place]) for place in range(3)}}


@pytest.mark.parametrize("mechanic", MECHANICS)
def test_a_replay_equals_trying_every_face_and_what_a_real_tray_throws_is_among_it(mechanic):
    rng, throw = seeded(mechanic), MECHANICS[mechanic]
    chances = brute(throw)
    assert dict(Odds.counted(replayed(throw)).chances) == chances
    assert {thrown(throw, RealTray(rng.randbytes))[0].value for _throw in range(300)} <= chances.keys()


def test_a_throw_made_again_carries_no_weight():
    weights = replayed(duel)
    assert weights["first"] == weights["second"] == 15
    assert Odds.counted(replayed(duel), ("first", "second")).chances == {
        "first": Fraction(1, 2), "second": Fraction(1, 2)}


def test_a_replay_may_look_at_figures():
    assert replayed(lambda tray: Outcome("same", eyes=tray.die(3)),
                    key=lambda outcome: outcome.figures["eyes"]) == {1: 1, 2: 1, 3: 1}


def test_a_replay_ends_where_there_are_too_many_branches(monkeypatch):
    monkeypatch.setattr(dice, "REPLAYS", 36)
    assert len(replayed(lambda tray: Outcome(tray.die(6) + tray.die(6)))) == 11
    with pytest.raises(OverflowError):
        replayed(lambda tray: Outcome(tray.die(6) + tray.die(7)))


# Counting


@given(st.integers(0, 4), st.lists(st.integers(-5, 5), min_size=1, max_size=5))
def test_totals_are_all_sums_with_their_ways_in_order(count, worth):
    every = Counter(map(sum, product(worth, repeat=count)))
    assert totals(count, tuple(worth)) == tuple(sorted(every.items()))


@given(st.integers(0, 4), st.integers(1, 5))
def test_multisets_are_all_pools_with_their_ways(count, sides):
    every = Counter(tuple(sorted(faces, reverse=True)) for faces in product(range(1, sides + 1), repeat=count))
    assert dict(multisets(count, range(1, sides + 1))) == every


def test_totals_of_many_dice_are_exact():
    assert dict(totals(999, (0, 1))) == {heads: comb(999, heads) for heads in range(1000)}


@pytest.mark.parametrize("count", [1, 7, 30])
def test_another_program_counts_the_same(count):
    assert dict(totals(count, (0, 0, 0, 1, 1, 2))) == dict((count @ icepool.Die([0, 0, 0, 1, 1, 2])).items())


# Odds


def test_numbers_ascend_words_keep_their_order_and_the_impossible_is_left_out():
    assert list(Odds.counted({3: 1, -1: 2, 2: 0}).chances) == [-1, 3]
    assert list(Odds.counted({"fail": 1, "win": 2, "draw": 0}, ("win", "draw", "fail")).chances) == ["win", "fail"]
    assert list(Odds.counted({7: 1, "fail": 2, 0: 1, "win": 0}, ("win", "fail")).chances) == ["fail", 0, 7]


def test_the_shape_that_others_read_and_the_chance_of_at_least():
    assert Odds.counted({0: 27, 1: 5}).asdict() == {
        "outcomes": [{"outcome": 0, "probability": "27/32", "value": 0.84375},
                     {"outcome": 1, "probability": "5/32", "value": 0.15625}],
        "mean": "5/32",
    }
    assert Odds.counted({"works": 3}, ("works",)).asdict() == {
        "outcomes": [{"outcome": "works", "probability": "1", "value": 1.0}], "mean": None}
    assert Odds.counted(dict.fromkeys(range(1, 7), 1)).at_least(5) == Fraction(1, 3)


# Real dice


@pytest.mark.parametrize(("drawn", "sides", "falls"), [
    (range(252), 6, [*range(1, 7)] * 42), (range(256), 256, [*range(1, 257)]), (range(252), range(6), [*range(6)] * 42),
    ((2**32 - 4, 2**32 - 1, 7), 6, [2]), ((999,), 1000, [1000]),
    ((2**32 - 1, 4_294_967_000, 4_294_966_999), 1000, [1000]),
])
def test_every_word_that_counts_is_worth_the_same_and_those_beyond_are_drawn_anew(drawn, sides, falls):
    tray = RealTray(scripted(*drawn))
    assert sorted(tray.die(sides) for _die in falls) == sorted(falls)


@pytest.mark.parametrize(("throw", "drawn", "value", "fallen", "tries"), [
    (total, (5, 0, 3, 4), 4, [6, 1, 4, 5], []), (duel, (1, 1, 2, 2, 3, 0), "first", [4, 1], [[2, 2], [3, 3]]),
])
def test_what_fell_is_kept_in_order_and_tries_that_did_not_count_apart(throw, drawn, value, fallen, tries):
    outcome, tray = thrown(throw, RealTray(scripted(*drawn)))
    assert (outcome.value, tray.fallen, tray.tries) == (value, fallen, tries)


def test_real_dice_fall_by_themselves():
    assert {thrown(lambda tray: Outcome(tray.die(2)))[0].value for _throw in range(100)} == {1, 2}


def test_loaded_dice_fall_as_written():
    tray = LoadedTray(6, 1, 4)
    assert (tray.die(6), tray.pool(2, 4)) == (6, (4, 1))


@pytest.mark.parametrize(("faces", "sides"), [((7,), 6), ((0,), 6), ((), 6), ((6,), range(6)), ((5,), range(1, 5))])
def test_loaded_dice_do_not_show_what_the_die_has_not(faces, sides):
    with pytest.raises(ValueError, match="is not a face"):
        LoadedTray(*faces).die(sides)

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


def pool_outcome(tray):
    return Outcome(sum(tray.pool(3, 6)[:2]))


def total_outcome(tray):
    return Outcome(tray.total(4, (0, 0, 0, 1, 1, 2)))


def negative_outcome(tray):
    return Outcome(tray.total(3, (-2, -1, 0, 5)))


def mixed_outcome(tray):
    die = tray.die(4)
    return Outcome(die * tray.total(die, (1, 3)) - tray.die(range(2)))


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


def nothing_thrown(tray):
    return Outcome(7)


MECHANICS = (pool_outcome, total_outcome, negative_outcome, mixed_outcome, duel, late_again, nothing_thrown)


@pytest.mark.parametrize("throw", MECHANICS)
def test_a_replay_equals_trying_every_face(throw):
    assert dict(Odds.counted(replayed(throw)).chances) == brute(throw)


@pytest.mark.parametrize("throw", MECHANICS)
def test_what_a_real_tray_throws_has_a_chance(throw):
    rng, chances = seeded(throw.__name__), brute(throw)
    assert {thrown(throw, RealTray(rng.randbytes))[0].value for _throw in range(300)} <= chances.keys()


@pytest.mark.parametrize("pick", [0, 1, 2])
def test_a_pool_falls_highest_first(pick):
    def throw(tray):
        faces = tray.pool(3, 4)
        assert list(faces) == sorted(faces, reverse=True)
        return Outcome(faces[pick])

    assert dict(Odds.counted(replayed(throw)).chances) == brute(throw)


def test_a_throw_made_again_carries_no_weight():
    weights = replayed(duel)
    assert weights["first"] == weights["second"] == 15
    assert Odds.counted(replayed(duel), ("first", "second")).chances == {
        "first": Fraction(1, 2), "second": Fraction(1, 2)}


def test_a_replay_may_look_at_figures():
    def throw(tray):
        return Outcome("same", eyes=tray.die(3))

    assert replayed(throw, key=lambda outcome: outcome.figures["eyes"]) == {1: 1, 2: 1, 3: 1}


def test_a_replay_ends_where_there_are_too_many_branches(monkeypatch):
    monkeypatch.setattr(dice, "REPLAYS", 36)
    assert len(replayed(lambda tray: Outcome(tray.die(6) + tray.die(6)))) == 11
    with pytest.raises(OverflowError):
        replayed(lambda tray: Outcome(tray.die(6) + tray.die(7)))


# Counting


@given(st.integers(0, 4), st.lists(st.integers(-5, 5), min_size=1, max_size=5))
def test_totals_are_all_sums_with_their_ways(count, worth):
    every = Counter(map(sum, product(worth, repeat=count)))
    assert dict(totals(count, tuple(worth))) == every
    assert [value for value, _ways in totals(count, tuple(worth))] == sorted(every)


@given(st.integers(0, 4), st.integers(1, 5))
def test_multisets_are_all_pools_with_their_ways(count, sides):
    every = Counter(tuple(sorted(faces, reverse=True)) for faces in product(range(1, sides + 1), repeat=count))
    assert dict(multisets(count, range(1, sides + 1))) == every


def test_totals_of_many_dice_are_exact():
    ways = dict(totals(999, (0, 1)))
    assert ways == {heads: comb(999, heads) for heads in range(1000)}


@pytest.mark.parametrize("count", [1, 7, 30])
def test_another_program_counts_the_same(count):
    other = count @ icepool.Die([0, 0, 0, 1, 1, 2])
    assert dict(totals(count, (0, 0, 0, 1, 1, 2))) == dict(zip(other.outcomes(), other.quantities(), strict=True))


# Odds


def test_numbers_ascend_words_keep_their_order_and_the_impossible_is_left_out():
    assert list(Odds.counted({3: 1, -1: 2, 2: 0}).chances) == [-1, 3]
    assert list(Odds.counted({"fail": 1, "win": 2, "draw": 0}, ("win", "draw", "fail")).chances) == ["win", "fail"]
    assert list(Odds.counted({7: 1, "fail": 2, 0: 1, "win": 0}, ("win", "fail")).chances) == ["fail", 0, 7]


def test_the_shape_that_others_read():
    assert Odds.counted({0: 27, 1: 5}).asdict() == {
        "outcomes": [{"outcome": 0, "probability": "27/32", "value": 0.84375},
                     {"outcome": 1, "probability": "5/32", "value": 0.15625}],
        "mean": "5/32",
    }
    assert Odds.counted({"works": 3}, ("works",)).asdict() == {
        "outcomes": [{"outcome": "works", "probability": "1", "value": 1.0}], "mean": None}


def test_the_chance_of_at_least():
    assert Odds.counted(dict.fromkeys(range(1, 7), 1)).at_least(5) == Fraction(1, 3)


# Real dice


def test_every_byte_that_counts_is_worth_the_same():
    tray = RealTray(scripted(*range(256)))
    faces = Counter(tray.die(6) for _byte in range(252))
    assert faces == dict.fromkeys(range(1, 7), 42)


def test_bytes_beyond_the_last_whole_multiple_are_drawn_anew():
    assert RealTray(scripted(252, 255, 253, 7)).die(6) == 2


def test_dice_with_more_faces_than_a_byte_draw_more_bytes():
    assert RealTray(scripted(999)).die(1000) == 1000
    assert RealTray(scripted(65_535, 65_000, 64_999)).die(1000) == 1000


def test_a_die_with_256_faces_is_fair_too():
    tray = RealTray(scripted(*range(256)))
    assert sorted(tray.die(256) for _face in range(256)) == list(range(1, 257))


def test_a_die_with_a_table_of_its_own_shows_its_faces():
    tray = RealTray(seeded(1).randbytes)
    assert {tray.die(range(6)) for _throw in range(200)} == set(range(6))


def test_what_fell_is_kept_in_order():
    outcome, tray = thrown(total_outcome, RealTray(scripted(5, 0, 3, 4)))
    assert (outcome.value, tray.fallen, tray.tries) == (4, [6, 1, 4, 5], [])


def test_tries_that_did_not_count_are_kept_apart():
    outcome, tray = thrown(duel, RealTray(scripted(1, 1, 2, 2, 3, 0)))
    assert (outcome.value, tray.fallen, tray.tries) == ("first", [4, 1], [[2, 2], [3, 3]])


def test_real_dice_fall_by_themselves():
    assert {thrown(lambda tray: Outcome(tray.die(2)))[0].value for _throw in range(100)} == {1, 2}


def test_loaded_dice_fall_as_written():
    tray = LoadedTray(6, 1, 4)
    assert (tray.die(6), tray.pool(2, 4)) == (6, (4, 1))


@pytest.mark.parametrize(("faces", "sides"), [((7,), 6), ((0,), 6), ((), 6), ((6,), range(6)), ((5,), range(1, 5))])
def test_loaded_dice_do_not_show_what_the_die_has_not(faces, sides):
    with pytest.raises(ValueError, match="is not a face"):
        LoadedTray(*faces).die(sides)

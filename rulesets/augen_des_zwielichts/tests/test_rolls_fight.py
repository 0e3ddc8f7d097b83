from fractions import Fraction
from itertools import product

import icepool
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from rulesets.augen_des_zwielichts.tests.helpers import chances, fell, roll
from rulesets.dice import replayed
from tests.support.rulesets.chances import counted, oracle

FACES = range(1, 7)
fighters = st.integers(1, 4).flatmap(lambda n: st.tuples(st.just(n), st.integers(0, min(n, 2))))


def rounds(number, second):
    """The dice that count, for every way in which single dice and pairs can fall."""
    for faces in product(FACES, repeat=number + second):
        pairs, single = faces[:2 * second], faces[2 * second:]
        yield [*(max(pairs[i:i + 2]) for i in range(0, 2 * second, 2)), *single]


@pytest.mark.rule("SZ-30")
@pytest.mark.parametrize(("shade", "keep"), [("light", max), ("dark", min)])
def test_the_weak_point_is_the_higher_of_two_in_a_light_section_the_lower_in_a_dark_one(shade, keep):
    assert chances("weak-point", shade=shade) == counted(keep(pair) for pair in product(FACES, FACES))
    pool = icepool.d6.pool(2)
    assert chances("weak-point", shade=shade) == oracle((pool.highest(1) if shade == "light" else pool.lowest(1)).sum())
    assert fell("weak-point", 2, 5, shade=shade)[0] == keep(2, 5)


@pytest.mark.rule("SZ-31")
@pytest.mark.rule("SZ-34")
@given(fighters, st.integers(1, 14))
def test_a_round_is_won_where_the_two_highest_dice_reach_the_danger_level(many, danger):
    number, second = many
    found = ["won" if sum(sorted(kept)[-2:]) >= danger else "not-yet" for kept in rounds(number, second)]
    assert chances("combat-round", fighters=number, second_dice=second, danger_level=danger) == counted(found)


@pytest.mark.rule("SZ-32")
@pytest.mark.rule("SZ-34")
@given(fighters, st.integers(1, 6))
def test_every_die_that_counts_and_shows_the_weak_point_is_a_hit(many, weak):
    number, second = many
    assert chances("weak-hits", fighters=number, second_dice=second, weak_point=weak) == counted(
        kept.count(weak) for kept in rounds(number, second))


@pytest.mark.rule("SZ-31")
@pytest.mark.parametrize("number", [1, 2, 5, 12])
def test_rounds_agree_with_icepool(number):
    for danger in (4, 9, 12):
        die = icepool.d6.pool(number).highest(2).sum().map(lambda n, d=danger: "won" if n >= d else "not-yet")
        assert chances("combat-round", fighters=number, danger_level=danger) == oracle(die)
    hits = (number @ icepool.d6.map(lambda face: int(face == 6)))
    assert chances("weak-hits", fighters=number, weak_point=6) == oracle(hits)


@pytest.mark.rule("SZ-34")
def test_second_dice_agree_with_icepool():
    better = icepool.highest(icepool.d6, icepool.d6)
    top = icepool.Pool([icepool.d6, icepool.d6, better]).highest(2).sum()
    assert chances("combat-round", fighters=3, second_dice=1, danger_level=10) == oracle(
        top.map(lambda n: "won" if n >= 10 else "not-yet"))


@pytest.mark.rule("SZ-31")
def test_own_counts_are_those_of_the_replay():
    for second in (0, 2):
        one = roll("combat-round", fighters=4, second_dice=second, danger_level=11)
        two = roll("weak-hits", fighters=4, second_dice=second, weak_point=3)
        for asked in (one, two):
            mine, theirs = asked.count(), replayed(asked.throw)
            assert {key: Fraction(mine[key], sum(mine.values())) for key in theirs} == {
                key: Fraction(value, sum(theirs.values())) for key, value in theirs.items()}
    assert sum(chances("combat-round", fighters=99, second_dice=99, danger_level=12).values()) == 1


@pytest.mark.rule("SZ-31")
def test_a_level_above_12_cannot_be_reached_and_the_roll_says_so():
    assert chances("combat-round", fighters=9, danger_level=13) == {"not-yet": 1}
    value, told = fell("combat-round", 6, 6, 2, fighters=3, danger_level=13)
    assert value == "not-yet"
    assert told == "12 against 13: not yet, dice 6, 6, 2; above 12 the level must be lowered first"
    assert fell("combat-round", 6, 4, 2, fighters=3, danger_level=10) == ("won", "10 against 10: won, dice 6, 4, 2")


@pytest.mark.rule("SZ-34")
@pytest.mark.parametrize("slug", ["combat-round", "weak-hits"])
def test_more_second_dice_than_fighters_are_refused_by_name(slug):
    given = {"danger_level": 9} if slug == "combat-round" else {"weak_point": 3}
    with pytest.raises(ValidationError) as caught:
        roll(slug, fighters=2, second_dice=3, **given)
    assert [one["loc"] for one in caught.value.errors()] == [("second_dice",)]


@pytest.mark.rule("SZ-34")
def test_only_the_better_of_two_dice_counts():
    assert fell("combat-round", 2, 5, 3, fighters=2, second_dice=1, danger_level=7)[0] == "won"
    assert fell("weak-hits", 2, 5, 3, fighters=2, second_dice=1, weak_point=2) == (1, "1 hit, dice 5, 2")
    assert fell("weak-hits", 4, 2, 5, fighters=2, second_dice=1, weak_point=2)[0] == 0


@pytest.mark.rule("SZ-26")
@given(st.integers(0, 20), st.integers(0, 20))
def test_the_sum_must_reach_the_difficulty_less_the_clues_and_two_ones_always_fail(difficulty, clues):
    found = ["solved" if sum(pair) >= difficulty - clues and pair != (1, 1) else "fight"
             for pair in product(FACES, FACES)]
    assert chances("solve", difficulty=difficulty, clues=clues) == counted(found)


@pytest.mark.rule("SZ-26")
def test_two_ones_fail_even_where_nothing_is_difficult():
    assert fell("solve", 1, 1, difficulty=2) == ("fight", "2 against 2: on to the final fight")
    assert fell("solve", 3, 4, difficulty=9, clues=2) == ("solved", "7 against 7: solved")


@pytest.mark.rule("SZ-03")
def test_a_table_of_the_groups_own_is_a_die_with_as_many_sides():
    assert chances("draw", entries=20) == {n: Fraction(1, 20) for n in range(1, 21)}
    assert fell("draw", 3, entries=3) == (3, "entry 3")

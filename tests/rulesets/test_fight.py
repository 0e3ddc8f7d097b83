"""Whole fights: exact chances against closed forms, against rounds reckoned one by one, and against icepool."""

from collections import Counter
from fractions import Fraction

import icepool
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rulesets.fight import Blow, standing
from rulesets.work import WORK, TooMuch

HALF = Fraction(1, 2)
MISS = {(0, 0): Fraction(1)}


def always(blow):
    return lambda _first, _second: blow


def hits(chance, *, first=0, second=0):
    """A blow that takes so much with this chance, else nothing."""
    return Blow.of({(first, second): chance, (0, 0): 1 - chance})


def stepped(lives, turns, start, rounds):
    """(the first stands, the second stands, nobody, not yet decided) after so many rounds, turn by turn."""
    states, over = Counter({lives: Fraction(1)}), Counter()
    for number in range(start, start + rounds * len(turns)):
        after = Counter()
        for (i, j), chance in states.items():
            blow = turns[number % len(turns)](i, j)
            for mine, theirs, weight in blow.rows:
                left = max(0, i - mine), max(0, j - theirs)
                (after if all(left) else over)[left if all(left) else (left[0] > 0, left[1] > 0)] += (
                    chance * Fraction(weight, blow.whole))
        states = after
    return over[True, False], over[False, True], over[False, False], sum(states.values())


def assert_enclosed(lives, turns, rounds=12):
    """The exact chances lie where the rounds reckoned one by one leave them room."""
    for start, found in enumerate(standing(*lives, turns)):
        won, lost, nobody, open_ = stepped(lives, turns, start, rounds)
        assert won <= found["first"] <= won + open_
        assert lost <= found["second"] <= lost + open_
        assert nobody <= found["neither"] <= nobody + open_
        assert sum(found.values()) == 1


def test_who_begins_a_fight_of_coins_wins_two_of_three():
    turns = [always(hits(HALF, second=1)), always(hits(HALF, first=1))]
    first, second = standing(1, 1, turns)
    assert first == {"first": Fraction(2, 3), "second": Fraction(1, 3), "neither": 0}
    assert second == {"first": Fraction(1, 3), "second": Fraction(2, 3), "neither": 0}


def test_chances_of_one_hit_are_the_geometric_series():
    p, q = Fraction(1, 7), Fraction(2, 9)
    (found, _other) = standing(3, 2, [always(hits(p, second=5)), always(hits(q, first=3))])
    assert found["first"] == p / (1 - (1 - p) * (1 - q))


def test_a_fight_in_which_nobody_can_be_hurt_never_ends():
    assert standing(2, 3, [always(Blow.of(MISS))] * 2)[0] == {"first": 0, "second": 0, "neither": 1}


def test_who_cannot_be_hurt_cannot_lose():
    turns = [always(hits(Fraction(1, 100), second=1)), always(Blow.of(MISS))]
    assert standing(1, 9, turns)[1] == {"first": 1, "second": 0, "neither": 0}


def test_where_both_fall_at_once_neither_stands():
    both = Blow.of({(1, 1): HALF, (0, 1): Fraction(1, 4), (0, 0): Fraction(1, 4)})
    assert standing(1, 1, [always(both)])[0] == {"first": Fraction(1, 3), "second": 0, "neither": Fraction(2, 3)}


def test_a_side_that_pauses_loses_its_turns():
    strike, pause = always(hits(HALF, second=1)), always(Blow.of(MISS))
    back = always(hits(HALF, first=1))
    turns = [strike, back, pause, back]
    assert_enclosed((2, 2), turns, 20)
    assert standing(2, 2, turns)[0]["first"] < standing(2, 2, [strike, back])[0]["first"]


def test_a_blow_may_hang_on_the_life_that_is_left():
    weak, strong = hits(Fraction(1, 10), second=1), hits(Fraction(9, 10), second=1)
    turns = [lambda first, _second: strong if first <= 1 else weak, always(hits(HALF, first=1))]
    assert_enclosed((3, 3), turns, 30)


def test_a_fight_that_takes_too_long_is_refused():
    rows = Blow.of({(0, damage): Fraction(1, 100) for damage in range(100)})
    with pytest.raises(TooMuch, match="states"):
        standing(999, 999, [always(rows)] * 2)
    with pytest.raises(TooMuch, match=str(WORK)):
        standing(120, 120, [always(rows)] * 2)


def test_the_size_of_the_numbers_is_part_of_the_work():
    def turns(whole):
        return [always(hits(Fraction(1, whole), second=1)), always(hits(Fraction(1, whole), first=1))]

    assert standing(40, 40, turns(6**5))[0]["first"] > HALF
    with pytest.raises(TooMuch, match=str(WORK)):
        standing(40, 40, turns(6**999))


def plainly(first, second, turns):
    """The same by fractions, state by state: {(i, j): [(the first stands, nobody does) by turn]}."""
    known = {(i, 0): [(1, 0)] * len(turns) for i in range(1, first + 1)}
    known |= {(0, j): [(0, 0)] * len(turns) for j in range(second + 1)}
    known[0, 0] = [(0, 1)] * len(turns)
    for i in range(1, first + 1):
        for j in range(1, second + 1):
            stays, moved = [], []
            for number, turn in enumerate(turns, 1):
                blow, part = turn(i, j), [Fraction(0), Fraction(0)]
                for mine, theirs, weight in blow.rows:
                    if mine or theirs:
                        end = known[max(0, i - mine), max(0, j - theirs)][number % len(turns)]
                        part = [one + Fraction(weight, blow.whole) * of for one, of in zip(part, end, strict=True)]
                stays.append(Fraction(sum(row[2] for row in blow.rows if not (row[0] or row[1])), blow.whole))
                moved.append(part)
            known[i, j] = []
            for start in range(len(turns)):
                reach, ends = Fraction(1), [Fraction(0), Fraction(0)]
                for number in (*range(start, len(turns)), *range(start)):
                    ends = [end + reach * part for end, part in zip(ends, moved[number], strict=True)]
                    reach *= stays[number]
                known[i, j].append(tuple(end / (1 - reach) for end in ends) if reach != 1 else (0, 1))
    return known[first, second]


chances = st.dictionaries(st.tuples(st.integers(0, 4), st.integers(0, 4)), st.integers(1, 9), min_size=1, max_size=6)


@pytest.mark.prove
@given(st.integers(1, 6), st.integers(1, 6), st.lists(chances, min_size=1, max_size=4))
def test_exact_chances_lie_within_the_bounds_of_rounds_reckoned_one_by_one(first, second, tables):
    turns = [always(Blow(tuple((*lost, weight) for lost, weight in table.items()), sum(table.values())))
             for table in tables]
    assert_enclosed((first, second), turns, 8)


@pytest.mark.prove
@given(st.integers(1, 4), st.integers(1, 4), st.lists(st.tuples(*[chances] * 4), min_size=1, max_size=3))
def test_one_denominator_for_all_states_comes_to_what_fractions_come_to(first, second, tables):
    """Each turn has another blow where a side has no more than two lives left."""
    blows = [[Blow(tuple((*lost, weight) for lost, weight in table.items()), sum(table.values())) for table in four]
             for four in tables]
    turns = [lambda i, j, four=four: four[2 * (i <= 2) + (j <= 2)] for four in blows]
    assert [(one["first"], one["neither"]) for one in standing(first, second, turns)] == plainly(first, second, turns)


@pytest.mark.parametrize(("lives", "dice", "defences"), [((4, 4), (2, 2), (1, 0)), ((6, 3), (3, 1), (0, 1))])
def test_a_fight_of_dice_is_what_icepool_makes_of_it(lives, dice, defences):
    """Icepool goes on until no state changes; both sides roll its own dice."""
    worth = icepool.Die({0: 3, 1: 2, 2: 1})
    harm = [(n @ worth).map(lambda sum_, d=d: max(0, sum_ - d)) for n, d in zip(dice, defences, strict=True)]

    def round_(i, j, mine, theirs):
        if not (i and j):
            return i, j
        j = max(0, j - mine)
        return (max(0, i - theirs) if j else i), j

    ended = icepool.map(round_, icepool.Die([lives]), *harm, repeat="inf", star=True)
    won = sum(Fraction(weight, ended.denominator()) for (i, _j), weight in ended.items() if i)
    tables = [{damage: Fraction(weight, die.denominator()) for damage, weight in die.items()} for die in harm]
    turns = [always(Blow.of({(0, n): chance for n, chance in tables[0].items()})),
             always(Blow.of({(n, 0): chance for n, chance in tables[1].items()}))]
    assert standing(*lives, turns)[0]["first"] == won

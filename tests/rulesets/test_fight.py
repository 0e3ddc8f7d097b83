"""Whole fights: exact chances against closed forms, against rounds reckoned one by one, and against icepool."""

from collections import Counter
from fractions import Fraction

import icepool
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rulesets.fight import Blow, outcome_chances
from rulesets.work import WORK, TooMuch

HALF = Fraction(1, 2)


def always(blow):
    return lambda _first, _second: blow


def hits(chance, *, first=0, second=0):
    """A blow that takes so much with this chance, else nothing."""
    return Blow.from_chances({(first, second): chance, (0, 0): 1 - chance})


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


def assert_enclosed(lives, turns, rounds):
    """The exact chances lie where the rounds reckoned one by one leave them room."""
    for start, found in enumerate(outcome_chances(*lives, turns)):
        won, lost, nobody, open_ = stepped(lives, turns, start, rounds)
        assert won <= found["first"] <= won + open_
        assert lost <= found["second"] <= lost + open_
        assert nobody <= found["neither"] <= nobody + open_
        assert sum(found.values()) == 1


NEVER = always(Blow.from_chances({(0, 0): Fraction(1)}))
BOTH = Blow.from_chances({(1, 1): HALF, (0, 1): Fraction(1, 4), (0, 0): Fraction(1, 4)})
COINS = [always(hits(HALF, second=1)), always(hits(HALF, first=1))]
SERIES = Fraction(1, 7) / (1 - (1 - Fraction(1, 7)) * (1 - Fraction(2, 9)))


@pytest.mark.parametrize(("lives", "turns", "start", "chances"), [
    ((1, 1), COINS, 0, (Fraction(2, 3), Fraction(1, 3), 0)), ((1, 1), COINS, 1, (Fraction(1, 3), Fraction(2, 3), 0)),
    ((3, 2), [always(hits(Fraction(1, 7), second=5)), always(hits(Fraction(2, 9), first=3))], 0,
     (SERIES, 1 - SERIES, 0)),
    ((2, 3), [NEVER] * 2, 0, (0, 0, 1)),
    ((1, 9), [always(hits(Fraction(1, 100), second=1)), NEVER], 1, (1, 0, 0)),
    ((1, 1), [always(BOTH)], 0, (Fraction(1, 3), 0, Fraction(2, 3))),
], ids=["coins", "coins, by who follows", "a geometric series", "nobody can be hurt", "one cannot be hurt",
        "both fall at once"])
def test_a_fight_whose_chances_are_known_has_them(lives, turns, start, chances):
    assert outcome_chances(*lives, turns)[start] == dict(zip(("first", "second", "neither"), chances, strict=True))


def test_a_side_that_pauses_loses_its_turns():
    strike, back = COINS
    assert_enclosed((2, 2), [strike, back, NEVER, back], 20)
    assert outcome_chances(2, 2, [strike, back, NEVER, back])[0]["first"] < outcome_chances(2, 2, COINS)[0]["first"]


def test_a_fight_that_takes_too_long_is_refused_and_the_size_of_the_numbers_is_part_of_that():
    def turns(whole):
        return [always(hits(Fraction(1, whole), second=1)), always(hits(Fraction(1, whole), first=1))]

    rows = [always(Blow.from_chances({(0, damage): Fraction(1, 100) for damage in range(100)}))] * 2
    assert outcome_chances(40, 40, turns(6**5))[0]["first"] > HALF
    for lives, how, why in ((999, rows, "states"), (120, rows, str(WORK)), (40, turns(6**999), str(WORK))):
        with pytest.raises(TooMuch, match=why):
            outcome_chances(lives, lives, how)


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
@given(st.integers(1, 4), st.integers(1, 4), st.lists(st.tuples(*[chances] * 4), min_size=1, max_size=4))
def test_one_denominator_for_all_states_comes_to_what_fractions_and_rounds_reckoned_one_by_one_come_to(
        first, second, tables):
    """Each turn has another blow where a side has no more than two lives left."""
    blows = [[Blow(tuple((*lost, weight) for lost, weight in table.items()), sum(table.values())) for table in four]
             for four in tables]
    turns = [lambda i, j, four=four: four[2 * (i <= 2) + (j <= 2)] for four in blows]
    chances = outcome_chances(first, second, turns)
    assert [(one["first"], one["neither"]) for one in chances] == plainly(first, second, turns)
    assert_enclosed((first, second), turns, 8)


@pytest.mark.parametrize(("lives", "dice", "defences"), [((4, 4), (2, 2), (1, 0)), ((6, 3), (3, 1), (0, 1))])
def test_a_fight_of_dice_is_what_icepool_makes_of_it(lives, dice, defences):
    """Icepool goes on until no state changes; both sides roll its own dice."""
    mine, theirs = ((n @ icepool.Die({0: 3, 1: 2, 2: 1})).map(lambda sum_, d=d: max(0, sum_ - d))
                    for n, d in zip(dice, defences, strict=True))

    def round_(i, j, mine, theirs):
        if not (i and j):
            return i, j
        j = max(0, j - mine)
        return (max(0, i - theirs) if j else i), j

    ended = icepool.map(round_, icepool.Die([lives]), mine, theirs, repeat="inf", star=True)
    turns = [always(Blow.from_chances({(0, n): Fraction(weight, mine.denominator()) for n, weight in mine.items()})),
             always(Blow.from_chances(
                 {(n, 0): Fraction(weight, theirs.denominator()) for n, weight in theirs.items()}))]
    assert outcome_chances(*lives, turns)[0]["first"] == sum(
        Fraction(weight, ended.denominator()) for (i, _j), weight in ended.items() if i)

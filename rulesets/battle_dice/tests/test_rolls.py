"""The rolls: battle dice with and without Flink, Heilung, Dice Minions, cards drawn (BD-06, BD-11, BD-14 to BD-19)."""

from collections import Counter
from fractions import Fraction
from functools import cache
from itertools import accumulate, combinations, product
from operator import le

import icepool
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from rulesets.battle_dice import flink, reckoning, table
from rulesets.battle_dice.rolls import MOST, SWIFT, Battle, Draw, Heal, Minion, OpeningHand, Seen
from rulesets.dice import LoadedTray, Odds, multisets
from tests.support.everyday import everyday, slow

pools = st.lists(st.integers(1, 6), max_size=4).map(lambda faces: tuple(sorted(faces, reverse=True)))


def falling(faces):
    return tuple(sorted(faces, reverse=True))


@cache
def least(attack, defence, points):
    """The least damage over every single way of adding 1, dice above 6 included."""
    ways = {falling((*defence[:i], defence[i] + 1, *defence[i + 1:])) for i in range(len(defence))} if points else set()
    return min([flink.damage(attack, defence), *(least(attack, way, points - 1) for way in ways)])


def everything(attack, defence, points):
    """{damage: ways} by trying all faces and all uses."""
    dice = range(1, 7)
    return Counter(least(falling(a), falling(d), points)
                   for a in product(dice, repeat=attack) for d in product(dice, repeat=defence))


@pytest.mark.rule("BD-14")
@pytest.mark.parametrize(("attack", "defence", "damage"), [
    ((6, 3), (5, 3), 1), ((4,), (4,), 0), ((6, 5, 1), (6,), 2), ((2,), (6, 6), 0), ((), (3,), 0), ((5, 5), (), 2),
])
def test_pairs_are_compared_a_tie_defends_and_what_meets_no_die_is_damage(attack, defence, damage):
    outcome = Battle(attack_dice=len(attack), defence_dice=len(defence)).throw(LoadedTray(*attack, *defence))
    assert outcome.value == damage


@pytest.mark.rule("BD-15")
@pytest.mark.parametrize(("attack", "defence", "points", "raised"), [
    ((6, 5, 2), (5, 4), 2, (6, 5)),
    ((6, 3), (2, 2), 1, (2, 2)),  # one die raised to 3 comes to meet the 6: nothing is saved
    ((6, 3), (2, 2), 2, (3, 3)),
    ((6,), (1,), 10, (6,)),
    ((2, 2), (5, 1), 1, (5, 2)),
])
def test_flink_is_used_as_well_as_can_be_and_no_more_than_helps(attack, defence, points, raised):
    roll = Battle(attack_dice=len(attack), defence_dice=len(defence), flink=points)
    outcome = roll.throw(LoadedTray(*attack, *defence))
    assert tuple(outcome.figures["raised"]) == raised


@pytest.mark.rule("BD-15")
def test_a_roll_tells_what_flink_raised():
    roll = Battle(attack_dice=2, defence_dice=2, flink=2)
    told = roll.tell(roll.throw(LoadedTray(6, 5, 5, 4)))
    assert told == "AD 6 5 against DD 5 4, Flink 5 → 6, 4 → 5: 0 damage"


@pytest.mark.rule("BD-15")
@given(pools, pools, st.integers(0, 5))
def test_the_best_use_of_flink_is_the_best_of_all_uses(attack, defence, points):
    raised = flink.best(attack, defence, points)
    assert flink.damage(attack, raised) == least(attack, defence, points)
    assert sum(raised) - sum(defence) <= points
    assert raised == falling(raised)
    assert all(new >= old for new, old in zip(raised, defence, strict=True))
    if sum(raised) > sum(defence):
        assert least(attack, defence, sum(raised) - sum(defence) - 1) > flink.damage(attack, raised)


@pytest.mark.rule("BD-14")
@pytest.mark.rule("BD-15")
@pytest.mark.parametrize(("attack", "defence", "points"), [
    (1, 1, 0), (2, 1, 0), (3, 2, 0), (2, 3, 0), (1, 1, 1), (2, 2, 1), (2, 2, 2), (3, 2, 3), (2, 3, 4), (3, 1, 2),
    (2, 2, 10),
])
def test_the_count_is_that_of_all_faces_and_all_uses_of_flink(attack, defence, points):
    assert +flink.count(attack, defence, points) == everything(attack, defence, points)


@pytest.mark.rule("BD-15")
@pytest.mark.parametrize(("points", "most", "full_most"), [
    (0, 20, 20), (1, 12, 12), (3, 9, 9), (5, 6, 6), (10, 4, 4),
    slow(0, 40, 40), slow(1, 40, 40), slow(3, 20, 40), slow(5, 9, 40), slow(10, 5, 20),
])
def test_the_stored_counts_are_those_of_the_reckoning(points, most, full_most, full):
    for (attack, defence), ways in reckoning.counts(full_most if full else most, points).items():
        if attack and defence:
            assert +table.counts(attack, defence, points) == +ways, (attack, defence)


@pytest.mark.rule("BD-15")
def test_every_stored_count_holds_all_ways_and_more_flink_never_means_more_damage(full):
    for attack, defence in product(range(1, MOST + 1, 1 if full else 3), repeat=2):
        before = None
        for points in range(SWIFT + 1):
            ways = flink.count(attack, defence, points)
            at_least = list(accumulate(ways[n] for n in range(attack, -1, -1)))
            assert at_least[-1] == 6 ** (attack + defence)
            assert before is None or all(map(le, at_least, before))
            before = at_least


@pytest.mark.rule("BD-15")
@pytest.mark.parametrize("beyond", [(41, 1, 1), (1, 41, 1), (1, 1, 11), (1, 1, -1), (0, 1, 1)])
def test_what_was_not_stored_is_not_answered_with_something_else(beyond):
    with pytest.raises(KeyError):
        table.counts(*beyond)


class Compared(icepool.MultisetEvaluator):
    """The rule once more, in icepool's words: face by face from the highest, with dice that wait for one to meet."""

    def next_state(self, state, order, _face, attack, defence):
        if order is not icepool.Order.Descending:
            raise icepool.UnsupportedOrder
        ahead, damage = state or (0, 0)  # defence dice that are ahead, below 0 where attack dice are
        ahead += defence
        met = min(attack, max(0, ahead))
        return ahead - attack, damage + attack - met

    def final_outcome(self, state, _order, _faces, *_sizes):
        return state[1] if state else 0


@pytest.mark.rule("BD-14")
@pytest.mark.parametrize(("attack", "defence"), [
    (1, 1), (3, 2), (2, 4), (5, 5), (7, 3), (0, 3), (4, 0),
    slow(10, 10), slow(20, 12),
])
def test_icepool_finds_the_same_odds_without_flink(attack, defence):
    theirs = Compared().evaluate(icepool.d6.pool(attack), icepool.d6.pool(defence))
    odds = Battle(attack_dice=attack, defence_dice=defence).odds()
    assert odds.chances == {n: Fraction(theirs.probability(n)) for n in theirs}


class Raised(icepool.MultisetEvaluator):
    """All faces in icepool's order, and in the end every single use of Flink."""

    def __init__(self, points):
        self.points = points

    def next_state(self, state, order, face, attack, defence):
        if order is not icepool.Order.Descending:
            raise icepool.UnsupportedOrder
        fallen = state or ((), ())
        return fallen[0] + (face,) * attack, fallen[1] + (face,) * defence

    def final_outcome(self, state, _order, _faces, *_sizes):
        return least(*state, self.points)


@pytest.mark.rule("BD-15")
@pytest.mark.parametrize(("attack", "defence", "points"), everyday([(3, 3, 2), (2, 4, 4), (4, 3, 3), (5, 2, 10)], 2))
def test_icepool_finds_the_same_odds_over_every_single_use_of_flink(attack, defence, points):
    theirs = Raised(points).evaluate(icepool.d6.pool(attack), icepool.d6.pool(defence))
    odds = Battle(attack_dice=attack, defence_dice=defence, flink=points).odds()
    assert odds.chances == {n: Fraction(theirs.probability(n)) for n in theirs}


@pytest.mark.rule("BD-15")
@pytest.mark.parametrize("most", [3, slow(4)])
def test_the_counts_are_those_of_all_pools_each_with_its_best_use(most, full):
    most += full and most > 3
    for attack, defence, points in product((1, 2, most), (1, 3, most), (0, 1, 3, 7, 10)):
        ways = Counter()
        for (a, many), (d, as_many) in product(*(multisets(dice, range(1, 7)) for dice in (attack, defence))):
            ways[flink.damage(a, flink.best(a, d, points))] += many * as_many
        assert +flink.count(attack, defence, points) == ways, (attack, defence, points)


@pytest.mark.rule("BD-15")
def test_forty_against_forty_with_flink_is_answered_from_one_short_row():
    odds = Battle(attack_dice=40, defence_dice=40, flink=10).odds()
    plain = Battle(attack_dice=40, defence_dice=40).odds()
    assert sum(odds.chances.values()) == sum(plain.chances.values()) == 1
    assert odds.mean < plain.mean


@pytest.mark.parametrize("given", [{"attack_dice": 41}, {"defence_dice": -1}, {"flink": 1000}, {"attack_dice": "3"}])
def test_pools_out_of_sense_are_refused_by_name(given):
    with pytest.raises(ValidationError) as refused:
        Battle.model_validate({"attack_dice": 1, "defence_dice": 1} | given)
    assert [error["loc"] for error in refused.value.errors()] == [tuple(given)]


@pytest.mark.rule("BD-18")
@pytest.mark.parametrize("dice", [0, 1, 3])
def test_heilung_removes_a_mark_for_each_even_die(dice):
    faces = product(range(1, 7), repeat=dice)
    assert Heal(dice=dice).odds() == Odds.counted(Counter(sum(face % 2 == 0 for face in one) for one in faces))


@pytest.mark.rule("BD-19")
def test_a_dice_minion_by_the_die():
    came = [Minion().throw(LoadedTray(face)).value for face in range(1, 7)]
    assert came == ["fokus", "fokus", "verteidigung", "verteidigung", "boost", "boost"]


@pytest.mark.rule("BD-06")
@pytest.mark.parametrize("copies", range(9))
def test_the_opening_hand_is_two_of_eight(copies):
    hands = combinations(range(8), 2)
    assert OpeningHand(copies=copies).odds() == Odds.counted(Counter(sum(n < copies for n in hand) for hand in hands))


@pytest.mark.rule("BD-06")
@pytest.mark.parametrize("copies", [0, 1, 3, 8])
@pytest.mark.parametrize("turn", [0, 1, 4, 6, 999])
def test_a_card_is_seen_if_it_is_among_those_drawn(copies, turn):
    drawn = list(combinations(range(8), min(8, 2 + turn)))
    seen = Fraction(sum(any(n < copies for n in hand) for hand in drawn), len(drawn))
    assert Seen(copies=copies, turn=turn).odds().chances.get("seen", 0) == seen


@pytest.mark.rule("BD-11")
def test_cards_are_drawn_without_putting_back_and_go_on_with_the_discard_pile():
    assert Draw(cards=8, draws=2).throw(LoadedTray(8, 7)).figures["places"] == [8, 7]
    assert Draw(cards=1, draws=2, spare=3).throw(LoadedTray(1, 3)).figures["places"] == [1, 3]
    assert Draw(cards=1, draws=2).throw(LoadedTray(1)).figures["places"] == [1]
    with pytest.raises(ValueError, match="not a face"):
        Draw(cards=8, draws=2).throw(LoadedTray(8, 8))

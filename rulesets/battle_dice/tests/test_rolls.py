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

from rulesets.battle_dice import battles, compute_odds_table, odds_table
from rulesets.battle_dice.hints import chance
from rulesets.battle_dice.rolls import MAX_DICE, MAX_FLINK, Battle, Draw, Heal, Minion, OpeningHand, Seen
from rulesets.dice import LoadedTray, Odds, multisets
from tests.support.everyday import slow
from tests.support.rulesets.chances import oracle

pools = st.lists(st.integers(1, 6), max_size=4).map(lambda faces: tuple(sorted(faces, reverse=True)))


def falling(faces):
    return tuple(sorted(faces, reverse=True))


@cache
def least(attack, defence, points):
    """Return the least damage of all ways to add points one by one, with dice above 6 allowed."""
    ways = {falling((*defence[:i], defence[i] + 1, *defence[i + 1:])) for i in range(len(defence))} if points else set()
    return min([battles.damage(attack, defence), *(least(attack, way, points - 1) for way in ways)])


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
def test_flink_is_used_as_well_as_can_be_and_no_more_than_helps_and_told(attack, defence, points, raised):
    roll = Battle(attack_dice=len(attack), defence_dice=len(defence), flink=points)
    outcome = roll.throw(LoadedTray(*attack, *defence))
    assert tuple(outcome.figures["raised"]) == raised
    told = ", ".join(f"{old} → {new}" for old, new in zip(defence, raised, strict=True) if old != new)
    assert (f"Flink {told}: " if told else " against DD 2 2: ") in roll.tell(outcome)


@pytest.mark.rule("BD-15")
@given(pools, pools, st.integers(0, 5))
def test_the_best_use_of_flink_is_the_best_of_all_uses(attack, defence, points):
    raised = battles.raise_defence(attack, defence, points)
    assert battles.damage(attack, raised) == least(attack, defence, points)
    assert sum(raised) - sum(defence) <= points
    assert raised == falling(raised)
    assert all(new >= old for new, old in zip(raised, defence, strict=True))
    if sum(raised) > sum(defence):
        assert least(attack, defence, sum(raised) - sum(defence) - 1) > battles.damage(attack, raised)


@pytest.mark.rule("BD-14", "BD-15")
@pytest.mark.parametrize(("attack", "defence", "points"), [
    (1, 1, 0), (2, 1, 0), (3, 2, 0), (2, 3, 0), (1, 1, 1), (2, 2, 1), (2, 2, 2), (3, 2, 3), (2, 3, 4), (3, 1, 2),
    (2, 2, 10), *(pytest.param(*one, marks=pytest.mark.slow) for one in ((3, 3, 2), (2, 4, 4), (4, 3, 3), (5, 2, 4))),
    slow(4, 4, 3),
])
def test_the_count_is_that_of_all_faces_and_all_uses_of_flink(attack, defence, points):
    ways = Counter()
    for (a, many), (d, as_many) in product(*(multisets(dice, range(1, 7)) for dice in (attack, defence))):
        ways[least(a, d, points)] += many * as_many
    assert +battles.damage_counts(attack, defence, points) == ways


@pytest.mark.rule("BD-15")
@pytest.mark.parametrize(("points", "most", "full_most"), [
    (0, 20, 20), (1, 12, 12), (3, 9, 9), (5, 6, 6), (10, 4, 4),
    slow(0, 40, 40), slow(1, 40, 40), slow(3, 20, 40), slow(5, 9, 40), slow(10, 5, 20),
])
def test_the_stored_counts_are_those_of_the_reckoning(points, most, full_most, full):
    for (attack, defence), ways in compute_odds_table.compute_counts(full_most if full else most, points).items():
        if attack and defence:
            assert +odds_table.read_counts(attack, defence, points) == +ways, (attack, defence)


@pytest.mark.rule("BD-15")
def test_every_stored_count_holds_all_ways_and_more_flink_never_means_more_damage(full):
    for attack, defence in product(range(1, MAX_DICE + 1, 1 if full else 3), repeat=2):
        before = None
        for points in range(MAX_FLINK + 1):
            ways = battles.damage_counts(attack, defence, points)
            at_least = list(accumulate(ways[n] for n in range(attack, -1, -1)))
            assert at_least[-1] == 6 ** (attack + defence)
            assert before is None or all(map(le, at_least, before))
            before = at_least


@pytest.mark.rule("BD-15")
@pytest.mark.parametrize("beyond", [(41, 1, 1), (1, 41, 1), (1, 1, 11), (1, 1, -1), (0, 1, 1)])
def test_what_was_not_stored_is_not_answered_with_something_else(beyond):
    with pytest.raises(KeyError):
        odds_table.read_counts(*beyond)


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
    pytest.param(10, 10, marks=pytest.mark.slow), slow(20, 12),
])
def test_icepool_finds_the_same_odds_without_flink(attack, defence):
    theirs = Compared().evaluate(icepool.d6.pool(attack), icepool.d6.pool(defence))
    assert Battle(attack_dice=attack, defence_dice=defence).odds().chances == oracle(theirs)


@pytest.mark.rule("BD-15")
@pytest.mark.parametrize("pools", [{"attack_dice": 21}, {"defence_dice": 40}, {"attack_dice": 40, "defence_dice": 40}])
def test_with_flink_as_many_dice_are_rolled_and_reckoned_as_without(pools):
    plain, swift = (Battle(**{"attack_dice": 1, "defence_dice": 1, **pools}, flink=flink).odds() for flink in (0, 10))
    assert sum(plain.chances.values()) == sum(swift.chances.values()) == 1
    assert swift.mean < plain.mean


@pytest.mark.parametrize("given", [{"attack_dice": 41}, {"defence_dice": -1}, {"flink": 1000}, {"attack_dice": "3"}])
def test_pools_out_of_sense_are_refused_by_name(given):
    with pytest.raises(ValidationError) as refused:
        Battle.model_validate({"attack_dice": 1, "defence_dice": 1} | given)
    assert [error["loc"] for error in refused.value.errors()] == [tuple(given)]


@pytest.mark.rule("BD-18")
@pytest.mark.parametrize("dice", [0, 1, 3])
def test_heilung_removes_a_mark_for_each_even_die(dice):
    assert Heal(dice=dice).odds() == Odds.counted(
        Counter(sum(face % 2 == 0 for face in faces) for faces in product(range(1, 7), repeat=dice)))


@pytest.mark.rule("BD-19")
def test_a_dice_minion_by_the_die():
    assert [Minion().throw(LoadedTray(face)).value for face in range(1, 7)] == [
        "fokus", "fokus", "verteidigung", "verteidigung", "boost", "boost"]


@pytest.mark.rule("BD-06")
@pytest.mark.parametrize("copies", range(9))
def test_the_opening_hand_is_two_of_eight_and_a_card_is_seen_if_it_is_among_those_drawn(copies):
    hands = Counter(sum(n < copies for n in hand) for hand in combinations(range(8), 2))
    assert OpeningHand(copies=copies).odds() == Odds.counted(hands)
    for turn in (0, 1, 4, 6, 999):
        drawn = [any(n < copies for n in hand) for hand in combinations(range(8), min(8, 2 + turn))]
        seen = Fraction(sum(drawn), len(drawn))
        assert Seen(copies=copies, turn=turn).odds().chances.get("seen", 0) == seen
        assert chance(copies, 8, min(8, 2 + turn)) == pytest.approx(float(seen))


@pytest.mark.rule("BD-11")
@pytest.mark.parametrize(("given", "faces", "places"), [
    ({"cards": 8, "draws": 2}, (8, 7), [8, 7]), ({"cards": 1, "draws": 2, "spare": 3}, (1, 3), [1, 3]),
    ({"cards": 1, "draws": 2}, (1,), [1]),
])
def test_cards_are_drawn_without_putting_back_and_go_on_with_the_discard_pile(given, faces, places):
    assert Draw(**given).throw(LoadedTray(*faces)).figures["places"] == places
    with pytest.raises(ValueError, match="not a face"):
        Draw(cards=8, draws=2).throw(LoadedTray(8, 8))

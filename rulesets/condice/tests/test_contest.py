"""Blow against blow in ConDice, reckoned again without the program's own means."""

from fractions import Fraction
from itertools import product

import pytest

from rulesets.condice import RULESET, play
from rulesets.condice.contest import Blows
from rulesets.condice.tests.heroes import hero

HAND = (0, 0, 0, 1, 1, 2)


def harm(dice, defence):
    """{damage: chance} over every face of every die."""
    found = {}
    for faces in product(HAND, repeat=dice):
        damage = max(0, sum(faces) - defence)
        found[damage] = found.get(damage, 0) + Fraction(1, 6**dice)
    return found


def blow_by_blow(first, second, blows=60):
    """(won, lost) at least, and what is not decided, when the first begins."""
    sides = (harm(first.dice, second.defence), harm(second.dice, first.defence))
    states, over = {(first.life, second.life): Fraction(1)}, [0, 0]
    for number in range(blows):
        after = {}
        for (i, j), chance in states.items():
            for damage, part in sides[number % 2].items():
                left = (i, j - damage) if number % 2 == 0 else (i - damage, j)
                if min(left) <= 0:
                    over[number % 2] += chance * part
                else:
                    after[left] = after.get(left, 0) + chance * part
        states = after
    return (*over, sum(states.values()))


@pytest.mark.rule("CD-41")
@pytest.mark.rule("CD-45")
@pytest.mark.parametrize(("first", "second"), [
    (Blows(dice=3, defence=1, life=4), Blows(dice=2, defence=0, life=6)),
    (Blows(dice=4, defence=2, life=10), Blows(dice=4, defence=2, life=8)),
    (Blows(dice=1, defence=3, life=2), Blows(dice=5, defence=0, life=12)),
])
def test_who_falls_first_is_what_blow_by_blow_leaves(first, second):
    begins, follows, *_blows = first.meet(second)
    for found, (one, other), turned in ((begins, (first, second), False), (follows, (second, first), True)):
        won, lost, open_ = blow_by_blow(one, other)
        chances = dict(found.odds().chances)
        mine, theirs = (chances.get(key, 0) for key in (("second", "first") if turned else ("first", "second")))
        assert won <= mine <= won + open_
        assert lost <= theirs <= lost + open_
        assert open_ < Fraction(1, 20)


@pytest.mark.rule("CD-41", "CD-46")
def test_a_blow_of_each_is_the_attack_roll_and_where_nobody_gets_through_the_fight_never_ends():
    *_fights, mine, theirs = Blows(dice=2, defence=1).meet(Blows(dice=3, defence=2))
    assert [dict(one.odds().chances) for one in (mine, theirs)] == [harm(2, 2), harm(3, 1)]
    assert dict(next(Blows(dice=2, defence=9).meet(Blows(dice=2, defence=9))).odds().chances) == {"neither": 1}


def test_who_has_no_attack_can_be_struck_all_the_same():
    (offer,) = Blows.offers_for(hero(attacks=[]), RULESET.play())
    assert offer.filled["dice"] == 0
    assert dict(next(offer.take().meet(Blows())).odds().chances) == {"second": 1}


@pytest.mark.rule("CD-50")
def test_figures_are_those_of_the_moment():
    hurt = play.Damage(against="nothing", points=3).apply(hero(), RULESET.play())
    hurt = hurt.with_effect(hero(), play.state.Effect(name="Wut", attack=2, defence=1))
    assert [next(Blows.offers_for(hero(), now)).filled for now in (RULESET.play(), hurt)] == [
        {"dice": 4, "defence": 2, "life": 10}, {"dice": 6, "defence": 3, "life": 7}]

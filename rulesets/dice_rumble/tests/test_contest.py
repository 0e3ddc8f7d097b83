"""Duel upon duel in Dice Rumble, reckoned again face by face."""

from fractions import Fraction
from itertools import product

import pytest

from rulesets.dice_rumble import RULESET, play
from rulesets.dice_rumble.contest import Duels
from rulesets.dice_rumble.tests.heroes import hero


def succeeds(face, threshold):
    return face == 1 or (face != 10 and face <= threshold)


def duel(first, second):
    """{(lost by the first, lost by the second): chance} over all hundred pairs of faces, ties made again."""
    found, counted = {}, 0
    for own, theirs in product(range(1, 11), repeat=2):
        mine = succeeds(own, first.threshold + first.modifier)
        other = succeeds(theirs, second.threshold + second.modifier)
        side = None
        if mine and other:
            if own == theirs and first.threshold == second.threshold:
                continue
            side = 0 if (own < theirs or (own == theirs and first.threshold > second.threshold)) else 1
        elif mine or other:
            side = 0 if mine else 1
        counted += 1
        damage = 0 if side is None else abs(own - theirs) + (first, second)[side].weapon
        lost = (0, damage) if side == 0 else (damage, 0)
        found[lost] = found.get(lost, 0) + 1
    return {lost: Fraction(times, counted) for lost, times in found.items()}


def fought(first, second, rounds=40):
    """(won, lost, not decided) after so many duels."""
    table, over = duel(first, second), [0, 0]
    states = {(first.life, second.life): Fraction(1)}
    for _round in range(rounds):
        after = {}
        for (i, j), chance in states.items():
            for (mine, theirs), part in table.items():
                left = i - mine, j - theirs
                if min(left) <= 0:
                    over[0 if left[1] <= 0 else 1] += chance * part
                else:
                    after[left] = after.get(left, 0) + chance * part
        states = after
    return (*over, sum(states.values()))


SIDES = [
    (Duels(threshold=6, weapon=3, life=10), Duels(threshold=9, weapon=2, life=14)),
    (Duels(threshold=7, weapon=0, life=8), Duels(threshold=7, weapon=1, life=8)),
    (Duels(threshold=3, modifier=2, weapon=1, life=6), Duels(threshold=5, modifier=-1, weapon=0, life=7)),
]


@pytest.mark.rule("DR-12")
@pytest.mark.rule("DR-16")
@pytest.mark.parametrize(("first", "second"), SIDES)
def test_the_whole_fight_is_what_duel_upon_duel_leaves(first, second):
    won, lost, open_ = fought(first, second)
    found = next(first.meet(second)).odds().chances
    assert won <= found["first"] <= won + open_
    assert lost <= found["second"] <= lost + open_
    assert open_ < Fraction(1, 1_000_000)


@pytest.mark.rule("DR-12")
@pytest.mark.parametrize(("first", "second"), SIDES)
def test_one_duel_and_its_damage_are_what_the_faces_say(first, second):
    _fight, one, mine, theirs = first.meet(second)
    table = duel(first, second)
    for prospect, place in ((mine, 1), (theirs, 0)):
        for damage, chance in prospect.odds().chances.items():
            if damage:
                assert sum(part for lost, part in table.items() if lost[place] == damage) == chance
    assert sum(one.odds().chances.values()) == 1
    assert one.named("Ada", "Bruno").label("win") != one.named("Ada", "Bruno").label("lose")


@pytest.mark.rule("DR-12")
def test_of_two_alike_each_wins_half_of_the_fights():
    found = next(Duels().meet(Duels())).odds().chances
    assert dict(found) == {"first": Fraction(1, 2), "second": Fraction(1, 2)}


@pytest.mark.rule("DR-18")
def test_figures_come_from_weapons_talents_and_what_is_lost():
    hurt = play.Damage(points=4).apply(hero(), RULESET.play())
    hurt = play.FindWeapon(name="Säbel", talent="Nahkampf", damage=5).apply(hero(), hurt)
    assert {offer.key: dict(offer.filled) for offer in Duels.offers_for(hero(), hurt)} == {
        "weapons.0": {"threshold": 9, "weapon": 2, "life": 9}, "weapons.1": {"threshold": 4, "weapon": 1, "life": 9},
        "weapons.2": {"threshold": 9, "weapon": 5, "life": 9}, "unarmed": {"threshold": 9, "weapon": 0, "life": 9},
    }


@pytest.mark.rule("DR-07")
def test_what_is_not_chosen_yet_is_left_to_be_typed():
    (offer,) = Duels.offers_for(hero({"attributes.strength": None}), RULESET.play())
    assert (offer.key, "life" in offer.filled) == ("weapons.1", False)

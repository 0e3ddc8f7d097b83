"""Whole games of two decks, each side on its own sheet, pressed through by chance (BD-10 to BD-16)."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rulesets.battle_dice import RULESET
from rulesets.battle_dice.tests.table import Side
from rulesets.dice import RealTray, thrown
from tests.support.rulesets.contract import answers, seeded


def played(first, second, rng):
    """A whole game of two decks: each side on its own sheet, damage carried over as the players would enter it."""
    sides = [Side(first), Side(second)]
    for side, order in zip(sides, ("first", "second"), strict=True):
        press(side, "start-game", rng, order=order)
    for turn in range(400):
        mine, theirs = sides[turn % 2], sides[1 - turn % 2]
        damage = own_turn(mine, theirs, rng)
        if mine.play.phase == "won":
            return sides, turn
        enemy_turn(theirs, damage, rng)
        if theirs.play.phase == "lost":
            press(mine, "win", rng)
            return sides, turn
    raise AssertionError("nobody wins")


def press(side, what, rng, **given):
    """An act with random dice; answers the outcome."""
    offer = side.offers()[what]
    open_ = {name: rng.choice(answers(slot)) for name, slot in offer.asks.items() if name not in given}
    act = offer.take(**open_, **given)
    roll = act.roll(side.sheet, side.play)
    outcome = thrown(roll.throw, RealTray(rng.randbytes))[0] if roll else None
    side.play = act.apply(side.sheet, side.play, outcome)
    side.log.append(str(act.tell(side.sheet, side.play)))
    return outcome


def own_turn(side, enemy, rng):
    """The four phases; answers the damage of the attack."""
    press(side, rng.choice([what for what in side.offers() if what.startswith("put-away")]), rng)
    press(side, "focus", rng, change=0)
    while summons := [what for what in side.offers() if what.startswith(("summon", "destroy"))]:
        press(side, rng.choice(summons), rng)
    press(side, "to-battle", rng)
    cakes = [what for what in side.offers() if "Kuchen" in what]
    if cakes:
        press(side, cakes[0], rng)
        return 0
    return press(side, "attack", rng, defence_dice=enemy.play.defence(enemy.sheet),
                 flink=enemy.play.flink_of(enemy.sheet)).value


def enemy_turn(side, damage, rng):
    """Damage entered, blocked as it comes, healed, settled."""
    press(side, "damage", rng, points=damage)
    while side.play.phase == "block":
        press(side, rng.choice([what for what in side.offers() if what.startswith(("block", "take-rest"))]), rng)
    if side.play.phase == "heal":
        press(side, "settle", rng)
    if side.play.phase == "end":
        press(side, "next-turn", rng)


@pytest.mark.rule("BD-10")
@pytest.mark.rule("BD-16")
@settings(max_examples=12)
@given(st.integers(0, 10_000), st.sampled_from(sorted(RULESET.examples)), st.sampled_from(sorted(RULESET.examples)))
def test_whole_games_of_two_decks_come_to_an_end_and_no_card_is_lost(seed, first, second):
    sides, _turn = played(first, second, seeded(seed))
    assert "won" in [side.play.phase for side in sides]
    for side in sides:
        tokens = [name for name in side.names() if name.startswith("Dice Minion")]
        there = [*side.play.hand, *side.play.deck, *side.play.discard, *side.names()]
        assert len(there) - len(tokens) == 8
        assert 0 <= side.play.mana <= 10
        assert side.log

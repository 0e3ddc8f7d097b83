"""What a roll leads on to in a fight: damage, the die that is spent, the next exchange of blows (DR-12, DR-14)."""

import pytest

from rulesets.dice import LoadedTray, thrown
from rulesets.dice_rumble import RULESET, rolls
from rulesets.dice_rumble.tests.heroes import hero
from rulesets.dice_rumble.widgets import offers_after_fight_roll

PLAY = RULESET.play()


def led(cls, *faces, play=PLAY, **answers):
    """What the sheet's first roll of a class leads on to."""
    offer = next(one for one in hero().roll_offers(play) if one.cls is cls)
    roll = offer.take(**{key: 6 for key in ("threshold", "opponent") if key in offer.asks} | answers)
    outcome, _tray = thrown(roll.throw, LoadedTray(*faces))
    return [*offer.leads(roll, outcome)]


@pytest.mark.rule("DR-12")
@pytest.mark.parametrize(("cls", "faces", "opponent", "damage"), [
    (rolls.DuelDamage, (6, 2), 6, [4]), (rolls.DuelDamage, (10, 9), 6, []), (rolls.DuelDamage, (2, 6), 6, []),
    (rolls.Duel, (6, 2), 6, []),  # nobody is hurt
    (rolls.DuelDamage, (3, 3), 7, []),  # a draw costs nothing
])
def test_who_loses_a_duel_takes_the_difference_and_nobody_else_does(cls, faces, opponent, damage):
    found = led(cls, *faces, opponent=opponent)
    assert [one.filled["points"] for one in found] == damage
    for one in found:
        lost = one.take().apply(hero(), PLAY).life_lost
        assert (str(one.title), one.without_target, lost) == ("Take 4 damage", True, 4)


@pytest.mark.rule("DR-14")
@pytest.mark.parametrize("cls", [rolls.Test, rolls.Duel, rolls.DuelDamage, rolls.Attack])
def test_while_a_die_is_held_what_is_rolled_spends_it(cls):
    play = PLAY.model_copy(update={"initiative": 4})
    spent, = led(cls, *([3] if cls in (rolls.Test, rolls.Attack) else [3, 9]), play=play)
    assert spent.take().apply(hero(), play).initiative is None
    # A test may be no action, if the GM asks for it.
    assert spent.automatic == ("" if cls is rolls.Test else "in turn")


@pytest.mark.rule("DR-12", "DR-14")
@pytest.mark.parametrize("roll", [rolls.Duel, rolls.DuelDamage, rolls.CounterDuel, rolls.DodgeDuel])
def test_a_duel_that_nobody_wins_is_the_action_too(roll):
    outcome, _tray = thrown(roll(threshold=6, opponent=6).throw, LoadedTray(8, 9))
    spent, = offers_after_fight_roll(PLAY.model_copy(update={"initiative": 4}))(roll(threshold=6, opponent=6), outcome)
    assert (spent.cls.slug, spent.automatic) == ("spend-die", "in turn")


@pytest.mark.rule("DR-12", "DR-13")
@pytest.mark.parametrize(("roll", "then"), [
    (rolls.CounterDuel, "The other side wins and deals the damage; then the next initiative die goes."),
    (rolls.DuelDamage, "The other side wins and deals the damage; then the next initiative die goes."),
    (rolls.DodgeDuel, "Nobody is hurt; the next initiative die goes.")])
def test_whoever_loses_to_a_blow_is_not_told_that_nobody_is_hurt(roll, then):
    made = roll(threshold=6, opponent=6)
    outcome, _tray = thrown(made.throw, LoadedTray(9, 2))
    assert (str(made.afterwards(outcome)), made.label(outcome.value)) == (then, "no damage dealt")


@pytest.mark.rule("DR-12", "DR-13", "DR-14")
@pytest.mark.parametrize(("roll", "faces", "damage"), [
    (rolls.DuelDamage(threshold=6, opponent=6), (3, 9), "6 damage"), (rolls.Attack(threshold=6), (4,), "2 damage"),
    (rolls.Attack(threshold=6), (6,), ""), (rolls.Attack(threshold=6), (10,), ""),
    (rolls.DuelDamage(threshold=6, opponent=6), (8, 9), ""),
])
def test_damage_is_announced_and_then_the_next_die_is_on(roll, faces, damage):
    outcome, _tray = thrown(roll.throw, LoadedTray(*faces))
    spent, = offers_after_fight_roll(PLAY.model_copy(update={"initiative": 4}))(roll, outcome)
    assert (str(roll.afterwards(outcome)), str(spent.title)) == (
        (f"Announce {damage}; then the next initiative die goes.", f"Announce {damage}") if damage else
        ("Nobody is hurt; the next initiative die goes.", "Put away the initiative die"))


@pytest.mark.rule("DR-12")
def test_a_duel_says_which_thresholds_meet_with_what_the_gm_adds():
    roll = rolls.Duel(threshold=6, opponent=7, modifier=1, opponent_modifier=-2)
    assert roll.gist(roll.odds()).endswith("win, 7 against 5")
    assert {slug for slug, cls in RULESET.rolls.items() if cls.repeat_label} == {
        "duel", "duel-damage", "counter-duel", "dodge-duel"}


@pytest.mark.rule("DR-17")
@pytest.mark.parametrize(("spent", "note"), [(0, "costs 1 of 2 fate points"), (1, "costs 1 of 1 fate point")])
@pytest.mark.parametrize("act", ["repeat", "turn-fate"])
def test_fate_says_what_it_costs(act, spent, note):
    offer, = RULESET.acts[act].offered(hero(), PLAY.model_copy(update={"fate_spent": spent}))
    assert str(offer.note) == note

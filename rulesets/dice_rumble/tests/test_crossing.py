"""Damage, dice that reactions spend, and responses before a roll cross the table in Dice Rumble."""

import pytest
from django.utils import translation

from rulesets.dice import Outcome
from rulesets.dice_rumble import RULESET, play, rolls
from rulesets.dice_rumble.tests.heroes import hero

CROSSING = RULESET.crossing
ATTACK = rolls.Attack(threshold=7, modifier=-1, weapon=2)


def effect(roll, outcome, state):
    """[(act, what is filled)] that comes of a roll at a target that plays so."""
    return [(one.cls.slug, dict(one.filled)) for one in CROSSING.target_offers(
        roll, outcome, CROSSING.figures(hero(), state))]


def responses(state=None, *, turns=True, patch=None):
    found = CROSSING.responses(hero(patch), state or play.DiceRumblePlay(), ATTACK, turns=turns)
    return {one.key: one for one in found}


@pytest.mark.rule("DR-14")
@pytest.mark.parametrize("roll", [rolls.Duel(threshold=6, opponent=5), rolls.DuelDamage(threshold=6, opponent=5)])
def test_who_takes_part_in_a_duel_spends_the_die_that_is_left(roll):
    lost = Outcome(0, own=9, theirs=2, result="lose")
    assert effect(roll, lost, play.DiceRumblePlay(initiative=4)) == [("spend-die", {})]
    assert effect(roll, lost, play.DiceRumblePlay()) == []


@pytest.mark.rule("DR-13")
def test_an_attack_without_a_reaction_leaves_the_die_of_the_target():
    assert effect(ATTACK, Outcome(4, roll=3), play.DiceRumblePlay(initiative=4)) == [("damage", {"points": 4})]


@pytest.mark.rule("DR-14")
def test_to_respond_needs_a_die_while_turns_count_and_spends_it_wherever_there_is_one():
    assert responses() == {}
    assert {one.offer for one in responses(turns=False).values()} == {None}
    with_die = responses(play.DiceRumblePlay(initiative=4))
    assert {one.offer.cls.slug for one in with_die.values()} == {"spend-die"}


@pytest.mark.rule("DR-12", "DR-13")
def test_each_weapon_strikes_back_with_its_talent_and_what_it_adds_and_bare_hands_always_may():
    state = play.DiceRumblePlay(initiative=4)
    armed = [{"name": "Rapier", "talent": "Nahkampf", "damage": 2},
             {"name": "Bogen", "talent": "Ballistik", "damage": 3}]
    found = responses(state, patch={"weapons": armed})
    assert [*found] == ["weapon-0", "weapon-1", "unarmed", "dodge"]
    assert [found[f"weapon-{index}"].replacement.take().opponent_weapon for index in range(2)] == [2, 3]
    assert (str(found["unarmed"].title), found["unarmed"].replacement.take().opponent_weapon) == (
        "Strike back: Nahkampf", 0)
    assert [*responses(state, patch={"weapons": []})] == ["unarmed", "dodge"]
    for one in found.values():
        duel = one.replacement.take()
        assert (duel.threshold, duel.modifier, duel.weapon) == (7, -1, 2)


@pytest.mark.rule("DR-12")
def test_who_strikes_back_and_wins_deals_the_difference_and_the_weapon_and_who_dodges_nothing():
    lost = Outcome(0, own=9, theirs=2, result="lose")
    known = {"threshold": 6, "opponent": 5}
    counter = rolls.CounterDuel(**known, opponent_weapon=3)
    assert [one.filled for one in CROSSING.actor_offers(counter, lost, {"weapon": 1})] == [{"points": 10}]
    assert [*CROSSING.actor_offers(rolls.DodgeDuel(**known), lost, {"weapon": 1})] == []
    # Equal rolls, decided by attribute + talent, and bare hands: nothing is left to take.
    tied = Outcome(0, own=4, theirs=4, result="lose")
    assert [*CROSSING.actor_offers(rolls.CounterDuel(threshold=5, opponent=6), tied, {"weapon": 1})] == []


@pytest.mark.rule("DR-13")
def test_without_a_response_a_duel_is_an_attack():
    duel = rolls.DuelDamage(threshold=7, opponent=5, modifier=-1, weapon=2)
    assert CROSSING.unanswered(duel).take() == ATTACK


@pytest.mark.rule("DR-13", "DR-14", "DR-19")
def test_whoever_a_plain_duel_is_aimed_at_reacts_with_the_die_or_leaves_it_to_a_roll_alone():
    duel = rolls.Duel(threshold=7, opponent=5, modifier=-1, opponent_modifier=2)
    react, = CROSSING.responses(hero(), play.DiceRumblePlay(initiative=4), duel, turns=True)
    assert (react.key, str(react.note), react.offer.cls) == ("react", "5", play.SpendDie)
    assert react.replacement.take() == duel
    assert [*CROSSING.responses(hero(), play.DiceRumblePlay(), duel, turns=True)] == []
    unhurried, = CROSSING.responses(hero(), play.DiceRumblePlay(), duel, turns=False)
    assert unhurried.offer is None
    alone = CROSSING.unanswered(duel).take()
    assert alone == rolls.UnansweredDuel(threshold=7, modifier=-1)
    assert effect(alone, Outcome("success", roll=3, threshold=6, margin=3), play.DiceRumblePlay(initiative=4)) == []


def asked(figures, *, veiled=False):
    """The plain duel as it meets somebody, and {label: figure} of what it lets one choose for the other side."""
    duel = next(one for one in hero().roll_offers(play.DiceRumblePlay()) if one.cls is rolls.Duel)
    met = CROSSING.with_target_figures(duel, figures, veiled=veiled)
    slot = met.asks["opponent"]
    return met, {str(slot.label(word)): met.take(threshold=5, opponent=word).opponent for word in slot.choices}


TALENTS = [{"name": "Nahkampf", "attribute": "strength", "points": 4},
           {"name": "wahrnehmung", "attribute": "mind", "points": 5},
           {"name": "Sternenkunde", "attribute": "mind", "points": 2}]


@pytest.mark.rule("DR-12", "DR-07")
def test_a_duel_without_damage_is_against_any_talent_of_whom_it_is_aimed_at():
    other = hero({"talents": TALENTS, "attributes": {"strength": 3, "dexterity": 1, "mind": 2, "charisma": 1}})
    figures = CROSSING.figures(other, play.DiceRumblePlay())
    met, found = asked(figures)
    assert next(iter(found.items())) == ("Fighting value: 7", 7)
    assert {"wahrnehmung: 7": 7, "Sternenkunde: 4": 4, "Akrobatik: 1": 1, "Mind alone: 2": 2}.items() <= found.items()
    assert all(str(figure) in label for label, figure in found.items())
    assert met.target_figures == {}
    assert met.take(threshold=5, opponent="no such word").opponent == 7


@pytest.mark.rule("DR-03", "DR-12")
@pytest.mark.parametrize(("language", "name"), [("de", "Wahrnehmung"), ("en", "Perception")])
def test_where_the_target_is_secret_one_chooses_a_talent_that_everybody_knows_by_its_name_alone(language, name):
    plain = {"attributes": {"strength": 3, "dexterity": 1, "mind": 2, "charisma": 1}}
    with translation.override(language):
        met, found = asked(CROSSING.figures(hero(plain | {"talents": TALENTS}), play.DiceRumblePlay()), veiled=True)
        _other, bare = asked(CROSSING.figures(hero(plain | {"talents": []}), play.DiceRumblePlay()), veiled=True)
    # What it has and what it has not reads alike, and no figure stands there.
    assert [*found] == [*bare]
    assert not any(letter.isdigit() for label in found for letter in label)
    assert (found[name], bare[name], "Sternenkunde" in found, met.veiled) == (7, 2, False, True)

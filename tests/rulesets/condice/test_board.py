"""What the board of a ConDice character shows: how far it reaches, and what changes its figures for a while."""

import pytest

from rulesets.condice import RULESET
from tests.rulesets.condice.heroes import hero

PLAY = RULESET.play()


def board(play, sheet=None):
    return play.board(sheet or hero())


@pytest.mark.rule("CD-02")
@pytest.mark.rule("CD-06")
def test_movement_attacks_and_abilities_with_range_are_drawn_as_fields():
    lanes = [(str(one.title), one.fields, str(one.dice), one.moves) for one in board(PLAY)["lanes"]]
    assert lanes[0] == ("Movement", hero().movement, "", True)
    assert lanes[1] == (str(hero().attacks[0].label), 1 + hero().attacks[0].range, f"{hero().attacks[0].dice} dice",
                        False)
    reaching = [(str(one.label), 1 + one.range, "", False) for one in hero().abilities if one.reach == "bought"]
    assert lanes[1 + len(hero().attacks):] == reaching
    assert len(reaching) == len(hero().abilities)


@pytest.mark.rule("CD-21")
def test_an_ability_that_reaches_for_nobody_has_no_fields():
    phased = hero(abilities=[{"ability": "durch-waende-gehen", "fields": 1}, {"ability": "heilung"}])
    assert [one.title for one in board(PLAY, phased)["lanes"]][-1:] == [phased.abilities[1].label]
    assert len(board(PLAY, phased)["lanes"]) == 1 + len(phased.attacks) + 1


def test_of_many_fields_their_number_is_read():
    far = board(PLAY, hero(movement=500))["lanes"][0]
    assert (far.fields, len(far.drawn)) == (500, 8)


@pytest.mark.rule("CD-50")
def test_an_effect_shows_its_figures_and_rounds_and_the_press_that_ends_it():
    play = RULESET.play.model_validate({"effects": [{"name": "Zorn", "attack": 2, "defence": -1, "rounds": 1}]})
    change, = board(play)["changes"]
    assert (change.title, change.figures, str(change.rounds)) == ("Zorn", ("Attack +2", "Defence −1"), "1 round left")
    act = change.end.offer.take(**change.end.by)
    assert act.apply(hero(), play).effects == []


@pytest.mark.rule("CD-46")
def test_what_is_lost_stands_there_without_a_press():
    play = RULESET.play.model_validate({"losses": [{"target": "movement", "points": 1}]})
    change, = board(play)["changes"]
    assert (change.figures, change.end) == (("Movement −1",), None)
    assert board(play)["lanes"][0].fields == hero().movement - 1

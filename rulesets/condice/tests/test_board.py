"""How far a ConDice character reaches, and what its board shows: what changes its figures for a while."""

import pytest

from rulesets.condice import RULESET
from rulesets.condice.tests.heroes import hero

PLAY = RULESET.play()


@pytest.mark.rule("CD-06")
@pytest.mark.rule("CD-07")
def test_what_is_rolled_reaches_so_many_fields_at_least_the_one_beside():
    phased = hero(abilities=[{"ability": "heilung", "range": 2}])
    reach = {one.key: one.reach for one in phased.roll_offers(PLAY)}
    assert {key: reach[key] for key in ("attacks.0", "abilities.0", "")} == {
        "attacks.0": 1 + phased.attacks[0].range, "abilities.0": 3, "": 0}


@pytest.mark.rule("CD-50")
def test_an_effect_shows_its_figures_and_rounds_and_the_press_that_ends_it():
    play = RULESET.play.model_validate({"effects": [{"name": "Zorn", "attack": 2, "defence": -1, "rounds": 1}]})
    change, = play.board(hero())["changes"]
    assert (change.title, change.figures, str(change.rounds)) == ("Zorn", ("Attack +2", "Defence −1"), "1 round left")
    assert change.end.offer.take(**change.end.answers).apply(hero(), play).effects == []


@pytest.mark.rule("CD-46")
def test_what_is_lost_stands_there_without_a_press():
    play = RULESET.play.model_validate({"losses": [{"target": "movement", "points": 1}]})
    change, = play.board(hero())["changes"]
    assert (change.figures, change.end) == (("Movement −1",), None)
    assert play.effective(hero()).movement == hero().movement - 1

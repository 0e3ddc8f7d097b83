"""Characters of the GM, made of a few figures (DR-01, DR-02, DR-04, DR-06, DR-07, DR-11)."""

import pytest

from rulesets.dice_rumble import RULESET
from rulesets.dice_rumble.contest import Duels
from rulesets.dice_rumble.play import Damage, NewAdventure, RepeatRoll
from rulesets.document import canonical, read

SIDE = RULESET.crossing.side


def made(**figures):
    """(document, state of play) of an opponent."""
    data, play = RULESET.crossing.opponent(SIDE(**figures))
    return read(canonical(RULESET.document("Räuber", data))), RULESET.play.model_validate(play)


@pytest.mark.rule("DR-01", "DR-02")
@pytest.mark.parametrize("threshold", range(13))
def test_an_opponent_of_a_few_figures_has_its_threshold_on_a_sheet_that_is_legal_if_any_can_be(threshold):
    document, play = made(threshold=threshold, weapon=2)
    assert (document.check().verdict == "legal") is (1 <= threshold <= 9)
    first, bare = (one.filled for one in Duels.offers_for(document.sheet, play))
    assert (first["threshold"], first["weapon"], bare["threshold"]) == (threshold, 2, threshold)


@pytest.mark.rule("DR-04")
@pytest.mark.parametrize("life", [1, 4, 8, 18])
def test_it_has_the_life_that_was_said_and_is_unhurt_at_first_and_in_the_next_adventure(life):
    document, play = made(life=life)
    hurt = Damage(points=1).apply(document.sheet, play)
    gauges = [next(iter(now.gauges(document.sheet))) for now in (play, hurt)]
    assert [(one.current, one.most) for one in gauges] == [(life, life), (life - 1, life)]
    assert NewAdventure().apply(document.sheet, hurt) == play
    assert [len([*NewAdventure.offered(document.sheet, now)]) for now in (play, hurt)] == [0, 1]


@pytest.mark.rule("DR-11")
def test_the_modifier_of_a_roll_is_not_asked_of_somebody():
    assert set(SIDE.offer().asks) == {"threshold", "weapon", "life"}


@pytest.mark.rule("DR-06")
@pytest.mark.rule("DR-17")
@pytest.mark.parametrize(("house", "fate"), [({}, 0), ({"npc_fate_points": 1}, 1)])
def test_fate_is_for_players_unless_the_house_says_otherwise(house, fate):
    document, play = made()
    sheet = document.sheet.under(RULESET.house.model_validate(house))
    assert (play.fate(sheet), len([*RepeatRoll.offered(sheet, play)])) == (fate, fate)
    assert RULESET.play().fate(sheet) == 2

"""What a duel tells of the faces that are critical (DR-10, DR-12)."""

import pytest

from rulesets import systems
from rulesets.dice import LoadedTray, thrown
from rulesets.dice_rumble.tests.test_rolls import told

ROLLS = systems()["dice-rumble"].rolls


@pytest.mark.rule("DR-10")
@pytest.mark.rule("DR-12")
@pytest.mark.parametrize(("faces", "said"), [
    ((4, 6), ""), ((1, 6), " (critical success)"), ((4, 10), " (opponent: critical failure)"),
    ((1, 10), " (critical success, opponent: critical failure)"), ((4, 1), " (opponent: critical success)"),
])
def test_a_duel_tells_the_criticals_of_both_sides(faces, said):
    for slug in ("duel", "duel-damage"):
        text = told(slug, *faces, threshold=8, opponent=8)[1]
        assert text.endswith(said)
        assert text.count("critical") == said.count("critical")


@pytest.mark.rule("DR-10")
@pytest.mark.parametrize(("faces", "looks"), [((1, 6), "critical"), ((10, 6), "fumble"), ((4, 1), ""), ((4, 10), "")])
def test_the_own_die_alone_makes_a_roll_look_critical(faces, looks):
    for slug, given in (("test", {}), ("attack", {}), ("duel", {"opponent": 8}), ("duel-damage", {"opponent": 8})):
        roll = ROLLS[slug](threshold=8, **given)
        dice = faces if given else faces[:1]
        assert roll.extreme(thrown(roll.throw, LoadedTray(*dice))[0]) == looks


def test_a_die_of_initiative_is_never_critical():
    for slug, given in (("initiative", {}), ("initiative-order", {"fighters": 1})):
        roll = ROLLS[slug](**given)
        assert roll.extreme(thrown(roll.throw, LoadedTray(1))[0]) == ""

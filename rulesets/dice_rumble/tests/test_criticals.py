"""A duel tells of the faces that are critical (DR-10, DR-12)."""

import pytest

from rulesets import systems
from rulesets.dice import LoadedTray, thrown
from rulesets.dice_rumble.tests.test_rolls import told

ROLLS = systems()["dice-rumble"].rolls


@pytest.mark.rule("DR-10", "DR-12")
@pytest.mark.parametrize("slug", ["duel", "duel-damage"])
@pytest.mark.parametrize(("faces", "said"), [
    ((4, 6), ""), ((1, 6), " (critical success)"), ((4, 10), " (opponent: critical failure)"),
    ((1, 10), " (critical success, opponent: critical failure)"), ((4, 1), " (opponent: critical success)"),
])
def test_a_duel_tells_the_criticals_of_both_sides(faces, said, slug):
    text = told(slug, *faces, threshold=8, opponent=8)[1]
    assert (text.endswith(said), text.count("critical")) == (True, said.count("critical"))


@pytest.mark.rule("DR-10")
@pytest.mark.parametrize(("slug", "given", "faces", "looks"), [
    *((slug, {"threshold": 8}, faces, looks) for slug in ("test", "attack")
      for faces, looks in (((1,), "critical"), ((10,), "fumble"), ((4,), ""))),
    *((slug, {"threshold": 8, "opponent": 8}, faces, looks) for slug in ("duel", "duel-damage")
      for faces, looks in (((1, 6), "critical"), ((10, 6), "fumble"), ((4, 1), ""), ((4, 10), ""))),
    ("initiative", {}, (1,), ""), ("initiative-order", {"fighters": 1}, (1,), ""),
])
def test_the_own_die_alone_makes_a_roll_look_critical_and_that_of_initiative_never(slug, given, faces, looks):
    roll = ROLLS[slug](**given)
    assert roll.extreme(thrown(roll.throw, LoadedTray(*faces))[0]) == looks

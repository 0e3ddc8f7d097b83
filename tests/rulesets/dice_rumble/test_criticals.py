"""What a duel tells of the faces that are critical (DR-10, DR-12)."""

import pytest

from tests.rulesets.dice_rumble.test_rolls import told


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

"""What the tray says where two throw: who wins, and whose dice lie there."""

import re

import pytest

from tests.sheets.rolls.test_tray import english, html, shown  # noqa: F401 - a fixture


@pytest.mark.rule("DR-12")
@pytest.mark.parametrize(("faces", "large", "below"), [
    ((3, 9), "Win, 6 damage", "3 against 9"),
    ((9, 3), "Lose", "9 against 3, difference 6"),
    ((8, 9), "Nobody wins", "8 against 9"),
    ((1, 8), "Win, 7 damage", "1 against 8 (critical success)"),
])
def test_a_duel_says_large_who_wins_and_how_below(faces, large, below):
    tray = shown("dice-rumble", "duel-damage", *faces, threshold=6, opponent=6)
    assert (tray.outcome, tray.detail[0]) == (large, below)


def test_dice_of_several_pools_say_whose_they_are():
    page = html(shown("battle-dice", "battle", 6, 4, attack_dice=1, defence_dice=1))
    assert re.findall(r'class="whose">([^<]+)', page) == ["AD", "DD"]
    page = html(shown("dice-rumble", "duel", 3, 9, threshold=6, opponent=6))
    assert re.findall(r'class="whose">([^<]+)', page) == ["Opponent"]

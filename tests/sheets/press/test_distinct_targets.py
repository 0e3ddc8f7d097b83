"""A throw that hits several: each roll that follows it hits another one."""

import pytest

from sheets.models import PendingEffect
from tests.support.sheets.fight import table_of

TARGETS = "roll-targets"


@pytest.fixture
def grenade(table, dice):
    """Three of them are hit by what Anna has thrown; the rat and the troll stand there, too."""
    for name in ("Rat", "Troll"):
        table.bring(name)
    dice += [[3]]
    table.press(TARGETS, at=None, range="1-4", critical="0")
    return table


def falls(table, dice, number, at):
    dice[:] = [[4]]
    table.press(f"roll-damage-{number}-{TARGETS}", at=at, range="1-6")
    return [one.sheet.name for one in PendingEffect.objects.order_by("pk")]


@table_of("daemmersturm")
@pytest.mark.rule("DS-27", "DS-33")
def test_the_targets_of_a_grenade_are_not_all_spent_on_one(grenade, dice):
    assert falls(grenade, dice, 1, "ben") == ["Ben"]
    assert falls(grenade, dice, 2, "ben") == ["Ben"]
    assert falls(grenade, dice, 2, "rat") == ["Ben", "Rat"]
    # A roll whose effect was dismissed still counts.
    grenade.settle("dismiss", "gm", PendingEffect.objects.latest("pk").pk)
    assert falls(grenade, dice, 3, "rat") == ["Ben", "Rat"]
    assert "Rat is already one of its targets; choose another." in grenade.look(at="rat").text
    assert falls(grenade, dice, 3, "troll") == ["Ben", "Rat", "Troll"]
    # The next throw has targets of its own.
    dice[:] = [[1]]
    grenade.press(TARGETS, at=None, range="1-4", critical="0")
    assert falls(grenade, dice, 1, "ben")[-1] == "Ben"

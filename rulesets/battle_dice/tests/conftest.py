from functools import partial

import pytest

from rulesets.battle_dice import RULESET
from tests.support.rulesets.changed import changed


@pytest.fixture
def quick():
    """Give a deck of three Corona Looks, three Piñas and two Snowbuddies, changed by a patch, a name, house rules."""
    return partial(changed, RULESET, "quick")


@pytest.fixture
def own():
    """Give the deck with an own card in its last row, changed likewise."""
    return partial(changed, RULESET, "own-card")

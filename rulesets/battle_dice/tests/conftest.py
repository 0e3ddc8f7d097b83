from functools import partial

import pytest

from rulesets.battle_dice import RULESET
from tests.support.rulesets.changed import changed


@pytest.fixture
def quick():
    """Return a function that changes the example "quick": three Corona Looks, three Piñas, two Snowbuddies."""
    return partial(changed, RULESET, "quick")


@pytest.fixture
def own():
    """Return a function that changes the example with a custom card in its last row."""
    return partial(changed, RULESET, "own-card")

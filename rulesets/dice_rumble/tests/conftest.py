from functools import partial

import pytest

from rulesets.dice_rumble import RULESET
from tests.support.rulesets.changed import changed


@pytest.fixture
def baker():
    """Give Bruno's document, changed by a patch {path in its data: value}, a name, house rules."""
    return partial(changed, RULESET, "baker")

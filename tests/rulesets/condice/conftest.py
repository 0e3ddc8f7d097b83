from functools import partial

import pytest

from rulesets.condice import RULESET
from tests.rulesets.changed import changed


@pytest.fixture
def juan():
    """Give Juan's document, changed by a patch {path in its data: value}, a name, house rules."""
    return partial(changed, RULESET, "juan")

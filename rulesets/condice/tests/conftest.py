from functools import partial

import pytest

from rulesets.condice import RULESET
from tests.support.rulesets.changed import changed


@pytest.fixture
def juan():
    """Give Juan's document, changed by a patch {path in its data: value}, a name, house rules."""
    return partial(changed, RULESET, "juan")


@pytest.fixture
def alone(juan):
    """Give Juan's document with one ability instead of his own, and room for it in the budget."""
    return lambda row, **house: juan({"abilities": [row]}, house={"budget": 200} | house)

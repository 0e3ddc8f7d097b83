import json
from functools import partial

import pytest
from django.utils.translation import override

from rulesets.battle_dice import RULESET
from rulesets.document import canonical, read
from rulesets.kit import patched


@pytest.fixture(autouse=True)
def _english():
    with override("en"):
        yield


def _changed(start, patch=None, name=None, house=None):
    """A copy of an example: `patch` {path in its data: value}, another name, house rules."""
    document = json.loads(canonical(RULESET.examples[start])) | ({"house": house} if house else {})
    document["data"] = patched(document["data"], patch or {})
    return document if name is None else document | {"name": name}


@pytest.fixture
def quick():
    """Give a deck of three Corona Looks, three Piñas and two Snowbuddies, changed by a patch, a name, house rules."""
    return partial(_changed, "quick")


@pytest.fixture
def own():
    """Give the deck with an own card in its last row, changed likewise."""
    return partial(_changed, "own-card")


@pytest.fixture
def check():
    """Check a document as if it came from outside."""
    return lambda document: read(canonical(document)).check()


@pytest.fixture
def found(check):
    """Give the findings of a document as (rule, severity, path)."""
    return lambda document: [(one.rule, one.severity, one.path) for one in check(document).findings]

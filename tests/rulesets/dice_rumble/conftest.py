import json
from functools import partial

import pytest
from django.utils.translation import override

from rulesets.dice_rumble import RULESET
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
def baker():
    """Give Bruno's document, changed by a patch {path in its data: value}, a name, house rules."""
    return partial(_changed, "baker")


@pytest.fixture
def check():
    """Check a document as if it came from outside."""
    return lambda document: read(canonical(document)).check()


@pytest.fixture
def found(check):
    """Give the findings of a document as (rule, severity, path)."""
    return lambda document: [(one.rule, one.severity, one.path) for one in check(document).findings]

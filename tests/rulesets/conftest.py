"""What the tests of every system share: English words, a document as if it came from outside, what is found in it."""

import pytest
from django.utils.translation import override

from rulesets.document import canonical, read


@pytest.fixture(autouse=True)
def _english():
    with override("en"):
        yield


@pytest.fixture
def check():
    """Check a document as if it came from outside."""
    return lambda document: read(canonical(document)).check()


@pytest.fixture
def found(check):
    """Give the findings of a document as (rule, severity, path)."""
    return lambda document: [(one.rule, one.severity, one.path) for one in check(document).findings]

import pytest

from tests.guest import Guest, example


@pytest.fixture
def juan():
    """A guest at work on Juan."""
    return Guest(example())

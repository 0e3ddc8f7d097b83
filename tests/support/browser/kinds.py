"""In which kinds of browser, system and language a test runs: a sample of them in CI, all in `make prove`."""

from itertools import product

import pytest

from rulesets import systems
from tests.support.everyday import everyday

SYSTEMS = sorted(systems(), key=lambda slug: slug != "condice")

either_way = pytest.mark.parametrize("javascript", everyday([True, False]), ids=["javascript", "plain"])
"""With scripts; without them in `make prove`, where requests prove the same."""
both_ways = pytest.mark.parametrize("javascript", [True, False], ids=["javascript", "plain"])
every_system = pytest.mark.parametrize("slug", everyday(SYSTEMS))
every_system_either_way = pytest.mark.parametrize(("slug", "javascript"), everyday([*product(SYSTEMS, (True, False))]))


def in_both_languages(first):
    """Play a game in this language, and in the other one too in `make prove`."""
    return pytest.mark.parametrize("language", everyday([first, *{"de", "en"} - {first}]))

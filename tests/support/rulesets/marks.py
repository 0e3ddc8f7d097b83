"""The rules that everyday tests are marked with."""

import pytest
from django.conf import settings

SELDOM = ("slow", "browser")


def marked(session):
    """Return the ids that the tests of `make test` are marked with, whichever tests run now.

    The files that mark anything are collected once more, as pytest does; none of their tests is run for it. Those of
    tests/browser are none of `make test`.
    """
    found = set()
    for path in (path for folder in ("tests", "rulesets") for path in (settings.BASE_DIR / folder).rglob("test_*.py")):
        if "browser" not in path.parts and "mark.rule(" in path.read_text(encoding="utf-8"):
            found |= {id_ for item in pytest.Module.from_parent(session, path=path).collect()
                      if not any(map(item.get_closest_marker, SELDOM))
                      for mark in item.iter_markers("rule") for id_ in mark.args}
    return found

"""What of many alike is tried every day; the others come with what is slow by nature, as CI and `make prove` do.

CI tries those others on SQLite, `make prove` on whatever database it runs with.
"""

import pytest

MORE = pytest.mark.slow, pytest.mark.more


def slow(*values):
    """One set of parameters that comes with what is slow."""
    return pytest.param(*values, marks=MORE)


def each(many):
    """Each so many-th, which suffices on PostgreSQL, and all: both come with what is slow."""
    return pytest.mark.parametrize("every", [pytest.param(many, marks=pytest.mark.slow), slow(1)])


def everyday(values, many=1, *, each=None):
    """Parameters of a test, of which all but the first `many`, or all but each `each`-th, are slow."""
    return [value if (at % each == 0 if each else at < many) else
            slow(*value) if isinstance(value, tuple) else slow(value) for at, value in enumerate(values)]

"""Marks for tests of many alike cases: some run every day, some in `.ci/run`, all of them in `make prove`.

Marked `slow` runs in `.ci/run` and `make prove`, marked `more` in `make prove` alone. What is drawn by chance there
begins from another `SEED` each time, which `make prove` prints; everywhere else it is the same in every run.
"""

import os

import pytest

MORE = pytest.mark.slow, pytest.mark.more
SEED = os.environ.get("SEED", "")


def slow(*values):
    """Return one set of parameters that only `make prove` runs."""
    return pytest.param(*values, marks=MORE)


def each(many):
    """Parametrise by `every`: each so many-th of what a test walks over in `.ci/run`, all of it in `make prove`."""
    return pytest.mark.parametrize("every", [pytest.param(many, marks=pytest.mark.slow), slow(1)])


def everyday(values, many=1, *, each=None):
    """Return the parameters of a test; all but the first `many`, or all but each `each`-th, are for `make prove`."""
    return [value if (at % each == 0 if each else at < many) else
            slow(*value) if isinstance(value, tuple) else slow(value) for at, value in enumerate(values)]

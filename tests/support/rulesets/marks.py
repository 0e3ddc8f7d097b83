"""The rule ids that everyday tests are marked with; `pytest --collect-only --rule-marks` prints them."""

import json
import sys

import pytest

LINE = "rule marks: "
SELDOM = ("slow", "browser")
_MARKED = pytest.StashKey[set[str]]()


def keep(config, items):
    """Remember what the tests that `make test` asks are marked with, whichever are left out now."""
    config.stash[_MARKED] = {id_ for item in items for mark in item.iter_markers("rule") for id_ in mark.args
                             if not any(map(item.get_closest_marker, SELDOM))}


def collected(config):
    """The ids that everyday tests are marked with; None where it was not to collect all of them."""
    partly = any(config.getoption(one, default=None) for one in ("ignore", "ignore_glob", "lf"))
    return None if partly or config.args_source != config.ArgsSource.TESTPATHS else config.stash[_MARKED]


def write(config):
    """Write the ids to standard output as one line of JSON behind `LINE`."""
    sys.stdout.write(f"\n{LINE}{json.dumps(sorted(config.stash[_MARKED]))}\n")

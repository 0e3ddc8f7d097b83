"""The rule ids that tests are marked with; a pytest plugin, which with `--collect-only` prints them."""

import json
import sys

import pytest

LINE = "rule marks: "
_MARKED = pytest.StashKey[set[str]]()


def keep(config, items):
    """Remember what the tests that were collected are marked with, before any is left out."""
    config.stash[_MARKED] = {id_ for item in items for mark in item.iter_markers("rule") for id_ in mark.args}


def collected(config):
    """The ids that this run's tests are marked with; None where it was not to collect all of them."""
    partly = any(config.getoption(one) for one in ("ignore", "ignore_glob", "lf"))
    return None if partly or config.args_source != config.ArgsSource.TESTPATHS else config.stash[_MARKED]


def pytest_collection_finish(session):
    sys.stdout.write(f"\n{LINE}{json.dumps(sorted(session.config.stash[_MARKED]))}\n")

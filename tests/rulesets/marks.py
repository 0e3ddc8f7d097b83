"""A pytest plugin, used with `--collect-only`: prints the rule ids that tests are marked with."""

import json
import sys

LINE = "rule marks: "


def pytest_collection_finish(session):
    marked = {id_ for item in session.items for mark in item.iter_markers("rule") for id_ in mark.args}
    sys.stdout.write(f"\n{LINE}{json.dumps(sorted(marked))}\n")

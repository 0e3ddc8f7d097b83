"""A pytest plugin that prints the rule ids that tests are marked with: `pytest --collect-only -p tests.rulesets.marks`."""

import json
import sys

LINE = "rule marks: "


def pytest_collection_finish(session):
    marked = {mark.args[0] for item in session.items for mark in item.iter_markers("rule")}
    sys.stdout.write(f"\n{LINE}{json.dumps(sorted(marked))}\n")

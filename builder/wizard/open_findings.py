"""What is still open rather than wrong: what somebody has not come to yet, or is about to fill in."""

from collections.abc import Collection
from typing import Any

from builder.wizard.steps import step_of
from rulesets.kit import Data, Finding, Ruleset


def still_open(ruleset: Ruleset, found: Finding, data: Data, left: Collection[str], typed: Collection[str]) -> bool:
    """Whether a finding is about a field that is not all filled in, on a step that nobody has left yet."""
    if found.path in typed or step_of(ruleset, found.path) in left:
        return False
    return _unfilled(_at(data, found.path))


def _at(data: Data, path: str) -> Any:
    node: Any = data
    for step in path.split("."):
        try:
            node = node[int(step)] if isinstance(node, list) else node[step]
        except (KeyError, IndexError, TypeError, ValueError):
            return None
    return node


def _unfilled(value: Any) -> bool:
    """Whether more is to be written there; a list may always become longer."""
    return value in (None, "", 0) or isinstance(value, list) or _lacks_words(value)


def _lacks_words(value: Any) -> bool:
    return isinstance(value, dict) and any(one is None or one == "" or _lacks_words(one) for one in value.values())

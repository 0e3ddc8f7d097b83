"""The distinction between findings about something not filled in yet, which are still open, and other findings."""

from collections.abc import Collection
from typing import Any

from rulesets.kit import Data, Finding


def still_open(found: Finding, data: Data, typed: Collection[str]) -> bool:
    """Return True if a finding is about something missing: it says so, or the value at its path is empty or 0.

    Findings that need approval, and those at an invalid text, never count as open.
    """
    if found.severity == "approval" or found.path in typed:
        return False
    return found.lacking or (bool(found.path) and _at(data, found.path) in (None, "", 0, []))


def _at(data: Data, path: str) -> Any:
    node: Any = data
    for step in path.split("."):
        try:
            node = node[int(step)] if isinstance(node, list) else node[step]
        except (KeyError, IndexError, TypeError, ValueError):
            return None
    return node

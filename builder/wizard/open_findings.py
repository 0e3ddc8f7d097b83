"""Findings that are still open rather than wrong: those about what is yet to be filled in, wherever it is asked for."""

from collections.abc import Collection
from typing import Any

from rulesets.kit import Data, Finding


def still_open(found: Finding, data: Data, typed: Collection[str]) -> bool:
    """Return whether a finding is about something missing, not about too much of something or something wrong."""
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

"""An example of what may stand in a field: what a random character has there, in the reader's language."""

from functools import cache
from random import Random
from typing import Any

from django.utils.translation import get_language

from rulesets import generate
from rulesets.kit import Data, Ruleset


def example_name(ruleset: Ruleset) -> str:
    """Return an example of a character's name, "" where there is none."""
    return str(_sample(ruleset, get_language()).get("name", ""))


def example(ruleset: Ruleset, data: Data, path: str) -> str:
    """A text for the field at a path of a draft, "" where none is known."""
    node, there = data, _sample(ruleset, get_language()).get("data")
    for step in path.split("."):
        node, there = _within(node, there, step)
    return there.partition("\n")[0] if isinstance(there, str) else there[0] if there and isinstance(there, list) else ""


def _within(node: Any, there: Any, step: str) -> tuple[Any, Any]:
    """Return what a step leads to in a draft and in the example; rows with the same keys are alike."""
    if isinstance(node, list):
        row = node[int(step)]
        alike = [one for one in there or () if isinstance(one, dict) and one.keys() == row.keys()]
        return row, alike[int(step) % len(alike)] if alike else None
    return (node or {}).get(step), (there or {}).get(step)


@cache
def _sample(ruleset: Ruleset, _language: str | None) -> Data:
    """A random document, in each language of its own; the same in every process."""
    try:
        return generate.character(ruleset, Random(ruleset.slug)).document  # noqa: S311 - an example
    except generate.Stuck:
        return {}

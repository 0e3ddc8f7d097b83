"""Examples for the texts of fields: those of a random character, in the user's language."""

from functools import cache
from random import Random
from typing import Any

from django.utils.translation import get_language

from rulesets import generate
from rulesets.kit import Data, Ruleset


def example_name(ruleset: Ruleset) -> str:
    """Return an example of a character's name, "" if there is none."""
    return str(_sample(ruleset, get_language()).get("name", ""))


def example(ruleset: Ruleset, data: Data, path: str) -> str:
    """Return an example for the field at a path of a draft, "" if there is none."""
    node, there = data, _sample(ruleset, get_language()).get("data")
    for step in path.split("."):
        node, there = _within(node, there, step)
    return there.partition("\n")[0] if isinstance(there, str) else there[0] if there and isinstance(there, list) else ""


def _within(node: Any, there: Any, step: str) -> tuple[Any, Any]:
    """Return the values that one step of a path leads to in a draft and in the example.

    In a list, the value in the example is a row with the same keys, or None if it has no such row.
    """
    if isinstance(node, list):
        row = node[int(step)]
        alike = [one for one in there or () if isinstance(one, dict) and one.keys() == row.keys()]
        return row, alike[int(step) % len(alike)] if alike else None
    return (node or {}).get(step), (there or {}).get(step)


@cache
def _sample(ruleset: Ruleset, _language: str | None) -> Data:
    """Return a random document, cached for each language; the same in every process."""
    try:
        return generate.character(ruleset, Random(ruleset.slug)).document  # noqa: S311 - an example
    except generate.Stuck:
        return {}

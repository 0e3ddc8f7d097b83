"""Grouping of pairs by their first item."""

from collections.abc import Hashable, Iterable
from typing import TypeVar

Key = TypeVar("Key", bound=Hashable)
One = TypeVar("One")


def by_key(pairs: Iterable[tuple[Key, One]]) -> dict[Key, list[One]]:
    """Return {key: values}, keys and values in the order of the pairs."""
    found: dict[Key, list[One]] = {}
    for key, one in pairs:
        found.setdefault(key, []).append(one)
    return found

"""What the ways to tamper share: where they are listed, which entry is the first bad, values that are others."""

import secrets
from collections.abc import Callable
from copy import deepcopy
from random import Random

from sheets.models.reviews import ERASED

TAMPERINGS: dict[str, Callable] = {}
"""{what is done: function of a Random and the entries that answers the expected number, or None where it cannot be}."""
FAR = 1_000_000


def tampering(function):
    """One more way."""
    TAMPERINGS[function.__name__.strip("_")] = function
    return function


def first(entry, entries) -> int:
    """The first that is not vouched for any more once this entry is not as it was signed."""
    if entry.kind != ERASED:
        return entry.number
    return min(one.number for one in entries if one is entry or (
        one.number < entry.number and ((entry.sheet_key and one.sheet_key == entry.sheet_key)
                                       or (entry.person and one.person == entry.person))))


def other_text(text: str, rng: Random) -> str:
    """A text in which one letter is another; of none, a digest's."""
    if not text:
        return secrets.token_hex(32)
    place = rng.randrange(len(text))
    return text[:place] + ("a" if text[place] != "a" else "b") + text[place + 1:]


def other_tree(tree, rng: Random):
    """JSON data in which one leaf is another."""
    tree = deepcopy(tree)
    node = tree
    while True:
        key = rng.choice(sorted(node) if isinstance(node, dict) else range(len(node)))
        if not isinstance(node[key], dict | list) or not node[key]:
            node[key] = "anders" if node[key] != "anders" else "sonst"
            return tree
        node = node[key]

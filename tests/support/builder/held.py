"""Values of a draft by their paths, and words that a text lacks."""

from functools import reduce


def held(data, paths):
    """Return {path: what the data hold there}."""
    return {path: reduce(lambda node, step: node[int(step) if isinstance(node, list) else step], path.split("."), data)
            for path in paths}


def lacking(text, *words):
    """Return those of the words that are not in a text."""
    return [word for word in words if word not in text]

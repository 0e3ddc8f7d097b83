"""Names of every oddity that people have typed or pasted, or that an earlier version has let in."""

from itertools import cycle
from unicodedata import normalize

INVISIBLE = ("   ", "\u200b", "\u2800", "\u3164", "\u115f", "\u1160", "\uffa0")
"""Names of which nothing is seen: blanks, no width, a pattern without dots, letters that are drawn as nothing."""

SEEN = (
    "Tür \u202eröw\u202c (12)",  # turned round until that ends
    "Torwart\u202e nretnih",  # turned round without an end, so that what stands beside it is, too
    normalize("NFD", "Jürgen Öltzschkötter-Müßiggang"),
    "👩‍👩‍👧‍👦 Familie 🏴‍☠️",
    "Grenzlandwächterhauptfrau",
    "Donnerstagsrundengemeinschaft",
    "<b>Fett</b> &amp; <script>alert('1')</script> \"",
    "a | b |c| \\|",
    "*Stern* **fett** _unter_ `Code`",
)

NAMES = INVISIBLE + SEEN


def dealt(begin=0):
    """Return a function that returns one oddity after the other, for ever, beginning with one of them."""
    names = cycle(NAMES[begin:] + NAMES[:begin])
    return lambda: next(names)


def spread(tree, name):
    """Return a sheet's data in which whatever has a name bears the next odd one; what refers to it still does."""
    renamed = {}

    def look(one):
        for key, value in one.items() if isinstance(one, dict) else enumerate(one):
            if key == "name" and isinstance(value, str):
                renamed.setdefault(value, name())
            elif isinstance(value, dict | list):
                look(value)

    def put(one):
        if isinstance(one, dict | list):
            return {key: put(value) for key, value in one.items()} if isinstance(one, dict) else [*map(put, one)]
        return renamed.get(one, one) if isinstance(one, str) else one

    look(tree)
    return put(tree)

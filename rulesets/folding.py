"""Texts as people look for them and put them in order: the one place that knows how, for databases and for lists.

What is looked for finds rather too much than too little: case, accents, ß and ss, ä and ae and a are one. The order is
that of German dictionaries (DIN 5007-1): ä stands with a, ß with ss; only of two that are else alike do accents count,
then case. It is kept as bytes, which SQLite and PostgreSQL compare alike, whatever language one is set to.
"""

import re
from functools import lru_cache
from unicodedata import category, normalize

from rulesets.names import one_line

_LETTERS = str.maketrans({"ł": "l", "ø": "o", "đ": "d", "ð": "d", "ħ": "h", "ı": "i", "ŧ": "t", "æ": "ae", "œ": "oe",
                          "þ": "th", "ŋ": "ng", "’": "'", "‘": "'", "`": "'", "´": "'",
                          **dict.fromkeys("‐‑‒–—―−", "-")})
"""Letters that Unicode does not take apart, and signs that stand for one another."""
_UMLAUT = re.compile("([aou])e")
WORDS = 12
"""Words of what is sought that are looked for; each may stand anywhere."""

PART = 600
"""Bytes of each part of a place in order; an index of PostgreSQL has room for 2,700 in all."""
LONGEST = 3 * PART + 2
"""Bytes of the longest place in order."""


def plain(text: str) -> str:
    """Return a text in small letters without accents."""
    apart = normalize("NFKD", one_line(text).casefold())
    return normalize("NFKD", "".join(one for one in apart if category(one) != "Mn").translate(_LETTERS))


def _short(text: str) -> str:
    """Return a plain text with "ae" as "a", as both stand for "ä"; so "Baur" is found as well as "Bauer"."""
    return _UMLAUT.sub(r"\1", text)


def sought(*texts: str) -> str:
    """Return what stands in a column, or a list, for texts to be found by."""
    known = [plain(text) for text in texts]
    return "\n".join(dict.fromkeys(one for text in known for one in (_short(text), text) if one))


def ways(query: str) -> list[tuple[str, ...]]:
    """Return the words of what somebody looks for, each in the ways of which one must stand in a text's `sought`."""
    return [tuple(dict.fromkeys((_short(word), word))) for word in plain(query).split()[:WORDS]]


def finds(query: str, *texts: str) -> bool:
    """Return whether texts have all words of what somebody looks for."""
    there = sought(*texts)
    return all(any(way in there for way in word) for word in ways(query))


@lru_cache(4096)
def order_key(name: str) -> bytes:
    """Return the place of a name in German order; numbers within it count as numbers, before letters."""
    lower = one_line(name).lower()
    letters = plain(lower).replace("ß", "ss")
    words = re.sub(r"[\W_]+", " ", letters).strip()
    first = re.sub(r"\d+", lambda found: _number(found[0]), words)
    parts = (first.encode(), normalize("NFD", lower).encode(), one_line(name).swapcase().encode())
    return b"\0".join(part[:PART] for part in parts)


def _number(digits: str) -> str:
    """Return digits so that longer numbers come later: 2, 10, 100."""
    known = digits.lstrip("0") or "0"
    return f"{chr(48 + min(len(known), 9))}{known}" if len(known) < 9 else f"9{len(known):03}{known}"

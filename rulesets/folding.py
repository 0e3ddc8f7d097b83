"""Texts in the form in which people search and sort them, for databases and lists alike.

A search ignores case and accents, and treats ß as ss, and ä as ae as well as a. The order is that of German
dictionaries (DIN 5007-1): ä counts as a, ß as ss; accents, then case, matter only between texts that are equal
otherwise. Sort keys are bytes, which SQLite and PostgreSQL compare alike in any language.
"""

import re
from functools import lru_cache
from unicodedata import category, normalize

from rulesets.names import one_line

_LETTERS = str.maketrans({"ł": "l", "ø": "o", "đ": "d", "ð": "d", "ħ": "h", "ı": "i", "ŧ": "t", "æ": "ae", "œ": "oe",
                          "þ": "th", "ŋ": "ng", "’": "'", "‘": "'", "`": "'", "´": "'",
                          **dict.fromkeys("‐‑‒–—―−", "-")})
"""Letters that Unicode does not decompose, and variants of the same sign."""
_UMLAUT = re.compile("([aou])e")
MAX_WORDS = 12
"""The most words of a query that are used; each may be anywhere in the text."""

PART_BYTES = 600
"""The most bytes of each part of a sort key; an index of PostgreSQL has room for 2,700 bytes."""
MAX_BYTES = 3 * PART_BYTES + 2
"""The most bytes of a sort key."""


def plain(text: str) -> str:
    """Return a text in lower case without accents."""
    apart = normalize("NFKD", one_line(text).casefold())
    return normalize("NFKD", "".join(one for one in apart if category(one) != "Mn").translate(_LETTERS))


def _without_umlaut_e(text: str) -> str:
    """Return a plain text with "a" for "ae" and so on, so that "Bauer" finds "Baur" and vice versa."""
    return _UMLAUT.sub(r"\1", text)


def search_text(*texts: str) -> str:
    """Return the form of texts that is stored for searching."""
    known = [plain(text) for text in texts]
    return "\n".join(dict.fromkeys(one for text in known for one in (_without_umlaut_e(text), text) if one))


def search_terms(query: str) -> list[tuple[str, ...]]:
    """Return the variants of each word of a query; one of them must be part of the `search_text`."""
    return [tuple(dict.fromkeys((_without_umlaut_e(word), word))) for word in plain(query).split()[:MAX_WORDS]]


def matches(query: str, *texts: str) -> bool:
    """Return True if texts contain all words of a query."""
    there = search_text(*texts)
    return all(any(way in there for way in word) for word in search_terms(query))


@lru_cache(4096)
def order_key(name: str) -> bytes:
    """Return the key that sorts a name in German order; numbers in it sort by value, before letters."""
    lower = one_line(name).lower()
    letters = plain(lower).replace("ß", "ss")
    words = re.sub(r"[\W_]+", " ", letters).strip()
    first = re.sub(r"\d+", lambda found: _sortable_number(found[0]), words)
    parts = (first.encode(), normalize("NFD", lower).encode(), one_line(name).swapcase().encode())
    return b"\0".join(part[:PART_BYTES] for part in parts)


def _sortable_number(digits: str) -> str:
    """Return digits in a form that sorts by value: 2, 10, 100."""
    known = digits.lstrip("0") or "0"
    return f"{chr(48 + min(len(known), 9))}{known}" if len(known) < 9 else f"9{len(known):03}{known}"

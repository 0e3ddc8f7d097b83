"""Skeletons of names (UTS 39), used to refuse names that could be mistaken for those of other accounts."""

import re
import unicodedata
from collections.abc import Iterable

from confusable_homoglyphs.confusables import confusables_data

from rulesets.names import strip_invisible
from sheets.link_like import links

RESERVED = ("betreiber", "betreiberin", "gm", "moderator", "mod", "noreply", "postmaster", "root", "sl", "spielleiter",
            "spielleitung", "staff", "support", "system", "team", "webmaster")
"""Names that could be mistaken for those of operators or GMs."""
LONGEST = 1000
"""The most characters of a skeleton; a single character can have a skeleton of eighteen."""
PASSES = re.compile(r"(?<![^\W\d_])admin|admins?(?![^\W\d_])|bogenschmiede")
"""Parts of names that could be mistaken for operators: "admin" at the beginning or end of a word, the site's name.

It is searched in skeletons, which have at most `LONGEST` characters.
"""
KAPPA = str.maketrans(dict.fromkeys("\u0138\u03ba\u043a", "k"))
"""Letters that look like k, although Unicode's data calls them confusable only with each other."""
INITIALS = 2
"""The most letters of a name in which l and i count as different, because Si is a name."""
DIALLED = re.compile(r"\d{9}")
"""Nine digits, as in a telephone number; a date of birth has eight."""


def linked(name: str) -> bool:
    """Return True if a name looks like an e-mail address or a link."""
    return "@" in name or links(name) or links(_whole(name))


def dialled(name: str) -> bool:
    """Return True if a name looks like a telephone number."""
    return bool(DIALLED.search("".join(one for one in _whole(name) if one.isalnum())))


def likenesses(name: str) -> set[str]:
    """Return the skeletons of a name as it is written (in which l and I look alike) and in lower case.

    Normalization changes the look of some letters, so there is also a skeleton of each without it.
    """
    forms = [one for text in (name, name.casefold()) for one in (text, _alike(text))]
    return {skeleton(one).casefold().replace("vv", "w")[:LONGEST] for one in forms}


def skeleton(text: str) -> str:
    """Return a text with each character replaced by its prototype (UTS 39); texts that look alike have the same one."""
    return _whole(_alike(strip_invisible(_whole(text))))


def reserved(name: str) -> bool:
    """Return True if a name looks like one that nobody may have."""
    skeletons = likenesses(name)
    forbidden = {*map(_bare, _all(RESERVED))}
    return any(_bare(one) in forbidden or PASSES.search(_plain(one)) for one in skeletons)


def _plain(skeleton: str) -> str:
    """Return a skeleton in which l and i, and rn and m, are the same."""
    return skeleton.replace("rn", "m").replace("l", "i")


def _bare(skeleton: str) -> str:
    """Return only the letters and digits of a skeleton, with similar ones made the same unless it is very short."""
    letters = "".join(one for one in skeleton if one.isalnum())
    return _plain(letters) if len(letters) > INITIALS else letters


def _all(names: Iterable[str]) -> set[str]:
    """Return the skeletons of names, also in capitals."""
    return {skeleton for name in names for one in (name, name.upper()) for skeleton in likenesses(one)}


def _whole(text: str) -> str:
    return unicodedata.normalize("NFD", unicodedata.normalize("NFKC", text))


def _alike(text: str) -> str:
    return "".join(_like(one) for one in text).translate(KAPPA)


def _like(character: str) -> str:
    """Return a character's prototype. A prototype is confusable with several characters, any other with one only."""
    similar = [one["c"].strip("\u200e") for one in confusables_data.get(character, [])]
    if len(similar) != 1:
        return character
    # For two characters that are confusable only with each other, either can be the prototype.
    return similar[0] if len(confusables_data.get(similar[0], [])) > 1 else min(character, similar[0])

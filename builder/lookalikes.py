"""Names by what they look like, so that nobody passes for somebody else: Unicode's confusable characters are one."""

import re
import unicodedata
from collections.abc import Iterable

from confusable_homoglyphs.confusables import confusables_data

from rulesets.names import visible
from sheets.link_like import links

RESERVED = ("betreiber", "betreiberin", "gm", "moderator", "mod", "noreply", "postmaster", "root", "sl", "spielleiter",
            "spielleitung", "staff", "support", "system", "team", "webmaster")
"""Names that would pass for those who run the site or a table."""
LONGEST = 1000
"""Characters of a look that are compared; one letter can look like eighteen."""
PASSES = re.compile(r"(?<![^\W\d_])admin|admins?(?![^\W\d_])|bogenschmiede")
"""Words that would pass for those who run the site wherever they stand: at the beginning or end of a word, or at all.

It is looked for in what a name looks like, `LONGEST` characters at the most.
"""
KAPPA = str.maketrans(dict.fromkeys("\u0138\u03ba\u043a", "k"))
"""Letters that Unicode says are alike, and does not say what they look like as well."""
INITIALS = 2
"""Letters up to which l and i are told apart: Si is somebody's name."""
DIALLED = re.compile(r"\d{9}")
"""A run of digits as long as a telephone number, with nothing between them; a date of birth has eight."""


def linked(name: str) -> bool:
    """Return whether a name looks like an address or a link."""
    return "@" in name or links(name) or links(_whole(name))


def dialled(name: str) -> bool:
    """Return whether a name looks like a telephone number."""
    return bool(DIALLED.search("".join(one for one in _whole(name) if one.isalnum())))


def likenesses(name: str) -> set[str]:
    """The ways in which a name looks: as it is written, where l and I are alike, and in small letters.

    Some letters look otherwise than what Unicode takes them for: what they are like themselves counts, too.
    """
    forms = [one for text in (name, name.casefold()) for one in (text, _alike(text))]
    return {skeleton(one).casefold().replace("vv", "w")[:LONGEST] for one in forms}


def skeleton(text: str) -> str:
    """The text with each character as the one that it may be mistaken for (UTS 39): no two of one skeleton differ."""
    return _whole(_alike(visible(_whole(text))))


def reserved(name: str) -> bool:
    """Return whether a name looks like one that nobody may have."""
    looks = likenesses(name)
    taken = {*map(_bare, _all(RESERVED))}
    return any(_bare(one) in taken or PASSES.search(_plain(one)) for one in looks)


def _plain(look: str) -> str:
    """Return a look as it can be read: 1, l and i are one, and what is drawn like an m is one."""
    return look.replace("rn", "m").replace("l", "i")


def _bare(look: str) -> str:
    """A look without whatever stands between and around its letters, and what that can be read as."""
    found = "".join(one for one in look if one.isalnum())
    return _plain(found) if len(found) > INITIALS else found


def _all(names: Iterable[str]) -> set[str]:
    return {look for name in names for one in (name, name.upper()) for look in likenesses(one)}


def _whole(text: str) -> str:
    return unicodedata.normalize("NFD", unicodedata.normalize("NFKC", text))


def _alike(text: str) -> str:
    return "".join(_like(one) for one in text).translate(KAPPA)


def _like(character: str) -> str:
    """The character's prototype: a prototype is like many, any other is like the one that is its own."""
    found = [one["c"].strip("\u200e") for one in confusables_data.get(character, [])]
    if len(found) != 1:
        return character
    # Of two that are like each other alone it does not matter which one stands for both.
    return found[0] if len(confusables_data.get(found[0], [])) > 1 else min(character, found[0])

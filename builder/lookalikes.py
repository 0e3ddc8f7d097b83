"""Names by what they look like, so that nobody passes for somebody else: Unicode's confusable characters are one."""

import unicodedata
from collections.abc import Iterable

from confusable_homoglyphs.confusables import confusables_data

RESERVED = ("bogenschmiede", "gm", "moderator", "mod", "postmaster", "root", "sl", "spielleiter", "spielleitung",
            "staff", "support", "system", "webmaster")
"""Names that would pass for those who run the site or a table."""
BEGINNINGS = ("admin", "bogenschmiede")
"""What no name begins with."""


def likenesses(name: str) -> set[str]:
    """The ways in which a name looks: as it is written, where l and I are alike, and in small letters."""
    return {skeleton(name).casefold(), skeleton(name.casefold())}


def skeleton(text: str) -> str:
    """The text with each character as the one that it may be mistaken for (UTS 39): no two of one skeleton differ."""
    return _whole("".join(_like(one) for one in _whole(text)))


def reserved(name: str) -> bool:
    """Whether a name looks like one that nobody may have."""
    looks = likenesses(name)
    return bool(looks & _all(RESERVED)) or any(one.startswith(tuple(_all(BEGINNINGS))) for one in looks)


def _all(names: Iterable[str]) -> set[str]:
    return {look for name in names for one in (name, name.upper()) for look in likenesses(one)}


def _whole(text: str) -> str:
    return unicodedata.normalize("NFD", unicodedata.normalize("NFKC", text))


def _like(character: str) -> str:
    """The character's prototype: a prototype is like many, any other is like the one that is its own."""
    found = [one["c"].strip("\u200e") for one in confusables_data.get(character, [])]
    if len(found) != 1:
        return character
    # Of two that are like each other alone it does not matter which one stands for both.
    return found[0] if len(confusables_data.get(found[0], [])) > 1 else min(character, found[0])

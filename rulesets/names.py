"""Names and other texts of one line, as they are stored: nothing in them that nobody sees, or that turns a line round.

Whatever somebody writes into a field of one line goes through `one_line` before it is stored or compared. What was
stored before stays until somebody edits that field, so that its seal holds.
"""

import re
from collections import Counter
from collections.abc import Collection
from unicodedata import bidirectional, category, normalize

UNSEEN = re.compile(
    "[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\u2800"
    "\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufffc\U00013430-\U0001343f\U0001bca0-\U0001bca3"
    "\U0001d159\U0001d173-\U0001d17a\U000e0000-\U000e0fff]")
"""A sign that is drawn as nothing: default ignorable in Unicode, laying out others, or blank; each is one sign."""
_PICTURE = ("[\u00a9\u00ae\u203c\u2049\u2122\u2139\u2190-\u21ff\u2300-\u23ff\u2460-\u24ff\u25a0-\u27bf\u2900-\u297f"
            "\u2b00-\u2bff\u3030\u303d\u3297\u3299\U0001f000-\U0001faff]")
_EMOJI = re.compile(
    "\U0001f3f4[\U000e0030-\U000e0039\U000e0061-\U000e007a]{1,6}\U000e007f"
    "|[#*0-9]\ufe0f\u20e3"
    f"|{_PICTURE}\ufe0f?|(?:(?<={_PICTURE})|(?<={_PICTURE}\ufe0f))\u200d(?={_PICTURE})")
"""A picture with what joins its parts or chooses how it is drawn: the one place where unseen signs mean something."""
_NEVER = re.compile("[\ufdd0-\ufdef\ufffe\uffff]")
"""Code points that are no characters; those of other planes are unassigned and drawn as boxes."""
_TURNING = frozenset(("R", "AL", "LRE", "LRO", "RLE", "RLO", "PDF", "LRI", "RLI", "FSI", "PDI"))
_DIRECTING = re.compile("[\u202a-\u202e\u2066-\u2069]")
_ISOLATES = re.compile("[\u2066-\u2069]")
ISOLATING = "\u2068\u2069"
"""The signs around a name within a sentence."""
SHORTEST = 4
"""The least number of letters that the first word of a name needs to stand for it."""


def visible(name: str) -> str:
    """Return a name without the signs that nobody sees; of an emoji's parts each is left by itself."""
    return UNSEEN.sub("", name)


def isolated(name: str) -> str:
    """Return a name as it stands within a sentence, whose other words it cannot turn round.

    That is the name itself, unless it has letters that are read from the right or, stored before names were cleaned,
    signs that set a direction.
    """
    if name.isascii() or not any(bidirectional(one) in _TURNING for one in name):
        return name
    return _ISOLATES.sub("", name).join(ISOLATING)


def short_names(names: Collection[str]) -> dict[str, str]:
    """Return {name: its first word}, or the whole name where another begins so, too, or the word is too short."""
    first = Counter(one.partition(" ")[0] for one in names)
    return {name: word if len(word := name.partition(" ")[0]) >= SHORTEST and first[word] == 1 else name
            for name in names}


def straight(text: str) -> str:
    """Return a sentence without the signs that set a direction, which names in it had before they were cleaned."""
    return text if text.isascii() else _DIRECTING.sub("", text)


def one_line(text: str, most: int | None = None) -> str:
    """Return a text as one line, at most so long: NFC, blanks and controls as single spaces, no unseen signs.

    What joins the parts of an emoji stays. What has nothing to be seen is "".
    """
    blank = "".join(" " if one.isspace() or one == "\u2800" or category(one) == "Cc" else one for one in text)
    parts, at = [], 0
    # Removing a sign may bring two together that are one in NFC, and what was cut may end in a joiner: so both again.
    for found in _EMOJI.finditer(blank := normalize("NFC", blank)):
        parts += [_seen(blank[at:found.start()]), found[0]]
        at = found.end()
    line = " ".join(normalize("NFC", "".join((*parts, _seen(blank[at:])))).split())
    while line and category(line[0])[0] == "M":
        line = line[1:].lstrip()
    if not any(category(one)[0] in "LNPS" or category(one) in ("Cf", "Cn", "Co") for one in UNSEEN.sub("", line)):
        return ""
    return line if most is None or len(line) <= most else one_line(line[:most])


def _seen(text: str) -> str:
    """Return a part of a text without halves of characters and signs that nobody sees."""
    return _NEVER.sub("", "".join(one for one in visible(text) if category(one) != "Cs"))

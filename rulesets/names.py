"""Names and other single-line texts, without characters that are invisible or change the direction of writing.

A text that is entered into a single-line field goes through `one_line` before it is stored or compared. Older stored
texts stay unchanged until someone edits the field, so that their seals stay valid.
"""

import re
from collections import Counter
from collections.abc import Collection
from unicodedata import bidirectional, category, normalize

UNSEEN = re.compile(
    "[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\u2800"
    "\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufffc\U00013430-\U0001343f\U0001bca0-\U0001bca3"
    "\U0001d159\U0001d173-\U0001d17a\U000e0000-\U000e0fff]")
"""An invisible character: one that Unicode calls ignorable, a layout control, or a blank letter."""
_PICTURE = ("[\u00a9\u00ae\u203c\u2049\u2122\u2139\u2190-\u21ff\u2300-\u23ff\u2460-\u24ff\u25a0-\u27bf\u2900-\u297f"
            "\u2b00-\u2bff\u3030\u303d\u3297\u3299\U0001f000-\U0001faff]")
_EMOJI = re.compile(
    "\U0001f3f4[\U000e0030-\U000e0039\U000e0061-\U000e007a]{1,6}\U000e007f"
    "|[#*0-9]\ufe0f\u20e3"
    f"|{_PICTURE}\ufe0f?|(?:(?<={_PICTURE})|(?<={_PICTURE}\ufe0f))\u200d(?={_PICTURE})")
"""An emoji with the characters that join its parts or choose its form: only here are invisible characters kept."""
_NONCHARACTERS = re.compile("[\ufdd0-\ufdef\ufffe\uffff]")
"""Code points that are never characters; those of other planes are shown as boxes."""
_DIRECTION_CLASSES = frozenset(("R", "AL", "LRE", "LRO", "RLE", "RLO", "PDF", "LRI", "RLI", "FSI", "PDI"))
_DIRECTION_SIGNS = re.compile("[\u202a-\u202e\u2066-\u2069]")
_ISOLATES = re.compile("[\u2066-\u2069]")
ISOLATING = "\u2068\u2069"
"""The characters before and after a name within a sentence."""
SHORTEST = 4
"""The fewest letters that a first word must have to stand for the whole name."""


def strip_invisible(name: str) -> str:
    """Return a name without invisible characters; a joined emoji becomes its separate parts."""
    return UNSEEN.sub("", name)


def isolated(name: str) -> str:
    """Return a name for use within a sentence, so that it cannot change the direction of the other words.

    The name is returned unchanged unless it has letters that are written from right to left or, if it was stored
    before names were cleaned, characters that set a direction.
    """
    if name.isascii() or not any(bidirectional(one) in _DIRECTION_CLASSES for one in name):
        return name
    return _ISOLATES.sub("", name).join(ISOLATING)


def short_names(names: Collection[str]) -> dict[str, str]:
    """Return {name: its first word}, or the whole name if the word is too short or another name begins with it."""
    first = Counter(one.partition(" ")[0] for one in names)
    return {name: word if len(word := name.partition(" ")[0]) >= SHORTEST and first[word] == 1 else name
            for name in names}


def strip_directions(text: str) -> str:
    """Return a sentence without characters that set a direction, which older stored names may contain."""
    return text if text.isascii() else _DIRECTION_SIGNS.sub("", text)


def one_line(text: str, most: int | None = None) -> str:
    """Return a text as one line of at most `most` characters: in NFC, without invisible characters.

    White space becomes single spaces. Characters that join the parts of an emoji stay. A text without any visible
    character becomes "".
    """
    blank = "".join(" " if one.isspace() or one == "\u2800" or category(one) == "Cc" else one for one in text)
    parts, at = [], 0
    # Removing a character may join two that NFC composes, and a cut may leave a joiner at the end: so repeat both.
    for found in _EMOJI.finditer(blank := normalize("NFC", blank)):
        parts += [_strip_invalid(blank[at:found.start()]), found[0]]
        at = found.end()
    line = " ".join(normalize("NFC", "".join((*parts, _strip_invalid(blank[at:])))).split())
    while line and category(line[0])[0] == "M":
        line = line[1:].lstrip()
    if not any(category(one)[0] in "LNPS" or category(one) in ("Cf", "Cn", "Co") for one in UNSEEN.sub("", line)):
        return ""
    return line if most is None or len(line) <= most else one_line(line[:most])


def _strip_invalid(text: str) -> str:
    """Return a part of a text without surrogates, noncharacters and invisible characters."""
    return _NONCHARACTERS.sub("", "".join(one for one in strip_invisible(text) if category(one) != "Cs"))

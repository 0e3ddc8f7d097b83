"""The dialects of BBCode: the tags of each, and the characters that it would not read as plain text."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from sheets.models.scenes import DIALECTS

TAGS = re.compile(r"[\[<&]")
"""The characters with which tags and character references begin."""
TAGS_AND_SMILEYS = re.compile(r"[\[<&]|:(?=[\w+-]{1,40}:)")
"""The same, and the colon before the name of a smiley, :smile:."""
TAGS_AND_COMMANDS = re.compile(r"[\[<&]|^/(?=(?:me|slap)\b)")
"""The same, and the slash before a command at the beginning of a line."""


@dataclass(frozen=True)
class Dialect:
    """The tags of a dialect; each pair is (opening tag, closing tag)."""

    slug: str
    title: str
    strong: tuple[str, str] = ("[b]", "[/b]")
    slanted: tuple[str, str] = ("[i]", "[/i]")
    heads: Sequence[tuple[str, str]] = (("[b]", "[/b]"), ("[b]", "[/b]"))
    """The headings, the largest first."""
    listed: tuple[str, str, str] = ("[list]", "[*]", "[/list]")
    """(tag that opens a list, tag of an item, tag that closes the list)."""
    link: tuple[str, str, str] = ("[url=", "]", "[/url]")
    """(text before an address, text between it and its label, text after the label)."""
    signs: re.Pattern[str] = TAGS
    """The characters that must be followed by an invisible space, so that they are not read as markup."""

    def inert(self, text: str, gap: str) -> str:
        """Return a text with a `gap` after each of the `signs`, so that no tag, command or smiley is read in it."""
        return self.signs.sub(lambda found: found[0] + gap, text)


TABLE = {one.slug: one for one in (
    Dialect("phpbb", "phpBB"),
    Dialect("mybb", "MyBB", heads=(("[size=x-large][b]", "[/b][/size]"), ("[size=large][b]", "[/b][/size]")),
            signs=TAGS_AND_COMMANDS),
    Dialect("woltlab", "WoltLab", heads=(("[size=18][b]", "[/b][/size]"), ("[size=14][b]", "[/b][/size]")),
            link=("[url='", "']", "[/url]"), signs=TAGS_AND_SMILEYS),
    Dialect("xenforo", "XenForo", strong=("[B]", "[/B]"), slanted=("[I]", "[/I]"),
            heads=(("[HEADING=2]", "[/HEADING]"), ("[HEADING=3]", "[/HEADING]")),
            listed=("[LIST]", "[*]", "[/LIST]"), link=("[URL='", "']", "[/URL]"), signs=TAGS_AND_SMILEYS))}
"""{slug: dialect}, for each of `DIALECTS`."""
USUAL = TABLE[DIALECTS[0]]

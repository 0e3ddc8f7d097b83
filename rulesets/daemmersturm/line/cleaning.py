"""A forum post without its noise, with the original position of each character that remains."""

import re
from bisect import bisect_right
from unicodedata import category

_NOISE = re.compile(
    r"(?i)"
    r"\[s\][^\n]{0,80}?\[/s\]|\[del\][^\n]{0,80}?\[/del\]|\[strike\][^\n]{0,80}?\[/strike\]"  # struck through
    r"|<s>[^\n]{0,80}?</s>|<del>[^\n]{0,80}?</del>|<strike>[^\n]{0,80}?</strike>|~~[^\n~]{1,80}~~"
    r"|\[img[^\]\n]{0,80}\][^\[\n]{0,300}\[/img\]|!\[[^\]\n]{0,80}\]\([^)\n]{0,300}\)|<img\b[^>\n]{0,300}>"
    r"|[\U0001F000-\U0001FAFF\u2600-\u27BF\uFE0F]+"  # emoji
    r"|(?<!\S)(?::[a-z0-9_+-]{2,24}:|[:;=8]['’]?-?[()DPpO]|\^\^|xD|<3)(?!\S)"  # smileys
    r"|\[/?(?:b|i|u|s|size|colou?r|font|quote|code|spoiler|center|left|right|justify|url|list|hr|table|tr|td)"
    r"(?:=[^\]\n]{0,80})?\]"  # BBCode
    r"|</?(?:br|b|i|u|p|div|span|strong|em)\b[^>\n]{0,80}>"
    r"|\*\*|__|`"
    r"|^[ \t]*(?:>[ \t]?)+",  # a quotation
    re.M,
)
"""The parts of a post that are no text; `rulesets.passages` reads at most 64 KiB, the length of a document."""
_FULL = {code: chr(code - 0xFEE0) for code in range(0xFF01, 0xFF5F) if not chr(code).isalpha()}
"""Full-width signs and digits, as East Asian keyboards write them."""
_BREAKS = "\n\u2028\u2029\v\f\x85"


class Post:
    """The cleaned text of a post, with the original positions of its characters."""

    def __init__(self, raw: str) -> None:
        self.raw = raw
        letters, self.origin = [], []
        skipped = {at for noise in _NOISE.finditer(raw) for at in range(*noise.span())}
        for at, letter in enumerate(raw):
            if at in skipped or category(letter) == "Cf" or letter == "\r":
                continue
            if letter in _BREAKS:
                kept = "\n"
            elif letter.isspace():
                kept = " "
            else:
                kept = _FULL.get(ord(letter), letter)
            letters.append(kept)
            self.origin.append(at)
        self.text = "".join(letters)
        self.lines = [0, *(at + 1 for at, letter in enumerate(raw) if letter == "\n")]

    def span(self, start: int, end: int) -> tuple[int, int]:
        """Return (start, end) in the original post for a part of the cleaned text."""
        last = self.origin[-1] + 1 if self.origin else 0
        first = self.origin[start] if start < len(self.origin) else last
        return first, self.origin[end - 1] + 1 if end > start else first

    def place(self, at: int) -> str:
        """Return "line:column" in the original post for an index in the cleaned text, both counted from 1."""
        end = self.origin[-1] + 1 if self.origin else 0
        index = self.origin[at] if at < len(self.origin) else end
        line = bisect_right(self.lines, index)
        return f"{line}:{index - self.lines[line - 1] + 1}"

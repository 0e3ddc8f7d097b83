"""Answers as a browser reads them, so that no test depends on where the lines of a template end."""

import re
from functools import lru_cache

from django.http import HttpResponse

KEPT = re.compile(r"(<(pre|textarea|script)\b.*?</\2>)", re.DOTALL)
"""What is read as it stands."""
TAG = re.compile(r'<[a-z](?:[^<>"]|"[^"]*")*>')
BLOCK = ("address|article|aside|blockquote|body|caption|col|colgroup|dd|details|dialog|div|dl|dt|fieldset|figcaption|"
         "figure|footer|form|h[1-6]|head|header|hr|html|legend|li|link|main|meta|nav|ol|optgroup|option|p|script|"
         "section|summary|table|tbody|td|textarea|tfoot|th|thead|title|tr|ul")
"""Elements beside which a browser shows no blank."""
BEFORE_BLOCK = re.compile(rf"\s*\n\s*(?=</?(?:{BLOCK})\b|</(?:button|select)>|$)")
AFTER_BLOCK = re.compile(rf"(</?(?:{BLOCK})\b[^<>]*>|<(?:button|select)\b[^<>]*>|^)\s*\n\s*")
LINE_END = re.compile(r"\s*\n\s*")
NO_END = "\0"
"""An end of a line in the value of an attribute, as long as others are replaced."""


@lru_cache(16)
def read(html: str) -> str:
    """Return HTML in which a line that ends is a blank, or nothing where a browser shows none."""
    parts = KEPT.split(html)
    # What is kept stands at every third place, its tag's name after it.
    return "".join(one if at % 3 == 1 else _unbroken(one) for at, one in enumerate(parts) if at % 3 < 2)


def _unbroken(html: str) -> str:
    html = TAG.sub(lambda found: _tag(found[0]), html)
    html = BEFORE_BLOCK.sub("", html)
    html = AFTER_BLOCK.sub(r"\1", html)
    return LINE_END.sub(" ", html).replace(NO_END, "\n")


@lru_cache(100_000)
def _tag(tag: str) -> str:
    """Return a tag in which blanks part attributes and classes; an end of a line in another value is `NO_END`."""
    said = ""
    for at, one in enumerate(tag.split('"')):
        if at % 2 == 0:
            said += re.sub(r"\s+", " ", one)
        else:
            value = " ".join(one.split()) if said.endswith(" class=") else one.replace("\n", NO_END)
            said += f'"{value}"'
    return re.sub(r" +(?=/?>$)", "", said)


def _text(answer: HttpResponse) -> str:
    said = answer.content.decode(answer.charset)
    return read(said) if answer["Content-Type"].startswith("text/html") else said


def read_as_a_browser_does() -> None:
    """Let `answer.text` of a page be what `read` makes of it."""
    HttpResponse.text = property(_text)

"""Template filters for texts that people wrote, and for the concepts of random characters."""

import re
from typing import Any

from django.template import Library
from django.utils.safestring import mark_safe
from markdown_it import MarkdownIt

from rulesets.kit import numeral, short
from sheets import outline
from sheets.link_like import unlinked
from sheets.models import Sheet

register = Library()
_MARKDOWN = MarkdownIt("commonmark", {"html": False})
WITH_FIGURE = re.compile(r"(?<=\d) (?=[^\W\d])|(?<=[^\W\d]) (?=[-+−(]?\d)| (?=· )")
"""The space between a figure and its word, and before a dot that separates two texts.

It is used for texts of events, at most 500 characters, and lines of cards; as nothing in it repeats, it is linear.
"""


@register.filter
def unbreakable(text: str) -> str:
    """Return a text in which no line break separates a figure from its word, or begins a line with a dot."""
    return WITH_FIGURE.sub("\u00a0", text)


@register.filter
def markdown(text: str) -> str:
    """Return Markdown as HTML; HTML in the text is escaped, and `javascript:` addresses do not become links."""
    return mark_safe(_MARKDOWN.render(text))  # noqa: S308 - the renderer escapes


register.filter(short)
register.filter(unlinked)


@register.filter
def figure_text(value: Any) -> Any:
    """Return a derived value for readers: yes, no and decimals in their language, negatives with a minus sign."""
    return numeral(value) if type(value) is int else outline.read_figure(value)


@register.filter
def concept(sheet: Sheet) -> str:
    """Return the concept of a random character, in the reader's language; "" for other sheets."""
    return sheet.system.concept_title(sheet.concept)


@register.filter
def concept_line(sheet: Sheet) -> str:
    """Return a line about a random character."""
    return sheet.system.concept_line(sheet.concept, sheet.data, sheet.pk.int)

"""Template filters for texts that people wrote, and for the concepts of characters made by the dice."""

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
"""The space between a figure and its word, and before a dot that parts two.

It sees what is said of an event (`Event`: 500 characters) and lines of cards, and nothing of it repeats.
"""


@register.filter
def whole(text: str) -> str:
    """Return the same with each figure in one line with its word, and no line with a dot at its head."""
    return WITH_FIGURE.sub("\u00a0", text)


@register.filter
def markdown(text: str) -> str:
    """Return Markdown as HTML; HTML in the text stays text, and links of scripts do not become links."""
    return mark_safe(_MARKDOWN.render(text))  # noqa: S308 - the renderer escapes


register.filter(short)
register.filter(unlinked)


@register.filter
def figure_text(value: Any) -> Any:
    """Return a derived value as people read it: yes, no and decimals in their language, negatives with their sign."""
    return numeral(value) if type(value) is int else outline.read_figure(value)


@register.filter
def concept(sheet: Sheet) -> str:
    """Return the concept from which the dice made a sheet, in the reader's language; "" if they did not."""
    return sheet.system.concept_title(sheet.concept)


@register.filter
def concept_line(sheet: Sheet) -> str:
    """Return a line about the character that the dice made."""
    return sheet.system.concept_line(sheet.concept, sheet.data, sheet.pk.int)

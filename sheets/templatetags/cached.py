"""Fragments of a page that are rendered once for all who see the same.

Django's `{% cache %}` makes a digest of each part's text. For the parts of a sheet's page that takes four to five times
as long as looking up equal ones, half a millisecond of each page with many rolls.
"""

import re
from html import escape
from typing import Any
from uuid import uuid4

from django.template import Context, Library, Node, NodeList
from django.template.base import FilterExpression, Parser, Token
from django.utils.safestring import SafeString
from django.utils.translation import get_language

register = Library()

LARGEST = 1024 * 1024
"""The most characters that are cached for one fragment; beyond that its cache is emptied."""
OWN = ("press", "fell", "csrf_token", "play_url", "sheet_url", "table_url")
"""The variables that differ from page to page; they are inserted into a cached fragment. Each `press` is a new one."""
# Placeholders are random, so that nobody can write one into a sheet.
_SIGNS = {f"\ue000{name}-{uuid4().hex}\ue000": name for name in OWN}
_SIGN_OF = {name: sign for sign, name in _SIGNS.items()}
_SIGN = re.compile(f"({'|'.join(_SIGNS)})")
"""A placeholder; all have a fixed length, so a fragment of any length is searched in linear time."""


class Fragment(Node):
    """A fragment that depends only on these hashable parts, the language and the variables in `OWN`."""

    def __init__(self, nodes: NodeList, parts: list[FilterExpression]) -> None:
        self.nodes, self.parts = nodes, [(part, _plain_name(part)) for part in parts]
        self.drawn: dict[tuple, list[str]] = {}
        self.size = 0
        """The number of characters in its cache."""

    def render(self, context: Context) -> SafeString:
        """Return the fragment, cached if it was rendered with equal parts before."""
        own = {name: value for name in OWN if (value := context.get(name))}
        key = (get_language(), *own, *[_value(part, name, context) for part, name in self.parts])
        if (drawn := self.drawn.get(key)) is None:
            with context.push(**{name: _SIGN_OF[name] for name in own}):
                html = self.nodes.render(context)
            if self.size + len(html) > LARGEST:
                self.drawn.clear()
                self.size = 0
            self.size += len(html)
            drawn = self.drawn[key] = _SIGN.split(html)
        return SafeString("".join([_escaped(own[_SIGNS[one]]) if one in _SIGNS else one for one in drawn]))


def _escaped(value: Any) -> str:
    return escape(str(value() if callable(value) else value))


def _plain_name(part: FilterExpression) -> str:
    """Return the name of the variable that a part is, "" if it is any other expression."""
    lookups = getattr(part.var, "lookups", None)
    return lookups[0] if lookups and len(lookups) == 1 and not part.filters else ""


def _value(part: FilterExpression, name: str, context: Context) -> Any:
    # Variables are often missing here, and a template is slow to resolve these, because it raises an error first.
    value = context.get(name) if name else None
    return part.resolve(context, ignore_failures=True) if callable(value) or not name else value


@register.tag("cached")
def fragment(parser: Parser, token: Token) -> Fragment:
    """Cache the template up to `endcached`: `{% cached part … %}` names all that it depends on besides `OWN`."""
    parts = [parser.compile_filter(part) for part in token.split_contents()[1:]]
    nodes = parser.parse(("endcached",))
    parser.delete_first_token()
    return Fragment(nodes, parts)

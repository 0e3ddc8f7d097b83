"""Pieces of a page that are drawn once for all who see the same.

Django's `{% cache %}` would do, too, but makes a digest of each part's text: for the parts of a sheet's page that takes
four to five times as long as looking up equal ones, half a millisecond of each page with many rolls.
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
"""Characters of the drawings that are kept of one piece; beyond that it begins anew."""
OWN = ("press", "fell", "csrf_token", "play_url", "sheet_url", "table_url")
"""The variables that each page has of its own, set into a drawing rather than part of it; each `press` is a new one."""
# Nobody can write into a sheet what stands for it.
_SIGNS = {f"\ue000{name}-{uuid4().hex}\ue000": name for name in OWN}
_SIGN_OF = {name: sign for sign, name in _SIGNS.items()}
_SIGN = re.compile(f"({'|'.join(_SIGNS)})")
"""Any of them, each of a fixed length: a piece of a page, as long as it may be, is gone through once."""


class Fragment(Node):
    """A piece that depends only on these hashable parts, the language and the page's own variables."""

    def __init__(self, nodes: NodeList, parts: list[FilterExpression]) -> None:
        self.nodes, self.parts = nodes, [(part, _plain_name(part)) for part in parts]
        self.drawn: dict[tuple, list[str]] = {}
        self.size = 0
        """The characters of all drawings."""

    def render(self, context: Context) -> SafeString:
        """Return it as it was drawn from equal parts, or draw it anew."""
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
    """Return the name that a part is, "" if it is more than that."""
    lookups = getattr(part.var, "lookups", None)
    return lookups[0] if lookups and len(lookups) == 1 and not part.filters else ""


def _value(part: FilterExpression, name: str, context: Context) -> Any:
    # What a page does not say is common here, and dear to a template, which makes an error of it first.
    value = context.get(name) if name else None
    return part.resolve(context, ignore_failures=True) if callable(value) or not name else value


@register.tag("cached")
def fragment(parser: Parser, token: Token) -> Fragment:
    """Draw what stands up to `endcached` once: `{% cached part … %}` names what it depends on, besides `OWN`."""
    parts = [parser.compile_filter(part) for part in token.split_contents()[1:]]
    nodes = parser.parse(("endcached",))
    parser.delete_first_token()
    return Fragment(nodes, parts)

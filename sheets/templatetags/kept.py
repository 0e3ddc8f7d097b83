"""Pieces of a page that are drawn once for all who see the same.

Django's `{% cache %}` would do, too, but makes a digest of each part's text: for the parts of a sheet's page that takes
four to five times as long as to look up equal ones, half a millisecond of each page with many rolls.
"""

import re
from html import escape
from uuid import uuid4

from django.template import Library, Node
from django.template.base import FilterExpression
from django.utils.safestring import SafeString
from django.utils.translation import get_language

register = Library()

LARGEST = 1024 * 1024
"""Characters of its drawings that are kept of one piece; then it begins anew."""
OWN = ("press", "fell", "csrf_token", "play_url", "sheet_url", "table_url")
"""What each page has of its own: it is no part of a drawing but set into it. A `press` is a new one at each place."""
# Nobody can write into a sheet what stands for it.
_SIGNS = {f"\ue000{name}-{uuid4().hex}\ue000": name for name in OWN}
_SIGN_OF = {name: sign for sign, name in _SIGNS.items()}
_SIGN = re.compile(f"({'|'.join(_SIGNS)})")
"""Any of them, each of a fixed length: a piece of a page, as long as it may be, is gone through once."""


class Kept(Node):
    """What is drawn from these parts, the language and what the page has of its own alone; the parts are hashable."""

    def __init__(self, nodes, parts):
        self.nodes, self.parts = nodes, [(part, _plain_name(part)) for part in parts]
        self.drawn: dict[tuple, list[str]] = {}
        self.size = 0
        """The characters of these."""

    def render(self, context) -> SafeString:
        """As it was drawn from equal parts, or anew."""
        own = {name: value for name in OWN if (value := context.get(name))}
        key = (get_language(), *own, *[_value(part, name, context) for part, name in self.parts])
        drawn = self.drawn.get(key)
        if drawn is None:
            with context.push(**{name: _SIGN_OF[name] for name in own}):
                html = self.nodes.render(context)
            if self.size + len(html) > LARGEST:
                self.drawn.clear()
                self.size = 0
            self.size += len(html)
            drawn = self.drawn[key] = _SIGN.split(html)
        return SafeString("".join([_said(own[_SIGNS[one]]) if one in _SIGNS else one for one in drawn]))


def _said(value) -> str:
    return escape(str(value() if callable(value) else value))


def _plain_name(part: FilterExpression) -> str:
    """The name that a part is, "" where it is more than that."""
    lookups = getattr(part.var, "lookups", None)
    return lookups[0] if lookups and len(lookups) == 1 and not part.filters else ""


def _value(part: FilterExpression, name: str, context):
    # What a page does not say is common here, and dear to a template, which makes an error of it first.
    value = context.get(name) if name else None
    return part.resolve(context, ignore_failures=True) if callable(value) or not name else value


@register.tag
def kept(parser, token) -> Kept:
    """Keep what stands up to `endkept`: `{% kept part part ... %}` names what it hangs on beside what is `OWN`."""
    parts = [parser.compile_filter(word) for word in token.split_contents()[1:]]
    nodes = parser.parse(("endkept",))
    parser.delete_first_token()
    return Kept(nodes, parts)

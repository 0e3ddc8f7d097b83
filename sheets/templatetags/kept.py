"""Pieces of a page that are drawn once for all who see the same.

Django's `{% cache %}` would do, too, but makes a digest of each part's text: for the parts of a sheet's page that takes
four to five times as long as to look up equal ones, half a millisecond of each page with many rolls.
"""

from django.template import Library, Node
from django.utils.translation import get_language

register = Library()

MOST = 512
"""Drawings of one piece that are kept; then it begins anew."""


class Kept(Node):
    """What is drawn from these parts and the language alone; they are hashable."""

    def __init__(self, nodes, parts):
        self.nodes, self.parts = nodes, parts
        self.drawn: dict[tuple, str] = {}

    def render(self, context) -> str:
        """As it was drawn from equal parts, or anew."""
        key = (get_language(), *(part.resolve(context, ignore_failures=True) for part in self.parts))
        drawn = self.drawn.get(key)
        if drawn is None:
            if len(self.drawn) >= MOST:
                self.drawn.clear()
            drawn = self.drawn[key] = self.nodes.render(context)
        return drawn


@register.tag
def kept(parser, token) -> Kept:
    """Keep what stands up to `endkept`: `{% kept part part ... %}` names all that it hangs on."""
    parts = [parser.compile_filter(word) for word in token.split_contents()[1:]]
    nodes = parser.parse(("endkept",))
    parser.delete_first_token()
    return Kept(nodes, parts)

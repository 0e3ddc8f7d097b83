"""Reasons why a text is no JSON, in the current language: the parser's own reasons are English."""

from json import JSONDecodeError

from django.utils.translation import gettext_lazy as _

_REASONS = {
    "Expecting value": _("a value is missing here"),
    "Expecting property name enclosed in double quotes": _("a name in double quotes is missing here"),
    "Expecting ',' delimiter": _("a comma is missing here"),
    "Expecting ':' delimiter": _("a colon is missing here"),
    "Unterminated string starting at": _("the text that begins here never ends"),
    "Invalid control character at": _("a line break, tab or control character stands in a text"),
    "Invalid \\escape": _("no such escape is known"),
    "Invalid \\uXXXX escape": _("no such escape is known"),
    "Extra data": _("something follows after its end"),
    "Illegal trailing comma before end of object": _("nothing follows after the last comma"),
    "Illegal trailing comma before end of array": _("nothing follows after the last comma"),
}


def reason(error: JSONDecodeError) -> str:
    """Return what the parser could not read; a message without a translation stays as the parser words it."""
    return str(_REASONS.get(error.msg.removesuffix(": "), error.msg))

"""The reasons why a text is not JSON, in the current language; the parser gives them in English."""

import re
from json import JSONDecodeError

from django.utils.translation import gettext_lazy as _

_REASONS = {
    "Expecting value": _("a value is missing here"),
    "Expecting property name enclosed in double quotes": _("a name in double quotes is missing here"),
    "Expecting ',' delimiter": _("a comma is missing here"),
    "Expecting ':' delimiter": _("a colon is missing here"),
    "Unterminated string starting at": _("the text that begins here never ends"),
    "Invalid control character at": _("there is a line break, tab or control character inside a text"),
    "Invalid \\escape": _("there is no such escape"),
    "Invalid \\uXXXX escape": _("there is no such escape"),
    "Extra data": _("there is something after its end"),
    "Illegal trailing comma before end of object": _("there is nothing after the last comma"),
    "Illegal trailing comma before end of array": _("there is nothing after the last comma"),
}


def reason(error: JSONDecodeError) -> str:
    """Return the reason for an error, with any tag or non-ASCII character at its place, where JSON allows neither.

    A message of the parser without a translation is returned in English.
    """
    told = str(_REASONS.get(error.msg.removesuffix(": "), error.msg))
    if sign := _in_the_way(error):
        told = str(_("{reason}; unexpected “{sign}”")).format(reason=told, sign=sign)
    return told


_TAG = re.compile(r"\[/?[A-Za-z]{1,20}(?:=[^\]\n]{0,40})?\]|```\w{0,20}|<[^>\n]{1,40}>")
"""A forum tag, a Markdown fence, or an HTML tag."""


def _in_the_way(error: JSONDecodeError) -> str:
    """Return the tag or the non-ASCII character at the place of an error; "" if there is neither."""
    # A forum's "[code]" begins like a list, so the error is at the character after the bracket.
    for start in (error.pos, max(error.pos - 1, 0)):
        if tag := _TAG.match(error.doc, start):
            return tag[0]
    sign = error.doc[error.pos:error.pos + 1]
    if not sign or sign.isascii():
        return ""
    return f"U+{ord(sign):04X}" if sign.isspace() or not sign.isprintable() else f"{sign} (U+{ord(sign):04X})"

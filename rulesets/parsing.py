"""JSON from bytes that nobody vouches for: each offence is told with its place, up to `OFFENCES` of them."""

import json
import re
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from itertools import islice
from typing import Any

from django.utils.translation import gettext_lazy as _

from rulesets import systems
from rulesets.kit import Wording, join, size
from rulesets.reasons import reason

BYTES = 64 * 1024
"""The largest document."""
DEPTH = 32
"""The deepest nesting of lists and objects."""
DIGITS = 18
"""The longest number; every figure of a sheet is far shorter."""
OFFENCES, KEY = 1_000, 80
"""Offences of the JSON itself that are told, and characters of a key in their places: a place is told each time."""
_SUSPECT = re.compile(r"\\u(?:0000|d[89a-f])", re.I)
"""Escapes that may be a NUL or half of a surrogate pair; written out, JSON and UTF-8 allow neither.

What is looked at here has `BYTES` at most: `_text` comes first.
"""
TOO_LONG = _("The number is too long.")
Offence = tuple[str, str]
"""(the place, what is wrong there)."""


class Unreadable(ValueError):
    """Bytes that are no sheet document: `offences` as (path from the root, message), `ruleset` where it is known."""

    def __init__(self, offences: list[Offence], ruleset: str | None = None) -> None:
        super().__init__("; ".join(f"{place}: {message}" for place, message in offences))
        self.offences, self.ruleset = offences, ruleset


@dataclass(frozen=True)
class _Odd:
    """Stands in a parsed tree for something that JSON or a sheet does not allow."""

    message: Wording


class _Twice(dict[str, Any]):
    """An object that names a key twice."""

    twice: list[str]


def parse(raw: bytes) -> Any:
    """JSON from bytes that nobody vouches for (`Unreadable` with the place of each offence)."""
    text = _text(raw)
    _refuse_depth(text)
    if not _SUSPECT.search(text):
        with suppress(ValueError):
            return _SOUND.decode(text)
    return _searched(text)


def _distinct(items: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(items)
    if len(found) < len(items):
        raise ValueError
    return found


def _few_digits(digits: str) -> int:
    if len(digits) > DIGITS:
        raise ValueError
    return int(digits)


def _refused(_number: str) -> Any:
    raise ValueError


_SOUND = json.JSONDecoder(object_pairs_hook=_distinct, parse_int=_few_digits, parse_float=_refused,
                          parse_constant=_refused)
"""Reads what has nothing odd in it, as nearly every document; of all else it says nothing."""


def _searched(text: str) -> Any:
    """JSON with all that is odd in it looked for."""
    odd: list[_Odd | _Twice] = []

    def refuse(message: Wording) -> _Odd:
        instead = _Odd(message)
        odd.append(instead)
        return instead

    def pairs(items: list[tuple[str, Any]]) -> dict[str, Any]:
        found = dict(items)
        if len(found) == len(items):
            return found
        twice = _Twice(found)
        twice.twice = [key for key, times in Counter(key for key, _value in items).items() if times > 1]
        odd.append(twice)
        return twice

    def number(digits: str) -> int | _Odd:
        return int(digits) if len(digits) <= DIGITS else refuse(TOO_LONG)

    def fraction(digits: str) -> float | _Odd:
        return float(digits) if len(digits) <= DIGITS and abs(float(digits)) < 10**DIGITS else refuse(TOO_LONG)

    try:
        tree = json.loads(text, object_pairs_hook=pairs, parse_int=number, parse_float=fraction,
                          parse_constant=lambda name: refuse(_("NaN and Infinity are no numbers of JSON.")))
    except json.JSONDecodeError as error:
        message = _("This is not JSON: {reason}.").format(reason=reason(error))
        raise Unreadable([(f"{error.lineno}:{error.colno}", message)]) from None
    if (odd or _SUSPECT.search(text)) and (offences := list(islice(_offences(tree, ""), OFFENCES))):
        slug = tree.get("ruleset") if isinstance(tree, dict) else None
        raise Unreadable(offences, slug if isinstance(slug, str) and slug in systems() else None)
    return tree


def _text(raw: bytes) -> str:
    if len(raw) > BYTES:
        raise Unreadable([("", str(_("A document has at most {most}; this is longer.").format(most=size(BYTES))))])
    try:
        return raw.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        place = _place(raw.decode("utf-8", "replace"), len(raw[: error.start].decode()))
        raise Unreadable([(place, str(_("The document is not UTF-8 here.")))]) from None


def _refuse_depth(text: str) -> None:
    """JSON's own parser recurses; a count of brackets outside of strings spares it the dive."""
    if text.count("[") + text.count("{") <= DEPTH:
        return
    depth = 0
    for match in re.finditer(r'"(?:[^"\\]|\\.)*"?|[\[{]|[\]}]', text, re.S):
        mark = match[0]
        depth += (mark in "[{") - (mark in "]}")
        if depth > DEPTH:
            message = _("Lists and objects nest deeper than {depth}.").format(depth=DEPTH)
            raise Unreadable([(_place(text, match.start()), message)])


def _place(text: str, index: int) -> str:
    """line:column of a character, both from 1."""
    return f"{text.count(chr(10), 0, index) + 1}:{index - text.rfind(chr(10), 0, index)}"


def _offences(node: Any, place: str) -> Iterator[Offence]:
    if isinstance(node, _Odd):
        yield place, str(node.message)
    elif isinstance(node, str):
        yield from ((place, message) for message in _bad_text(node))
    elif isinstance(node, list):
        for index, value in enumerate(node):
            yield from _offences(value, join(place, index))
    elif isinstance(node, dict):
        for key in getattr(node, "twice", ()):
            yield join(place, _safe(key)), str(_("This key stands twice in one object; keep one of the two."))
        for key, value in node.items():
            yield from ((join(place, _safe(key)), message) for message in _bad_text(key))
            yield from _offences(value, join(place, _safe(key)))


def _bad_text(text: str) -> Iterator[str]:
    if "\0" in text:
        yield str(_("The text holds a NUL, which no sheet can keep; remove it."))
    if any("\ud800" <= letter <= "\udfff" for letter in text):
        yield str(_("The text holds half of a surrogate pair, which is no character; remove it."))


def _safe(key: str) -> str:
    """A key that can be printed and stored, its beginning where it is long."""
    key = key if len(key) <= KEY else f"{key[:KEY - 1]}…"
    return key.replace("\0", "\ufffd").encode("utf-8", "replace").decode()

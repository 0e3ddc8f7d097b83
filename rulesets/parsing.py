"""Reads untrusted JSON and reports each error with its place."""

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
"""The most bytes of a document."""
DEPTH = 32
"""The deepest nesting of lists and objects."""
DIGITS = 18
"""The most digits of a number; all figures of a sheet are far shorter."""
OFFENCES, KEY = 1_000, 80
"""The most errors that are reported, and the most characters of a key in their places."""
_SUSPECT = re.compile(r"\\u(?:0000|d[89a-f])", re.I)
"""Escapes that may stand for a NUL or a surrogate, which a document must not contain.

The pattern is only applied to texts of at most `BYTES` bytes.
"""
TOO_LONG = _("The number is too long.")
Offence = tuple[str, str]
"""(place of an error, message)."""


class Unreadable(ValueError):
    """Raised for bytes that are not a sheet document, with all `offences` and the `ruleset` if it is known."""

    def __init__(self, offences: list[Offence], ruleset: str | None = None) -> None:
        super().__init__("; ".join(f"{place}: {message}" for place, message in offences))
        self.offences, self.ruleset = offences, ruleset


@dataclass(frozen=True)
class _Invalid:
    """A placeholder in a parsed tree for a value that JSON or a sheet does not allow."""

    message: Wording


class _RepeatedKeys(dict[str, Any]):
    """An object with repeated keys."""

    repeated: list[str]


def parse(raw: bytes) -> Any:
    """Return the tree of untrusted JSON. Raise Unreadable with the place of each error."""
    text = _decode(raw)
    _check_depth(text)
    if not _SUSPECT.search(text):
        with suppress(ValueError):
            return _FAST_DECODER.decode(text)
    return _parse_strictly(text)


def _distinct_keys(items: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(items)
    if len(found) < len(items):
        raise ValueError
    return found


def _short_int(digits: str) -> int:
    if len(digits) > DIGITS:
        raise ValueError
    return int(digits)


def _refuse(_number: str) -> Any:
    raise ValueError


_FAST_DECODER = json.JSONDecoder(object_pairs_hook=_distinct_keys, parse_int=_short_int, parse_float=_refuse,
                                parse_constant=_refuse)
"""A decoder that fails on anything invalid without saying what it is; nearly all documents are valid."""


def _parse_strictly(text: str) -> Any:
    """Return the tree of a JSON text. Raise Unreadable with everything invalid in it."""
    invalid: list[_Invalid | _RepeatedKeys] = []

    def refuse(message: Wording) -> _Invalid:
        placeholder = _Invalid(message)
        invalid.append(placeholder)
        return placeholder

    def pairs(items: list[tuple[str, Any]]) -> dict[str, Any]:
        distinct = dict(items)
        if len(distinct) == len(items):
            return distinct
        repeated = _RepeatedKeys(distinct)
        repeated.repeated = [key for key, times in Counter(key for key, _value in items).items() if times > 1]
        invalid.append(repeated)
        return repeated

    def number(digits: str) -> int | _Invalid:
        return int(digits) if len(digits) <= DIGITS else refuse(TOO_LONG)

    def fraction(digits: str) -> float | _Invalid:
        return float(digits) if len(digits) <= DIGITS and abs(float(digits)) < 10**DIGITS else refuse(TOO_LONG)

    try:
        tree = json.loads(text, object_pairs_hook=pairs, parse_int=number, parse_float=fraction,
                          parse_constant=lambda name: refuse(_("NaN and Infinity are not JSON numbers.")))
    except json.JSONDecodeError as error:
        message = _("This is not JSON: {reason}.").format(reason=reason(error))
        raise Unreadable([(f"{error.lineno}:{error.colno}", message)]) from None
    if (invalid or _SUSPECT.search(text)) and (offences := list(islice(_offences(tree, ""), OFFENCES))):
        slug = tree.get("ruleset") if isinstance(tree, dict) else None
        raise Unreadable(offences, slug if isinstance(slug, str) and slug in systems() else None)
    return tree


def _decode(raw: bytes) -> str:
    if len(raw) > BYTES:
        said = _("A document may have at most {most}; this one is longer.").format(most=size(BYTES))
        raise Unreadable([("", str(said))])
    try:
        return raw.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        place = _line_and_column(raw.decode("utf-8", "replace"), len(raw[: error.start].decode()))
        raise Unreadable([(place, str(_("The document is not valid UTF-8 here.")))]) from None


def _check_depth(text: str) -> None:
    """Raise Unreadable if a text is nested too deep for the recursive JSON parser."""
    if text.count("[") + text.count("{") <= DEPTH:
        return
    depth = 0
    for match in re.finditer(r'"(?:[^"\\]|\\.)*"?|[\[{]|[\]}]', text, re.S):
        mark = match[0]
        depth += (mark in "[{") - (mark in "]}")
        if depth > DEPTH:
            message = _("Lists and objects are nested deeper than {depth}.").format(depth=DEPTH)
            raise Unreadable([(_line_and_column(text, match.start()), message)])


def _line_and_column(text: str, index: int) -> str:
    """Return "line:column" of a character, both counted from 1."""
    return f"{text.count(chr(10), 0, index) + 1}:{index - text.rfind(chr(10), 0, index)}"


def _offences(node: Any, place: str) -> Iterator[Offence]:
    if isinstance(node, _Invalid):
        yield place, str(node.message)
    elif isinstance(node, str):
        yield from ((place, message) for message in _text_offences(node))
    elif isinstance(node, list):
        for index, value in enumerate(node):
            yield from _offences(value, join(place, index))
    elif isinstance(node, dict):
        for key in getattr(node, "repeated", ()):
            yield join(place, _printable(key)), str(_("This key appears twice in one object; keep only one."))
        for key, value in node.items():
            yield from ((join(place, _printable(key)), message) for message in _text_offences(key))
            yield from _offences(value, join(place, _printable(key)))


def _text_offences(text: str) -> Iterator[str]:
    if "\0" in text:
        yield str(_("The text contains a NUL, which no sheet can store; remove it."))
    if any("\ud800" <= letter <= "\udfff" for letter in text):
        yield str(_("The text contains half of a surrogate pair, which is not a character; remove it."))


def _printable(key: str) -> str:
    """Return a key that can be printed and stored, shortened if it is long."""
    key = key if len(key) <= KEY else f"{key[:KEY - 1]}…"
    return key.replace("\0", "\ufffd").encode("utf-8", "replace").decode()

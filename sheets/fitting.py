"""Texts that are cut so that they all fit on a page, only if there is not enough room; the page then says so."""

from collections.abc import Iterator, Sequence
from dataclasses import fields, is_dataclass, replace
from typing import Any, TypeVar

from django.utils.html import escape

LENGTHS = (4000, 2000, 1000, 500, 250, 120, 60)
"""Characters that each text may have, tried one after the other."""
_Any = TypeVar("_Any")


def longest(found: Any, room: int) -> int:
    """Return the most characters that each text in a tree may have so that all fit in `room` bytes of a page."""
    each = list(_texts(found))
    return next((most for most in LENGTHS if sum(_bytes(one[:most]) for one in each) <= room), LENGTHS[-1])


def fitted(found: _Any, room: int) -> tuple[_Any, bool]:
    """Return (a tree of lists, objects and dataclasses with its texts cut to `room` bytes, True if any was cut)."""
    most = longest(found, room)
    cut = any(len(one) > most for one in _texts(found))
    return (_cut(found, most) if cut else found), cut


def beginning(text: str, room: int) -> tuple[str, bool]:
    """Return (the beginning of a text that fits in `room` bytes of a page, True if it was cut)."""
    # A letter that is escaped for a board and then for the page becomes eight bytes.
    return (text, False) if _bytes(text) <= room else (text[:room // 8], True)


def cut_apart(one: str, other: str, most: int) -> tuple[str, str]:
    """Return two texts cut to at most `most` characters, beginning a little before they differ."""
    if max(len(one), len(other)) <= most:
        return one, other
    begin = max(0, alike(one, other) - most // 4)
    return _from(one, begin, most), _from(other, begin, most)


def alike(one: Sequence[str], other: Sequence[str]) -> int:
    """Return the length of the common beginning of two texts, or of two lists of words."""
    return next((at for at, pair in enumerate(zip(one, other, strict=False)) if pair[0] != pair[1]),
                min(len(one), len(other)))


def _from(text: str, begin: int, most: int) -> str:
    return ("…" if begin else "") + _cut(text[begin:], most)


def _bytes(text: str) -> int:
    return len(escape(text).encode())


def _texts(found: Any) -> Iterator[str]:
    if isinstance(found, str):
        yield found
    for one in _inside(found):
        yield from _texts(one)


def _inside(found: Any) -> Iterator[Any]:
    if isinstance(found, dict):
        yield from found.values()
    elif isinstance(found, list | tuple):
        yield from found
    elif is_dataclass(found) and not isinstance(found, type):
        yield from (getattr(found, one.name) for one in fields(found))


def _cut(found: Any, most: int) -> Any:
    if isinstance(found, str):
        return found if len(found) <= most else f"{found[:most - 1].rstrip()}…"
    if isinstance(found, dict):
        return {key: _cut(one, most) for key, one in found.items()}
    if isinstance(found, list | tuple):
        return type(found)(_cut(one, most) for one in found)
    if is_dataclass(found) and not isinstance(found, type):
        return replace(found, **{one.name: _cut(getattr(found, one.name), most) for one in fields(found)})
    return found

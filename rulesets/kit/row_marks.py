"""Marks of the rows that offers are about, so that a press on an older page finds its row wherever that is by now.

An offer's key says where its row stands: "conditions.2", "avatars.0.Hug". The mark of the row says what stands there.
"""

from dataclasses import dataclass
from typing import Any
from zlib import crc32

from django.utils.functional import cached_property
from pydantic import BaseModel

DIGITS = 6
"""Of a number in an address at the most."""


@dataclass(frozen=True)
class Row:
    """A row of a list that the state of play keeps (`played`) or the sheet."""

    value: Any
    played: bool

    @cached_property
    def mark(self) -> str:
        """The mark that a press carries, "p12ab34cd.56ef78ab": where the row is kept, its identity, and all of it.

        A row is identified by its `id`, else by all of it but figures and ticks: these are what acts and rounds change.
        """
        whole, same = self.value, self.value
        if isinstance(whole, BaseModel):
            whole = whole.model_dump()
            same = whole.get("id") or {key: one for key, one in whole.items() if not isinstance(one, int | float)}
        return f"{'p' if self.played else 's'}{crc32(repr(same).encode()):08x}.{crc32(repr(whole).encode()):08x}"

    def is_meant(self, mark: str) -> bool:
        """Return whether this is the row of a mark, or one that cannot be told from it."""
        return identity(self.mark) == identity(mark)


def identity(mark: str) -> str:
    """Return what of a mark says which row it is, whatever its figures are by now."""
    return mark.partition(".")[0]


def row_at(key: str, play: BaseModel, *places: BaseModel) -> Row | None:
    """Return the row that an offer's key leads to, in the first of these places that has it; None where none has.

    One of the places may be the state of play itself.
    """
    if (at := place_of(key)) is None:
        return None
    name, index = at
    for place in places:
        rows = getattr(place, name, None)
        if isinstance(rows, list) and index < len(rows):
            return Row(rows[index], place is play)
    return None


def named(which: str) -> tuple[str, str]:
    """Return (key, mark of the row) of what a press names, the mark "" where it is about no row."""
    key, _tilde, mark = which.partition("~")
    return key, mark


def place_of(key: str) -> tuple[str, int] | None:
    """Return (name of the list, index of the row) that a key begins with; None where it leads to no row."""
    name, _dot, rest = key.partition(".")
    number = rest.partition(".")[0]
    return (name, int(number)) if number.isdecimal() and len(number) <= DIGITS else None

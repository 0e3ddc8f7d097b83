"""Marks that identify the rows of offers, so that a press on an outdated page finds a row that has moved.

The key of an offer has the position of its row: "conditions.2", "avatars.0.Hug". The mark of the row has its content.
"""

from dataclasses import dataclass
from typing import Any
from zlib import crc32

from django.utils.functional import cached_property
from pydantic import BaseModel

DIGITS = 6
"""The most digits of a row's index."""


@dataclass(frozen=True)
class Row:
    """A row of a list in the state of play (`played`), or else in the sheet."""

    value: Any
    played: bool

    @cached_property
    def mark(self) -> str:
        """The mark that a press carries, "p12ab34cd.56ef78ab": the kind of list, the row's identity, and its content.

        The identity is the row's `id`, or else its content without numbers and booleans, which acts and rounds change.
        """
        whole, same = self.value, self.value
        if isinstance(whole, BaseModel):
            whole = whole.model_dump()
            same = whole.get("id") or {key: one for key, one in whole.items() if not isinstance(one, int | float)}
        return f"{'p' if self.played else 's'}{crc32(repr(same).encode()):08x}.{crc32(repr(whole).encode()):08x}"

    def is_meant(self, mark: str) -> bool:
        """Return True if a mark belongs to this row, or to one that has the same identity."""
        return identity(self.mark) == identity(mark)


def identity(mark: str) -> str:
    """Return the part of a mark that identifies its row, without its current content."""
    return mark.partition(".")[0]


def row_at(key: str, play: BaseModel, *places: BaseModel) -> Row | None:
    """Return the row at an offer's key, from the first of these parts that has it; None if there is none.

    The state of play itself may be one of the parts.
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
    """Return (key, mark of the row) from the value of a press, with "" as the mark if there is no row."""
    key, _tilde, mark = which.partition("~")
    return key, mark


def place_of(key: str) -> tuple[str, int] | None:
    """Return (name of the list, index of the row) from the beginning of a key; None if there is no row."""
    name, _dot, rest = key.partition(".")
    number = rest.partition(".")[0]
    return (name, int(number)) if number.isdecimal() and len(number) <= DIGITS else None

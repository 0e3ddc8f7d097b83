"""Lists that a state of play keeps: changed by copies, and refused where that cannot be."""

from typing import TypeVar

from django.utils.translation import gettext_lazy as _

from rulesets.kit.fields import ROWS
from rulesets.kit.shapes import Refused

_Row = TypeVar("_Row")


def row(found: list[_Row], index: int) -> _Row:
    """A row by its index (`Refused` if it is gone)."""
    if index >= len(found):
        raise Refused(_("That row is no longer there."))
    return found[index]


def without(found: list[_Row], index: int) -> list[_Row]:
    """The rows but one."""
    row(found, index)
    return found[:index] + found[index + 1:]


def added(found: list[_Row], new: _Row) -> list[_Row]:
    """The rows and one more."""
    if len(found) >= ROWS:
        raise Refused(_("{n} rows are the most.").format(n=ROWS))
    return [*found, new]

"""Lists that a state of play keeps: changed by copies, and refused where that cannot be."""

from collections.abc import Iterator
from typing import Any, ClassVar, TypeVar

from django.utils.translation import gettext_lazy as _

from rulesets.kit.fields import ROWS, Count
from rulesets.kit.offers import Offer
from rulesets.kit.own import OwnPlay, OwnSheet, Thrown
from rulesets.kit.shapes import Act, Lasting, Play, Refused
from rulesets.kit.words import Wording

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


class RemoveRow(Act):
    """An act that takes away one row of a list that the state of play keeps, and is offered once for each."""

    index: Count
    """The index of the row, from 0; each act says what its rows are called."""
    rows: ClassVar[str]
    """The field of the state of play that holds the list."""
    rare: ClassVar[bool] = False
    """True if it is seldom wanted, and so stands apart from the others."""

    @classmethod
    def naming(cls, row: Any) -> Wording:
        """The title of the act for one row."""
        raise NotImplementedError

    @classmethod
    def offered(cls, sheet: OwnSheet, play: OwnPlay) -> Iterator[Offer]:
        """One for each row."""
        yield from (cls.asking(cls.naming(one), f"{cls.rows}.{index}", rare=cls.rare, index=index)
                    for index, one in enumerate(getattr(play, cls.rows)))

    def apply(self, sheet: OwnSheet, play: OwnPlay, outcome: Thrown = None) -> Play | Lasting:
        """The row goes (`Refused` if it is gone)."""
        left: Play = play.model_copy(update={self.rows: without(getattr(play, self.rows), self.index)})
        return left

"""Lists in a state of play: functions that return changed copies or raise Refused."""

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
    """Return a row by its index. Raise Refused if it is gone."""
    if index >= len(found):
        raise Refused(_("That row is no longer there."))
    return found[index]


def without_row(found: list[_Row], index: int) -> list[_Row]:
    """Return the rows without the one at an index. Raise Refused if it is gone."""
    row(found, index)
    return found[:index] + found[index + 1:]


def with_row(found: list[_Row], new: _Row) -> list[_Row]:
    """Return the rows and a new one. Raise Refused if the list is full."""
    if len(found) >= ROWS:
        raise Refused(_("No more than {n} rows are allowed.").format(n=ROWS))
    return [*found, new]


class RemoveRow(Act):
    """An act that removes one row of a list in the state of play; it is offered once for each row."""

    index: Count
    """The index of the row, from 0; subclasses set its title."""
    rows: ClassVar[str]
    """The field of the state of play that holds the list."""
    rare: ClassVar[bool] = False
    """True if it is seldom wanted and therefore shown apart from the others."""

    @classmethod
    def naming(cls, row: Any) -> Wording:
        """Return the title of the act for one row."""
        raise NotImplementedError

    @classmethod
    def offered(cls, sheet: OwnSheet, play: OwnPlay) -> Iterator[Offer]:
        """Yield one offer for each row."""
        yield from (cls.offer(cls.naming(one), f"{cls.rows}.{index}", rare=cls.rare, index=index)
                    for index, one in enumerate(getattr(play, cls.rows)))

    def apply(self, sheet: OwnSheet, play: OwnPlay, outcome: Thrown = None) -> Play | Lasting:
        """Return the state without the row. Raise Refused if it is gone."""
        left: Play = play.model_copy(update={self.rows: without_row(getattr(play, self.rows), self.index)})
        return left

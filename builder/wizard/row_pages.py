"""Pagination of long lists of rows, so that no page of the wizard exceeds the size of one response."""

from collections import Counter
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

from rulesets.kit import Data, Ruleset, Slot, slots
from sheets.forms.part_inputs import has_own_inputs
from sheets.models import State

ROWS = 24
"""The most rows on one page, including rows within rows; a row that has more within it has a page of its own."""
LETTERS = 24_000
"""The most characters of the texts on one page; each is up to six bytes in the response."""


@dataclass(frozen=True)
class RowPage:
    """A page of a list: its number, from 1, and the indexes of its rows."""

    number: int
    rows: tuple[int, ...]

    @property
    def title(self) -> str:
        """The numbers of its first and last row, counted from 1: "25–48"."""
        return "–".join(str(index + 1) for index in dict.fromkeys((self.rows[0], self.rows[-1]))) if self.rows else ""


def row_pages(slot: Slot, rows: list[Data], typed: Mapping[int, int] = MappingProxyType({})) -> list[RowPage]:
    """Return the pages of a list, at least one; rows that only the catalogue counts are on none.

    `typed` is {index of a row: number of characters of its invalid texts}.
    """
    found: list[list[int]] = [[]]
    many = letters = 0
    for index, row in enumerate(rows):
        if not has_own_inputs(slot, row):
            continue
        more, longer = _room(row)
        longer += typed.get(index, 0)
        if found[-1] and (many + more > ROWS or letters + longer > LETTERS):
            found.append([])
            many = letters = 0
        found[-1].append(index)
        many, letters = many + more, letters + longer
    return [RowPage(number, tuple(indexes)) for number, indexes in enumerate(found, 1)]


def _room(value: Any) -> tuple[int, int]:
    """Return (number of rows, number of characters) in a value."""
    if isinstance(value, str):
        return 0, len(value)
    inner = [_room(one) for one in (value.values() if isinstance(value, dict) else value if isinstance(value, list)
                                    else ())]
    return (isinstance(value, dict)) + sum(one for one, _letters in inner), sum(letters for _one, letters in inner)


def n_shown_inner_rows(rows: list[Data]) -> int:
    """Return how many rows of a list within a row are shown: as many as a page has room for, but at least one."""
    many = letters = 0
    for shown, row in enumerate(rows):
        more, longer = _room(row)
        if shown and (many + more > ROWS or letters + longer > LETTERS):
            return shown
        many, letters = many + more, letters + longer
    return len(rows)


def characters_by_row(lists: Collection[str], typed: Mapping[str, str]) -> Counter[str]:
    """Return {path of a row: number of characters of its invalid texts}, with "" for texts outside of rows."""
    found: Counter[str] = Counter()
    for path, text in typed.items():
        steps = path.split(".", 2)
        found[".".join(steps[:2]) if steps[0] in lists and len(steps) > 2 else ""] += len(text)
    return found


class RowPages:
    """The pages of a draft's lists; `number` is the page that is shown of the lists among `keys`, a step's fields."""

    def __init__(self, ruleset: Ruleset, state: State, keys: Collection[str]) -> None:
        self.data, self.number = state.data, 1
        self.lists = {key: slot for key, slot in slots(ruleset.sheet).items() if slot.kind == "rows"}
        self.typed = characters_by_row(self.lists, state.typed)
        self.keys = [key for key in keys if key in self.lists]
        self._pages: dict[str, list[RowPage]] = {}

    def pages_of(self, key: str) -> list[RowPage]:
        """Return the pages of a list."""
        if key not in self._pages:
            many = {index: self.typed[f"{key}.{index}"] for index in range(len(self.data[key]))}
            self._pages[key] = row_pages(self.lists[key], self.data[key], many)
        return self._pages[key]

    def shown_page(self, key: str) -> RowPage:
        """Return the page of a list that is shown: page `number`, or the last if the list has fewer."""
        return self.pages_of(key)[min(self.number, len(self.pages_of(key))) - 1]

    def page_number_of(self, path: str) -> int | None:
        """Return the number of the page with the row that a path leads to or into; None if there is no such row."""
        key, _dot, rest = path.partition(".")
        index = rest.partition(".")[0]
        pages = self.pages_of(key) if key in self.lists else []
        return next((page.number for page in pages if index in map(str, page.rows)), None)

    def turn_to(self, number: int) -> None:
        """Set the page of the step's lists that is shown, at most the last page of the longest."""
        self.number = max(1, min(number, max((len(self.pages_of(key)) for key in self.keys), default=1)))


def paged(url: str, number: int) -> str:
    """Return the address of a step with the number of the page of its lists."""
    return f"{url}?rows={number}" if number > 1 else url

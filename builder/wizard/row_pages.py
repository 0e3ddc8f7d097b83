"""Long lists of rows in pages, so that no page of the wizard grows beyond what one answer may have."""

from collections import Counter
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

from rulesets.kit import Data, Ruleset, Slot, slots
from sheets.forms.part_inputs import listed
from sheets.models import State

ROWS = 24
"""Rows on one page, those within rows counted; a row that has more within it stands on a page of its own."""
LETTERS = 24_000
"""Characters of the texts on one page; a browser is sent up to six bytes for each."""


@dataclass(frozen=True)
class RowPage:
    """A page of a list: its number, from 1, and the indexes of its rows."""

    number: int
    rows: tuple[int, ...]

    @property
    def title(self) -> str:
        """Its rows, counted from 1: "25–48"."""
        return "–".join(str(index + 1) for index in dict.fromkeys((self.rows[0], self.rows[-1]))) if self.rows else ""


def row_pages(slot: Slot, rows: list[Data], typed: Mapping[int, int] = MappingProxyType({})) -> list[RowPage]:
    """The pages of a list, one at least; what is kept in a catalogue stands on none.

    `typed` are the characters of a row, by its index, that are no values of its fields.
    """
    found: list[list[int]] = [[]]
    many = letters = 0
    for index, row in enumerate(rows):
        if not listed(slot, row):
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
    """(rows, characters) that a value takes."""
    if isinstance(value, str):
        return 0, len(value)
    inner = [_room(one) for one in (value.values() if isinstance(value, dict) else value if isinstance(value, list)
                                    else ())]
    return (isinstance(value, dict)) + sum(one for one, _letters in inner), sum(letters for _one, letters in inner)


def within(rows: list[Data]) -> int:
    """Return how many rows of a list within a row are shown: at least one, and no more than a page has room for."""
    many = letters = 0
    for shown, row in enumerate(rows):
        more, longer = _room(row)
        if shown and (many + more > ROWS or letters + longer > LETTERS):
            return shown
        many, letters = many + more, letters + longer
    return len(rows)


def characters_by_row(lists: Collection[str], typed: Mapping[str, str]) -> Counter[str]:
    """{path of a row: characters of its texts that are no values}; "" for all that stands in none."""
    found: Counter[str] = Counter()
    for path, text in typed.items():
        steps = path.split(".", 2)
        found[".".join(steps[:2]) if steps[0] in lists and len(steps) > 2 else ""] += len(text)
    return found


class RowPages:
    """The pages of a draft's lists; `number` is the one that a step with so named fields shows."""

    def __init__(self, ruleset: Ruleset, state: State, keys: Collection[str]) -> None:
        self.data, self.number = state.data, 1
        self.lists = {key: slot for key, slot in slots(ruleset.sheet).items() if slot.kind == "rows"}
        self.typed = characters_by_row(self.lists, state.typed)
        self.keys = [key for key in keys if key in self.lists]
        self._pages: dict[str, list[RowPage]] = {}

    def of(self, key: str) -> list[RowPage]:
        """The pages of a list."""
        if key not in self._pages:
            many = {index: self.typed[f"{key}.{index}"] for index in range(len(self.data[key]))}
            self._pages[key] = row_pages(self.lists[key], self.data[key], many)
        return self._pages[key]

    def here(self, key: str) -> RowPage:
        """The page of a list that is shown; of a shorter one the last."""
        return self.of(key)[min(self.number, len(self.of(key))) - 1]

    def at(self, path: str) -> int | None:
        """The number of the page on which a row is asked, or what lies in it; None for what is no such row."""
        key, _dot, rest = path.partition(".")
        index = rest.partition(".")[0]
        pages = self.of(key) if key in self.lists else []
        return next((page.number for page in pages if index in map(str, page.rows)), None)

    def turn_to(self, number: int) -> None:
        """Show this page of the step's lists, or the last that there is."""
        self.number = max(1, min(number, max((len(self.of(key)) for key in self.keys), default=1)))


def paged(url: str, number: int) -> str:
    """The address of a step with the page of its lists."""
    return f"{url}?rows={number}" if number > 1 else url

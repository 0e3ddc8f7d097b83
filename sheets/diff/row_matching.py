"""The matching of rows in two states of a list: which rows are the same, and which of those changed places."""

from collections import defaultdict
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from rulesets.document import canonical
from rulesets.kit import Data, Slot


@dataclass(frozen=True)
class RowTraits:
    """The traits by which rows are matched: kind, label, whole content, and content without texts."""

    kind: str
    label: str
    whole: Hashable
    figures: Hashable


def row_traits(slot: Slot, rows: Sequence[Any], data: Sequence[Data]) -> list[RowTraits]:
    """Return the traits of a list's rows, from their parts and their data."""
    return [RowTraits(str(one.get(slot.tag or "")), str(getattr(row, "label", "")).strip().casefold(), canonical(one),
                      canonical([value for value in one.values() if not isinstance(value, str)]))
            for row, one in zip(rows, data, strict=True)]


def matched(before: Sequence[RowTraits], after: Sequence[RowTraits]) -> list[tuple[int, int]]:
    """Return (index before, index after) of the rows that are the same, in their order before.

    Rows with the same contents are matched first; then those of one kind with the same label; then, between the same
    neighbours, those of one kind with the same figures, and last any of one kind. Equal rows are matched in order.
    Swapping the states gives the same pairs.
    """
    found: dict[int, int] = {}
    _pair(found, before, after, lambda row: (row.kind, row.label, row.whole))
    _pair(found, before, after, lambda row: (row.kind, row.label))
    _pair(found, before, after, lambda row: (row.kind, row.figures), near=True)
    _pair(found, before, after, lambda row: row.kind, near=True)
    return sorted(found.items())


def _pair(
    found: dict[int, int], before: Sequence[RowTraits], after: Sequence[RowTraits],
    key: Callable[[RowTraits], Hashable], *, near: bool = False,
) -> None:
    """Pair rows without a pair by equal keys; with `near` only those below the same pair."""
    left = _grouped(before, {here: here for here in found}, key, near=near)
    right = _grouped(after, {there: here for here, there in found.items()}, key, near=near)
    for alike, indexes in left.items():
        found.update(zip(indexes, right.get(alike, ()), strict=False))


def _grouped(
    rows: Sequence[RowTraits], paired: Mapping[int, int], key: Callable[[RowTraits], Hashable], *, near: bool,
) -> dict[tuple[int, Hashable], list[int]]:
    """Return the indexes of rows without a pair by key and, with `near`, by the nearest pair above."""
    groups: dict[tuple[int, Hashable], list[int]] = defaultdict(list)
    above = -1
    for index, row in enumerate(rows):
        if index in paired:
            above = paired[index]
        else:
            groups[above if near else -1, key(row)].append(index)
    return groups


def moved(pairs: Sequence[tuple[int, int]]) -> set[int]:
    """Return the later indexes of the rows that changed places: the fewest that explain the order."""
    # The rows outside the longest increasing subsequence were moved. difflib looks for unbroken runs instead, and so
    # reports too many moves for 152 of the 720 orders of six rows.
    runs: list[list[int]] = []
    for _before, after in sorted(pairs):
        runs.append([*max((run for run in runs if run[-1] < after), key=len, default=[]), after])
    longest = max(runs, key=len, default=[])
    return {after for _before, after in pairs} - set(longest)

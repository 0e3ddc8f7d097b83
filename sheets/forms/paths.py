"""Paths in a sheet's data: the field at a path, and its title."""

from typing import Any

from rulesets.kit import Part, Slot, join, short, slots

MAX_NAME = 40
"""The most characters of a row's own name in its title."""


def row_index(rows: list, step: str) -> int | None:
    """Return the index of a row from a step of a path; None if there is no such row. "00" is not valid."""
    return next((index for index in range(len(rows)) if str(index) == step), None)


def field_at(part: type[Part], data: Any, path: str) -> Slot | None:
    """Return the field at a path of some data; None if there is none."""
    slot = None
    for step in path.split("."):
        if isinstance(data, list):
            if (index := row_index(data, step)) is None or not (slot and slot.parts):
                return None
            data = data[index]
            part, slot = slot.member(data.get(slot.tag)), None
        else:
            slot = slots(part).get(step) if part and data is not None else None
            if slot is None:
                return None
            data = data[step]
            part = slot.parts[0] if slot.kind == "part" else None
    return slot


def field_or_list_at(part: type[Part], data: Any, path: str) -> Slot | None:
    """Return the field at a path of some data, or the list if the path is that of a row; None if there is neither."""
    list_path, _dot, last = path.rpartition(".")
    slot = field_at(part, data, list_path) if last.isdecimal() and list_path else None
    if slot is None or slot.kind != "rows":
        return field_at(part, data, path)
    node = data
    for step in list_path.split("."):
        node = node[int(step)] if isinstance(node, list) else node[step]
    return slot if row_index(node, last) is not None else None


def row_title(slot: Slot, row: dict, index: int, title: Any = "") -> str:
    """Return the title of a row, numbered from one, with its own name or its catalogue entry: "Attack 1 (Sting)"."""
    entry = getattr(slot.member(row[slot.tag]), "title", "") if slot.tag else ""
    name = short(row.get("name") or entry, MAX_NAME)
    numbered = f"{slot.ask.row_name or title or slot.ask.title} {index + 1}"
    return f"{numbered} ({name})" if name else numbered


def path_in_words(part: type[Part], data: dict, path: str) -> str:
    """Return the title of the field at a path: "Attack 1 (Sting): Dice".

    A row that no longer exists is given by its number only.
    """
    titles: list[str] = []
    slot, field_path = None, ""
    rows: Any = data
    for step in path.split("."):
        field_path, listing = join(field_path, step), slot
        if titles and step.isascii() and step.isdigit():
            there = row_index(rows, step) if isinstance(rows, list) else None
            titles[-1] = row_title(listing, rows[there], there) if listing and there is not None else \
                f"{(listing and listing.ask.row_name) or titles[-1]} {int(step[:9]) + 1}"
            rows = None if there is None else rows[there]
        elif slot := field_at(part, data, field_path):
            titles.append(str(slot.ask.title))
            rows = rows[step]
    return ": ".join(titles)

"""Paths of a sheet's data: the field that one leads to, and what it is called in words."""

from typing import Any

from rulesets.kit import Part, Slot, join, slots


def row_index(rows: list, step: str) -> int | None:
    """Return the index in a list that a step of a path means; None if there is no such row. "00" is no such path."""
    return next((index for index in range(len(rows)) if str(index) == step), None)


def field_at(part: type[Part], data: Any, path: str) -> Slot | None:
    """Return the field that a path of this data leads to; None if there is none."""
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


def place_at(part: type[Part], data: Any, path: str) -> Slot | None:
    """Return the field that a path of this data leads to, or the list if it leads to a row; None if there is none."""
    where, _dot, last = path.rpartition(".")
    slot = field_at(part, data, where) if last.isdecimal() and where else None
    if slot is None or slot.kind != "rows":
        return field_at(part, data, path)
    node = data
    for step in where.split("."):
        node = node[int(step)] if isinstance(node, list) else node[step]
    return slot if row_index(node, last) is not None else None


def path_in_words(part: type[Part], data: dict, path: str) -> str:
    """Return a path in words, rows counted from one: "Attacks 1: Dice"."""
    words: list[str] = []
    slot, here = None, ""
    for step in path.split("."):
        here, listing = join(here, step), slot
        if words and step.isascii() and step.isdigit():
            words[-1] = f"{(listing and listing.ask.one) or words[-1]} {int(step[:9]) + 1}"
        elif slot := field_at(part, data, here):
            words.append(str(slot.ask.title))
    return ": ".join(words)

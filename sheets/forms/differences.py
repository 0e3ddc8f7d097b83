"""Differences between two states of a sheet's data, field by field, as text."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _

from rulesets.kit import Part, Slot, join, slots
from sheets.forms.inputs import input_text
from sheets.forms.paths import row_title


@dataclass(frozen=True)
class FieldDifference:
    """A field with different values in two states of a sheet, mine and theirs, as text."""

    path: str
    title: str
    mine: str
    theirs: str
    prefer_mine: bool = True


@dataclass(frozen=True)
class FieldChange:
    """A field that changes, with the values before and after as text."""

    path: str
    title: str
    before: str
    after: str


def differing_fields(part: type[Part], first: dict, second: dict, path: str = "", title: str = "") -> Iterator[tuple]:
    """Yield (path, title, slot, first value, second value) of the innermost fields that differ.

    A list whose rows cannot be matched counts as one field.
    """
    for key, slot in slots(part).items():
        a, b = first[key], second[key]
        if a == b:
            continue
        field_path, name = join(path, key), f"{title}: {slot.ask.title}" if title else str(slot.ask.title)
        if slot.kind == "part" and a is not None and b is not None:
            yield from differing_fields(slot.parts[0], a, b, field_path, name)
        elif slot.kind == "rows" and [row.get(slot.tag) for row in a] == [row.get(slot.tag) for row in b]:
            for index, row in enumerate(a):
                member, one = slot.member(row.get(slot.tag)), row_title(slot, row, index, name)
                row_heading = f"{title}: {one}" if title and slot.ask.row_name else one
                yield from differing_fields(member, row, b[index], join(field_path, index), row_heading)
        else:
            yield field_path, name, slot, a, b


def in_words(slot: Slot, value: Any) -> str:
    """Return a value as text."""
    if slot.kind == "rows":
        return "; ".join(_row_in_words(slot, row) or "–" for row in value) or "–"
    if slot.kind == "lines":
        return "; ".join(one.strip() or "–" for one in value) or "–"
    if slot.kind == "choices":
        return ", ".join(str(slot.label(one)) for one in value)
    if value is None:
        return "–"
    if slot.kind == "part":
        inner = slots(slot.parts[0]).items()
        return ", ".join(f"{one.ask.title} {in_words(one, value[key])}" for key, one in inner)
    if slot.kind == "choice":
        return str(slot.label(value))
    return str({True: _("yes"), False: _("no")}[value]) if slot.kind == "check" else input_text(value)


def _row_in_words(slot: Slot, row: dict) -> str:
    member = slot.member(row.get(slot.tag))
    values = [in_words(inner, row[key]) for key, inner in slots(member).items() if key != slot.tag and row[key]]
    # The text of a catalogue entry begins with its title.
    return " ".join([str(member.title), *values] if slot.tag else values)  # type: ignore[attr-defined]


def _row_in_brief(slot: Slot, row: dict) -> str:
    """Return a row by its names and figures, without its long texts and the rows in it."""
    member = slot.member(row.get(slot.tag))
    filled = {key: inner for key, inner in slots(member).items() if key != slot.tag and row[key]}
    names = [in_words(inner, row[key]) for key, inner in filled.items()
             if inner.kind in ("text", "choice") and not inner.ask.long]
    figures = [f"{inner.ask.title} {in_words(inner, row[key])}" for key, inner in filled.items()
               if inner.kind in ("number", "figure")]
    title = [str(member.title)] if slot.tag else []  # type: ignore[attr-defined]
    return " ".join([*title, *names, *([f"({', '.join(figures)})"] if figures else [])])


def _in_brief(slot: Slot, a: Any, b: Any) -> tuple[str, str]:
    """Return two values as texts; rows in brief, unless their texts would then be the same."""
    if slot.kind == "rows":
        brief = [("; ".join(_row_in_brief(slot, row) or "–" for row in rows) or "–") for rows in (a, b)]
        if brief[0] != brief[1]:
            return brief[0], brief[1]
    return in_words(slot, a) or "–", in_words(slot, b) or "–"


def field_changes(part: type[Part], before: dict, after: dict) -> list[FieldChange]:
    """Return the fields that change.

    The values of a list contain only the rows that were added, removed or changed.
    """
    changes = ((path, title, slot, *_differing_rows(slot, a, b))
             for path, title, slot, a, b in differing_fields(part, before, after))
    return [FieldChange(path, title, *_in_brief(slot, a, b)) for path, title, slot, a, b in changes]


def _differing_rows(slot: Slot, a: Any, b: Any) -> tuple[Any, Any]:
    """Return two values of a field; of lists only the rows that the other lacks, unless only their order differs."""
    if slot.kind != "rows":
        return a, b
    removed, added = [row for row in a if row not in b], [row for row in b if row not in a]
    return (removed, added) if removed or added else (a, b)

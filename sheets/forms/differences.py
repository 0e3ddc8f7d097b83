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
    """A field with two different values as text."""

    path: str
    title: str
    mine: str
    theirs: str
    prefer_mine: bool = True


def differing_fields(part: type[Part], mine: dict, theirs: dict, path: str = "", title: str = "") -> Iterator[tuple]:
    """Yield (path, title, slot, mine, theirs) of the smallest fields that differ.

    A list whose rows cannot be matched counts as one field.
    """
    for key, slot in slots(part).items():
        a, b = mine[key], theirs[key]
        if a == b:
            continue
        field_path, name = join(path, key), f"{title}: {slot.ask.title}" if title else str(slot.ask.title)
        if slot.kind == "part" and a is not None and b is not None:
            yield from differing_fields(slot.parts[0], a, b, field_path, name)
        elif slot.kind == "rows" and [row.get(slot.tag) for row in a] == [row.get(slot.tag) for row in b]:
            for index, row in enumerate(a):
                member, one = slot.member(row.get(slot.tag)), row_title(slot, row, index, name)
                within = f"{title}: {one}" if title and slot.ask.one else one
                yield from differing_fields(member, row, b[index], join(field_path, index), within)
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
    # An entry of a catalogue states its title.
    return " ".join([str(member.title), *values] if slot.tag else values)  # type: ignore[attr-defined]


def _row_in_brief(slot: Slot, row: dict) -> str:
    """Return a row by its names and figures, without its long texts and the rows in it."""
    said = {key: inner for key, inner in slots(slot.member(row.get(slot.tag))).items() if key != slot.tag and row[key]}
    names = [in_words(inner, row[key]) for key, inner in said.items()
             if inner.kind in ("text", "choice") and not inner.ask.long]
    figures = [f"{inner.ask.title} {in_words(inner, row[key])}" for key, inner in said.items()
               if inner.kind in ("number", "figure")]
    title = [str(slot.member(row.get(slot.tag)).title)] if slot.tag else []  # type: ignore[attr-defined]
    return " ".join([*title, *names, *([f"({', '.join(figures)})"] if figures else [])])


def _in_brief(slot: Slot, a: Any, b: Any) -> tuple[str, str]:
    """Return two values as texts; rows in brief, unless that says the same of both."""
    if slot.kind == "rows":
        brief = [("; ".join(_row_in_brief(slot, row) or "–" for row in rows) or "–") for rows in (a, b)]
        if brief[0] != brief[1]:
            return brief[0], brief[1]
    return in_words(slot, a) or "–", in_words(slot, b) or "–"


def field_changes(part: type[Part], before: dict, after: dict) -> list[FieldDifference]:
    """Return the fields that change, with `mine` as the value before and `theirs` as the value after.

    The values of a list contain only the rows that were added, removed or changed.
    """
    changes = ((path, title, slot, *_differing_rows(slot, a, b))
             for path, title, slot, a, b in differing_fields(part, before, after))
    return [FieldDifference(path, title, *_in_brief(slot, a, b)) for path, title, slot, a, b in changes]


def _differing_rows(slot: Slot, a: Any, b: Any) -> tuple[Any, Any]:
    """Return two values of a field; of lists only the rows that the other lacks, unless only their order differs."""
    if slot.kind != "rows":
        return a, b
    removed, added = [row for row in a if row not in b], [row for row in b if row not in a]
    return (removed, added) if removed or added else (a, b)

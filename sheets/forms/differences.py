"""Differences between two states of a sheet's data, field by field, in words."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _

from rulesets.kit import Part, Slot, join, slots
from sheets.forms.inputs import input_text


@dataclass(frozen=True)
class FieldDifference:
    """A field with two values as people read them."""

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
        here, name = join(path, key), f"{title}: {slot.ask.title}" if title else str(slot.ask.title)
        if slot.kind == "part" and a is not None and b is not None:
            yield from differing_fields(slot.parts[0], a, b, here, name)
        elif slot.kind == "rows" and [row.get(slot.tag) for row in a] == [row.get(slot.tag) for row in b]:
            one = f"{title}: {slot.ask.one}" if title and slot.ask.one else slot.ask.one or name
            for index, row in enumerate(a):
                member = slot.member(row.get(slot.tag))
                yield from differing_fields(member, row, b[index], join(here, index), f"{one} {index + 1}")
        else:
            yield here, name, slot, a, b


def in_words(slot: Slot, value: Any) -> str:
    """Return a value as people read it."""
    if slot.kind == "rows":
        return "; ".join(_brief(slot, row) or "–" for row in value) or "–"
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


def _brief(slot: Slot, row: dict) -> str:
    member = slot.member(row.get(slot.tag))
    values = [in_words(inner, row[key]) for key, inner in slots(member).items() if key != slot.tag and row[key]]
    # An entry of a catalogue states its title.
    return " ".join([str(member.title), *values] if slot.tag else values)  # type: ignore[attr-defined]


def field_changes(part: type[Part], before: dict, after: dict) -> list[FieldDifference]:
    """Return the fields that change, with `mine` as the value before and `theirs` as the value after.

    Of a list only those rows are told that come, go or change.
    """
    found = ((path, title, slot, *_apart(slot, a, b))
             for path, title, slot, a, b in differing_fields(part, before, after))
    return [FieldDifference(path, title, in_words(slot, a) or "–", in_words(slot, b) or "–")
            for path, title, slot, a, b in found]


def _apart(slot: Slot, a: Any, b: Any) -> tuple[Any, Any]:
    """Return two values of a field, of lists the rows that the other has not; all of them if both have the same."""
    if slot.kind != "rows":
        return a, b
    gone, come = [row for row in a if row not in b], [row for row in b if row not in a]
    return (gone, come) if gone or come else (a, b)

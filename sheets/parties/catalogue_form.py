"""The form of an entry of a party's catalogue: its fields, and the short lists in it."""

from collections.abc import Iterator, Mapping
from typing import Any, cast

from pydantic import ValidationError

from rulesets.kit import CheckedPart, Data, Ruleset, Slot, blank, entry_data, open_lists, path, shape_message, slots
from sheets.forms.inputs import Broken, Input, input_text, parsed

SPARE = 3
"""The empty rows at the end of each list in the form."""
MOST = 20
"""The most rows of a list in the form."""


def whole_row(ruleset: Ruleset, where: tuple[str, str], row: Data) -> Data:
    """Return the complete row of a sheet for an entry's fields."""
    tag = slots(ruleset.sheet)[where[0]].tag
    return blank(open_lists(ruleset.sheet)[where], **({tag: where[1]} if tag else {}), **row)


def entry_words(row: CheckedPart) -> str:
    """Return the fields of a row's entry as one line of text, without its name."""
    fields = row.party_entry.fields[1:] if row.party_entry else ()
    return " · ".join(filter(None, (_field_words(slots(type(row))[key], getattr(row, key)) for key in fields)))


def _field_words(slot: Slot, value: Any) -> str:
    if slot.kind == "rows":
        return ", ".join(str(one.label) for one in value)
    if value in (None, ""):
        return ""
    shown = str(slot.label(value)) if slot.kind == "choice" else str(value)
    return shown if slot.ask.long else f"{slot.ask.title}: {shown}"


class EntryForm:
    """The inputs of an entry, as stored or as posted, and its valid `row`, which is None if an input has a fault."""

    def __init__(self, ruleset: Ruleset, where: tuple[str, str], row: Data | None = None,
                 posted: Mapping[str, str] | None = None) -> None:
        self.ruleset, self.where, self.posted = ruleset, where, posted
        self.part = open_lists(ruleset.sheet)[where]
        self.now = whole_row(ruleset, where, row or {})
        self.groups: list[tuple[Any, list[list[Input]]]] = []
        self.row = self._read()

    @property
    def title(self) -> Any:
        """The title of the list."""
        return slots(self.ruleset.sheet)[self.where[0]].ask.title

    @property
    def button(self) -> str:
        """The list and the kind of row as a button posts them."""
        return ":".join(self.where)

    @property
    def _fields(self) -> tuple[str, ...]:
        return self.part.party_entry.fields if self.part.party_entry else ()

    @property
    def inputs(self) -> Iterator[Input]:
        """All inputs."""
        return (one for _title, rows in self.groups for row in rows for one in row)

    @property
    def faults(self) -> list[Input]:
        """The inputs with faults."""
        return [one for one in self.inputs if one.fault]

    def _read(self) -> Data | None:
        found = dict(self.now)
        for key in self._fields:
            slot = slots(self.part)[key]
            if slot.kind == "rows":
                found[key] = self._read_rows(key, slot)
            else:
                one, found[key] = self._input(key, slot, self.now[key])
                self.groups.append(("", [[one]]))
        if self.faults:
            return None
        try:
            read = self.part.model_validate(found)
        except ValidationError as error:
            for one in error.errors(include_url=False):
                place = path(one["loc"], self.part)
                faulty = next((two for two in self.inputs if two.path == place), next(self.inputs))
                faulty.fault = shape_message(one)
            return None
        return entry_data(self.part, read.model_dump())

    def _input(self, place: str, slot: Slot, value: Any) -> tuple[Input, Any]:
        one = Input(slot, place, value, input_text(value))
        if slot.ask.help:
            one.hint = str(slot.ask.help)
        if self.posted is not None and place in self.posted:
            one.text = self.posted[place]
            try:
                one.value = parsed(slot, one.text, input_text(value))
            except Broken as error:
                one.fault = str(error)
        return one, one.value

    def _read_rows(self, key: str, slot: Slot) -> list[Data]:
        """Return the rows of a list within the entry; rows whose first text or choice is empty are left out."""
        part = cast("type[CheckedPart]", slot.parts[0])
        there, rows, inputs = self.now[key], [], []
        for index in range(min(MOST, max(len(there) + SPARE, self._posted_rows(key)))):
            row = there[index] if index < len(there) else blank(part)
            first = f"{key}.{index}.{next(iter(slots(part)))}"
            kept = self.posted[first].strip() != "" if self.posted and first in self.posted else index < len(there)
            line, read = [], {}
            for name, inner in slots(part).items():
                one, read[name] = self._input(f"{key}.{index}.{name}", inner, row[name])
                if not kept:
                    one.fault = ""
                    if name == next(iter(slots(part))):
                        one.value, one.text = None, ""
                line.append(one)
            inputs.append(line)
            if kept:
                rows.append(read)
        self.groups.append((slot.ask.title, inputs))
        return rows

    def _posted_rows(self, key: str) -> int:
        return max((int(two[:2]) + 1 for one in self.posted or () if one.startswith(f"{key}.")
                    and (two := one.split(".")[1]).isascii() and two.isdecimal()), default=0)

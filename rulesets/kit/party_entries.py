"""Entries of a party's catalogue: which rows of a sheet a party may agree on, and when a row equals an entry."""

import json
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any, TypeAlias, cast

from rulesets.kit.asks import Data
from rulesets.kit.fields import slots, tag_of

if TYPE_CHECKING:
    from rulesets.kit.checked_parts import CheckedPart
    from rulesets.kit.shapes import Sheet

EntryKey: TypeAlias = tuple[str, str, str]
"""(list of the sheet, tag of the row's kind or "", the fields of the entry as JSON)."""


@dataclass(frozen=True)
class EntryFields:
    """The fields of a row that an entry of a party's catalogue consists of: its name, then its price, text and others.

    All other fields of the row are the player's own. `rule` is the rule that asks for approval of such a row, "" if
    none does.
    """

    fields: tuple[str, ...]
    rule: str = ""

    @property
    def name(self) -> str:
        """The field that holds the name."""
        return self.fields[0]


@cache
def open_lists(sheet: "type[Sheet]") -> dict[tuple[str, str], "type[CheckedPart]"]:
    """Return {(list, tag): class of the rows} of everything that a party's catalogue can hold."""
    found: dict[tuple[str, str], Any] = {}
    for key, slot in slots(sheet).items():
        for part in slot.parts if slot.kind == "rows" else ():
            if getattr(part, "party_entry", None):
                found[key, tag_of(part, slot.tag) if slot.tag else ""] = part
    return found


def entry_data(part: "type[CheckedPart]", row: Data) -> Data:
    """Return the fields of a row that its entry consists of."""
    return {key: row[key] for key in part.party_entry.fields} if part.party_entry else {}


def entry_key(where: tuple[str, str], entry: Data) -> EntryKey:
    """Return the key by which a row and an entry are compared."""
    return (*where, json.dumps(entry, sort_keys=True, ensure_ascii=False))


def entry_keys(sheet: "Sheet", path: str, rule: str | None) -> list[EntryKey]:
    """Return the keys of the row at a path and of all rows of its list with the same name.

    Return [] if the party cannot agree on the row, or if another rule than its own asks for approval of it.
    """
    key, _dot, rest = path.partition(".")
    index = rest.partition(".")[0]
    rows: list[Any] = getattr(sheet, key, None) or []
    if not (index.isdecimal() and isinstance(rows, list) and int(index) < len(rows)):
        return []
    row = rows[int(index)]
    entry: EntryFields | None = getattr(row, "party_entry", None)
    if entry is None or entry.rule != rule:
        return []
    tag, part = slots(type(sheet))[key].tag, cast("type[CheckedPart]", type(row))
    where = key, tag_of(part, tag) if tag else ""
    same = [one for one in rows if type(one) is type(row) and _named(one, entry) == _named(row, entry)]
    return [entry_key(where, entry_data(type(one), one.model_dump())) for one in same]


def _named(row: Any, entry: EntryFields) -> str:
    return str(getattr(row, entry.name)).strip().casefold()

"""What a list of the sheet is chosen from: the entries of its catalogue, with prices."""

from dataclasses import dataclass
from typing import Any, cast

from rulesets.kit import Entry, House, blank, tag_of
from sheets.forms.inputs import Input


@dataclass(frozen=True)
class CatalogueEntry:
    """An entry of a catalogue: what it does, what it costs now, and what is missing to buy it."""

    tag: str
    title: Any
    text: Any
    rule: str
    cost: int | None
    short: int


def catalogue(one: Input, query: str, house: House, left: int) -> list[CatalogueEntry]:
    """The entries of a list's catalogue whose title or text holds the query, with so many points left."""
    found = []
    # That a list of several kinds is one of entries is in the contract.
    for entry_class in cast("tuple[type[Entry], ...]", one.slot.parts):
        tag = tag_of(entry_class, one.slot.tag)
        cost = entry_class.model_validate(blank(entry_class, **{one.slot.tag: tag})).price(house)
        entry = CatalogueEntry(tag, entry_class.title, entry_class.text, entry_class.id, cost,
                               max(0, (cost or 0) - left))
        if query.strip().casefold() in f"{entry.title} {entry.text}".casefold():
            found.append(entry)
    return found

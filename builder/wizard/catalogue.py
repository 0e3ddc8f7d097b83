"""What a list of the sheet is chosen from: the entries of its catalogue, with prices."""

from dataclasses import dataclass
from typing import Any

from rulesets.kit import House, blank, tag_of
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
    for part in one.slot.parts:
        tag = tag_of(part, one.slot.tag)
        entry_class: Any = part  # an entry of a catalogue states its title, text and rule
        cost = entry_class.model_validate(blank(part, **{one.slot.tag: tag})).price(house)
        entry = CatalogueEntry(tag, entry_class.title, entry_class.text, entry_class.id, cost,
                               max(0, (cost or 0) - left))
        if query.strip().casefold() in f"{entry.title} {entry.text}".casefold():
            found.append(entry)
    return found

"""Catalogues from which rows of a sheet's lists are chosen: their entries, with prices."""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, cast

from django.utils.text import slugify
from django.utils.translation import ngettext

from rulesets.folding import matches
from rulesets.grouping import by_key
from rulesets.kit import CheckedPart, Data, Entry, House, Part, Sheet, blank, slots, tag_of
from sheets.forms.inputs import Input

_ENDING = re.compile(r"(?<=\w{4})(?:ungen|ung|ing|end|est|en|er|es|ed|e|n|s|t)$")
"""German and English endings of words, after at least four letters."""
MAX_QUERY = 200
"""The most characters of a query that are used, since each word is searched for in each entry."""


@dataclass(frozen=True)
class CatalogueEntry:
    """An entry of a catalogue: its text, its cost now, and `short`, the number of points that are missing to buy it."""

    tag: str
    title: Any
    text: Any
    cost: int | None
    short: int
    each: str = ""
    """The fields that can be raised for points, with the price of each."""
    worth: Any = ""
    """Its cost or benefit in words, if it is not paid with points."""
    lacks: Any = ""
    """The reason why the character cannot use it yet, "" if there is none."""
    group: Any = ""
    """The heading under which it is listed."""
    taken: bool = False
    """True if the list has exactly this row already."""

    @property
    def key(self) -> str:
        """The part of the ids of its HTML elements that identifies it."""
        return slugify(self.tag)


def catalogues(inputs: Iterable[Input], query: str, shape: Sheet, house: House,
               unspent: int) -> list[tuple[Input, list[CatalogueEntry]]]:
    """Return the inputs whose rows are chosen from a catalogue, each with the entries that match the query."""
    query = query[:MAX_QUERY]
    return [(one, _entries(one, query, house, unspent) if one.slot.tag else [*_known(one, query, shape)])
            for one in inputs if one.slot.tag or one.slot.ask.presets or one.slot.ask.preset_groups]


def _entries(one: Input, query: str, house: House, unspent: int) -> list[CatalogueEntry]:
    """Return the entries of a list's catalogue that match the query; `unspent` is the number of points left."""
    found = []
    # The contract of systems says that a list with a tag consists of entries.
    for entry_class in cast("tuple[type[Entry], ...]", one.slot.parts):
        tag = tag_of(entry_class, one.slot.tag)
        bare = entry_class.model_validate(blank(entry_class, **{one.slot.tag: tag}))
        cost = bare.price(house)
        entry = CatalogueEntry(tag, entry_class.title, entry_class.text, cost, max(0, (cost or 0) - unspent),
                               _each(bare, house))
        if matches_query(query, f"{entry.title} {entry.text}"):
            found.append(entry)
    return found


def _known(one: Input, query: str, shape: Sheet) -> Iterator[CatalogueEntry]:
    """Yield the presets of a list, in groups or not, whose label or text matches the query."""
    part = cast("type[CheckedPart]", one.slot.parts[0])
    for group, rows in {"": one.slot.ask.presets, **one.slot.ask.preset_groups}.items():
        for label, row in rows.items():
            bare = part.model_validate(given(part, row))
            text = " ".join(str(value) for key, value in row.items() if slots(part)[key].ask.long) or bare.what()
            if matches_query(query, f"{label} {text}"):
                chosen = [str(slots(part)[key].label(value)) for key, value in row.items() if slots(part)[key].choices]
                yield CatalogueEntry(label, label, text, None, 0, worth=bare.worth or ", ".join(chosen),
                                     lacks=shape.lacks(bare), group=group)


def given(part: type[Part], values: Mapping[str, Any]) -> Data:
    """Return the row that a preset adds, its texts in the user's language."""
    return blank(part, **{key: value if isinstance(value, int) else str(value) for key, value in values.items()})


def _each(bare: CheckedPart, house: House) -> str:
    """Return the fields of an entry that can be raised for points, grouped by price, as a text."""
    pieces = by_key((price, str(slots(type(bare))[key].ask.title))
                    for key, price in bare.unit_prices(house).items() if key not in bare.hidden_fields())
    return " · ".join(ngettext("{what}: {n} point each", "{what}: {n} points each", price).format(
        n=price, what=", ".join(titles)) for price, titles in pieces.items())


def matches_query(query: str, text: str) -> bool:
    """Return True if a text contains all words of the query without their endings: "heilen" finds "Heilung"."""
    return matches(" ".join(_ENDING.sub("", word) for word in query.casefold().split()), text)

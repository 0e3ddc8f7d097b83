"""Catalogues that rows of a sheet's list are chosen from: their entries, with prices."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any, cast

from django.utils.text import slugify
from django.utils.translation import ngettext

from rulesets.folding import finds
from rulesets.grouping import by_key
from rulesets.kit import Entry, House, Sheet, Spoken, blank, slots, tag_of
from sheets.forms.inputs import Input

_ENDING = re.compile(r"(?<=\w{4})(?:ungen|ung|ing|end|est|en|er|es|ed|e|n|s|t)$")
"""The endings of words in both languages, behind four letters at least."""
SOUGHT = 200
"""Characters of what is sought that are looked at: each word of it is looked for in each entry."""


@dataclass(frozen=True)
class CatalogueEntry:
    """An entry of a catalogue: what it does, what it costs now, and what is missing to buy it."""

    tag: str
    title: Any
    text: Any
    cost: int | None
    short: int
    each: str = ""
    """The things that can be bought more of, and for how much."""
    worth: Any = ""
    """The words for what it costs or gives where no points of a budget are paid."""
    lacks: Any = ""
    """The reason why it is of no use yet, "" where it is."""
    group: Any = ""
    """The heading that it stands under."""

    @property
    def key(self) -> str:
        """The key that its elements are named by."""
        return slugify(self.tag)


def catalogues(inputs: Iterable[Input], query: str, shape: Sheet, house: House,
               left: int) -> list[tuple[Input, list[CatalogueEntry]]]:
    """The lists among these inputs that are chosen from a catalogue, each with its entries that hold the query."""
    query = query[:SOUGHT]
    return [(one, _entries(one, query, house, left) if one.slot.tag else [*_known(one, query, shape)])
            for one in inputs if one.slot.tag or one.slot.ask.presets or one.slot.ask.known]


def _entries(one: Input, query: str, house: House, left: int) -> list[CatalogueEntry]:
    """The entries of a list's catalogue whose title or text holds the query, with so many points left."""
    found = []
    # That a list of several kinds is one of entries is in the contract.
    for entry_class in cast("tuple[type[Entry], ...]", one.slot.parts):
        tag = tag_of(entry_class, one.slot.tag)
        bare = entry_class.model_validate(blank(entry_class, **{one.slot.tag: tag}))
        cost = bare.price(house)
        entry = CatalogueEntry(tag, entry_class.title, entry_class.text, cost, max(0, (cost or 0) - left),
                               _each(bare, house))
        if _holds(query, f"{entry.title} {entry.text}"):
            found.append(entry)
    return found


def _known(one: Input, query: str, shape: Sheet) -> Iterator[CatalogueEntry]:
    """The rows that a list knows by their label, those whose label or text holds the query."""
    part = cast("type[Spoken]", one.slot.parts[0])
    for group, rows in {"": one.slot.ask.presets, **one.slot.ask.known}.items():
        for label, row in rows.items():
            bare = part.model_validate(blank(part, **{key: value if isinstance(value, int) else str(value)
                                                      for key, value in row.items()}))
            text = " ".join(str(value) for key, value in row.items() if slots(part)[key].ask.long) or bare.what()
            if _holds(query, f"{label} {text}"):
                chosen = [str(slots(part)[key].label(value)) for key, value in row.items() if slots(part)[key].choices]
                yield CatalogueEntry(label, label, text, None, 0, worth=bare.worth or ", ".join(chosen),
                                     lacks=shape.lacks(bare), group=group)


def _each(bare: Spoken, house: House) -> str:
    """Return what more can be bought by the piece, grouped by what a piece costs."""
    pieces = by_key((price, str(slots(type(bare))[key].ask.title))
                    for key, price in bare.pieces(house).items() if key not in bare.idle())
    return "; ".join(ngettext("{n} point for each: {what}", "{n} points for each: {what}", price).format(
        n=price, what=", ".join(titles)) for price, titles in pieces.items())


def _holds(query: str, text: str) -> bool:
    """Return whether a text holds all words of the query, without their endings: "heilen" finds "Heilung"."""
    return finds(" ".join(_ENDING.sub("", word) for word in query.casefold().split()), text)

"""Rows that a player has written on other sheets, to be copied into the same list of a draft."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, cast

from django.db.models import QuerySet
from django.http import HttpRequest
from django.shortcuts import get_object_or_404
from django.utils.translation import gettext as _
from pydantic import ValidationError

from builder.wizard.catalogue import CatalogueEntry, given, matches_query
from rulesets.document import canonical
from rulesets.kit import ROWS, CheckedPart, Data, Ruleset, Slot, blank, open_lists, short, slots, tag_of
from rulesets.names import isolated
from sheets.access import editable
from sheets.buttons import no_such_button
from sheets.models import Sheet
from sheets.models.keys import key_or_404
from sheets.models.listed import LAST_TOUCHED
from sheets.parties.catalogue import hash_of
from sheets.parties.catalogue_form import entry_words

PREFIX = "sheet-"
"""The prefix of the tag that a button posts for a row of another sheet; its sheet's key and its digest follow."""
MOST_SHEETS = 12
"""The most sheets of which rows are shown, those last played or changed."""
MOST_ROWS = 200
"""The most rows that are shown."""
WORDS = 200
"""The most characters that are shown of what a row does."""


@dataclass(frozen=True)
class WrittenRow:
    """A row of a sheet as it is stored now: what a button posts for it, its data and its part."""

    tag: str
    data: Data
    part: CheckedPart


def takes_own_rows(ruleset: Ruleset, slot: Slot) -> bool:
    """Return True if players write rows of this list themselves instead of only choosing them from the book."""
    return slot.kind == "rows" and (not slot.tag or any(place == slot.key for place, _tag in open_lists(ruleset.sheet)))


def other_sheets(request: HttpRequest, sheet: Sheet) -> QuerySet[Sheet]:
    """Return the other sheets of the request's user or guest from which rows can be copied into a draft."""
    return editable(request).filter(ruleset=sheet.ruleset, offered=False, opponent=False).exclude(pk=sheet.pk)


def rows_of_others(request: HttpRequest, wizard: Any, slot: Slot, query: str = "") -> list[CatalogueEntry]:
    """Return the entries for rows of the user's other sheets that match the query, each under its sheet's name."""
    left = wizard.ledger.left if wizard.ledger else 0
    there = {canonical(row) for row in wizard.state.data[slot.key]}
    found: list[CatalogueEntry] = []
    sheets = other_sheets(request, wizard.sheet).annotate(touched=LAST_TOUCHED).order_by("-touched", "pk")
    for sheet in sheets.only("name", "data")[:MOST_SHEETS]:
        for row in _own_rows(wizard.ruleset, slot, sheet):
            words = entry_words(row.part) if row.part.party_entry else str(row.part.what())
            if matches_query(query, f"{row.part.label} {words}"):
                cost = row.part.price(wizard.house)
                found.append(CatalogueEntry(
                    row.tag, short(row.part.label), short(words, WORDS), cost, max(0, (cost or 0) - left),
                    worth=row.part.worth, group=isolated(sheet.name) or str(wizard.ruleset.title),
                    taken=canonical(row.data) in there))
    return found


def row_of_other(request: HttpRequest, sheet: Sheet, place: str, tag: str) -> Data | None:
    """Return the row of another sheet that a button posts for the list at `place` of a draft; None if it has changed.

    Raise Http404 if the other sheet is not the user's, and `BadRequest` if there is no such list.
    """
    slot = slots(sheet.system.sheet).get(place)
    if slot is None or not takes_own_rows(sheet.system, slot):
        raise no_such_button()
    key, _dash, _digest = tag.removeprefix(PREFIX).rpartition("-")
    other = get_object_or_404(other_sheets(request, sheet), pk=key_or_404(key))
    return next((one.data for one in _own_rows(sheet.system, slot, other) if one.tag == tag), None)


def refusal(rows: list[Data], row: Data | None) -> str:
    """Return the reason why a list does not take what `row_of_other` returned, "" if it does."""
    if row is None:
        return _("That row is no longer there.")
    if row in rows:
        return _("This sheet has that row already.")
    return _("No more than {n} rows are allowed.").format(n=ROWS) if len(rows) >= ROWS else ""


def _own_rows(ruleset: Ruleset, slot: Slot, sheet: Sheet) -> Iterator[WrittenRow]:
    """Yield each different row of a sheet's list that its player has written."""
    lists, seen = open_lists(ruleset.sheet), _of_the_book(slot)
    stored = sheet.data.get(slot.key)
    for data in stored if isinstance(stored, list) else ():
        tag = str(data.get(slot.tag)) if slot.tag and isinstance(data, dict) else ""
        part = lists.get((slot.key, tag)) if slot.tag else cast("type[CheckedPart]", slot.parts[0])
        if part is None or canonical(data) in seen:
            continue
        seen.add(canonical(data))
        try:
            row = part.model_validate(data)
        except ValidationError:
            # The system's rows have changed since the sheet was saved.
            continue
        read = row.model_dump()
        yield WrittenRow(f"{PREFIX}{sheet.pk}-{hash_of(read)}", read, row)


def _of_the_book(slot: Slot) -> set[bytes]:
    """Return the rows that anybody can add beside the list: an empty one of each kind, and its presets."""
    empty = [blank(part, **({slot.tag: tag_of(part, slot.tag)} if slot.tag else {})) for part in slot.parts]
    presets = [*slot.ask.presets.values(), *(row for rows in slot.ask.preset_groups.values() for row in rows.values())]
    return {canonical(row) for row in (*empty, *(given(slot.parts[0], row) for row in presets))}

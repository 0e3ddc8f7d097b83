"""Rows of a sheet that a GM may take over into the party's catalogue."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _

from rulesets.kit import Data, Ruleset, Slot, entry_data, entry_key, open_lists, slots
from sheets.models import Party, Sheet
from sheets.parties.catalogue import add_entries
from sheets.parties.services import Full
from sheets.reviews.services import Blocked
from sheets.status.party_catalogue import party_catalogue

MAX_OWN_ROWS = 20
"""The most rows that a review shows; once one is in the catalogue, the next one takes its place."""


@dataclass(frozen=True)
class OwnRow:
    """A row: its path, its name, and the list and kind of row of its entry."""

    path: str
    label: Any
    where: tuple[str, str]
    entry: Data


def own_rows(ruleset: Ruleset, party: Party, content: Mapping[str, Any]) -> list[OwnRow]:
    """Return the rows of a sheet's content that the party could enter: neither the book's nor in its catalogue."""
    shape, known = ruleset.sheet.model_validate(content["data"]), party_catalogue(party).standing
    found = []
    for where, part in open_lists(ruleset.sheet).items():
        slot = slots(ruleset.sheet)[where[0]]
        printed = {str(label).casefold() for label in _presets(slot)}
        for index, row in enumerate(getattr(shape, where[0])):
            if slot.tag and getattr(row, slot.tag) != where[1]:
                continue
            entry = entry_data(part, row.model_dump())
            if str(row.label).casefold() not in printed and entry_key(where, entry) not in known:
                found.append(OwnRow(f"{where[0]}.{index}", row.label, where, entry))
    return found


def _presets(slot: Slot) -> list[Any]:
    return [*slot.ask.presets, *(label for rows in slot.ask.preset_groups.values() for label in rows)]


def enter_row(sheet: Sheet, content: Mapping[str, Any], path: str) -> str:
    """Enter a row of a sheet's content into its locked party's catalogue; return the message. Raise `Blocked`."""
    if sheet.party is None:
        raise Blocked(_("That row is no longer there."))
    row = next((one for one in own_rows(sheet.system, sheet.party, content) if one.path == path), None)
    if row is None:
        raise Blocked(_("That row is no longer there, or the catalogue has it already."))
    try:
        add_entries(sheet.party, [(row.where, row.entry)])
    except Full as error:
        raise Blocked(str(error)) from None
    return _("The entry is in the catalogue.")

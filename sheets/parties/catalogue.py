"""A party's catalogue: its entries, the impact of a change on each sheet, and its document."""

import hashlib
from collections.abc import Iterable, Mapping
from copy import copy
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal

from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from pydantic import Field, ValidationError

from rulesets import systems
from rulesets.document import BYTES, canonical, shaped
from rulesets.folding import matches
from rulesets.kit import Data, Part, Ruleset, entry_data, entry_key, open_lists, slots
from rulesets.parsing import Unreadable, parse
from sheets.models import Member, Party, PartyEntry, Review
from sheets.models.reviews import APPROVED
from sheets.models.store import store
from sheets.parties.catalogue_form import entry_words, whole_row
from sheets.parties.house_impact import HouseImpact, impact_digest
from sheets.parties.house_services import PartySheets, house_now
from sheets.parties.services import Full
from sheets.press.log import announce
from sheets.status.party_catalogue import catalogue_of
from sheets.status.sheet_check import check_sheet

MAX_ENTRIES = 300
"""The most entries of a party; besides, their document may have at most `BYTES`."""
NO_LIST = gettext_lazy("There is no such list, or the entry has other fields.")


class CatalogueDocument(Part):
    """The document of a catalogue."""

    format: Literal["bogenschmiede.catalogue"]
    version: int = Field(ge=1, le=1)
    ruleset: str
    entries: list[dict[str, Any]] = Field(max_length=MAX_ENTRIES)


@dataclass(frozen=True)
class Shown:
    """An entry as pages show it."""

    entry: PartyEntry
    label: Any
    text: Any
    cost: int | None
    worth: Any


def standing(party: Party) -> list[PartyEntry]:
    """Return the entries of a party that are not withdrawn."""
    return list(PartyEntry.objects.filter(party=party, withdrawn=None).order_by("place", "pk"))


def shown_entries(me: Member, entries: Iterable[PartyEntry], query: str = "") -> list[tuple[str, list[Shown]]]:
    """Return (title of the list, its entries that match) of each list that the system opens and that has any."""
    ruleset, house = systems()[me.party.ruleset], house_now(me)
    found: dict[str, list[Shown]] = {}
    for one in entries:
        if (part := open_lists(ruleset.sheet).get((one.place, one.tag))) is None:
            continue
        try:
            row = part.model_validate(whole_row(ruleset, (one.place, one.tag), one.row))
        except ValidationError:
            continue
        words = entry_words(row)
        if matches(query, f"{row.label} {words}"):
            found.setdefault(str(slots(ruleset.sheet)[one.place].ask.title), []).append(
                Shown(one, row.label, words, row.price(house), row.worth))
    return list(found.items())


def add_entries(party: Party, rows: Iterable[tuple[tuple[str, str], Data]]) -> int:
    """Add entries that do not stand yet to a locked party; return their number. Raise `Full` if there are too many."""
    there = standing(party)
    known = {entry_key((one.place, one.tag), one.row) for one in there}
    new = {key: PartyEntry(party=party, place=where[0], tag=where[1], row=row) for where, row in rows
           if (key := entry_key(where, row)) not in known}
    if len(there) + len(new) > MAX_ENTRIES:
        raise Full("entries", MAX_ENTRIES)
    if len(canonical(_document(party, [*there, *new.values()]))) > BYTES:
        raise Full("catalogue", BYTES // 1024)
    PartyEntry.objects.bulk_create(new.values())
    if new:
        _changed(party)
    return len(new)


def _changed(party: Party) -> None:
    """Let open pages know that verdicts may have changed."""
    party.__dict__.pop("_catalogue", None)
    store(party, version=party.version + 1)
    announce(party)


@dataclass(frozen=True)
class EntryChange:
    """The change or withdrawal (`row` is None) of an entry, and its impact on each sheet."""

    of: PartySheets
    entry: PartyEntry
    row: Data | None
    impacts: list[HouseImpact]

    @property
    def seen(self) -> str:
        """The digest of the change and its impacts."""
        return f"{impact_digest(house_now(self.of.me), self.impacts)}{hash_of(self.row)}"

    def fits(self, locked: PartySheets) -> bool:
        """Return True if the party and its sheets, now locked, have not changed since they were checked."""
        return self.of.content == locked.content


def hash_of(row: Data | None) -> str:
    """Return a digest of a row, "" if there is none."""
    return hashlib.sha256(canonical(row)).hexdigest()[:16] if row is not None else ""


def prepare_entry_change(sheets: PartySheets, entry: PartyEntry, row: Data | None) -> EntryChange:
    """Return the change that gives an entry another row, or withdraws it; every sheet is checked twice for it."""
    party, now = sheets.me.party, timezone.now()
    entries = list(PartyEntry.objects.filter(party=party))
    after = [_withdrawn(one, now) if one.pk == entry.pk else one for one in entries]
    if row is not None:
        after.append(PartyEntry(party=party, place=entry.place, tag=entry.tag, row=row))
    ruleset, house = systems()[party.ruleset], house_now(sheets.me)
    before, then = catalogue_of(entries), catalogue_of(after)
    return EntryChange(sheets, entry, row, [
        HouseImpact(sheet, check_sheet(ruleset, sheet, house, catalogue=before),
                    check_sheet(ruleset, sheet, house, catalogue=then)) for sheet in sheets.sheets])


def _withdrawn(entry: PartyEntry, now: datetime) -> PartyEntry:
    found = copy(entry)
    found.withdrawn = now
    return found


def save_entry_change(locked: PartySheets, change: EntryChange, *, seen: str) -> tuple[EntryChange, bool]:
    """Save a change if its impacts are as shown; return it, and True if it was saved."""
    if seen != change.seen:
        return change, False
    party, entry = locked.me.party, change.entry
    # Sheets that were approved while the entry stood still need it; without any it can be deleted.
    if Review.objects.filter(party=party, kind=APPROVED, made__gte=entry.made).exists():
        store(entry, withdrawn=timezone.now())
    else:
        entry.delete()
    if change.row is not None:
        add_entries(party, [((entry.place, entry.tag), change.row)])
    _changed(party)
    return change, True


def catalogue_document(party: Party) -> Data:
    """Return the document of a party's catalogue."""
    return _document(party, standing(party))


def _document(party: Party, entries: Iterable[PartyEntry]) -> Data:
    return {"format": "bogenschmiede.catalogue", "version": 1, "ruleset": party.ruleset,
            "entries": [{"list": one.place, "kind": one.tag, "row": one.row} for one in entries]}


def read_catalogue(ruleset: Ruleset, raw: bytes) -> list[tuple[tuple[str, str], Data]]:
    """Return the entries of a document for this system. Raise Unreadable with each error and its place."""
    document = shaped(CatalogueDocument, parse(raw), "")
    if document.ruleset != ruleset.slug:
        raise Unreadable([("ruleset", _("This catalogue is for another system."))], ruleset.slug)
    return [_read_entry(ruleset, one, f"entries.{index}") for index, one in enumerate(document.entries)]


def _read_entry(ruleset: Ruleset, one: Mapping[str, Any], at: str) -> tuple[tuple[str, str], Data]:
    place, tag, row = one.get("list"), one.get("kind", ""), one.get("row")
    if not (isinstance(place, str) and isinstance(tag, str)):
        raise Unreadable([(at, str(NO_LIST))], ruleset.slug)
    where = place, tag
    part = open_lists(ruleset.sheet).get(where)
    if part is None or part.party_entry is None or not isinstance(row, dict) or set(row) - set(part.party_entry.fields):
        raise Unreadable([(at, str(NO_LIST))], ruleset.slug)
    read = shaped(part, whole_row(ruleset, where, row), f"{at}.row")
    return where, entry_data(part, read.model_dump())

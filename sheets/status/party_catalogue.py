"""A party's catalogue, as far as the verdict on a sheet depends on it."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from django.db.models import QuerySet

from rulesets.kit import EntryKey, Finding, Verdict, entry_key, entry_keys
from rulesets.kit import Sheet as Shape
from sheets.models import Party, PartyEntry, Sheet
from sheets.models.compiled_queries import compiled
from sheets.status.reviews import review_status


@dataclass(frozen=True)
class PartyCatalogue:
    """The entries of a party: the keys of those that stand, and (key, since, until) of those that were withdrawn."""

    standing: frozenset[EntryKey] = frozenset()
    withdrawn: tuple[tuple[EntryKey, datetime, datetime], ...] = ()

    def holds(self, sheet: Sheet, key: EntryKey) -> bool:
        """Return True if an entry with this key stands, or stood when the sheet was approved."""
        if key in self.standing:
            return True
        stood = [(since, until) for one, since, until in self.withdrawn if one == key]
        approval = review_status(sheet).approval if stood else None
        return approval is not None and any(since <= approval.made < until for since, until in stood)


def catalogue_of(entries: Iterable[PartyEntry]) -> PartyCatalogue:
    """Return the catalogue that consists of these entries."""
    keyed = [(entry_key((one.place, one.tag), one.row), one) for one in entries]
    return PartyCatalogue(frozenset(key for key, one in keyed if not one.withdrawn),
                          tuple((key, one.made, one.withdrawn) for key, one in keyed if one.withdrawn))


def party_catalogue(party: Party) -> PartyCatalogue:
    """Return the catalogue of a party, which is loaded once for each `Party` object."""
    known: PartyCatalogue | None = party.__dict__.get("_catalogue")
    if known is None:
        known = party.__dict__["_catalogue"] = catalogue_of(_entries(party.pk))
    return known


@compiled
def _entries(party: Any) -> QuerySet[PartyEntry]:
    return PartyEntry.objects.filter(party=party)


def agreed(sheet: Sheet, verdict: Verdict, shape: Shape, catalogue: PartyCatalogue | None = None) -> Verdict:
    """Return the verdict without those findings of severity "approval" that need no approval.

    For an opponent, which belongs to a GM, these are all of them; for others those whose rows are in the party's
    catalogue, or in `catalogue` if it is given.
    """
    if all(one.severity != "approval" for one in verdict.findings):
        return verdict
    return replace(verdict, findings=tuple(
        one for one in verdict.findings
        if one.severity != "approval" or not (sheet.opponent or _in_catalogue(sheet, one, shape, catalogue))))


def _in_catalogue(sheet: Sheet, finding: Finding, shape: Shape, catalogue: PartyCatalogue | None) -> bool:
    if sheet.party is None or not (keys := entry_keys(shape, finding.path, finding.rule)):
        return False
    known = catalogue or party_catalogue(sheet.party)
    return all(known.holds(sheet, key) for key in keys)

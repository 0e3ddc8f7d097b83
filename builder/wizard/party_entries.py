"""Entries of the party's own catalogue, which a draft can choose beside those of the book."""

from collections.abc import Iterable
from typing import Any

from pydantic import ValidationError

from builder.wizard.catalogue import CatalogueEntry, matches_query
from rulesets.kit import Data, open_lists
from sheets.models import Party, PartyEntry
from sheets.parties.catalogue import standing
from sheets.parties.catalogue_form import entry_words, whole_row

PREFIX = "party-"
"""The prefix of the tag that a button posts for an entry of the party; the entry's key follows."""


def entries_of(wizard: Any, place: str, entries: Iterable[PartyEntry], query: str = "") -> list[CatalogueEntry]:
    """Return those of a party's entries for the list at `place` that match the query."""
    lists, left = open_lists(wizard.ruleset.sheet), wizard.ledger.left if wizard.ledger else 0
    found = []
    for one in entries:
        where = one.place, one.tag
        if one.place != place or where not in lists:
            continue
        try:
            row = lists[where].model_validate(whole_row(wizard.ruleset, where, one.row))
        except ValidationError:
            # The system's rows have changed since the entry was written; GMs do not see the entry either.
            continue
        cost, words = row.price(wizard.house), entry_words(row)
        if matches_query(query, f"{row.label} {words}"):
            found.append(CatalogueEntry(f"{PREFIX}{one.pk}", row.label, words, cost, max(0, (cost or 0) - left)))
    return found


def party_rows(ruleset: Any, party: Party | None, place: str) -> dict[str, Data]:
    """Return {tag that a button posts: row} of a party's entries for the list at `place`."""
    found = {}
    for one in standing(party) if party else ():
        if one.place == place and (one.place, one.tag) in open_lists(ruleset.sheet):
            found[f"{PREFIX}{one.pk}"] = whole_row(ruleset, (one.place, one.tag), one.row)
    return found

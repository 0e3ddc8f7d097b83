"""Entries of the party's own catalogue, which a draft can choose beside those of the book."""

from typing import Any

from pydantic import ValidationError

from builder.wizard.catalogue import CatalogueEntry, matches_query
from rulesets.kit import Data, open_lists
from sheets.forms.inputs import Input
from sheets.models import Party
from sheets.parties.catalogue import standing
from sheets.parties.catalogue_form import entry_words, whole_row

PREFIX = "party-"
"""The prefix of the tag that a button posts for an entry of the party; the entry's key follows."""


def party_entries(wizard: Any, query: str = "") -> list[tuple[Input, list[CatalogueEntry]]]:
    """Return the inputs of a step for whose list the party has entries, each with those that match the query."""
    lists = open_lists(wizard.ruleset.sheet)
    inputs = {one.path: one for one in wizard.inputs if any(place == one.path for place, _tag in lists)}
    if wizard.sheet.party is None or not inputs:
        return []
    left = wizard.ledger.left if wizard.ledger else 0
    found: dict[str, list[CatalogueEntry]] = {}
    for one in standing(wizard.sheet.party):
        where = one.place, one.tag
        if one.place not in inputs or where not in lists:
            continue
        try:
            row = lists[where].model_validate(whole_row(wizard.ruleset, where, one.row))
        except ValidationError:
            # The system's rows have changed since the entry was written; GMs do not see the entry either.
            continue
        cost, words = row.price(wizard.house), entry_words(row)
        if matches_query(query, f"{row.label} {words}"):
            found.setdefault(one.place, []).append(CatalogueEntry(
                f"{PREFIX}{one.pk}", row.label, words, cost, max(0, (cost or 0) - left)))
    return [(inputs[place], entries) for place, entries in found.items()]


def party_rows(ruleset: Any, party: Party | None, place: str) -> dict[str, Data]:
    """Return {tag that a button posts: row} of a party's entries for the list at `place`."""
    found = {}
    for one in standing(party) if party else ():
        if one.place == place and (one.place, one.tag) in open_lists(ruleset.sheet):
            found[f"{PREFIX}{one.pk}"] = whole_row(ruleset, (one.place, one.tag), one.row)
    return found

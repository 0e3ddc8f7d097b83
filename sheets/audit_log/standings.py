"""The standing of each sheet in its party's queue, kept with every entry of the chain, which nobody has to read."""

from typing import Any

from rulesets.document import house_data
from rulesets.kit import Data, Ruleset
from sheets.audit_log.digests import digest
from sheets.models import Party, Review, Standing
from sheets.models.reviews import APPROVED, PLAYED, RECALLED, RETURNED, SUBMITTED, WITHDRAWN

ANSWERS = (RECALLED, RETURNED, APPROVED)
"""The kinds of entries after which a submission waits no more."""


def changed_by(kind: str, number: int, rules: int, house: str) -> dict[str, Any]:
    """Return what an entry of a kind changes of its sheet's standing, {field: value}."""
    found: dict[str, Any] = {}
    if kind == SUBMITTED:
        found["waiting"] = number
    elif kind in ANSWERS:
        found["waiting"] = None
    if kind in (APPROVED, PLAYED):
        found["under"] = under(rules, house)
    elif kind == WITHDRAWN:
        found["under"] = ""
    return found


def under(rules: int, house: str) -> str:
    """Return the word for rules of a version with house rules of a digest."""
    return f"{rules}.{house}"


def under_today(ruleset: Ruleset, party: Party) -> str:
    """Return the word for the rules of today with the house rules of a party."""
    house: Data = house_data(ruleset.house.model_validate(party.house))
    return under(ruleset.version, digest({"house": house}))


def keep_standing(entry: Review, rules: int) -> None:
    """Keep what a new entry makes of the standing of its sheet in its party."""
    if entry.sheet_id is None or entry.party_id is None:
        return
    if changes := changed_by(entry.kind, entry.number, rules, entry.house):
        one = Standing(sheet_id=entry.sheet_id, party_id=entry.party_id, under=changes.get("under", ""),
                       waiting=changes.get("waiting"))
        Standing.objects.bulk_create([one], update_conflicts=True, unique_fields=["sheet", "party"],
                                     update_fields=[*changes])

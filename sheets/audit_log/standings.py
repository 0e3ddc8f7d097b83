"""The standing of each sheet in its party's queue.

It is updated with every entry, so that a queue can be shown without reading the chain.
"""

from typing import Any

from rulesets.document import house_data
from rulesets.kit import Data, Ruleset
from sheets.audit_log.digests import digest
from sheets.models import Party, Review, Standing
from sheets.models.reviews import APPROVED, PLAYED, RECALLED, RETURNED, SUBMITTED, WITHDRAWN

ENDS_WAITING = (RECALLED, RETURNED, APPROVED)
"""The kinds of entries after which a submission no longer waits."""


def changed_by(kind: str, number: int, version: int, house_digest: str) -> dict[str, Any]:
    """Return {field: value} of the fields of the standing that an entry of this kind changes."""
    found: dict[str, Any] = {}
    if kind == SUBMITTED:
        found["waiting"] = number
    elif kind in ENDS_WAITING:
        found["waiting"] = None
    if kind in (APPROVED, PLAYED):
        found["under"] = rules_key(version, house_digest)
    elif kind == WITHDRAWN:
        found["under"] = ""
    return found


def rules_key(version: int, house_digest: str) -> str:
    """Return the key that identifies a version of the rules together with a digest of house rules."""
    return f"{version}.{house_digest}"


def rules_key_today(ruleset: Ruleset, party: Party) -> str:
    """Return the key of today's version of the rules with the house rules of a party."""
    house: Data = house_data(ruleset.house.model_validate(party.house))
    return rules_key(ruleset.version, digest({"house": house}))


def update_standing(entry: Review, version: int) -> None:
    """Update the standing of a sheet in its party for a new entry; `version` is that of the rules."""
    if entry.sheet_id is None or entry.party_id is None:
        return
    if changes := changed_by(entry.kind, entry.number, version, entry.house):
        one = Standing(sheet_id=entry.sheet_id, party_id=entry.party_id, under=changes.get("under", ""),
                       waiting=changes.get("waiting"))
        Standing.objects.bulk_create([one], update_conflicts=True, unique_fields=["sheet", "party"],
                                     update_fields=[*changes])

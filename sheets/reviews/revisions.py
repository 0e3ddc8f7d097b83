"""Revisions: a sheet kept as it stands, under the next number; nothing that was kept is ever written over.

Whoever calls holds the sheet.
"""

from contextlib import suppress
from typing import Any

from pydantic import ValidationError

from rulesets.document import house_data, sealed
from rulesets.kit import Ruleset
from sheets import history
from sheets.access import system_of
from sheets.history import State
from sheets.models import Revision, Sheet
from sheets.reviews.diff import Side, diff
from sheets.reviews.models import RESTORED
from sheets.reviews.signing import KEPT, sign_revision
from sheets.reviews.told import Diff


def sealable(sheet: Sheet, content: dict[str, Any] | None = None) -> dict[str, Any]:
    """What is sealed of a sheet now, or of other content {name, data, house} of it: whole, as a revision keeps it."""
    ruleset: Ruleset = system_of(sheet)
    given = {"name": sheet.name, "data": sheet.data, "house": sheet.house, **(content or {})}
    whole = {"name": given["name"], "data": ruleset.sheet.model_validate(given["data"]).model_dump(),
             "house": house_data(ruleset.house.model_validate(given["house"])), "rules": ruleset.version}
    return {**whole, "seal": sealed(ruleset.slug, whole["rules"], whole["house"], whole["name"], whole["data"])}


def keep(sheet: Sheet, kind: str, author, content: dict[str, Any] | None = None) -> Revision:
    """The revision of a locked sheet as it stands, or of other content; the last one again if it holds just that."""
    whole = sealable(sheet, content)
    last = sheet.revisions.order_by("-number").first()
    if last and last.seal == whole["seal"]:
        return last
    kept = Revision(sheet=sheet, number=last.number + 1 if last else 1, version=sheet.version, kind=kind, author=author,
                    **whole)
    sign_revision(kept, KEPT)
    kept.save(force_insert=True)
    return kept


def restore(sheet: Sheet, kept: Revision, by) -> Revision:
    """Brings back what a revision holds as a change of the draft, under the house rules of today, and keeps it.

    pydantic's ValidationError where the rules cannot read it any more.
    """
    content = sealable(sheet, {"name": kept.name, "data": kept.data, "house": sheet.house})
    history.save(sheet, State(content["name"], content["data"], {}))
    return keep(sheet, RESTORED, by)


def difference(ruleset: Ruleset, before: Revision | Sheet, after: Revision | Sheet) -> Diff | None:
    """What became of a sheet between two of its states; None where the rules cannot read both."""
    with suppress(ValidationError):
        return diff(ruleset, *(Side(one.name, one.data, one.house) for one in (before, after)))
    return None


def carried(before: Any, after: Any, other: Any) -> Any:
    """`other` with what became of `before` in `after`, wherever both held the same; its own changes stay."""
    if other == before:
        return after
    if all(isinstance(one, dict) for one in (before, after, other)):
        return {key: carried(before.get(key), after.get(key), value) for key, value in other.items()}
    if all(isinstance(one, list) for one in (before, after, other)) and len(before) == len(after) == len(other):
        return [carried(*three) for three in zip(before, after, other, strict=True)]
    return other

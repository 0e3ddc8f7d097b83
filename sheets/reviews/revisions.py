"""Revisions: a sheet kept as it stands, under the next number; nothing that was kept is ever written over."""

from typing import Any

from rulesets.document import house_data, sealed
from rulesets.kit import Ruleset
from sheets.access import system_of
from sheets.models import Revision, Sheet


def sealable(sheet: Sheet, content: dict[str, Any] | None = None) -> dict[str, Any]:
    """What is sealed of a sheet now, or of other content {name, data, house} of it: whole, as a revision keeps it."""
    ruleset: Ruleset = system_of(sheet)
    given = content or {"name": sheet.name, "data": sheet.data, "house": sheet.house}
    whole = {"name": given["name"], "data": ruleset.sheet.model_validate(given["data"]).model_dump(),
             "house": house_data(ruleset.house.model_validate(given["house"])), "rules": ruleset.version}
    return {**whole, "seal": sealed(ruleset.slug, whole["rules"], whole["house"], whole["name"], whole["data"])}


def keep(sheet: Sheet, kind: str, author, content: dict[str, Any] | None = None) -> Revision:
    """The revision of a locked sheet as it stands, or of other content; the last one again if it holds just that."""
    whole = sealable(sheet, content)
    last = sheet.revisions.order_by("-number").first()
    if last and last.seal == whole["seal"]:
        return last
    return Revision.objects.create(sheet=sheet, number=last.number + 1 if last else 1, version=sheet.version,
                                   kind=kind, author=author, **whole)


def carried(before: Any, after: Any, other: Any) -> Any:
    """`other` with what became of `before` in `after`, wherever both held the same; its own changes stay."""
    if other == before:
        return after
    if all(isinstance(one, dict) for one in (before, after, other)):
        return {key: carried(before.get(key), after.get(key), value) for key, value in other.items()}
    if all(isinstance(one, list) for one in (before, after, other)) and len(before) == len(after) == len(other):
        return [carried(*three) for three in zip(before, after, other, strict=True)]
    return other

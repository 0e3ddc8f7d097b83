"""The document of a stored sheet: complete, as it is sealed, and its maximum size."""

import json
from typing import Any

from django.utils.translation import gettext as _

from rulesets import systems
from rulesets.document import BYTES, Document, canonical, house_data, sealed
from rulesets.kit import Ruleset, size
from sheets.models import Sheet


def document_of(sheet: Sheet) -> Document:
    """Return the document of a stored sheet, with its play and notes, and the sheet as its origin."""
    ruleset = systems()[sheet.ruleset]
    return Document(
        ruleset, sheet.name, ruleset.sheet.model_validate(sheet.data), ruleset.house.model_validate(sheet.house),
        ruleset.play.model_validate(sheet.play) if sheet.play else None, sheet.notes, str(sheet.pk),
    )


def length(sheet: Sheet, name: str | None = None, data: dict | None = None) -> int:
    """Return the bytes of the document of a stored sheet, with a name and data that are not stored yet if given."""
    ruleset = sheet.system
    play = sheet.play and ruleset.play.model_validate(sheet.play).model_dump()
    beside = {"house": sheet.house, "play": play, "notes": sheet.notes, "origin": str(sheet.pk)}
    tree = ruleset.document(sheet.name if name is None else name, sheet.data if data is None else data)
    return len(canonical(tree | {key: value for key, value in beside.items() if value}))


def too_large(sheet: Sheet, name: str, data: dict) -> bool:
    """Return True if the sheet's document, play and notes included, would exceed the limit and its present size."""
    count = length(sheet, name, data)
    return count > BYTES and count > length(sheet)


def overlong(sheet: Sheet, data: dict | None = None) -> str:
    """Return the error if the document of a sheet, with `data` if given, exceeds the limit; "" if it does not."""
    if (count := length(sheet, data=data)) <= BYTES:
        return ""
    return _(
        "This would bring the sheet's document to {n}; the maximum is {most}. Shorten the notes or a text of the "
        "sheet, or end something that is still running at the table."
    ).format(n=size(count), most=size(BYTES))


def written(tree: dict) -> bytes:
    """Return a document formatted for people to read, or compactly if it would exceed the limit."""
    raw = (json.dumps(tree, ensure_ascii=False, indent=2, allow_nan=False) + "\n").encode()
    return raw if len(raw) <= BYTES else canonical(tree)


def sealable(sheet: Sheet, content: dict[str, Any] | None = None) -> dict[str, Any]:
    """Return a sheet's content with its seal, complete as in a revision; `content` replaces its name, data or house."""
    ruleset: Ruleset = sheet.system
    given = {"name": sheet.name, "data": sheet.data, "house": sheet.house, **(content or {})}
    whole = {"name": given["name"], "data": ruleset.sheet.model_validate(given["data"]).model_dump(),
             "house": house_data(ruleset.house.model_validate(given["house"])), "rules": ruleset.version}
    return {**whole, "seal": sealed(ruleset.slug, whole["rules"], whole["house"], whole["name"], whole["data"])}

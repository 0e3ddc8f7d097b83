"""The document of a stored sheet: whole, as it is sealed, and how large it may become."""

import json
from typing import Any

from django.utils.translation import gettext as _

from rulesets import systems
from rulesets.document import BYTES, Document, canonical, house_data, sealed
from rulesets.kit import Ruleset, size
from sheets.models import Sheet


def document_of(sheet: Sheet) -> Document:
    """The document of a stored sheet, with its play and notes, and the sheet as its origin."""
    ruleset = systems()[sheet.ruleset]
    return Document(
        ruleset, sheet.name, ruleset.sheet.model_validate(sheet.data), ruleset.house.model_validate(sheet.house),
        ruleset.play.model_validate(sheet.play) if sheet.play else None, sheet.notes, str(sheet.pk),
    )


def length(sheet: Sheet, name: str | None = None, data: dict | None = None) -> int:
    """Bytes of the document of a stored sheet, with a name and data that are not stored yet if they are given."""
    ruleset = sheet.system
    play = sheet.play and ruleset.play.model_validate(sheet.play).model_dump()
    beside = {"house": sheet.house, "play": play, "notes": sheet.notes, "origin": str(sheet.pk)}
    tree = ruleset.document(sheet.name if name is None else name, sheet.data if data is None else data)
    return len(canonical(tree | {key: value for key, value in beside.items() if value}))


def too_large(sheet: Sheet, name: str, data: dict) -> bool:
    """Whether the sheet's document, play and notes included, would be larger than one may be and than it is."""
    count = length(sheet, name, data)
    return count > BYTES and count > length(sheet)


def overlong(sheet: Sheet) -> str:
    """What to say where the document of a sheet is larger than one may be, "" where it is not."""
    if (count := length(sheet)) <= BYTES:
        return ""
    return _(
        "With this the sheet's document would have {n}; {most} are the most. Shorten the notes or a text of the sheet, "
        "or end something that is kept at the table."
    ).format(n=size(count), most=size(BYTES))


def written(tree: dict) -> bytes:
    """A document for people to read, or closely written where it would be larger than one may be."""
    raw = (json.dumps(tree, ensure_ascii=False, indent=2, allow_nan=False) + "\n").encode()
    return raw if len(raw) <= BYTES else canonical(tree)


def sealable(sheet: Sheet, content: dict[str, Any] | None = None) -> dict[str, Any]:
    """What is sealed of a sheet now, or of other content {name, data, house} of it: whole, as a revision keeps it."""
    ruleset: Ruleset = sheet.system
    given = {"name": sheet.name, "data": sheet.data, "house": sheet.house, **(content or {})}
    whole = {"name": given["name"], "data": ruleset.sheet.model_validate(given["data"]).model_dump(),
             "house": house_data(ruleset.house.model_validate(given["house"])), "rules": ruleset.version}
    return {**whole, "seal": sealed(ruleset.slug, whole["rules"], whole["house"], whole["name"], whole["data"])}

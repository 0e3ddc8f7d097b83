"""The JSON Schema (draft 2020-12) of a system's sheet documents."""

from typing import Any

from django.utils.translation import gettext_lazy as _
from pydantic.json_schema import GenerateJsonSchema, models_json_schema

from rulesets.document import BYTES, DEPTH, DIGITS, Envelope
from rulesets.kit import Ruleset, size

DIALECT = GenerateJsonSchema.schema_dialect
TITLE = _("{system} sheet document")
UNSAID = _(
    "Some rules that a schema cannot express apply too: the document is UTF-8 and has at most {most}; no object "
    "contains the same key twice; no text contains a NUL or half of a surrogate pair; lists and objects are nested at "
    "most {depth} deep; no number has more than {digits} characters; whole numbers are written without a fraction (1, "
    "not 1.0); in a range the lower end comes first; and house rules and the state of play name nothing that the "
    "system does not have."
)
WORDS = {
    "name": _("The name of the character."),
    "data": _("The sheet itself: what the player fills in."),
    "house": _("House rules that differ from the book; the seal covers them."),
    "origin": _("The UUID of the sheet this document came from."),
    "play": _("The state of play at the table; the seal does not cover it."),
    "notes": _("The player's own notes; the seal does not cover them."),
    "approval": _("For information only; it is never trusted."),
}
UUID = "^[0-9A-Fa-f]{8}(-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}$"


def document_schema(ruleset: Ruleset) -> dict[str, Any]:
    """Return the schema of a document in the current language."""
    whole, parts = schemas(ruleset, "#/$defs/")
    return {"$schema": DIALECT, **whole, "$defs": parts}


def schemas(ruleset: Ruleset, home: str) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return (schema of a document, {name: schema of a part}), with the parts below `home`."""
    shapes = {"data": ruleset.sheet, "house": ruleset.house, "play": ruleset.play}
    refs, found = models_json_schema(
        [(shape, "validation") for shape in shapes.values()], ref_template=home + "{model}"
    )
    parts = found["$defs"]
    policy = parts[refs[ruleset.house, "validation"]["$ref"].removeprefix(home)]["properties"]["policy"]
    policy["propertyNames"] = {"enum": list(ruleset.rules("en"))}
    whole = Envelope.model_json_schema()
    whole["title"] = str(TITLE.format(system=ruleset.title))
    whole["description"] = str(UNSAID.format(most=size(BYTES), depth=DEPTH, digits=DIGITS))
    known = whole["properties"]
    known["ruleset"] = {"const": ruleset.slug, "type": "string"}
    known["origin"]["anyOf"][0]["pattern"] = UUID
    for key, shape in shapes.items():
        inner = refs[shape, "validation"]
        known[key] = {"anyOf": [inner, {"type": "null"}]} if "anyOf" in known[key] else dict(inner)
    for key, property_ in known.items():
        property_.pop("title", None)
        if key in WORDS:
            property_["description"] = str(WORDS[key])
    return whole, parts


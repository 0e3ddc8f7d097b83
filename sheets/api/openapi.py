"""The parts of the OpenAPI description besides the shapes: texts, examples, and the documents of every system."""

from functools import cache
from typing import Any

from django.conf import settings
from django.utils.translation import get_language
from django.utils.translation import gettext_lazy as _
from ninja import NinjaAPI
from ninja.openapi.schema import get_schema

from rulesets import systems
from rulesets.schema import schemas

LANGUAGE = "lang"
"""The parameter that every address takes."""
PART = ("least", "most")
"""The parameters that limit which numeric outcomes are returned."""
DRAWN = ("concept", "seed")
"""The parameters of a random character."""
PREFIX = "api/v1/"
SCHEMA_MEDIA = "application/schema+json"
PROBLEM = "#/components/schemas/Problem"
HOME = "#/components/schemas/"

TITLE = _("The Bogenschmiede API")
PURPOSE = _(
    "Systems, the schemas of their documents, the validator, exact odds and random characters, for forum scripts, bots "
    "and a GM's shell. You need no account, and nothing is stored. Texts come in the language set by Accept-Language, "
    "or by ?lang=de or ?lang=en. All errors are answered with a problem document (RFC 9457)."
)
SYSTEMS: dict[str, Any] = {
    "operation_id": "rulesets", "url_name": "rulesets", "summary": _("All systems"),
    "description": _("Each with its rolls and their parameters."),
}
SCHEMA: dict[str, Any] = {
    "operation_id": "schema", "url_name": "schema", "summary": _("The JSON Schema for a system's documents"),
    "description": _("Draft 2020-12. What a schema cannot express is listed in its description."),
}
VALIDATE: dict[str, Any] = {
    "operation_id": "validate", "url_name": "validate", "summary": _("Validate a document"),
    "description": _(
        "The body is a sheet document for the system named in the address. A document for another system gets a 422, "
        "which a schema cannot express. The answer is what the “validate” command prints for it: findings with their "
        "places, rules and fixes, and the derived values. An unreadable document gets a 422 in the same format. No "
        "answer exceeds 512 KiB: the last fixes are dropped first, then the last findings, whose number is given."
    ),
}
ODDS: dict[str, Any] = {
    "operation_id": "odds", "url_name": "odds", "summary": _("Exact odds for a roll"),
    "description": _(
        "The roll's parameters go in the query (dice=5&defence=2). A parameter that is unknown, repeated or invalid is "
        "rejected by name. Request long odds in parts: least and most limit the numeric outcomes that are listed, "
        "while values for the whole roll, such as the mean, still cover all of them."
    ),
}
RANDOM: dict[str, Any] = {
    "operation_id": "random", "url_name": "random", "summary": _("A random character"),
    "description": _("A legal document without findings, its texts in the language you ask for. The list of systems "
                     "says which concepts there are; the same seed always gives the same document in the same "
                     "version."),
}
MEANINGS = {
    "200": _("As requested."),
    "400": _("The request cannot be read."),
    "404": _("There is no such system, roll or address."),
    "405": _("This address does not support the method."),
    "413": _("The request is too large."),
    "415": _("The request is not sent as JSON."),
    "422": _("A parameter is invalid."),
    "500": _("The error is on our side."),
}
UNREADABLE = _("The document is unreadable, or for another system; the findings name each place.")
PARAMETERS = {
    "slug": _("The system's slug."),
    "roll": _("The roll's slug."),
    "parameters": _("The roll's own parameters, by name; the list of systems describes them."),
    "least": _("The lowest outcome to list, if outcomes are numbers."),
    "most": _("The highest outcome to list, if outcomes are numbers."),
    "concept": _("The concept, by its slug; leave it out to let the dice decide."),
    "seed": _("Any text; if you leave it out, every answer is different."),
    LANGUAGE: _("The language of texts; overrides Accept-Language."),
}


def openapi(api: NinjaAPI) -> dict[str, Any]:
    """Return the description in the active language."""
    return _openapi(api, get_language())


@cache
def _openapi(api: NinjaAPI, _language: str | None) -> dict[str, Any]:
    tree = dict(get_schema(api, path_prefix=PREFIX))
    tree["info"] = {"title": str(TITLE), "version": api.version, "description": str(PURPOSE)}
    tree["servers"] = [{"url": "/"}]
    for operations in tree["paths"].values():
        for operation in operations.values():
            _describe(operation)
    _documents(tree)
    return tree


def _describe(operation: dict[str, Any]) -> None:
    """Add the texts in the active language, the query parameters, and the media type of each response."""
    which = operation["operationId"]
    operation["summary"], operation["description"] = str(operation["summary"]), str(operation["description"])
    for one in operation["parameters"]:
        one["schema"] = {"type": "string"} | ({"enum": list(systems())} if one["name"] == "slug" else {})
    codes = [code for code, _name in settings.LANGUAGES]
    operation["parameters"].append({"name": LANGUAGE, "in": "query", "schema": {"type": "string", "enum": codes}})
    if which == "odds":
        operation["parameters"].extend({"name": key, "in": "query", "schema": {"type": "integer"}} for key in PART)
        operation["parameters"].append({
            "name": "parameters", "in": "query", "style": "form", "explode": True,
            "schema": {"type": "object", "additionalProperties": {"type": "string"}}, "example": {"dice": "5"},
        })
    if which == "random":
        operation["parameters"].extend({"name": key, "in": "query", "schema": {"type": "string"}} for key in DRAWN)
    for one in operation["parameters"]:
        one["description"] = str(PARAMETERS[one["name"]])
    answers = operation["responses"] = {str(code): one for code, one in operation["responses"].items()}
    problem = {"content": {"application/problem+json": {"schema": {"$ref": PROBLEM}}}}
    for code in ("400", "405", "422", "500"):
        answers.setdefault(code, dict(problem))
    for code, one in answers.items():
        one["description"] = str(MEANINGS[code])
        schema = next(iter(one["content"].values()))["schema"]
        if schema.get("$ref", "").endswith("/Problem") or schema.get("title") == "Problem":
            answers[code] = {"description": one["description"], **problem}
    if which == "schema":
        answers["200"]["content"] = {SCHEMA_MEDIA: {"schema": {"type": "object"}}}
    if which == "validate":
        answers["422"]["description"] = str(UNREADABLE)
        answers["422"]["content"] |= problem["content"]
    operation["responses"] = dict(sorted(answers.items()))


def _documents(tree: dict[str, Any]) -> None:
    """Add the documents of every system as components, and as the input of the validator."""
    parts, mapping = tree["components"]["schemas"], {}
    for slug, ruleset in systems().items():
        whole, below = schemas(ruleset, f"{HOME}{slug}.")
        parts |= {slug: whole} | {f"{slug}.{name}": part for name, part in below.items()}
        mapping[slug] = f"{HOME}{slug}"
    tree["paths"][f"/{PREFIX}rulesets/{{slug}}/validate"]["post"]["requestBody"] = {
        "required": True,
        "content": {"application/json": {
            "schema": {"oneOf": [{"$ref": ref} for ref in mapping.values()],
                       "discriminator": {"propertyName": "ruleset", "mapping": mapping}},
            "example": next(iter(next(iter(systems().values())).examples.values()), None),
        }},
    }

"""The parts of the OpenAPI description beyond the shapes: words, examples, and the documents of every system."""

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
"""The one parameter that every address takes."""
PART = ("least", "most")
"""The bounds of the outcomes that are numbers, if not all of them are wanted."""
DRAWN = ("concept", "seed")
"""The parameters of a random character."""
PREFIX = "api/v1/"
SCHEMA_MEDIA = "application/schema+json"
PROBLEM = "#/components/schemas/Problem"
HOME = "#/components/schemas/"

TITLE = _("The API of Bogenschmiede")
PURPOSE = _(
    "Systems, the schemas of their documents, the validator, exact odds and random characters, for forum scripts, "
    "bots and a GM's shell. No account is needed and nothing is stored. Texts come in the language of Accept-"
    "Language, or of ?lang=de or ?lang=en. Whatever goes wrong is answered by a problem document (RFC 9457)."
)
SYSTEMS: dict[str, Any] = {
    "operation_id": "rulesets", "url_name": "rulesets", "summary": _("Every system"),
    "description": _("Each with its rolls and what they ask for."),
}
SCHEMA: dict[str, Any] = {
    "operation_id": "schema", "url_name": "schema", "summary": _("The JSON Schema of a system's documents"),
    "description": _("Draft 2020-12. What a schema cannot say is named in its description."),
}
VALIDATE: dict[str, Any] = {
    "operation_id": "validate", "url_name": "validate", "summary": _("The verdict on a document"),
    "description": _(
        "The body is a sheet document of the system that the address names; one of another system is answered by 422, "
        "which a schema cannot say. The answer is what the command “validate” prints for it: findings with their "
        "places, rules and mends, and the derived figures. An unreadable document is answered by 422 in the same shape."
        " No answer is longer than 512 KiB: the last mends are left out first, then the last findings, which are "
        "counted."
    ),
}
ODDS: dict[str, Any] = {
    "operation_id": "odds", "url_name": "odds", "summary": _("The exact odds of a roll"),
    "description": _(
        "The roll's parameters stand in the query (dice=5&defence=2). One that is unknown, twice there or out of sense "
        "is refused by its name. Long odds are asked for in parts: least and most bound the outcomes that are numbers, "
        "and what the whole makes, such as the mean, stays that of all of them."
    ),
}
RANDOM: dict[str, Any] = {
    "operation_id": "random", "url_name": "random", "summary": _("A random character"),
    "description": _("A legal document without findings, its texts in the language that is asked for. The list of "
                     "systems says what it can be; the same seed makes the same document by the same version."),
}
MEANINGS = {
    "200": _("As asked."),
    "400": _("The request cannot be read."),
    "404": _("There is no such system, roll or address."),
    "405": _("The address does not know the method."),
    "413": _("More was sent than is read."),
    "415": _("What was sent does not call itself JSON."),
    "422": _("A parameter is wrong."),
    "500": _("The fault is here."),
}
UNREADABLE = _("The document is unreadable, or of another system; the findings name each place.")
PARAMETERS = {
    "slug": _("The system's slug."),
    "roll": _("The roll's slug."),
    "parameters": _("What the roll asks for, by name; the list of systems says what that is."),
    "least": _("The least outcome that is wanted, where outcomes are numbers."),
    "most": _("The greatest outcome that is wanted, where outcomes are numbers."),
    "concept": _("What it is to be, by its slug; without it the dice choose."),
    "seed": _("Any text; without it every answer is another."),
    LANGUAGE: _("The language of texts; it goes before Accept-Language."),
}


def openapi(api: NinjaAPI) -> dict[str, Any]:
    """Return the description in the language of the moment."""
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
    """Add the words in the language, the parameters of the query, the media of each answer."""
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

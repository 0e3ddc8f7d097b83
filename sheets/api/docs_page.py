"""The page about the API: its OpenAPI description as HTML, which needs nothing from other sites."""

import json
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.http import require_safe

from rulesets import systems
from rulesets.kit import Roll
from sheets.api import openapi
from sheets.api.views import api, roll_description

LISTED_SHAPES = ("Verdict", "Finding", "Fix", "Odds", "Chance", "System", "RollEntry", "Parameter", "Problem",
                 "Offence")
"""The components that the page shows; those of the documents are described by the JSON Schemas."""

COMMON = ("400", "405", "500")
"""The statuses that every address may return; the introduction of the description covers them."""


@require_safe
def page(request: HttpRequest) -> HttpResponse:
    """Show every operation with its responses, and the rolls with their parameters."""
    tree = openapi.openapi(api)
    operations = [
        {**operation, "method": method.upper(), "path": address, "responses": _answers(operation),
         "parameters": [one for one in operation["parameters"] if one["name"] != openapi.LANGUAGE]}
        for address, methods in tree["paths"].items() for method, operation in methods.items()
    ]
    components = tree["components"]["schemas"]
    return render(request, "api/docs.html", {
        "info": tree["info"], "operations": operations, "root": request.build_absolute_uri("/").rstrip("/"),
        "shapes": [(name, _fields(components[name])) for name in LISTED_SHAPES],
        "systems": [(one, [(roll_description(roll), _asked(roll), _example(one.slug, roll))
                           for roll in one.rolls.values()]) for one in systems().values()],
    })


def _asked(roll: type[Roll]) -> list[tuple[str, str]]:
    """Return (name, default as JSON or "" if it is required) of each parameter."""
    return [(one["name"], "" if one["required"] else json.dumps(one["default"]))
            for one in roll_description(roll)["parameters"]]


def _answers(operation: dict[str, Any]) -> list[dict[str, str]]:
    """Return {status, description, shapes} of each response that is not common to all operations."""
    return [{"status": status, "description": one["description"], "shapes": ", ".join(
        dict.fromkeys(filter(None, (_type(media["schema"]) for media in one["content"].values()))))}
        for status, one in operation["responses"].items() if status not in COMMON]


def _fields(schema: dict[str, Any]) -> list[dict[str, str]]:
    return [{"name": name, "type": _type(one), "title": one.get("title", ""), "text": one.get("description", "")}
            for name, one in schema["properties"].items()]


def _type(schema: dict[str, Any]) -> str:
    """Return the name of a schema's type: "Finding[]", "string | null"."""
    if "$ref" in schema:
        return schema["$ref"].rsplit("/", 1)[-1]
    if "anyOf" in schema:
        return " | ".join(_type(one) for one in schema["anyOf"])
    if "enum" in schema:
        return " | ".join(json.dumps(one) for one in schema["enum"])
    if schema.get("type") == "array":
        return f"{_type(schema['items'])}[]"
    return schema.get("type", "any")


def _example(slug: str, roll: type[Roll]) -> str:
    """Return the address of a working example, in which each required parameter has a small value."""
    asked = [one for one in roll_description(roll)["parameters"] if one["required"]]
    query = "&".join(f"{one['name']}={_small(one)}" for one in asked)
    return reverse("odds", args=[slug, roll.slug]) + (f"?{query}" if query else "")


def _small(parameter: dict[str, Any]) -> Any:
    if parameter["choices"]:
        return parameter["choices"][0]
    return {"integer": max(parameter["minimum"] or 0, 3), "boolean": 0}.get(parameter["type"], "1-10")

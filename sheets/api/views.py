"""The HTTP API: systems, their schemas, the validator and exact odds, for other tools. It writes nothing."""

import re
from random import Random
from typing import Any

from django.http import HttpRequest, HttpResponse, HttpResponseNotAllowed
from django.urls import URLPattern, path
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from ninja import NinjaAPI

from rulesets import document, generate, systems
from rulesets.kit import Roll, Ruleset, Slot, size, slots
from rulesets.odds import OddsData
from rulesets.schema import document_schema
from rulesets.work import TooMuch
from sheets.api import openapi, shapes
from sheets.api.problems import Problem, answer, with_problem_responses
from sheets.rolls.parameters import BadParameters, roll_from_texts
from sheets.rolls.widgets import largest_figure

MOST = 512 * 1024
"""The most bytes of a response."""
KINDS = {"number": "integer", "check": "boolean"}

api = NinjaAPI(title="Bogenschmiede", version="1", urls_namespace="api-1", openapi_url="", docs_url=None)


@api.exception_handler(Exception)
def reraise(request: HttpRequest, error: Exception) -> HttpResponse:
    """Raise the error again, because `with_problem_responses` makes the response to it."""
    raise error


def ruleset_of(slug: str) -> Ruleset:
    """Return the system with this slug; raise a `Problem` that names the existing ones if there is none."""
    if slug not in systems():
        message = _("“{slug}” is not a system here; there are: {slugs}.")
        raise Problem(404, message.format(slug=slug[:40], slugs=", ".join(systems())))
    return systems()[slug]


@api.get("/rulesets", response=list[shapes.System], **openapi.SYSTEMS)
def rulesets(request: HttpRequest) -> HttpResponse:
    """Return every system with its rolls and their parameters."""
    return answer([
        {"slug": one.slug, "title": one.title, "summary": one.summary, "version": one.version,
         "rolls": [roll_description(roll) for roll in one.rolls.values()],
         "concepts": [{"slug": slug, "title": title} for slug, title in one.concept_titles.items()]}
        for one in systems().values()
    ])


def roll_description(roll: type[Roll]) -> dict[str, Any]:
    """Return a roll with its parameters, as the API lists it."""
    return {"slug": roll.slug, "title": roll.title, "rules": roll.rules, "outcomes": list(roll.outcomes),
            "parameters": [parameter(slot) for slot in slots(roll).values()]}


def parameter(slot: Slot) -> dict[str, Any]:
    """Return one parameter of a roll."""
    return {
        "name": slot.key, "title": slot.ask.title, "type": KINDS.get(slot.kind, "string"), "required": slot.required,
        "default": None if slot.required else slot.default, "minimum": slot.low, "maximum": slot.high,
        "choices": list(slot.choices),
    }


@api.get("/rulesets/{slug}/schema", response={200: dict[str, Any], 404: shapes.Problem}, **openapi.SCHEMA)
def schema(request: HttpRequest, slug: str) -> HttpResponse:
    """Return the JSON Schema of a system's documents."""
    return answer(document_schema(ruleset_of(slug)), media=openapi.SCHEMA_MEDIA)


@api.post("/rulesets/{slug}/validate", **openapi.VALIDATE, response={
    200: shapes.Verdict, 422: shapes.Verdict, 400: shapes.Problem, 404: shapes.Problem, 413: shapes.Problem,
    415: shapes.Problem,
})
def validate(request: HttpRequest, slug: str) -> HttpResponse:
    """Return the verdict on the document in the body, which `rulesets.document` reads."""
    ruleset = ruleset_of(slug)
    media = request.content_type
    if media and media != "application/json" and not (media.startswith("application/") and media.endswith("+json")):
        raise Problem(415, _("{media} is not accepted here; send application/json.").format(media=media[:80]))
    found = document.verdict(request.body)
    if found["ruleset"] not in (None, ruleset.slug):
        message = _("The document is for {its}, but this address is for {ours}; send it to the right one.")
        found = unreadable(found["ruleset"], "ruleset", message.format(its=found["ruleset"], ours=ruleset.slug))
    return answer(fitted_verdict(found), 422 if found["verdict"] == "unreadable" else 200)


def fitted_verdict(found: dict[str, Any]) -> dict[str, Any]:
    """Return the verdict cut to `MOST` bytes: first the last fixes go, because each contains the whole data."""
    room = MOST - 1024 - length(found | {"findings": []})
    told: list[dict[str, Any]] = []
    for one in found["findings"]:
        bare = one | {"fixes": []}
        room -= length(bare)
        if room < 0:
            break
        told.append(bare)
    for one, bare in zip(found["findings"], told, strict=False):
        for fix in one["fixes"]:
            room -= length(fix)
            if room < 0:
                break
            bare["fixes"].append(fix)
    if more := len(found["findings"]) - len(told):
        message = ngettext("There is {n} more; fix these first.", "There are {n} more; fix these first.", more)
        told.append({"severity": told[-1]["severity"] if told else "error", "rule": None, "path": "",
                     "message": message.format(n=more), "fixes": []})
    return found | {"findings": told}


def length(tree: Any) -> int:
    """Return the size in bytes of a part of a response, with the separator between it and the next."""
    return len(answer(tree).content) + 2


def unreadable(slug: str, place: str, message: str) -> dict[str, Any]:
    """Return the verdict on a document that cannot be read, for one reason."""
    finding = {"severity": "error", "rule": None, "path": place, "message": message, "fixes": []}
    return {"ruleset": slug, "verdict": "unreadable", "findings": [finding], "derived": None}


@api.get("/rulesets/{slug}/rolls/{roll}/odds", **openapi.ODDS, response={
    200: shapes.Odds, 404: shapes.Problem, 422: shapes.Problem,
})
def odds(request: HttpRequest, slug: str, roll: str) -> HttpResponse:
    """Return the exact odds of a roll with the parameters in the query string."""
    rolls = ruleset_of(slug).rolls
    if roll not in rolls:
        message = _("“{roll}” is not a {ruleset} roll; there are: {rolls}.")
        raise Problem(404, message.format(roll=roll[:40], ruleset=slug, rolls=", ".join(rolls)))
    given = {key: values for key, values in request.GET.lists() if key != openapi.LANGUAGE}
    if twice := [key for key, values in given.items() if len(values) > 1]:
        offences = [(key, _("“{key}” is given twice; give it once.").format(key=key)) for key in twice]
        raise Problem(422, " ".join(message for _key, message in offences), offences)
    bounds = [bound(key, given.pop(key)[0]) if key in given else None for key in openapi.PART]
    try:
        made = roll_from_texts(rolls[roll], {key: value for key, (value,) in given.items()})
        return odds_response(made, made.odds().asdict(*bounds))
    except BadParameters as error:
        lines = [f"{name}: {message}" for name, message in error.errors]
        raise Problem(422, " ".join(map(str, filter(None, [*lines, error.known_text]))), error.errors) from None
    except TooMuch:
        name, title = largest_figure(made)
        message = _("These odds take too long to calculate exactly; lower {figure}.")
        message = message.format(figure=f"{name} ({title})")
        raise Problem(422, message, [(name, message)]) from None


def bound(key: str, text: str) -> int:
    """Return the lowest or highest outcome that is requested; raise a `Problem` if it is not a number."""
    if re.fullmatch(r"-?\d{1,9}", text, re.ASCII):
        return int(text)
    message = _("“{key}” must be a whole number.").format(key=key)
    raise Problem(422, message, [(key, message)])


def odds_response(made: Roll, odds: OddsData) -> HttpResponse:
    """Return the odds; if they are too long, raise a `Problem` that says how to request fewer."""
    response = answer(odds)
    if len(response.content) <= MOST:
        return response
    name, title = largest_figure(made)
    message = _("The odds of {n} outcomes come to {size} of text; at most {most} can be sent. Ask for some of "
                "the outcomes with least and most, or lower {figure}.").format(
        n=len(odds["outcomes"]), size=size(len(response.content)), most=size(MOST), figure=f"{name} ({title})")
    raise Problem(422, message, [(name, message)])


@api.get("/rulesets/{slug}/random", response={200: dict[str, Any], 404: shapes.Problem, 422: shapes.Problem},
         **openapi.RANDOM)
def random(request: HttpRequest, slug: str) -> HttpResponse:
    """Return a random legal document without findings; the same seed gives the same one."""
    ruleset = ruleset_of(slug)
    given = {key: values for key, values in request.GET.lists() if key != openapi.LANGUAGE}
    for key, values in given.items():
        if key not in openapi.DRAWN:
            message = _("There is no parameter “{key}”; there are: {keys}.").format(
                key=key[:40], keys=", ".join(openapi.DRAWN))
            raise Problem(422, message, [(key, message)])
        if len(values) > 1:
            message = _("“{key}” is given twice; give it once.").format(key=key)
            raise Problem(422, message, [(key, message)])
    seed = request.GET.get("seed")
    try:
        made = generate.character(ruleset, Random(seed), concept=request.GET.get("concept", ""))  # noqa: S311
    except generate.Stuck as error:
        raise Problem(422, str(error), [("concept", str(error))]) from None
    return answer(made.document)


def description(request: HttpRequest) -> HttpResponse:
    """Return the OpenAPI description."""
    return answer(openapi.openapi(api)) if request.method == "GET" else HttpResponseNotAllowed(["GET"])


def nowhere(request: HttpRequest, rest: str = "") -> HttpResponse:
    """Raise a `Problem` for any other address below that of the API."""
    message = _("There is nothing at this address; the API is described at {where}.")
    raise Problem(404, message.format(where="/api/v1/docs"))


def patterns() -> list[URLPattern]:
    """Return the URL patterns, each with its view decorated by `with_problem_responses`."""
    found, _app, _namespace = api.urls
    operations = (one for one in found if isinstance(one, URLPattern) and one.name != "api-root")
    found = [*operations, path("openapi.json", description, name="openapi"), path("", nowhere),
             path("<path:rest>", nowhere)]
    return [path(str(one.pattern), with_problem_responses(one.callback), name=one.name) for one in found]


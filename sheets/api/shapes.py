"""The shapes of the API's responses, from which its description is made."""

from typing import Annotated, Any, Literal

from django.utils.translation import gettext_lazy as _
from pydantic import Field

from rulesets.kit import Part, field

Fraction = Annotated[str, Field(pattern=r"^-?\d+(/\d+)?$")]
Severity = Literal["error", "approval", "warning"]
Judgement = Literal["legal", "needs-approval", "illegal", "unreadable"]


class Fix(Part):
    label: str = field(_("What changes"))
    data: dict[str, Any] = field(_("The complete data after the fix"))


class Finding(Part):
    severity: Severity = field(_("Severity"))
    rule: str | None = field(_("Rule"), help=_("The numbered rule; null if the document cannot be read."))
    path: str = field(_("Place"), help=_(
        "A dotted path from the data (attacks.0.dice), empty for the whole. In an unreadable document it starts at the "
        "root, or is line:column if the JSON is broken."
    ))
    message: str = field(_("Message"), help=_("What was found, what is allowed, and how to fix it."))
    fixes: list[Fix] = field(_("Fixes"), help=_("Best first; often empty."))


class Verdict(Part):
    ruleset: str | None = field(_("System"), help=_("Null if unknown."))
    verdict: Judgement = field(_("Verdict"))
    findings: list[Finding] = field(_("Findings"), help=_("Most serious first."))
    derived: dict[str, Any] | None = field(_("Derived values"), help=_("Null if the document cannot be read."))


class Chance(Part):
    outcome: int | str = field(_("Outcome"))
    probability: Fraction = field(_("Exact probability"))
    value: Annotated[float, Field(ge=0, le=1)] = field(_("The same as a decimal"))


class Odds(Part):
    outcomes: list[Chance] = field(_("Outcomes"), help=_("Numbers ascending, words in their own order; impossible "
                                                         "ones are left out."))
    mean: Fraction | None = field(_("Exact mean"), help=_("Null unless every outcome is a number."))


class Parameter(Part):
    name: str = field(_("Name"))
    title: str = field(_("Title"))
    type: Literal["integer", "boolean", "string"] = field(_("Type"))
    required: bool = field(_("Required"))
    default: int | bool | str | None = field(_("Default"))
    minimum: int | None = field(_("Minimum"))
    maximum: int | None = field(_("Maximum"))
    choices: list[int | str] = field(_("Choices"), help=_("Empty if any value of the type will do."))


class RollEntry(Part):
    slug: str = field(_("Slug"))
    title: str = field(_("Title"))
    rules: list[str] = field(_("Rules"))
    outcomes: list[str] = field(_("Outcomes that are words"), help=_("Empty if the outcome is a number."))
    parameters: list[Parameter] = field(_("Parameters"))


class ConceptEntry(Part):
    slug: str = field(_("Slug"))
    title: str = field(_("Title"))


class System(Part):
    slug: str = field(_("Slug"))
    title: str = field(_("Title"))
    summary: str = field(_("Summary"))
    version: int = field(_("Version of the rules"), help=_("Part of the seal."))
    rolls: list[RollEntry] = field(_("Rolls"))
    concepts: list[ConceptEntry] = field(_("What a random character can be"), help=_("Empty if there are none."))


class Offence(Part):
    parameter: str = field(_("Parameter"))
    detail: str = field(_("Message"))


class Problem(Part):
    type: str = field(_("Kind of problem"))
    title: str = field(_("Short name of the status"))
    status: Annotated[int, Field(ge=400, le=599)] = field(_("Status"))
    detail: str = field(_("What is wrong, and how to put it right"))
    errors: list[Offence] = field(_("Invalid parameters"), [])

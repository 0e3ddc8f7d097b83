"""The question asked before a random character replaces a draft that somebody has edited."""

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.http import urlencode

from builder.wizard.context import Wizard
from builder.wizard.posted import CONCEPT, StepForm, page_state
from builder.wizard.services import replaces
from sheets.models import Sheet

ROLL, SURE = "roll", "_sure"
"""The query parameter of the page that asks, and the form field that confirms."""


def asks(request: HttpRequest, sheet: Sheet, slug: str = "", form: StepForm | None = None) -> bool:
    """Return True if the question must be asked first; `form` is what a wizard page posted for the step `slug`."""
    if SURE in request.POST:
        return False
    return replaces(sheet, page_state(form, Wizard(sheet, slug)).mine if form else None)


def question_url(request: HttpRequest, sheet: Sheet) -> str:
    """Return the address of the page that asks."""
    return f"{reverse('draft', args=[sheet.pk])}?{urlencode({ROLL: request.POST.get(CONCEPT, '')})}"


def page(request: HttpRequest, sheet: Sheet) -> HttpResponse:
    """Return the page that asks."""
    return render(request, "wizard/roll_over.html", {
        "sheet": sheet, "ruleset": sheet.system, "concept": request.GET[ROLL]})


def tell(request: HttpRequest, before: str, sheet: Sheet) -> None:
    """Add a message with the new character's name and a way back to the one named `before`."""
    told = {"before": before, "sheet": sheet}
    messages.success(request, render_to_string("wizard/_rolled_anew.html", told, request))

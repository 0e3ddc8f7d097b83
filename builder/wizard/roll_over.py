"""The dice replace what somebody has done only once they say so."""

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
"""The parameter of an address that asks the question, and the field that answers it."""


def asks(request: HttpRequest, sheet: Sheet, slug: str = "", form: StepForm | None = None) -> bool:
    """Return whether to ask first; `form` is the form that a page of the builder posted for this step."""
    if SURE in request.POST:
        return False
    return replaces(sheet, page_state(form, Wizard(sheet, slug)).mine if form else None)


def asked_first(request: HttpRequest, sheet: Sheet) -> str:
    """Return the address of the page that asks."""
    return f"{reverse('draft', args=[sheet.pk])}?{urlencode({ROLL: request.POST.get(CONCEPT, '')})}"


def page(request: HttpRequest, sheet: Sheet) -> HttpResponse:
    """Return the page that asks."""
    return render(request, "wizard/roll_over.html", {
        "sheet": sheet, "ruleset": sheet.system, "concept": request.GET[ROLL]})


def tell(request: HttpRequest, before: str, sheet: Sheet) -> None:
    """Say who is there now, with the way back to who was there before."""
    told = {"before": before, "sheet": sheet}
    messages.success(request, render_to_string("wizard/_rolled_anew.html", told, request))

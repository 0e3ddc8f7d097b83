"""The page of a sheet: its values, its rolls with their odds, and what fell."""

import uuid

from django.core.exceptions import BadRequest
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from rulesets import systems
from rulesets.dice import thrown
from sheets.access import editable
from sheets.models import Roll, Sheet
from sheets.rolling import told, widgets

LOG = 30
"""Rolls that the page shows."""


def _look(sheet: Sheet, answers, which: str) -> dict:
    ruleset = systems()[sheet.ruleset]
    house = ruleset.house.model_validate(sheet.house)
    shape = ruleset.sheet.model_validate(sheet.data)
    play = ruleset.play()
    verdict = ruleset.check(shape, house, sheet.name, mends=False)
    return {
        "sheet": sheet, "ruleset": ruleset, "shape": shape, "verdict": verdict,
        "figures": [{"title": one.title, "value": verdict.derived[key]} for key, one in shape.derivations().items()
                    if isinstance(verdict.derived[key], int | str)],
        "widgets": widgets(shape, play, answers, which),
    }


@require_safe
def page(request: HttpRequest, pk) -> HttpResponse:
    """The sheet; `?w=` names the widget whose odds the other parameters are for."""
    sheet = get_object_or_404(editable(request), pk=pk)
    look = _look(sheet, request.GET, request.GET.get("w", ""))
    log = [(one, told(look["ruleset"], one.roll, one.given, one.outcome, one.figures))
           for one in sheet.rolls.order_by("-made", "-pk")[:LOG]]
    last = {one.widget: (one, text) for one, text in reversed(log)}
    cards = [(widget, *last.get(widget.key, (None, ""))) for widget in look["widgets"]]
    return render(request, "sheet.html", {**look, "log": log, "cards": cards, "press": uuid.uuid4()})


@require_POST
def roll(request: HttpRequest, pk) -> HttpResponse:
    """One press is one roll: the form's key is spent by it, a second arrival of it finds the roll already made."""
    sheet = get_object_or_404(editable(request), pk=pk)
    which = request.POST.get("w", "")
    try:
        key = uuid.UUID(request.POST.get("_press", ""))
    except ValueError:
        raise BadRequest(_("The form does not say which press this is; load the page anew.")) from None
    look = _look(sheet, request.POST, which)
    widget = next((one for one in look["widgets"] if one.key == which), None)
    if widget is None:
        raise BadRequest(_("The sheet has no such roll."))
    if widget.roll is None:
        look["cards"] = [(one, None, "") for one in look["widgets"]]
        return render(request, "sheet.html", {**look, "log": [], "press": key}, status=422)
    outcome, tray = thrown(widget.roll.throw)
    Roll.objects.get_or_create(sheet=sheet, key=key, defaults={
        "widget": which, "title": str(widget.offer.title)[:200], "roll": widget.offer.cls.slug,
        "given": widget.roll.model_dump(), "faces": tray.fallen, "outcome": outcome.value,
        "figures": dict(outcome.figures),
    })
    return redirect(f"{reverse('sheet', args=[sheet.pk])}#w-{which}")

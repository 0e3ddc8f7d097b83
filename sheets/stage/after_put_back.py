"""Responses (409) to presses from pages that know of a roll which is gone, because an older database was restored."""

from uuid import UUID

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django_htmx.http import reswap, retarget

from sheets.access import PageRequest, membership, own_sheet
from sheets.character import Character
from sheets.stage.answers import page_of
from sheets.stage.known_rolls import KnownRoll, missing_roll, was_put_back
from sheets.stage.panel import sheet_page
from sheets.stage.press_form import token_of
from sheets.stage.sheet_page import show
from sheets.stage.table import PartyTable


def stopped_at_table(request: PageRequest, pk: UUID) -> HttpResponse | None:
    """Return the whole table if a press knows of a roll that is gone; None if the press may go on."""
    if not (missing := _missing(request, pk)) or not was_put_back(missing, membership(request, pk).party):
        return None
    _tell(request)
    context = page_of(request, token_of(request, pk), PartyTable(membership(request, pk)))
    template = "parties/_table.html" if request.htmx else "parties/table.html"
    return reswap(retarget(render(request, template, context, status=409), "#party-table"), "outerHTML")


def stopped_on_sheet(request: PageRequest, pk: UUID) -> HttpResponse | None:
    """Return the whole page of the sheet if a press knows of a roll that is gone; None if the press may go on."""
    if not (missing := _missing(request, pk)) or not was_put_back(missing, own_sheet(request, pk).party):
        return None
    _tell(request)
    page = show(request, sheet_page(Character(own_sheet(request, pk))), 409)
    return reswap(retarget(page, "#table"), "outerHTML")


def _missing(request: HttpRequest, pk: UUID) -> KnownRoll | None:
    # Scripts send the roll in its own field; without scripts it is appended to the key of each form.
    known = request.POST.get("_known_roll") or request.POST.get("_press", "").partition(".")[2]
    return missing_roll(pk, known) if known else None


def _tell(request: HttpRequest) -> None:
    messages.error(request, _(
        "Nothing was done: the site was put back to an earlier state, and rolls that you have seen are gone. This is "
        "what there is now; press again if you still want to. A new key signs the rolls from here on."))

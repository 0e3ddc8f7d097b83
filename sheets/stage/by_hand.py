"""Rolls that are answered with what fell on a real table: the page that asks for the faces, and the faces in a form."""

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _

from rulesets.hand_dice import NextDice
from sheets.models import Party, Sheet
from sheets.rolls.rows import BY_HAND
from sheets.stage.press_form import FACE

AT_ONCE = 20
"""The most dice that a page asks for."""


def in_mode(request: HttpRequest, party: Party | None) -> bool:
    """Return True if the rolls of a page or a press are thrown by hand, and the party allows that."""
    return bool(party and party.by_hand and (BY_HAND in request.GET or BY_HAND in request.POST))


def mode_context(request: HttpRequest, party: Party | None, play_url: str) -> dict[str, Any]:
    """Return what a page shows of the mode: its presses go to another address in it."""
    if not in_mode(request, party):
        return {}
    return {"by_hand": True, "play_url": f"{play_url}{'&' if '?' in play_url else '?'}{BY_HAND}=1"}


def ask(request: HttpRequest, sheet: Sheet, missing: NextDice) -> HttpResponse:
    """Return the page that asks for the next dice of a press; nothing of the press has been done yet."""
    refused = len(request.POST.getlist(FACE)) > len(missing.given)
    kept = [(name, text) for name, texts in request.POST.lists() for text in texts
            if name not in ("csrfmiddlewaretoken", FACE)]
    first, last = missing.faces[0], missing.faces[-1]
    context: dict[str, Any] = {
        "sheet": sheet, "ruleset": sheet.system, "kept": kept, "given": missing.given, "first": first, "last": last,
        "numbers": range(len(missing.given) + 1, len(missing.given) + 1 + min(missing.count, AT_ONCE)),
        "fault": _("Each die shows a whole number from {first} to {last}.").format(
            first=first, last=last) if refused else ""}
    return render(request, "play/hand/faces.html", context, status=422 if refused else 200)

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from builder.drafts import GUEST_DAYS
from rulesets import systems
from sheets.access import editable

MINE, GONE = 12, 3
"""Sheets of one's own, and thrown away ones, that the front page shows."""


@require_safe
def home(request: HttpRequest) -> HttpResponse:
    """Show the front page: what this is, every system there is, and one's own drafts."""
    mine = list(editable(request).filter(offered=False).order_by("-updated")[:MINE])
    gone = list(editable(request, deleted=True).order_by("-deleted")[:GONE])
    names = {slug: ruleset.title for slug, ruleset in systems().items()}
    return render(request, "home.html", {
        "systems": systems().values(), "guest_days": GUEST_DAYS,
        "mine": [(sheet, names[sheet.ruleset]) for sheet in mine if sheet.ruleset in names],
        "gone": [(sheet, names[sheet.ruleset]) for sheet in gone if sheet.ruleset in names],
    })

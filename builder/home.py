from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from builder.drafts import GUEST_DAYS, trash
from rulesets import systems
from sheets.access import editable

MINE = 12
"""Sheets of one's own that the front page shows."""


@require_safe
def home(request: HttpRequest) -> HttpResponse:
    """Show the front page: what this is, every system there is, and one's own drafts."""
    mine = list(editable(request).filter(offered=False).order_by("-updated")[:MINE])
    names = {slug: ruleset.title for slug, ruleset in systems().items()}
    return render(request, "site/home.html", {
        "systems": systems().values(), "guest_days": GUEST_DAYS,
        "mine": [(sheet, names[sheet.ruleset]) for sheet in mine if sheet.ruleset in names],
        "thrown": trash(request).count(),
    })

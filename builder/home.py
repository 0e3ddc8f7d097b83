from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from builder.drafts import GUEST_DAYS, trash
from rulesets import systems
from sheets.pages.samples import SampleRoll, sample_roll
from sheets.sheet_list import own_sheets

MINE = 4
"""Sheets of one's own that the front page shows."""


@require_safe
def home(request: HttpRequest) -> HttpResponse:
    """Show the front page: what this is, a roll to try, every system; what one had in hand last comes first."""
    mine = list(own_sheets(request).filter(ruleset__in=list(systems()))[:MINE + 1])
    worlds = [sample_roll(ruleset) for ruleset in systems().values()]
    return render(request, "site/home.html", {
        "worlds": worlds, "guest_days": GUEST_DAYS, "tried": _tried(worlds, mine[0].ruleset if mine else ""),
        "mine": mine[:MINE], "more": len(mine) > MINE, "thrown": trash(request).count(),
    })


def _tried(worlds: list[SampleRoll], last: str) -> SampleRoll | None:
    """The roll to try: of the system that one played last, else the one with most dice."""
    return max(worlds, key=lambda one: (one.ruleset.slug == last, one.dice), default=None)

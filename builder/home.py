from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.timezone import localtime
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from builder.drafts import GUEST_DAYS, trash
from rulesets import systems
from rulesets.names import isolated
from sheets.home.queries import at_home
from sheets.pages.samples import SampleRoll, sample_roll
from sheets.sheet_list import own_sheets

MINE = 4
"""Sheets of one's own that the front page shows."""


@require_safe
def home(request: HttpRequest) -> HttpResponse:
    """Show what goes on and what waits to somebody who is signed in; to others what this is, and every system.

    Whoever has neither a sheet nor a party yet is told how to begin.
    """
    worlds = [sample_roll(ruleset) for ruleset in systems().values()]
    shown = {"worlds": worlds, "guest_days": GUEST_DAYS, "thrown": trash(request).count()}
    if request.user.is_authenticated:
        return render(request, "site/home_signed_in.html", shown | at_home(request) | {"greeting": _greeting(request)})
    return render(request, "site/home.html", shown | _guest(request, worlds))


def _greeting(request: HttpRequest) -> str:
    """Return what one says to somebody at this time of the day."""
    hour = localtime().hour
    said = _("Good morning, {name}") if 4 <= hour < 11 else _("Hello, {name}") if 11 <= hour < 18 else \
        _("Good evening, {name}")
    return said.format(name=isolated(request.user.get_username()))


def _guest(request: HttpRequest, worlds: list[SampleRoll]) -> dict[str, Any]:
    """Return what a guest had in hand last, and a roll to try."""
    mine = list(own_sheets(request).filter(ruleset__in=list(systems()))[:MINE + 1])
    last = mine[0].ruleset if mine else ""
    # Of the system that one played last, else the one with most dice.
    tried = max(worlds, key=lambda one: (one.ruleset.slug == last, one.dice), default=None)
    return {"tried": tried, "mine": mine[:MINE], "more": len(mine) > MINE}

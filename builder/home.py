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
"""The most of a visitor's sheets that the front page shows."""


@require_safe
def home(request: HttpRequest) -> HttpResponse:
    """Show the front page: news and pending work to users, the systems and a sample roll to guests."""
    worlds = [sample_roll(ruleset) for ruleset in systems().values()]
    shown = {"worlds": worlds, "guest_days": GUEST_DAYS, "thrown": trash(request).count()}
    if request.user.is_authenticated:
        return render(request, "site/home_signed_in.html", shown | at_home(request) | {"greeting": _greeting(request)})
    return render(request, "site/home.html", shown | _guest(request, worlds))


def _greeting(request: HttpRequest) -> str:
    """Return a greeting for the time of the day."""
    hour = localtime().hour
    greeting = _("Good morning, {name}") if 4 <= hour < 11 else _("Hello, {name}") if 11 <= hour < 18 else \
        _("Good evening, {name}")
    return greeting.format(name=isolated(request.user.get_username()))


def _guest(request: HttpRequest, worlds: list[SampleRoll]) -> dict[str, Any]:
    """Return template context for a guest: their latest sheets, and a sample roll to try."""
    mine = list(own_sheets(request).filter(ruleset__in=list(systems()))[:MINE + 1])
    last = mine[0].ruleset if mine else ""
    # The roll of the latest sheet's system, else the one with the most dice.
    tried = max(worlds, key=lambda one: (one.ruleset.slug == last, one.dice), default=None)
    return {"tried": tried, "mine": mine[:MINE], "more": len(mine) > MINE}

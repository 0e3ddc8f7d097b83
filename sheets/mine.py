"""My sheets: searched, by system and state, the last played first."""

from django.db.models import F, Q
from django.db.models.functions import Coalesce
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.dateparse import parse_datetime
from django.views.decorators.http import require_safe

from rulesets import systems
from sheets.access import editable

PAGE = 24
"""Sheets on one page."""


@require_safe
def mine(request: HttpRequest) -> HttpResponse:
    """One page of one's own sheets; `before` and `skip` say where the next one starts."""
    query, system, state = (request.GET.get(key, "").strip() for key in ("q", "system", "state"))
    found = editable(request).annotate(touched=Coalesce("played", "updated")).defer("data", "typed", "play", "house")
    if query:
        found = found.filter(Q(name__icontains=query) | Q(notes__icontains=query))
    if system in systems():
        found = found.filter(ruleset=system)
    if state in ("draft", "finished"):
        found = found.filter(finished__isnull=state == "draft")
    before = parse_datetime(request.GET.get("before", "").replace(" ", "+")) if request.GET.get("before") else None
    if before:
        # Without the ties that were shown already: a keyset that stays flat at depth.
        found = found.filter(touched__lte=before).exclude(pk__in=_shown(request))
    page = list(found.order_by(F("touched").desc(), "pk")[: PAGE + 1])
    more = page[PAGE - 1].touched if len(page) > PAGE else None
    page = page[:PAGE]
    return render(request, "mine.html", {
        "sheets": [(sheet, systems()[sheet.ruleset].title, initials(sheet.name)) for sheet in page
                   if sheet.ruleset in systems()],
        "systems": systems().values(), "query": query, "system": system, "state": state, "more": more,
        "ties": ",".join(str(sheet.pk) for sheet in page if more and sheet.touched == more),
    })


def _shown(request) -> list[str]:
    """The sheets of the last page that were touched at the very moment at which it ended."""
    return [one for one in request.GET.get("ties", "").split(",")[:PAGE] if len(one) == 36 and one.count("-") == 4]


def initials(name: str) -> str:
    """What stands for a portrait: the first letters of the first and the last word."""
    words = name.split()
    return "".join(word[0] for word in (words[:1] + words[1:][-1:])).upper()

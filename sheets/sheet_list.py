"""My sheets: searched, by system and state, the last played first."""


from django.db.models import OuterRef, Q, Subquery
from django.db.models.functions import Coalesce
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from rulesets import systems
from sheets.access import editable
from sheets.models import Revision
from sheets.paging import page_of


@require_safe
def my_sheets(request: HttpRequest) -> HttpResponse:
    """One page of one's own sheets; `before` and `last` say where the next one starts."""
    query, system, state = (request.GET.get(key, "").replace("\0", "").strip() for key in ("q", "system", "state"))
    found = editable(request).filter(offered=False, opponent=False).annotate(touched=Coalesce("played", "updated"))
    last = Revision.objects.filter(sheet=OuterRef("pk")).order_by("-number").values("version")[:1]
    found = found.annotate(kept=Subquery(last)).select_related("party").defer("data", "typed", "play", "house")
    if query:
        found = found.filter(Q(name__icontains=query) | Q(notes__icontains=query))
    if system in systems():
        found = found.filter(ruleset=system)
    if state in ("draft", "finished"):
        found = found.filter(finished__isnull=state == "draft")
    page, more = page_of(found, "touched", request.GET.get("before", ""), request.GET.get("last", ""))
    return render(request, "site/my_sheets.html", {
        "sheets": [(sheet, systems()[sheet.ruleset].title, initials(sheet.name), _changed(sheet)) for sheet in page
                   if sheet.ruleset in systems()],
        "systems": systems().values(), "query": query, "system": system, "state": state, "more": more,
    })


def _changed(sheet) -> bool:
    """Whether a finished sheet was changed since its last revision, the version `kept`, and not finished anew."""
    return bool(sheet.finished and sheet.kept and sheet.version > sheet.kept and sheet.updated > sheet.finished)


def initials(name: str) -> str:
    """What stands for a portrait: the first letters of the first and the last word; “(copy)” is none."""
    words = [word for word in name.split() if word[0].isalnum()] or name.split()
    return "".join(word[0] for word in (words[:1] + words[1:][-1:])).upper()

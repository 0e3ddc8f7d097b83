"""The list of a user's sheets: searched, filtered by system, state, party or tag, and ordered, last used first."""

from typing import Any

from django.db.models import OuterRef, QuerySet, Subquery
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_safe

from rulesets import systems
from sheets.access import editable, memberships, user_of
from sheets.models import Revision, Sheet
from sheets.models.called import by_name, holding
from sheets.models.listed import LAST_TOUCHED
from sheets.paging import asked_of_list, page_of
from sheets.tags import tagged, tags_of

ORDERS = {"touched": _("last played or changed"), "created": _("newest"), "called": _("by name")}
"""{order of the list: title}, the default first."""
FEW = 5
"""The most sheets for which the list is shown without its filters."""
STATES = {"draft": _("drafts"), "finished": _("finished"), "archived": _("archived")}


def own_sheets(request: HttpRequest, *, archived: bool = False) -> QuerySet[Sheet]:
    """Return the user's own sheets, or with `archived` the archived ones, without their contents.

    Those last played or changed (annotated as `touched`) come first.
    """
    found = editable(request).filter(offered=False, opponent=False, archived__isnull=not archived)
    found = found.defer("data", "typed", "play", "house", "sought")
    return found.annotate(touched=LAST_TOUCHED).order_by("-touched", "pk")


@require_safe
def my_sheets(request: HttpRequest) -> HttpResponse:
    """Show one page of the user's own sheets; `before` and `last` say where the previous page ended."""
    asked = asked_of_list(request, "q", "system", "state", "party", "tag", "sort", "before", "last")
    sort = asked["sort"] if asked["sort"] in ORDERS else next(iter(ORDERS))
    parties = {str(one.party_id): one for one in memberships(request).order_by("party__called", "party")}
    last = Revision.objects.filter(sheet=OuterRef("pk")).order_by("-number").values("version")[:1]
    user, archived = user_of(request), asked["state"] == "archived"
    found = _narrowed(own_sheets(request, archived=archived), asked, parties)
    if user and asked["tag"]:
        found = tagged(found, user, asked["tag"])
    found = found.annotate(revision_version=Subquery(last))
    page, more = page_of(found.select_related("party").prefetch_related("tags"), sort, asked["before"], asked["last"],
                         rising=sort == "called")
    known = systems()
    sheets = [(sheet, _changed(sheet), [one for one in parties.values() if one.party.ruleset == sheet.ruleset])
              for sheet in page if sheet.ruleset in known]
    narrowed = any(asked[key] for key in ("q", "system", "state", "party", "tag"))
    return render(request, "site/my_sheets.html", {
        "sheets": sheets, "shown": {known[sheet.ruleset].slug: known[sheet.ruleset] for sheet, *_ in sheets}.values(),
        "systems": known.values(), "states": STATES.items(), "orders": ORDERS.items(), "parties": parties.values(),
        "asked": asked, "sort": sort, "narrowed": narrowed, "filters": any(asked.values()) or len(page) > FEW,
        "more": more, "archived": archived,
        "tags": by_name(tags_of(user)) if user else (),
        "more_after": more and (bytes(more.called).hex() if sort == "called" else getattr(more, sort)),
    })


def _narrowed(found: QuerySet[Sheet], asked: dict[str, str], parties: dict) -> QuerySet[Sheet]:
    """Return the sheets that match the search words, the system, the state and the party in `asked`."""
    if asked["q"]:
        found = found.filter(holding(asked["q"]))
    if asked["system"] in systems():
        found = found.filter(ruleset=asked["system"])
    if asked["state"] in ("draft", "finished"):
        found = found.filter(finished__isnull=asked["state"] == "draft")
    if asked["party"] in parties:
        found = found.filter(party=parties[asked["party"]].party_id)
    return found


def _changed(sheet: Any) -> bool:
    """Return True if a finished sheet has changed since its last revision and was not finished again."""
    last = sheet.revision_version
    return bool(sheet.finished and last and sheet.version > last and sheet.updated > sheet.finished)

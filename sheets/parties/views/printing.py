"""Printing of a party, for GMs: the page of choices, and the PDFs."""

import logging
from uuid import UUID

import typst
from django.db.models import QuerySet
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.text import slugify
from django.utils.translation import get_language
from django.views.decorators.cache import cache_control
from django.views.decorators.http import require_safe

from sheets.access import as_taken_along, membership
from sheets.export import awaited, layouts
from sheets.export.filenames import inline
from sheets.export.joined import joined
from sheets.export.paper import paper
from sheets.export.pdf import typeset
from sheets.models import Party, Sheet
from sheets.parties.paper import AT_ONCE, LAYOUTS, party_paper, party_title
from sheets.parties.pregens import laid_out

log = logging.getLogger(__name__)
WHOLE = ("sheet", "pencil")
"""Layouts in which all sheets of a party are printed, one after the other."""


@require_safe
@cache_control(private=True, no_store=True)
def print_party(request: HttpRequest, pk: UUID) -> HttpResponse:
    """Show what can be printed, in files of so many characters each."""
    party = membership(request, pk, gm=True).party
    whole = [(layouts.LAYOUTS[slug], _files(_sheets(party).count())) for slug in WHOLE]
    own = [(one, _files(_people(party, one.slug).count())) for one in LAYOUTS.values()]
    return render(request, "parties/print.html", {"party": party, "layouts": own + whole, "at_once": AT_ONCE})


@require_safe
@cache_control(private=True, no_store=True)
def party_pdf(request: HttpRequest, pk: UUID, layout: str, number: int) -> HttpResponse:
    """Return one of these files, counted from 1."""
    party = membership(request, pk, gm=True).party
    if layout not in (*LAYOUTS, *WHOLE):
        raise Http404
    size = layouts.asked_paper(request.GET)
    if number not in _files(_people(party, layout).count()):
        raise Http404
    begin = (number - 1) * AT_ONCE
    people = [as_taken_along(request, one) for one in _people(party, layout)[begin:begin + AT_ONCE]]
    try:
        made = _whole if layout in WHOLE else _of_party
        raw = made(request, layout, party, people, size)
    except typst.TypstError:
        log.exception("party %s cannot be set as %s", party.pk, layout)
        return render(request, "parties/print.html", {"party": party, "failed": True}, status=500)
    name = f"{slugify(party.name, allow_unicode=True)[:80] or party.ruleset}-{layout}.pdf"
    response = HttpResponse(raw, content_type="application/pdf")
    response["Content-Disposition"] = inline(name)
    awaited.tell(request, response)
    return response


def _of_party(request: HttpRequest, layout: str, party: Party, people: list[Sheet], size: str) -> bytes:
    data, drawn = party_paper(party, people, f"{request.scheme}://{request.get_host()}")
    return typeset(LAYOUTS[layout], data, size, drawn=drawn)


def _whole(_request: HttpRequest, layout: str, party: Party, people: list[Sheet], size: str) -> bytes:
    """Return sheets one after the other, each with its own pages counted."""
    parts = (typeset(layouts.LAYOUTS[layout], paper(sheet), size) for sheet in people)
    return joined(parts, party_title(party), get_language())


def _people(party: Party, layout: str) -> QuerySet[Sheet]:
    """Return the characters to be printed in this layout: those at the table, or those that are laid out."""
    return laid_out(party).order_by("called", "pk") if layout == "handed" else _sheets(party)


def _sheets(party: Party) -> QuerySet[Sheet]:
    return party.sheets.not_deleted().filter(offered=False).select_related("party").order_by("called", "pk")


def _files(count: int) -> range:
    """Return the numbers of the files that so many characters take."""
    return range(1, -(-count // AT_ONCE) + 1)

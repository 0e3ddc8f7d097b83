"""Views that print a sheet: as a PDF, and as a page that shows a preview."""

import logging
from uuid import UUID

import typst
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.http import urlencode
from django.utils.text import slugify
from django.views.decorators.cache import cache_control
from django.views.decorators.http import require_safe

from sheets.access import shared, taken_along
from sheets.documents import written
from sheets.export.document import taken_document, tree_of
from sheets.export.filenames import inline
from sheets.export.layouts import LAYOUTS, PAPERS, Layout, asked_layout, asked_paper, layouts_of
from sheets.export.options import requested_stamp
from sheets.export.paper import blank_paper, paper
from sheets.export.pdf import missing_characters, pages, picture, typeset
from sheets.models import Sheet, system_or_404
from sheets.status.stamp import DRAFT, Stamp

log = logging.getLogger(__name__)
MAX_PAGES_SHOWN = 8
"""The most pages that the print page shows; the PDF has all."""


@require_safe
@cache_control(private=True, no_store=True)
def pdf(request: HttpRequest, pk: UUID) -> HttpResponse:
    """Return the sheet as a PDF in the requested `?layout=` and `?paper=`; `?of=draft` selects the draft."""
    return _pdf(request, taken_along(request, pk))


@require_safe
@cache_control(private=True, no_store=True)
def shared_pdf(request: HttpRequest, token: str) -> HttpResponse:
    """Return the PDF for holders of the link, without the origin of the document."""
    return _pdf(request, shared(token), by_link=True)


def _pdf(request: HttpRequest, sheet: Sheet, *, by_link: bool = False) -> HttpResponse:
    layout, size = asked_layout(request.GET, sheet.system)
    stamp = requested_stamp(request, sheet, drafts=not by_link)
    try:
        raw = typeset(layout, _data(layout, sheet, stamp), size, _document(stamp, origin=not by_link))
    except typst.TypstError:
        log.exception("sheet %s cannot be set as %s", sheet.pk, layout.slug)
        return render(request, "errors/pdf_failed.html", {"sheet": sheet}, status=500)
    response = HttpResponse(raw, content_type="application/pdf")
    response["Content-Disposition"] = inline(_filename(stamp, layout))
    return response


@require_safe
def blank_pdf(request: HttpRequest, slug: str) -> HttpResponse:
    """Return a blank sheet of a system, to be filled in by hand, on the requested `?paper=`."""
    ruleset = system_or_404(slug)
    raw = typeset(LAYOUTS["pencil"], blank_paper(ruleset), asked_paper(request.GET))
    response = HttpResponse(raw, content_type="application/pdf")
    response["Content-Disposition"] = inline(f"{slug}.pdf")
    return response


def _document(stamp: Stamp, *, origin: bool) -> bytes:
    """Return the sheet's document, which is attached to the PDF."""
    tree = tree_of(taken_document(stamp), stamp)
    return written(tree if origin else {key: value for key, value in tree.items() if key != "origin"})


@require_safe
@cache_control(private=True, no_store=True)
def print_page(request: HttpRequest, pk: UUID) -> HttpResponse:
    """Show the pages to be printed as pictures, and the choice of layout and paper."""
    sheet = taken_along(request, pk)
    layout, size = asked_layout(request.GET, sheet.system)
    stamp = requested_stamp(request, sheet)
    try:
        number = pages(typeset(layout, data := _data(layout, sheet, stamp), size))
    except typst.TypstError:
        log.exception("sheet %s cannot be set as %s", sheet.pk, layout.slug)
        return render(request, "errors/pdf_failed.html", {"sheet": sheet}, status=500)
    asked = {"layout": layout.slug, "paper": size} | ({"of": DRAFT} if stamp.draft else {})
    return render(request, "export/print.html", {
        "sheet": sheet, "stamp": stamp, "ruleset": sheet.system, "layout": layout, "size": size,
        "missing": " ".join(missing_characters(data)),
        "asked": urlencode(asked), "pages": range(1, min(number, MAX_PAGES_SHOWN) + 1), "number": number,
        "layouts": [(one, urlencode(asked | {"layout": one.slug})) for one in layouts_of(sheet.system)],
        "papers": [(key, title, urlencode(asked | {"paper": key})) for key, title in PAPERS.items()
                   if key in layout.papers],
    })


@require_safe
@cache_control(private=True, no_store=True)
def page_picture(request: HttpRequest, pk: UUID, number: int) -> HttpResponse:
    """Return one of the pictures that the print page shows (PNG)."""
    sheet = taken_along(request, pk)
    layout, size = asked_layout(request.GET, sheet.system)
    raw = typeset(layout, _data(layout, sheet, requested_stamp(request, sheet)), size)
    if not 1 <= number <= min(pages(raw), MAX_PAGES_SHOWN):
        raise Http404
    return HttpResponse(picture(raw, number), content_type="image/png")


def _data(layout: Layout, sheet: Sheet, stamp: Stamp) -> dict:
    return paper(sheet, stamp, pocket=layout.slug == "pocket")


def _filename(stamp: Stamp, layout: Layout) -> str:
    """Return a file name that every file system allows."""
    name = slugify(stamp.state.name, allow_unicode=True)[:80] or stamp.sheet.ruleset
    return f"{name}.pdf" if layout.slug == "sheet" else f"{name}-{layout.slug}.pdf"

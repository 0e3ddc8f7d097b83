"""A sheet on paper: as a PDF, or as a page for the browser to print."""

import logging

import typst
from django.core.exceptions import BadRequest
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.http import content_disposition_header
from django.utils.text import slugify
from django.utils.translation import gettext as _
from django.views.decorators.cache import cache_control
from django.views.decorators.http import require_safe

from sheets.access import shared, taken_along
from sheets.export.paper import paper
from sheets.export.pdf import typeset
from sheets.export.views import requested_stamp
from sheets.fitting import fitted
from sheets.models import Sheet
from sheets.status.stamp import Stamp

log = logging.getLogger(__name__)
LAYOUTS = ("sheet", "pencil")
ROOM = 256 * 1024
"""Bytes for all texts of the page that a browser prints; a PDF has them whole."""


@require_safe
@cache_control(private=True, no_store=True)
def pdf(request: HttpRequest, pk) -> HttpResponse:
    """The sheet as a PDF; `?layout=pencil` is the one to play on, `?of=draft` the draft beside what is played."""
    return _pdf(request, taken_along(request, pk))


@require_safe
@cache_control(private=True, no_store=True)
def shared_pdf(request: HttpRequest, token: str) -> HttpResponse:
    """The same for whoever holds the link."""
    return _pdf(request, shared(token))


def _pdf(request: HttpRequest, sheet: Sheet) -> HttpResponse:
    layout = request.GET.get("layout", LAYOUTS[0])
    if layout not in LAYOUTS:
        raise BadRequest(_("There is no such layout; there are: {layouts}.").format(layouts=", ".join(LAYOUTS)))
    taken = requested_stamp(request, sheet)
    try:
        raw = typeset(layout, paper(sheet, taken))
    except typst.TypstError:
        log.exception("sheet %s cannot be set as %s", sheet.pk, layout)
        return render(request, "errors/pdf_failed.html", {"sheet": sheet}, status=500)
    response = HttpResponse(raw, content_type="application/pdf")
    response["Content-Disposition"] = content_disposition_header(as_attachment=False, filename=_filename(taken, layout))
    return response


@require_safe
@cache_control(private=True, no_store=True)
def print_page(request: HttpRequest, pk) -> HttpResponse:
    """The sheet as a page for the browser to print; `?of=draft` is the draft beside what is played."""
    sheet = taken_along(request, pk)
    taken = requested_stamp(request, sheet)
    whole = paper(sheet, taken)
    shown, cut = fitted(whole | {"qr": "", "face": ""}, ROOM)
    return render(request, "export/print.html", {"sheet": sheet, "stamp": taken, "cut": cut, "ruleset": sheet.system,
                                          "paper": shown | {"qr": whole["qr"]}})


def _filename(taken: Stamp, layout: str) -> str:
    """A name that every file system takes."""
    name = slugify(taken.kept.name, allow_unicode=True)[:80] or taken.sheet.ruleset
    return f"{name}.pdf" if layout == LAYOUTS[0] else f"{name}-{layout}.pdf"


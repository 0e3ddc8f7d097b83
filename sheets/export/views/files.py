"""Views that export a sheet as a JSON document or as text for a forum or a chat."""

from dataclasses import replace
from uuid import UUID

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from rulesets.document import BYTES, Document
from sheets.access import shared, taken_along
from sheets.documents import written
from sheets.export.document import taken_document, tree_of
from sheets.export.filenames import disposition
from sheets.export.options import JSON, requested_stamp
from sheets.export.text import FORMS, as_text, forms_of
from sheets.fitting import beginning
from sheets.status.stamp import Stamp

ROOM = 192 * 1024
"""The most bytes of each text on the page; the files are complete."""


@require_safe
@never_cache
def page(request: HttpRequest, pk: UUID) -> HttpResponse:
    """Show the ways to export a sheet, with the texts to copy; `?of=draft` selects the draft."""
    stamp = requested_stamp(request, taken_along(request, pk))
    document = taken_document(stamp)
    texts = [(form, *beginning(as_text(document, form, stamp), ROOM)) for form in forms_of(stamp.sheet.party).values()]
    too_large = len(written(tree_of(document, stamp))) > BYTES
    return render(request, "export/page.html", {
        "document": document, "ruleset": document.ruleset, "texts": texts, "too_large": too_large, "stamp": stamp})


@require_safe
@never_cache
def file(request: HttpRequest, pk: UUID, form: str) -> HttpResponse:
    """Return one of the exports as a file."""
    if form != JSON and form not in FORMS:
        raise Http404
    stamp = requested_stamp(request, taken_along(request, pk))
    return _file(taken_document(stamp), stamp, form)


@require_safe
@never_cache
def shared_file(request: HttpRequest, token: str, form: str) -> HttpResponse:
    """Return one of the exports for holders of the link, without the origin of the document."""
    if form != JSON and form not in FORMS:
        raise Http404
    stamp = requested_stamp(request, shared(token), drafts=False)
    return _file(replace(taken_document(stamp), origin=None), stamp, form)


def _file(document: Document, stamp: Stamp, form: str) -> HttpResponse:
    if form == JSON:
        response = HttpResponse(written(tree_of(document, stamp)), content_type="application/json")
    else:
        text_form = forms_of(stamp.sheet.party)[form]
        response = HttpResponse(as_text(document, text_form, stamp), content_type=f"{text_form.media}; charset=utf-8")
    ending = form if form != "bbcode" else "bbcode.txt"
    response["Content-Disposition"] = disposition(f"{document.ruleset.slug}-{document.name}", ending)
    return response

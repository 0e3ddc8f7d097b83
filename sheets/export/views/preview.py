"""Views of the picture of a shared sheet, for pages that link to it."""

import logging
from uuid import UUID

import typst
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404
from django.utils.cache import get_conditional_response
from django.views.decorators.http import require_safe

from sheets.access import readable, shared
from sheets.export.preview import preview
from sheets.models import PUBLIC, Sheet

log = logging.getLogger(__name__)


@require_safe
def public_preview(request: HttpRequest, pk: UUID) -> HttpResponse:
    """Return the preview of a public sheet, without notes and state of play. Raise Http404 for any other."""
    sheet = get_object_or_404(readable(request), pk=pk, seen_by=PUBLIC)
    sheet.notes, sheet.play = "", {}
    return _answer(request, sheet)


@require_safe
def shared_preview(request: HttpRequest, token: str) -> HttpResponse:
    """Return the preview of a sheet for holders of its link."""
    return _answer(request, shared(token))


def _answer(request: HttpRequest, sheet: Sheet) -> HttpResponse:
    try:
        of, png = preview(sheet)
    except typst.TypstError as error:
        log.exception("there is no preview of sheet %s", sheet.pk)
        raise Http404 from error
    answer = get_conditional_response(request, etag=f'"{of}"') or HttpResponse(png, content_type="image/png")
    answer["ETag"] = f'"{of}"'
    return answer

"""Refusals that Django would answer bare: a wrong method, a host that is not served, a sheet that is not readable."""

import sys

from django.conf import settings
from django.db import InterfaceError, OperationalError
from django.http import HttpRequest, HttpResponse, HttpResponseNotAllowed
from django.middleware.security import SecurityMiddleware
from django.shortcuts import render
from django.template.loader import render_to_string
from django.views.defaults import server_error
from pydantic import ValidationError

from sheets.access import reviewable
from sheets.api.problems import AGAIN, away
from sheets.character import Character
from sheets.documents import document_of
from sheets.models import Sheet


def headed(get_response):
    """Middleware: every answer says what it may load; what SecurityMiddleware refuses has its headers too."""
    headers = SecurityMiddleware(get_response).process_response

    def middleware(request: HttpRequest) -> HttpResponse:
        response = headers(request, get_response(request))
        response.headers.setdefault("Content-Security-Policy", settings.CONTENT_SECURITY_POLICY)
        return response

    return middleware


def paged(get_response):
    """Middleware: a method that an address does not know is answered by a page; `Allow` names those it knows.

    So is whoever asks for a sheet of their own that the rules cannot read.
    """

    def middleware(request: HttpRequest) -> HttpResponse:
        response = get_response(request)
        if isinstance(response, HttpResponseNotAllowed) and not response.content:
            response.content = render_to_string("errors/405.html", request=request)
        return response

    vars(middleware)["process_exception"] = _unread
    return middleware


def failed(request: HttpRequest) -> HttpResponse:
    """What broke: a database that is away for a moment is no fault of the program's, and worth another try."""
    if not isinstance(sys.exc_info()[1], OperationalError | InterfaceError):
        return server_error(request)
    if request.path.startswith("/api/"):
        return away()
    return HttpResponse(render_to_string("503.html"), status=503, headers={"Retry-After": AGAIN})


def _unread(request: HttpRequest, error: Exception) -> HttpResponse | None:
    """A page of its own for a sheet that was stored under other rules and that those of today cannot read."""
    key = request.resolver_match.kwargs.get("pk") if request.resolver_match else None
    if not isinstance(error, ValidationError) or key is None:
        return None
    sheet = reviewable(request).filter(pk=key).first()
    if sheet is None or _readable(sheet):
        return None
    return render(request, "errors/sheet_unreadable.html", {"sheet": sheet}, status=422)


def _readable(sheet: Sheet) -> bool:
    try:
        Character(sheet)
        document_of(sheet)
    except ValidationError:
        return False
    return True

"""Pages for what Django would answer bare: a wrong method, an unreadable sheet, a database away for a moment."""

import codecs
import sys
from collections.abc import Callable
from urllib.parse import urlsplit

from allauth.account.utils import get_login_redirect_url
from django.conf import settings
from django.core.exceptions import BadRequest
from django.db import connection
from django.http import HttpRequest, HttpResponse, HttpResponseNotAllowed
from django.middleware.csrf import get_token
from django.middleware.security import SecurityMiddleware
from django.shortcuts import redirect, render
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.http import urlencode
from django.views.defaults import bad_request, server_error
from pydantic import ValidationError

from builder.sent import fields, is_typed
from sheets.access import reviewable
from sheets.api.problems import AGAIN, away, is_away
from sheets.character import Character
from sheets.documents import document_of
from sheets.models import Sheet

SAFE = ("GET", "HEAD")
SIGNED_OUT = "X-Signed-Out"
"""The header that tells an open page that nobody is signed in."""
TOKEN, FIELD = "X-CSRFToken", "csrfmiddlewaretoken"
"""The header that tells a page its token, and the field of a form that has it."""
WAYS_IN = ("account_login", "account_signup", "mfa_authenticate")
"""The views that let people in, and give them another token with that."""


def headed(get_response: Callable[[HttpRequest], HttpResponse]) -> Callable[[HttpRequest], HttpResponse]:
    """Middleware: every answer says what it may load and use; what SecurityMiddleware refuses has its headers too."""
    headers = SecurityMiddleware(get_response).process_response

    def middleware(request: HttpRequest) -> HttpResponse:
        response = headers(request, get_response(request))
        response.headers.setdefault("Content-Security-Policy", settings.CONTENT_SECURITY_POLICY)
        response.headers.setdefault("Permissions-Policy", settings.PERMISSIONS_POLICY)
        return response

    return middleware


def decoded(get_response: Callable[[HttpRequest], HttpResponse]) -> Callable[[HttpRequest], HttpResponse]:
    """Middleware: what is not sent in UTF-8, as our pages send it, is refused before anything reads it."""

    def middleware(request: HttpRequest) -> HttpResponse:
        try:
            sent = codecs.lookup((request.content_params or {}).get("charset", "utf-8")).name
        except (LookupError, ValueError):
            sent = ""
        return get_response(request) if sent == "utf-8" else bad_request(request, BadRequest("not in UTF-8"))

    return middleware


def paged(get_response: Callable[[HttpRequest], HttpResponse]) -> Callable[[HttpRequest], HttpResponse]:
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


def retried(get_response: Callable[[HttpRequest], HttpResponse]) -> Callable[[HttpRequest], HttpResponse]:
    """Middleware: what is only read, and broke because the connection to the database did, is asked for once more.

    A failover ends all connections; the next one leads to the server that took over. What writes is not repeated: it
    may have been done.
    """

    def middleware(request: HttpRequest) -> HttpResponse:
        response = get_response(request)
        if response.status_code != 503 or request.method not in SAFE or _connected():
            return response
        connection.close()
        return get_response(request)

    return middleware


def _connected() -> bool:
    """Return whether the database answers on the connection that this thread keeps."""
    return connection.connection is not None and connection.is_usable()


def failed(request: HttpRequest) -> HttpResponse:
    """Return the page for an exception; a database that is away for a moment is no bug, and worth another try.

    What was sent by a form stands in the page, to be sent again as it is: a press with its key, a save with the version
    that it was made from, so that neither is done twice.
    """
    ours = not is_away(sys.exc_info()[1])
    if request.path.startswith("/api/"):
        return server_error(request) if ours else away()
    response = HttpResponse(render_to_string("500.html" if ours else "503.html", {
        "address": request.get_full_path(), "safe": request.method in SAFE, "sent": _sent(request)}),
        status=500 if ours else 503)
    if not ours:
        response["Retry-After"] = AGAIN
    if request.method not in SAFE:
        response["Cache-Control"] = "private, no-store"
    return response


def _sent(request: HttpRequest) -> list[tuple[str, str]]:
    """(name, value) of all that a form of ours sent; nothing where it is secret or a file, which no page can hold."""
    return fields(request) if getattr(request, "csrf_processing_done", False) else []


def forged(request: HttpRequest, reason: str = "") -> HttpResponse:
    """Return the page for a form whose token is not the browser's: mostly somebody has signed in elsewhere since.

    Where the form came from a page of ours, its script gets the token of today and sends it once more by itself; a page
    has what was sent, to be sent again. Whoever pressed twice to be let in, and is, goes where the first press leads.
    """
    # Django has looked at where it comes from before, and gives that for its reason where it is not ours.
    ours = reason.startswith("CSRF ") and "Origin" in request.headers
    if ours and request.headers.get("HX-Request"):
        return HttpResponse(status=403, headers={TOKEN: get_token(request)})
    match = request.resolver_match
    if ours and request.user.is_authenticated and match and match.view_name in WAYS_IN:
        return redirect(get_login_redirect_url(request))
    sent = [one for one in fields(request) if one[0] != FIELD] if ours else []
    return render(request, "403_csrf.html", {"sent": sent, "address": request.get_full_path()}, status=403)


def missing(request: HttpRequest, exception: Exception) -> HttpResponse:  # noqa: ARG001 - as Django asks for it
    """Return the page for what is not there, or no longer open to somebody, with the form they sent."""
    sent = [one for one in _sent(request) if one[0] != FIELD]
    response = render(request, "404.html", {
        "sent": sent, "typed": any(is_typed(*one) for one in sent),
        "signed_out": bool(sent) and not request.user.is_authenticated,
        "address": request.get_full_path(), "page_url": _page_of(request),
        "login_url": f"{reverse('account_login')}?{urlencode({'next': request.get_full_path()})}"}, status=404)
    if not request.user.is_authenticated:
        response[SIGNED_OUT] = "1"
    return response


def _page_of(request: HttpRequest) -> str:
    """Return the page of ours that a form was sent from, as far as the browser says; "" for any other."""
    came = urlsplit(request.headers.get("Referer", ""))
    ours = came.netloc == request.get_host() and came.path.startswith("/") and not came.path.startswith("//")
    return f"{came.path}?{came.query}" if ours else ""


def _unread(request: HttpRequest, error: Exception) -> HttpResponse | None:
    """A page of its own for a sheet that was stored under other rules and that those of today cannot read."""
    key = request.resolver_match.kwargs.get("pk") if request.resolver_match else None
    if not isinstance(error, ValidationError) or key is None:
        return None
    if (sheet := reviewable(request).filter(pk=key).first()) is None or _readable(sheet):
        return None
    return render(request, "errors/sheet_unreadable.html", {"sheet": sheet}, status=422)


def _readable(sheet: Sheet) -> bool:
    try:
        Character(sheet)
        document_of(sheet)
    except ValidationError:
        return False
    return True

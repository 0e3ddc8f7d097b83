"""Error pages, and the middleware that adds security headers, refuses other encodings and retries reads."""

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
from sheets.api.problems import AGAIN, is_away, outage_response
from sheets.character import Character
from sheets.documents import document_of
from sheets.models import Sheet

SAFE = ("GET", "HEAD")
SIGNED_OUT = "X-Signed-Out"
"""The response header from which an open page learns that nobody is signed in."""
TOKEN, FIELD = "X-CSRFToken", "csrfmiddlewaretoken"
"""The response header with a new CSRF token, and the form field with the token."""
LOGIN_VIEWS = ("account_login", "account_signup", "mfa_authenticate")
"""The names of the views that sign people in, after which the browser has a new CSRF token."""


def security_headers_middleware(
    get_response: Callable[[HttpRequest], HttpResponse],
) -> Callable[[HttpRequest], HttpResponse]:
    """Set the security headers of every answer, also of those that SecurityMiddleware returns itself (redirects)."""
    headers = SecurityMiddleware(get_response).process_response

    def middleware(request: HttpRequest) -> HttpResponse:
        response = headers(request, get_response(request))
        response.headers.setdefault("Content-Security-Policy", settings.CONTENT_SECURITY_POLICY)
        response.headers.setdefault("Permissions-Policy", settings.PERMISSIONS_POLICY)
        return response

    return middleware


def utf8_middleware(get_response: Callable[[HttpRequest], HttpResponse]) -> Callable[[HttpRequest], HttpResponse]:
    """Answer 400 to requests that declare another encoding than UTF-8, before anything reads their body."""

    def middleware(request: HttpRequest) -> HttpResponse:
        try:
            encoding = codecs.lookup((request.content_params or {}).get("charset", "utf-8")).name
        except (LookupError, ValueError):
            encoding = ""
        return get_response(request) if encoding == "utf-8" else bad_request(request, BadRequest("not in UTF-8"))

    return middleware


def error_pages_middleware(
    get_response: Callable[[HttpRequest], HttpResponse],
) -> Callable[[HttpRequest], HttpResponse]:
    """Answer with a page to a method that is not allowed, and to requests for a sheet that cannot be validated."""

    def middleware(request: HttpRequest) -> HttpResponse:
        response = get_response(request)
        if isinstance(response, HttpResponseNotAllowed) and not response.content:
            response.content = render_to_string("errors/405.html", request=request)
        return response

    vars(middleware)["process_exception"] = _unreadable
    return middleware


def retry_middleware(get_response: Callable[[HttpRequest], HttpResponse]) -> Callable[[HttpRequest], HttpResponse]:
    """Process a GET or HEAD request again if it failed because the connection to the database was lost.

    A failover closes all connections, and a new one leads to the server that took over. Other requests are not
    repeated, because their writes may have been committed.
    """

    def middleware(request: HttpRequest) -> HttpResponse:
        response = get_response(request)
        if response.status_code != 503 or request.method not in SAFE or _connected():
            return response
        connection.close()
        return get_response(request)

    return middleware


def _connected() -> bool:
    """Return True if this thread has a usable connection to the database."""
    return connection.connection is not None and connection.is_usable()


def failed(request: HttpRequest) -> HttpResponse:
    """Return the page for an unhandled exception: a 503 if the database is unavailable, otherwise a 500.

    The page contains the submitted form, so that it can be sent again. A press keeps its key and a save its version, so
    neither is processed twice.
    """
    ours = not is_away(sys.exc_info()[1])
    if request.path.startswith("/api/"):
        return server_error(request) if ours else outage_response()
    response = HttpResponse(render_to_string("500.html" if ours else "503.html", {
        "address": request.get_full_path(), "safe": request.method in SAFE, "sent": _sent(request)}),
        status=500 if ours else 503)
    if not ours:
        response["Retry-After"] = AGAIN
    if request.method not in SAFE:
        response["Cache-Control"] = "private, no-store"
    return response


def _sent(request: HttpRequest) -> list[tuple[str, str]]:
    """Return the (name, value) pairs of a form that passed the CSRF check; none if they are secret or have files."""
    return fields(request) if getattr(request, "csrf_processing_done", False) else []


def forged(request: HttpRequest, reason: str = "") -> HttpResponse:
    """Return the answer to a form whose CSRF token is wrong, usually because somebody signed in in another tab.

    If the form came from this site, htmx gets a new token in a header and sends the form again, and a page offers to
    send it again. A login that was pressed twice redirects to where the first press leads.
    """
    # Django checks the origin first; if that is wrong, the reason is another one.
    ours = reason.startswith("CSRF ") and "Origin" in request.headers
    if ours and request.headers.get("HX-Request"):
        return HttpResponse(status=403, headers={TOKEN: get_token(request)})
    match = request.resolver_match
    if ours and request.user.is_authenticated and match and match.view_name in LOGIN_VIEWS:
        return redirect(get_login_redirect_url(request))
    sent = [one for one in fields(request) if one[0] != FIELD] if ours else []
    return render(request, "403_csrf.html", {"sent": sent, "address": request.get_full_path()}, status=403)


def missing(request: HttpRequest, exception: Exception) -> HttpResponse:  # noqa: ARG001 - as Django asks for it
    """Return the page of a 404, with the submitted form: the object may be gone, or the user signed out meanwhile."""
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
    """Return the path and query of the referring page of this site; "" for any other."""
    referer = urlsplit(request.headers.get("Referer", ""))
    ours = referer.netloc == request.get_host() and referer.path.startswith("/") and not referer.path.startswith("//")
    return f"{referer.path}?{referer.query}" if ours else ""


def _unreadable(request: HttpRequest, error: Exception) -> HttpResponse | None:
    """Return a page (422) if the requester's sheet does not fit the current version of its system; otherwise None."""
    key = request.resolver_match.kwargs.get("pk") if request.resolver_match else None
    if not isinstance(error, ValidationError) or key is None:
        return None
    if (sheet := reviewable(request).filter(pk=key).first()) is None or _readable(sheet):
        return None
    return render(request, "errors/sheet_unreadable.html", {"sheet": sheet}, status=422)


def _readable(sheet: Sheet) -> bool:
    """Return True if a stored sheet can be validated."""
    try:
        Character(sheet)
        document_of(sheet)
    except ValidationError:
        return False
    return True

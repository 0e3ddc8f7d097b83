"""People without an account: a signed cookie of their browser contains the key of the sheets that they made there.

Before there was this cookie, the session contained the key. It is read from there as long as the browser has no cookie,
and deleted from the session once the browser has sent one.
"""

import secrets
from collections.abc import Callable

from django.conf import settings
from django.core.signing import BadSignature
from django.http import HttpRequest, HttpResponse

SESSION_KEY = "guest"
"""The key of the session under which the guest's key was stored."""
SALT = "sheets.guests"
AGE, RENEWED = 365 * 24 * 60 * 60, 24 * 60 * 60
"""Seconds until the cookie expires, far longer than a guest's drafts are stored, and until a visit renews it."""
SIGNUP_KEY, JOINING = "welcome", "party:"
"""The session's key for the invitation that its browser came with; the prefix of a party link's token in it."""
KNOWN, FRESH = "guest", "fresh_guest"
"""The attributes of a request that cache the guest's key, and the key in a cookie that is at most a day old."""


def guest_key(request: HttpRequest) -> str | None:
    """Return the key of the guest at this browser; None if nobody has made a sheet without an account."""
    known = vars(request)
    if KNOWN not in known:
        known[KNOWN] = _fresh(request) or _sent(request, AGE) or request.session.get(SESSION_KEY) or None
    return known[KNOWN]


def begin_guest(request: HttpRequest) -> str:
    """Return the key of the guest at this browser; create it if there is none."""
    key = vars(request)[KNOWN] = guest_key(request) or secrets.token_urlsafe(32)
    return key


def end_guest(request: HttpRequest) -> str | None:
    """Return the key of the guest at this browser, and remove it from the browser."""
    key = guest_key(request)
    request.session.pop(SESSION_KEY, None)
    vars(request)[KNOWN] = None
    return key


def guest_middleware(get_response: Callable[[HttpRequest], HttpResponse]) -> Callable[[HttpRequest], HttpResponse]:
    """Middleware that sets a guest's cookie, renewed at most once a day, or deletes it."""

    def middleware(request: HttpRequest) -> HttpResponse:
        response = get_response(request)
        if KNOWN in vars(request):
            _keep(vars(request)[KNOWN], request, response)
        return response

    return middleware


def _keep(key: str | None, request: HttpRequest, response: HttpResponse) -> None:
    name = settings.GUEST_COOKIE_NAME
    if key is None:
        # A cookie that was signed with another SECRET_KEY stays, because that key may be restored.
        if _sent(request, AGE):
            response.delete_cookie(name, samesite="Lax")
    elif _fresh(request) != key:
        response.set_signed_cookie(name, key, salt=SALT, max_age=AGE, httponly=True, samesite="Lax",
                                   secure=settings.SESSION_COOKIE_SECURE)
    elif request.session.get(SESSION_KEY) == key:
        del request.session[SESSION_KEY]


def _fresh(request: HttpRequest) -> str | None:
    known = vars(request)
    if FRESH not in known:
        known[FRESH] = _sent(request, RENEWED)
    return known[FRESH]


def _sent(request: HttpRequest, age: int) -> str | None:
    """Return the key in the browser's cookie if its signature is valid and at most `age` seconds old."""
    try:
        return request.get_signed_cookie(settings.GUEST_COOKIE_NAME, salt=SALT, max_age=age)
    except (KeyError, BadSignature):
        return None


def allow_signup(request: HttpRequest, invitation: str) -> None:
    """Let this browser sign up where an invitation is required; `invitation` identifies it."""
    request.session[SIGNUP_KEY] = invitation


def signup_invitation(request: HttpRequest) -> str:
    """Return the invitation that this browser came with, "" without one."""
    return request.session.get(SIGNUP_KEY, "")

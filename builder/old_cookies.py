"""Cookies of sessions and forms under the names that they had before these bound them to this host (`__Host-`).

So that nobody is signed out by an upgrade, a browser's old cookie counts as long as it has none of the new name; the
first answer gives it the new name and takes the old one away. The last old one runs out a year after the upgrade.

Any other host of the domain can set a cookie of the old name. That of a session in which somebody signed in since the
upgrade was never given by this one, and is not believed: nobody is signed in by it as whoever made it up.
"""

from collections.abc import Callable
from importlib import import_module
from typing import Any

from django.conf import settings
from django.contrib.auth.signals import user_logged_in
from django.dispatch import receiver
from django.http import HttpRequest, HttpResponse

OLD = ("sessionid", "csrftoken")
SINCE = "since_new_names"
"""The mark in a session in which somebody has signed in since then."""


@receiver(user_logged_in)
def _began(request: HttpRequest, **_more: Any) -> None:
    if request is not None:
        request.session[SINCE] = True


def renamed(get_response: Callable[[HttpRequest], HttpResponse]) -> Callable[[HttpRequest], HttpResponse]:
    """Middleware: reads a cookie by its old name and answers with the new one."""

    def middleware(request: HttpRequest) -> HttpResponse:
        session, form = settings.SESSION_COOKIE_NAME, settings.CSRF_COOKIE_NAME
        lasts = {session: settings.SESSION_COOKIE_AGE, form: settings.CSRF_COOKIE_AGE}
        gone = {new: old for old, new in zip(OLD, lasts, strict=True) if old != new and old in request.COOKIES}
        moved = {new: request.COOKIES[old] for new, old in gone.items() if new not in request.COOKIES}
        for old in gone.values():
            del request.COOKIES[old]
        if session in moved and _planted(moved[session]):
            del moved[session]
        request.COOKIES.update(moved)
        response = get_response(request)
        for new, value in moved.items():
            # What the answer says of it by itself, another session or none, is newer.
            if new not in response.cookies:
                response.set_cookie(new, value, max_age=lasts[new], secure=True, samesite="Lax",
                                    httponly=new == session)
        for old in gone.values():
            response.delete_cookie(old, samesite="Lax")
        return response

    return middleware


def _planted(key: str) -> bool:
    """Return whether somebody signed in to a session since the upgrade, so that it only ever had the new name here."""
    return SINCE in import_module(settings.SESSION_ENGINE).SessionStore(key)

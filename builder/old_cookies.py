"""Session and CSRF cookies under the names that they had before the prefix `__Host-`.

So that an upgrade signs nobody out, an old cookie is accepted if the browser has no new one; the answer sets the new
cookie and deletes the old one. The last old cookie expires a year after the upgrade.

Other hosts of the domain can set a cookie with the old name, for example to sign a victim in to the attacker's account.
So a session in which somebody has signed in since the upgrade is not accepted from an old cookie: this program only
ever sent it under the new name.
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
"""The key that is set in a session when somebody signs in, so that it marks logins since the upgrade."""


@receiver(user_logged_in)
def _mark_session(request: HttpRequest, **_more: Any) -> None:
    if request is not None:
        request.session[SINCE] = True


def old_cookies_middleware(
    get_response: Callable[[HttpRequest], HttpResponse],
) -> Callable[[HttpRequest], HttpResponse]:
    """Accept cookies with their old names, and replace them in the browser by new ones."""

    def middleware(request: HttpRequest) -> HttpResponse:
        session, form = settings.SESSION_COOKIE_NAME, settings.CSRF_COOKIE_NAME
        lasts = {session: settings.SESSION_COOKIE_AGE, form: settings.CSRF_COOKIE_AGE}
        gone = {new: old for old, new in zip(OLD, lasts, strict=True) if old != new and old in request.COOKIES}
        moved = {new: request.COOKIES[old] for new, old in gone.items() if new not in request.COOKIES}
        for old in gone.values():
            del request.COOKIES[old]
        if session in moved and _is_planted(moved[session]):
            del moved[session]
        request.COOKIES.update(moved)
        response = get_response(request)
        for new, value in moved.items():
            # A cookie that the answer sets or deletes itself is newer.
            if new not in response.cookies:
                response.set_cookie(new, value, max_age=lasts[new], secure=True, samesite="Lax",
                                    httponly=new == session)
        for old in gone.values():
            response.delete_cookie(old, samesite="Lax")
        return response

    return middleware


def _is_planted(key: str) -> bool:
    """Return True if a session was signed in to since the upgrade, so that its old cookie comes from another host."""
    return SINCE in import_module(settings.SESSION_ENGINE).SessionStore(key)

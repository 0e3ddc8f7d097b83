"""Browsers in which somebody signed in before; they are not locked out when strangers try wrong passwords.

Such a browser has a signed cookie for each account. The cookie is valid until the account's password changes.
"""

import secrets
from collections.abc import Callable
from typing import Any

from allauth.account.signals import password_changed, password_set
from django.conf import settings
from django.contrib.auth import get_user_model
from django.contrib.auth.models import User
from django.contrib.auth.signals import user_logged_in
from django.core.signing import BadSignature
from django.dispatch import receiver
from django.http import HttpRequest, HttpResponse
from django.utils.crypto import constant_time_compare, salted_hmac

SALT = "builder.known_browsers"
AGE = 365 * 24 * 60 * 60
"""Seconds that a browser stays known after the last login."""


def browser_id(request: HttpRequest, user: User) -> str:
    """Return the browser's id if the account has signed in on it with its current password, else ""."""
    try:
        value = request.get_signed_cookie(_name(user), salt=SALT, max_age=AGE) or ""
    except (KeyError, BadSignature):
        return ""
    identifier, _colon, proof = value.partition(":")
    return identifier if constant_time_compare(proof, _proof(user)) else ""


def browser_id_by_name(request: HttpRequest, name: str) -> str:
    """Return the browser's id for the account with this name, else ""; without a cookie no account is looked up."""
    if not any(key.startswith(PREFIX) for key in request.COOKIES):
        return ""
    user = get_user_model().objects.filter(username__iexact=name).first()
    return browser_id(request, user) if user else ""


PREFIX = "known-"


def _name(user: User) -> str:
    return f"{PREFIX}{user.pk}"


def _proof(user: User) -> str:
    # Django's session hash changes with the password and reveals nothing of it.
    return salted_hmac(SALT, user.get_session_auth_hash()).hexdigest()


@receiver([user_logged_in, password_changed, password_set])
def _mark(request: HttpRequest, user: User, **_more: Any) -> None:
    """Mark a request whose browser is to be known for this account; the reset of a password does not mark it."""
    if request is not None:
        vars(request)["known_user"] = user


def known_browsers_middleware(
    get_response: Callable[[HttpRequest], HttpResponse],
) -> Callable[[HttpRequest], HttpResponse]:
    """Set the cookie of a browser in which somebody has just signed in or changed their password."""

    def middleware(request: HttpRequest) -> HttpResponse:
        response = get_response(request)
        user = vars(request).get("known_user")
        if user and user.pk:
            identifier = browser_id(request, user) or secrets.token_urlsafe(12)
            response.set_signed_cookie(_name(user), f"{identifier}:{_proof(user)}", salt=SALT, max_age=AGE,
                                       httponly=True, secure=settings.SESSION_COOKIE_SECURE, samesite="Lax")
        return response

    return middleware

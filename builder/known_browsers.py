"""Browsers in which somebody signed in before: whoever locks a name by wrong passwords does not lock these out.

Such a browser keeps a signed cookie for each account. It ends with the account's password.
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
"""Seconds for which a browser is known that nobody signs in with."""


def known(request: HttpRequest, user: User) -> str:
    """Return this browser's id if the account signed in on it under its current password, else ""."""
    try:
        which, _colon, proof = (request.get_signed_cookie(_name(user), salt=SALT, max_age=AGE) or "").partition(":")
    except (KeyError, BadSignature):
        return ""
    return which if constant_time_compare(proof, _proof(user)) else ""


def known_by_name(request: HttpRequest, name: str) -> str:
    """The same for whoever has this name; nobody is looked up for a browser that keeps nothing."""
    if not any(key.startswith(PREFIX) for key in request.COOKIES):
        return ""
    user = get_user_model().objects.filter(username__iexact=name).first()
    return known(request, user) if user else ""


PREFIX = "known-"


def _name(user: User) -> str:
    return f"{PREFIX}{user.pk}"


def _proof(user: User) -> str:
    # The hash that ends sessions with their password, too; it tells nothing of it.
    return salted_hmac(SALT, user.get_session_auth_hash()).hexdigest()


@receiver([user_logged_in, password_changed, password_set])
def _met(request: HttpRequest, user: User, **_more: Any) -> None:
    """Whoever is signed in to this account is known by this browser from now on; to reset a password is not enough."""
    if request is not None:
        vars(request)["met"] = user


def remembered(get_response: Callable[[HttpRequest], HttpResponse]) -> Callable[[HttpRequest], HttpResponse]:
    """Middleware: gives a browser in which somebody has just signed in what it is known by."""

    def middleware(request: HttpRequest) -> HttpResponse:
        response = get_response(request)
        user = vars(request).get("met")
        if user and user.pk:
            which = known(request, user) or secrets.token_urlsafe(12)
            response.set_signed_cookie(_name(user), f"{which}:{_proof(user)}", salt=SALT, max_age=AGE, httponly=True,
                                       secure=settings.SESSION_COOKIE_SECURE, samesite="Lax")
        return response

    return middleware

"""Pages that require an account, and the response to users who were signed out meanwhile."""

from collections.abc import Callable
from functools import wraps
from typing import Any

from django.contrib.auth.decorators import login_required
from django.contrib.auth.models import User
from django.http import Http404, HttpRequest, HttpResponse


def signed_in(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
    """Require an account: redirect to the sign-in page, but answer a POST by 404, whose page keeps the form."""
    led = login_required(view)

    @wraps(view)
    def asked(request: HttpRequest, *args: Any, **named: Any) -> HttpResponse:
        if request.method == "POST" and not request.user.is_authenticated:
            raise Http404
        return led(request, *args, **named)

    return asked


def signed_in_user(request: HttpRequest) -> User:
    """Return the signed-in user (Http404 if nobody is signed in)."""
    if not request.user.is_authenticated:
        raise Http404
    return request.user

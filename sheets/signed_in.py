"""Pages for those who have an account, and the message to those who were signed out meanwhile."""

from collections.abc import Callable
from functools import wraps
from typing import Any

from django.contrib.auth.decorators import login_required
from django.contrib.auth.models import User
from django.http import Http404, HttpRequest, HttpResponse


def signed_in(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
    """Require an account: a reader is led to sign in first; what is sent signed out is answered by a page with it."""
    led = login_required(view)

    @wraps(view)
    def asked(request: HttpRequest, *args: Any, **named: Any) -> HttpResponse:
        if request.method == "POST" and not request.user.is_authenticated:
            raise Http404
        return led(request, *args, **named)

    return asked


def signed_in_user(request: HttpRequest) -> User:
    """Return the user of a page for those who have an account (Http404 where nobody is signed in)."""
    if not request.user.is_authenticated:
        raise Http404
    return request.user

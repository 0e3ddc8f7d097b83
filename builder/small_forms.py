"""Forms of accounts are small: what is larger is refused, as sessions keep them while the password is asked for."""

from collections.abc import Callable

from django.core.exceptions import RequestDataTooBig
from django.http import HttpRequest, HttpResponse

WHERE = "/account/"
MOST = 16_000
"""Bytes that may be sent there at once."""


def bounded(get_response: Callable[[HttpRequest], HttpResponse]) -> Callable[[HttpRequest], HttpResponse]:
    """Middleware: refuses what is too large for any form of an account."""

    def middleware(request: HttpRequest) -> HttpResponse:
        if request.path.startswith(WHERE) and int(request.META.get("CONTENT_LENGTH") or 0) > MOST:
            raise RequestDataTooBig(f"{request.path} takes {MOST} bytes at most")
        return get_response(request)

    return middleware

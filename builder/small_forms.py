"""A limit on the size of account forms, which allauth stores in the session while a user reauthenticates."""

from collections.abc import Callable

from django.core.exceptions import RequestDataTooBig
from django.http import HttpRequest, HttpResponse

PREFIX = "/account/"
"""The prefix of the paths of account forms."""
MAX_BYTES = 16_000
"""The most bytes of a request to one of them."""


def small_forms_middleware(
    get_response: Callable[[HttpRequest], HttpResponse],
) -> Callable[[HttpRequest], HttpResponse]:
    """Raise `RequestDataTooBig` for a request that is too large for any account form."""

    def middleware(request: HttpRequest) -> HttpResponse:
        if request.path.startswith(PREFIX) and int(request.META.get("CONTENT_LENGTH") or 0) > MAX_BYTES:
            raise RequestDataTooBig(f"{request.path} takes {MAX_BYTES} bytes at most")
        return get_response(request)

    return middleware

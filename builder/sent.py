"""The fields of a form that was sent, as far as a page may hold them to be sent again."""

from django.http import HttpRequest

PRIVATE = "/account/"
"""Where passwords and codes are sent."""


def fields(request: HttpRequest) -> list[tuple[str, str]]:
    """(name, value) of what a form sent; nothing where that is secret, a file or no form."""
    if request.method != "POST" or request.path.startswith(PRIVATE) or request.FILES:
        return []
    return [(name, value) for name, values in request.POST.lists() for value in values]

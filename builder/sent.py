"""The fields of a form that was sent, as far as a page may hold them to be sent again."""

from django.http import HttpRequest

PRIVATE = "/account/"
"""The beginning of the addresses to which passwords and codes are sent."""
OPEN = ("/account/mail/", "/account/email/")
"""The addresses below it that take no secret: which mails are wanted, and where they go."""


def fields(request: HttpRequest) -> list[tuple[str, str]]:
    """(name, value) of what a form sent; nothing where that is secret, a file or no form."""
    secret = request.path.startswith(PRIVATE) and request.path not in OPEN
    if request.method != "POST" or secret or request.FILES:
        return []
    return [(name, value) for name, values in request.POST.lists() for value in values]


def is_typed(name: str, value: str) -> bool:
    """Return whether somebody may have typed or chosen that: neither the button nor the page says it by itself."""
    return bool(value) and (name == "_name" or not (name.startswith("_") or name in ("do", "w")))

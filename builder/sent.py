"""The fields of a submitted form that an error page may contain, so that the form can be sent again."""

from django.http import HttpRequest

PRIVATE = "/account/"
"""The prefix of the paths to which passwords and codes are submitted."""
NOT_SECRET = ("/account/mail/", "/account/email/")
"""The paths below `PRIVATE` whose forms contain no secret."""


def fields(request: HttpRequest) -> list[tuple[str, str]]:
    """Return the (name, value) pairs of a submitted form; none if they may be secret or there are files."""
    secret = request.path.startswith(PRIVATE) and request.path not in NOT_SECRET
    if request.method != "POST" or secret or request.FILES:
        return []
    return [(name, value) for name, values in request.POST.lists() for value in values]


def is_typed(name: str, value: str) -> bool:
    """Return True if a person may have filled in a field: it is not empty, and neither a button nor a hidden field."""
    return bool(value) and (name == "_name" or not (name.startswith("_") or name in ("do", "w")))

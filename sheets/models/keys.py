"""Primary keys (UUIDs) as text."""

from uuid import UUID

from django.http import Http404


def is_key(text: str) -> bool:
    """Return True if a text is a UUID."""
    try:
        return bool(UUID(text))
    except ValueError:
        return False


def key_or_404(text: str) -> UUID:
    """Return the UUID in a text from a form (Http404 if it is not one)."""
    try:
        return UUID(text)
    except ValueError:
        raise Http404 from None

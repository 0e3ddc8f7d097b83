"""Keys of rows as text."""

from uuid import UUID

from django.http import Http404


def is_key(text: str) -> bool:
    """Return True if a text is a key."""
    try:
        return bool(UUID(text))
    except ValueError:
        return False


def key_or_404(text: str) -> UUID:
    """Return the key that a form states (Http404 if the text is not a key)."""
    try:
        return UUID(text)
    except ValueError:
        raise Http404 from None

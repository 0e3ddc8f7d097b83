"""Keys of rows as text."""

import uuid


def is_key(text: str) -> bool:
    """Return True if a text is a key."""
    try:
        return bool(uuid.UUID(text))
    except ValueError:
        return False

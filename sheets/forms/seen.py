"""Protection against buttons of outdated pages: a hidden field states what the page showed."""

from collections.abc import Mapping
from typing import Any

SHOWN_FIELD = "_saw"
"""The name of the hidden field."""


def overtaken(post: Mapping[str, str], now: Any) -> bool:
    """Return True if the state that the page showed is no longer `now`; False for a form without the field."""
    return post.get(SHOWN_FIELD, str(now)) != str(now)

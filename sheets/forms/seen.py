"""A form says what its page showed, so that a button of an older page does nothing to what has taken its place."""

from collections.abc import Mapping
from typing import Any

SAW = "_saw"
"""The field that says it."""


def overtaken(post: Mapping[str, str], now: Any) -> bool:
    """Return True if what the page showed has changed since; a form that does not say is not checked."""
    return post.get(SAW, str(now)) != str(now)

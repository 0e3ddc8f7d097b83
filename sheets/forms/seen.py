"""What a page shows of what a button of it is about, so that nothing else is pressed once that is another."""

from collections.abc import Mapping
from typing import Any

SAW = "_saw"
"""The field of a form that says it."""


def overtaken(post: Mapping[str, str], now: Any) -> bool:
    """Return whether a page shows another than there is now; one that does not say what it shows shows that."""
    return post.get(SAW, str(now)) != str(now)

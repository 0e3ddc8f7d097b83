"""What was pressed: a button posts its word as `do`, and behind a colon what it is about."""

from collections.abc import Container, Mapping

from django.core.exceptions import BadRequest
from django.utils.translation import gettext as _


def pressed(post: Mapping[str, str], known: Container[str], usual: str = "") -> str:
    """The word of the button that was pressed (`BadRequest` for one that is not known)."""
    word = post.get("do", usual)
    if word not in known:
        raise no_such_button()
    return word


def pressed_about(post: Mapping[str, str], known: Container[str]) -> tuple[str, str]:
    """The word of the button that was pressed, and what it is about (`BadRequest` for a word that is not known)."""
    word, _colon, about = post.get("do", "").partition(":")
    if word not in known:
        raise no_such_button()
    return word, about


def row_key(text: str) -> int:
    """The key of a row that a button states (`BadRequest` where it is none)."""
    if not (text.isascii() and text.isdigit() and len(text) < 19):
        raise no_such_button()
    return int(text)


def no_such_button() -> BadRequest:
    """What answers a word that no button posts."""
    return BadRequest(_("There is no such button."))

"""Pressed buttons: a button posts its word as `do`, followed after a colon by what it is about."""

from collections.abc import Container, Mapping

from django.core.exceptions import BadRequest
from django.utils.translation import gettext as _


def pressed(post: Mapping[str, str], known: Container[str], usual: str = "") -> str:
    """Return the word of the button that was pressed (`BadRequest` for an unknown one)."""
    word = post.get("do", usual)
    if word not in known:
        raise no_such_button()
    return word


def pressed_about(post: Mapping[str, str], known: Container[str]) -> tuple[str, str]:
    """Return the word of the button that was pressed, and what it is about (`BadRequest` for an unknown word)."""
    word, _colon, about = post.get("do", "").partition(":")
    if word not in known:
        raise no_such_button()
    return word, about


def row_key(text: str) -> int:
    """Return the key of a row that a button states (`BadRequest` if it is not a key)."""
    if not (text.isascii() and text.isdigit() and len(text) < 19):
        raise no_such_button()
    return int(text)


def no_such_button() -> BadRequest:
    """Return the error for a word that no button posts."""
    return BadRequest(_("There is no such button."))

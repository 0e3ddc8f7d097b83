"""Pressed buttons: a button posts as `do` its action and, after a colon, the object of the action."""

from collections.abc import Container, Mapping

from django.core.exceptions import BadRequest
from django.utils.translation import gettext as _


def pressed(post: Mapping[str, str], known: Container[str], usual: str = "") -> str:
    """Return the action of the button that was pressed (`BadRequest` for an unknown one)."""
    if (action := post.get("do", usual)) not in known:
        raise no_such_button()
    return action


def pressed_about(post: Mapping[str, str], known: Container[str]) -> tuple[str, str]:
    """Return (action, object of the action) of the button that was pressed (`BadRequest` for an unknown action)."""
    action, _colon, about = post.get("do", "").partition(":")
    if action not in known:
        raise no_such_button()
    return action, about


def row_key(text: str) -> int:
    """Return the key of a row that a button states (`BadRequest` if it is not a key)."""
    if not (text.isascii() and text.isdigit() and len(text) < 19):
        raise no_such_button()
    return int(text)


def no_such_button() -> BadRequest:
    """Return the error for an action that no button posts."""
    return BadRequest(_("There is no such button."))

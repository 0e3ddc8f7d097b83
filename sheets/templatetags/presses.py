"""Template tags for the hidden inputs of forms at the table."""

from typing import Any
from uuid import uuid4

from django.template import Library
from django.utils.html import format_html
from django.utils.safestring import mark_safe

register = Library()


@register.simple_tag(takes_context=True)
def press_key(context: Any, key: str, *, oob: bool = False) -> str:
    """Return the key of a form's next press (`press` of the context, a new one each time); `key` names the form.

    It is a tag, because each form of a page has one, and an included template takes four times as long.
    """
    press = context.get("press", "")
    return format_html('<input type="hidden" id="press-{}" name="_press" value="{}"{}>', key,
                       press() if callable(press) else press, _OOB if oob else "")


@register.simple_tag
def once_key() -> str:
    """Return the key of a form that makes something, so that it is made once (`builder.once`)."""
    return format_html('<input type="hidden" name="_once" value="{}">', uuid4())


_OOB = mark_safe(' hx-swap-oob="true"')

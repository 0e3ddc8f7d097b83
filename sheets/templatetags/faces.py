"""Faces of characters, for templates: an uploaded picture, else the emblem."""

from typing import Any

from django.template import Library
from django.urls import reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString

from sheets.faces.emblems import emblem
from sheets.faces.pictures import LARGE, SMALL
from sheets.models import Sheet

register = Library()
register.simple_tag(emblem)


@register.simple_tag
def face(sheet: Sheet, name: str) -> SafeString:
    """Return the face of a sheet in a list; screen readers read the name beside it."""
    return _picture(portrait_url(sheet, SMALL), SMALL) if sheet.portrait_id else emblem(sheet.ruleset, name)


@register.simple_tag
def large_face(sheet: Sheet, name: str, ref: Any) -> SafeString:
    """Return the face at the head of a page: the small picture first, and over it the large one once it has loaded.

    `ref` is the sheet's key, or the link by which the page is read.
    """
    if not sheet.portrait_id:
        return emblem(sheet.ruleset, name)
    return format_html('<span class="portrait">{}{}</span>', _picture(portrait_url(sheet, SMALL, ref), SMALL),
                       _picture(portrait_url(sheet, LARGE, ref), LARGE))


def portrait_url(sheet: Sheet, size: int, ref: Any = None) -> str:
    """Return the address of a sheet's picture, changed with the picture; by its link if `ref` is not its key."""
    where = reverse("portrait", args=[sheet.pk, size]) if ref in (None, "", sheet.pk) else \
        reverse("shared-portrait", args=[ref, size])
    return f"{where}?{sheet.portrait_id.hex[:8] if sheet.portrait_id else ''}"


def _picture(url: str, size: int) -> SafeString:
    return format_html('<img class="portrait" src="{}" width="{}" height="{}" alt=""{}>', url, size, size,
                       SafeString(' loading="lazy"') if size == LARGE else "")

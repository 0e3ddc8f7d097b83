"""A sheet's picture: brought, moved, removed, copied. It is written anew before anything is held."""

from collections.abc import Callable
from uuid import UUID

from django.db import transaction

from sheets.faces.pictures import rewritten, squares
from sheets.models import Portrait, Preview, Sheet
from sheets.models.store import store

MIDDLE = 50
"""The focus of a picture that nobody has moved."""


def bring_portrait(lock: Callable[[], Sheet], content: bytes) -> None:
    """Another picture in the place of what there was (`BadPicture`); `lock` holds the sheet."""
    made = _portrait(rewritten(content), MIDDLE)
    with transaction.atomic():
        _put(lock(), made)


def move_focus(sheet: Sheet, lock: Callable[[], Sheet], focus: int) -> None:
    """Crop the picture elsewhere; do nothing if it was replaced meanwhile."""
    if (was := _of(sheet)) is None:
        return
    made = _portrait(bytes(was.whole), focus)
    with transaction.atomic():
        held = lock()
        if held.portrait_id == was.pk:
            _put(held, made)


def remove_portrait(sheet: Sheet) -> None:
    """No picture any more; the sheet is held."""
    _put(sheet, None)


def copy_portrait(there: Sheet, here: Sheet) -> None:
    """Give a copy of a sheet, which nobody else knows yet, the same picture."""
    if was := _of(there):
        with transaction.atomic():
            _put(here, Portrait(focus=was.focus, whole=was.whole, large=was.large, small=was.small))


def drop_portraits(*keys: UUID | None) -> None:
    """Delete pictures whose sheets are gone."""
    if found := list(filter(None, keys)):
        Portrait.objects.filter(pk__in=found).delete()


def _of(sheet: Sheet) -> Portrait | None:
    """Return the picture of a sheet that was read before: it may have been replaced meanwhile."""
    return Portrait.objects.filter(pk=sheet.portrait_id).first() if sheet.portrait_id else None


def _portrait(whole: bytes, focus: int) -> Portrait:
    large, small = squares(whole, focus)
    return Portrait(focus=focus, whole=whole, large=large, small=small)


def _put(sheet: Sheet, made: Portrait | None) -> None:
    was = sheet.portrait_id
    if made:
        made.save(force_insert=True)
    store(sheet, portrait=made)
    # They show what there was.
    Preview.objects.filter(sheet=sheet.pk).delete()
    drop_portraits(was)

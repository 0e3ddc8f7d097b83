"""Changes of a sheet's picture. It is encoded anew before anything is locked."""

from collections.abc import Callable
from uuid import UUID

from django.db import transaction

from sheets.faces.pictures import rewritten, squares
from sheets.models import Portrait, Preview, Sheet
from sheets.models.store import store

MIDDLE = 50
"""The focus of a new picture."""


def bring_portrait(lock: Callable[[], Sheet], content: bytes) -> None:
    """Replace a sheet's picture; raise `BadPicture` if it cannot be used. `lock` locks and returns the sheet."""
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
    """Remove the picture of a locked sheet."""
    _put(sheet, None)


def copy_portrait(there: Sheet, here: Sheet) -> None:
    """Give a new copy of a sheet the same picture; it needs no lock, because nobody else knows it yet."""
    if was := _of(there):
        with transaction.atomic():
            _put(here, Portrait(focus=was.focus, whole=was.whole, large=was.large, small=was.small))


def drop_portraits(*keys: UUID | None) -> None:
    """Delete pictures that no sheet has any more; None is ignored."""
    if found := list(filter(None, keys)):
        Portrait.objects.filter(pk__in=found).delete()


def _of(sheet: Sheet) -> Portrait | None:
    """Return the picture that a sheet had when it was read; None if that has been replaced in the meantime."""
    return Portrait.objects.filter(pk=sheet.portrait_id).first() if sheet.portrait_id else None


def _portrait(whole: bytes, focus: int) -> Portrait:
    large, small = squares(whole, focus)
    return Portrait(focus=focus, whole=whole, large=large, small=small)


def _put(sheet: Sheet, made: Portrait | None) -> None:
    was = sheet.portrait_id
    if made:
        made.save(force_insert=True)
    store(sheet, portrait=made)
    # Stored previews show the former picture.
    Preview.objects.filter(sheet=sheet.pk).delete()
    drop_portraits(was)

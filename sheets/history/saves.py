"""The undo history of a draft: changes are saved, undone and redone."""

import json
from datetime import timedelta

from django.db import connection
from django.db.models import Q
from django.utils import timezone

from sheets.models import Sheet, State

UNDO = 20
"""The most changes that can be undone."""
MAX_UNDO_BYTES = 256 * 1024
"""The bytes for earlier states: fewer are stored of a large sheet, but at least one."""
SAVED = ["name", "data", "typed", "concept", "typing", "version", "position", "top", "floor", "page", "updated"]
"""The fields that a change of a sheet writes; the others, and so their indexes, stay untouched."""
_KEEP = """
INSERT INTO sheets_change (sheet_id, number, version, name, data, typed, concept)
SELECT id, "position", version, name, data, typed, concept FROM sheets_sheet WHERE id = %s
ON CONFLICT (sheet_id, number) DO UPDATE
SET version = excluded.version, name = excluded.name, data = excluded.data, typed = excluded.typed,
    concept = excluded.concept"""
TYPING = timedelta(seconds=10)
"""Saves of one text without a longer pause between them are one change."""


def save(sheet: Sheet, new: State, *, text: str = "", page: str = "") -> None:
    """Save a change of a locked draft and the state before it.

    `text` is the path if only this text was edited: a run of such saves is one change to undo. `page` is a name that a
    page gives itself while it saves what is typed, and by which it recognises its own saves.
    """
    if new == sheet.state:
        return
    if not (text and text == sheet.typing and timezone.now() - sheet.updated < TYPING):
        # States that are too old to be undone are deleted now and then, but with every change if the sheet is large.
        many = max(1, min(UNDO, MAX_UNDO_BYTES // _length(sheet)))
        if many < UNDO or sheet.position < sheet.top or sheet.position % UNDO == 0:
            sheet.changes.filter(Q(number__gte=sheet.position) | Q(number__lte=sheet.position - many)).delete()
            sheet.floor = max(sheet.floor, sheet.position - many + 1)
        _keep(sheet)
        sheet.position += 1
        sheet.top = sheet.position
    sheet.state, sheet.typing = new, text
    sheet.version += 1
    sheet.note_page(page)
    sheet.save(update_fields=SAVED)


def _length(sheet: Sheet) -> int:
    return len(sheet.name) + len(json.dumps([sheet.data, sheet.typed]))


def step_through(sheet: Sheet, by: int) -> None:
    """Undo (-1) or redo (+1) on a locked draft; do nothing if there is nothing to undo or redo."""
    if there := sheet.changes.filter(number=sheet.position + by).first():
        _keep(sheet)
        sheet.position += by
        sheet.state = there.state
        sheet.typing = sheet.page = ""
        sheet.version += 1
        sheet.save(update_fields=SAVED)


def _keep(sheet: Sheet) -> None:
    """Store the draft's saved state at its place in the history, where undo or redo may have left one already.

    The database copies the row itself, because sending it again would slow down every change of a large sheet.
    """
    with connection.cursor() as cursor:
        cursor.execute(_KEEP, [Sheet.id.field.get_db_prep_value(sheet.pk, connection)])


def can_undo(sheet: Sheet) -> bool:
    """Return True if there is a change to undo."""
    return sheet.position > max(sheet.floor, sheet.top - UNDO)


def can_redo(sheet: Sheet) -> bool:
    """Return True if there is a change to redo."""
    return sheet.position < sheet.top

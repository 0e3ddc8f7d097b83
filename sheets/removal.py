"""Permanent deletion of sheets with everything stored about them; the number of queries is constant."""

import re
from collections.abc import Collection
from uuid import UUID

from django.db.models import Q, QuerySet

from sheets.access import lock_rows
from sheets.audit_log.chain import erase_sheets
from sheets.faces.services import drop_portraits
from sheets.models import (
    AskedRoll,
    Change,
    Event,
    PendingEffect,
    Placed,
    Preview,
    Question,
    Receipt,
    Remark,
    Report,
    Revision,
    Sheet,
    Standing,
)
from sheets.notifications.services import forget
from sheets.receipts.services import remove_receipts

AT_ONCE = 200
"""The most sheets that are removed in one transaction, so that others do not wait long for the locks."""
GONE = "…"
"""Replaces the names of deleted sheets."""
NAMING = ("aimed_at", "title", "titles", "text", "said")
"""The columns of an event that may contain names of other sheets."""
OWN = (AskedRoll, Change, Placed, Preview, Receipt, Remark, Report, Sheet.tags.through, Standing, Revision)
"""The models whose rows are deleted with a sheet, besides events, their effects, and questions."""


def clear(sheets: Collection[UUID]) -> None:
    """Erase findings, comments and names in notifications of sheets that are about to be deleted for good."""
    # Sheets are always locked before the head of the chain; a decision in progress is finished first.
    lock_rows(Sheet.objects.filter(pk__in=sheets).order_by("pk"))
    erase_sheets(sheets)
    forget(sheets)


def unname(sheets: Collection[UUID]) -> None:
    """Replace the names of sheets in the events of other sheets by "…"."""
    others = Event.objects.exclude(sheet__in=sheets)
    keys = {str(pk) for pk in sheets}
    causes = list(PendingEffect.objects.filter(sheet__in=sheets).values_list("event", flat=True))
    parties = {*Sheet.objects.filter(pk__in=sheets).exclude(party=None).values_list("party", flat=True),
               *Event.objects.filter(sheet__in=sheets).exclude(party=None).values_list("party", flat=True).distinct()}
    found = {one.pk: one for one in others.filter(pk__in=causes).only(*NAMING)} if causes else {}
    if parties:
        found |= {one.pk: one for one in others.filter(party__in=parties, aimed_at__has_any_keys=sorted(keys)).only(
            *NAMING)}
    for event in found.values():
        for name in {event.aimed_at[key] for key in keys & {*event.aimed_at}} - {"", GONE}:
            event.title, event.text = _without(event.title, name), _without(event.text, name)
            event.titles, event.said = ({language: _without(text, name) if isinstance(text, str) else text
                                         for language, text in texts.items()} for texts in (event.titles, event.said))
        event.aimed_at = {key: GONE if key in keys else name for key, name in event.aimed_at.items()}
    if found:
        Event.objects.bulk_update(found.values(), NAMING, batch_size=AT_ONCE)


def _without(text: str, name: str) -> str:
    """Return a text with "…" in place of a name, where the name is not part of a longer word."""
    return re.sub(rf"(?<!\w){re.escape(name)}(?!\w)", GONE, text)


def remove_sheets(sheets: Collection[UUID]) -> int:
    """Delete these sheets within the caller's transaction, and return their number.

    Django's own deletion would load all related rows, and run queries for each sheet.
    """
    clear(sheets)
    portraits = list(Sheet.objects.filter(pk__in=sheets, portrait__isnull=False).values_list("portrait", flat=True))
    unname(sheets)
    PendingEffect.objects.filter(sheet__in=sheets).delete()
    remove_events(Event.objects.filter(sheet__in=sheets))
    questions = Question.objects.filter(Q(sheet__in=sheets) | Q(target__in=sheets))
    questions._raw_delete(questions.db)
    for model in OWN:
        of_them = model._base_manager.filter(sheet__in=sheets)
        of_them._raw_delete(of_them.db)
    gone = Sheet.objects.filter(pk__in=sheets)
    count: int = gone._raw_delete(gone.db) or 0
    drop_portraits(*portraits)
    return count


def remove_events(events: QuerySet[Event]) -> int:
    """Delete events and their pending effects; return the number of events."""
    remove_receipts(events)
    PendingEffect.objects.filter(applied__in=events).update(applied=None)
    PendingEffect.objects.filter(event__in=events).delete()
    Event.objects.filter(again__in=events).update(again=None)
    Event.objects.filter(paid_for__in=events).update(paid_for=None)
    Event.objects.filter(step_of__in=events).update(step_of=None)
    # `_raw_delete` returns None if the queryset is known to be empty.
    count: int = events._raw_delete(events.db) or 0
    return count

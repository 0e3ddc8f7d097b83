"""The removal of sheets for good, with all that was kept of them: as many queries for many sheets as for one."""

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
    Remark,
    Report,
    Revision,
    Sheet,
    Standing,
)
from sheets.notifications.services import forget

AT_ONCE = 200
"""Sheets that are removed in one transaction, so that nobody waits long for it."""
OWN = (AskedRoll, Change, Placed, Preview, Remark, Report, Sheet.tags.through, Standing, Revision)
"""The models whose rows go with a sheet, besides events, their effects, and the questions before rolls."""


def clear(sheets: Collection[UUID]) -> None:
    """Remove what others said and were told of sheets, before these are gone for good."""
    # The sheets before the head of the chain, as everywhere: whoever decides about one just now comes first.
    lock_rows(Sheet.objects.filter(pk__in=sheets).order_by("pk"))
    erase_sheets(sheets)
    forget(sheets)


def remove_sheets(sheets: Collection[UUID]) -> int:
    """Remove these sheets within the caller's transaction, and return how many there were.

    Django would read all their rows, and query for each sheet by itself.
    """
    clear(sheets)
    portraits = list(Sheet.objects.filter(pk__in=sheets, portrait__isnull=False).values_list("portrait", flat=True))
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
    """Remove events, with their pending effects on others as far as nobody has applied them."""
    PendingEffect.objects.filter(applied__in=events).update(applied=None)
    PendingEffect.objects.filter(event__in=events).delete()
    Event.objects.filter(again__in=events).update(again=None)
    Event.objects.filter(paid_for__in=events).update(paid_for=None)
    Event.objects.filter(step_of__in=events).update(step_of=None)
    # None where it is clear beforehand that there are none.
    count: int = events._raw_delete(events.db) or 0
    return count

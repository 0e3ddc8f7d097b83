"""Removal of log lines older than LOG_DAYS, and of the undo histories of sheets unchanged for UNDO_DAYS."""

from collections.abc import Iterable, Iterator
from datetime import datetime, timedelta
from typing import Any

from django.db import transaction
from django.db.models import Exists, F, OuterRef, Q, QuerySet
from django.utils import timezone

from rulesets import systems
from sheets.models import AskedRoll, Change, Event, PendingEffect, Sheet
from sheets.models.events import OPEN
from sheets.progress import progress
from sheets.removal import remove_events

AT_ONCE = 500
"""Rows processed in one transaction, so that other requests do not wait long for its locks."""


def forget_log(days: int) -> int:
    """Remove log lines that are older than `days` days; return their number.

    Lines with an open effect, lines that may answer a roll asked for by a GM, and lines that began a duel stay.
    """
    since, pairs = _since(days), [one.crossing.pairs.slug for one in systems().values() if one.crossing.pairs]
    needed = PendingEffect.objects.filter(Q(state=OPEN) | Q(act__in=pairs), event=OuterRef("pk"))
    gathered = AskedRoll.objects.filter(
        sheet=OuterRef("sheet"), widget=OuterRef("widget"), made__lte=OuterRef("made"))
    old = Event.objects.filter(made__lt=since)
    removed = 0
    for page in _pages(Event.objects.all(), "log lines", old):
        # Keys are in the order of time: if a page has no old line, no later page has one.
        with transaction.atomic():
            if not old.filter(pk__in=page).exists():
                break
            gone = old.filter(~Exists(needed), ~Exists(gathered), pk__in=page).values_list("pk", flat=True)
            removed += remove_events(Event.objects.filter(pk__in=list(gone)))
    return removed


def forget_changes(days: int) -> int:
    """Remove the undo history of sheets that have not changed for `days` days; return the number of changes."""
    untouched = Sheet.objects.filter(Exists(Change.objects.filter(sheet=OuterRef("pk"))), updated__lt=_since(days))
    removed = 0
    for page in _pages(untouched, "sheets", untouched):
        with transaction.atomic():
            locked = list(untouched.filter(pk__in=page).select_for_update(of=("self",)).values_list("pk", flat=True))
            removed += Change.objects.filter(sheet__in=locked).delete()[0]
            Sheet.objects.filter(pk__in=locked).update(floor=F("position"), top=F("position"))
    return removed


def _pages(rows: QuerySet[Any], what: str, expected: QuerySet[Any]) -> Iterable[list[Any]]:
    """Return pages of `AT_ONCE` keys of rows; show the progress of `what` by the number of `expected` rows."""
    def pages() -> Iterator[list[Any]]:
        after = rows
        while page := list(after.order_by("pk").values_list("pk", flat=True)[:AT_ONCE]):
            yield page
            after = rows.filter(pk__gt=page[-1])
    return progress(pages(), what, lambda: -(-expected.count() // AT_ONCE))


def _since(days: int) -> datetime:
    return timezone.now() - timedelta(days=days)

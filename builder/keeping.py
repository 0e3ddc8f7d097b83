"""Removal of what is kept no longer than the settings say: old log lines, and changes that could still be undone."""

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
"""Rows that are looked at in one transaction, so that nobody waits long."""


def forget_log(days: int) -> int:
    """Remove log lines that are older than so many days; return how many.

    What waits for an answer stays, what answers a GM who still gathers, and what has begun a game of two, which would
    end without it.
    """
    since, pairs = _since(days), [one.crossing.pairs.slug for one in systems().values() if one.crossing.pairs]
    needed = PendingEffect.objects.filter(Q(state=OPEN) | Q(act__in=pairs), event=OuterRef("pk"))
    gathered = AskedRoll.objects.filter(
        sheet=OuterRef("sheet"), widget=OuterRef("widget"), made__lte=OuterRef("made"))
    old = Event.objects.filter(made__lt=since)
    removed = 0
    for page in _pages(Event.objects.all(), "log lines", old):
        # They are written down in the order of time: behind those that are too young there is none that is not.
        with transaction.atomic():
            if not old.filter(pk__in=page).exists():
                break
            gone = old.filter(~Exists(needed), ~Exists(gathered), pk__in=page).values_list("pk", flat=True)
            removed += remove_events(Event.objects.filter(pk__in=list(gone)))
    return removed


def forget_changes(days: int) -> int:
    """Remove the changes that could be undone of sheets that nobody has changed for so long; return how many."""
    untouched = Sheet.objects.filter(Exists(Change.objects.filter(sheet=OuterRef("pk"))), updated__lt=_since(days))
    removed = 0
    for page in _pages(untouched, "sheets", untouched):
        with transaction.atomic():
            held = list(untouched.filter(pk__in=page).select_for_update(of=("self",)).values_list("pk", flat=True))
            removed += Change.objects.filter(sheet__in=held).delete()[0]
            Sheet.objects.filter(pk__in=held).update(floor=F("position"), top=F("position"))
    return removed


def _pages(rows: QuerySet[Any], what: str, most: QuerySet[Any]) -> Iterable[list[Any]]:
    """The keys of rows, some at a time; `most` are those that may come."""
    def pages() -> Iterator[list[Any]]:
        after = rows
        while page := list(after.order_by("pk").values_list("pk", flat=True)[:AT_ONCE]):
            yield page
            after = rows.filter(pk__gt=page[-1])
    return progress(pages(), what, lambda: -(-most.count() // AT_ONCE))


def _since(days: int) -> datetime:
    return timezone.now() - timedelta(days=days)

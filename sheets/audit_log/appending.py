"""Compiled queries with which entries are appended to the chain."""

from django.db.models import QuerySet

from sheets.models import Head, Review
from sheets.models.compiled_queries import compiled, insert


@compiled
def locked_head() -> QuerySet[Head]:
    """Return and lock the head of the chain."""
    return Head.objects.filter(pk=1).select_for_update()


def store_entries(entries: list[Review]) -> None:
    """Store new entries; nearly always it is one."""
    if len(entries) == 1:
        insert(entries[0])
    else:
        Review.objects.bulk_create(entries)

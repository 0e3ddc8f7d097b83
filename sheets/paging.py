"""Long lists of sheets, a page at a time."""

from contextlib import suppress
from datetime import UTC, datetime
from uuid import UUID

from django.db.models import F, QuerySet
from django.http import HttpRequest
from django.utils.dateparse import parse_datetime

from sheets.models import Sheet


def onward(request: HttpRequest, found: QuerySet[Sheet], moment: str) -> QuerySet[Sheet]:
    """Sheets, the last by a moment first, from where the page before ended: `before` and `last` in the address."""
    if before := _moment(request.GET.get("before", "")):
        # Without the ties that were shown already: a keyset that stays flat at depth, as the usual OR does not.
        found = found.filter(**{f"{moment}__lte": before}).exclude(**{moment: before, "pk__lte": _last(request)})
    return found.order_by(F(moment).desc(), "pk")


def _moment(text: str) -> datetime | None:
    """The moment that an address states, or None."""
    with suppress(ValueError, OverflowError):
        found = parse_datetime(text.replace(" ", "+"))
        return found.astimezone(UTC) if found else None
    return None


def _last(request) -> UUID:
    """The last sheet of the page before; of those touched at the same moment it and all before it were shown."""
    with suppress(ValueError):
        return UUID(request.GET.get("last", ""))
    return UUID(int=0)


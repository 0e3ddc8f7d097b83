"""Long lists of sheets, a page at a time."""

from collections.abc import Iterable
from contextlib import suppress
from datetime import UTC, datetime
from uuid import UUID

from django.db.models import F, QuerySet
from django.http import HttpRequest
from django.utils.dateparse import parse_datetime

from sheets.models import Sheet

PAGE = 24
"""Sheets on one page."""
SOUGHT = 200
"""Characters of a search that are looked for; SQLite takes no more than 50,000 of them."""


def asked_of_list(request: HttpRequest, *keys: str) -> dict[str, str]:
    """Return what an address asks of a list, "" where it does not say."""
    return {key: request.GET.get(key, "").replace("\0", "")[:SOUGHT].strip() for key in keys}


def page_of(found: QuerySet[Sheet], key: str, before: str, last: str, *,
            rising: bool = False) -> tuple[list[Sheet], Sheet | None]:
    """Return sheets, the latest by a moment first, and the one after which the next page starts, None if there is none.

    The link of the page before says where it ended: `before` is its last sheet's moment and `last` that sheet's key;
    anything else means the beginning. `rising` begins with the least, and takes bytes in hexadecimal digits.
    """
    page = list(_after(found, key, before, last, rising=rising).order_by(
        F(key).asc() if rising else F(key).desc(), "pk")[: PAGE + 1])
    return page[:PAGE], page[PAGE - 1] if len(page) > PAGE else None


def page_of_all(lists: Iterable[QuerySet[Sheet]], key: str, before: str, last: str) -> tuple[list[Sheet], Sheet | None]:
    """Return the same of several lists together that have no sheet in common, the least first."""
    found = [one for some in lists
             for one in _after(some, key, before, last, rising=True).order_by(key, "pk")[: PAGE + 1]]
    page = sorted(found, key=lambda one: (bytes(getattr(one, key)), one.pk))[: PAGE + 1]
    return page[:PAGE], page[PAGE - 1] if len(page) > PAGE else None


def _after(found: QuerySet[Sheet], key: str, before: str, last: str, *, rising: bool) -> QuerySet[Sheet]:
    """Return the sheets that come after the page before, in any order."""
    at = (_bytes(before) if last else None) if rising else _moment(before)
    if at is None:
        return found
    # Without the ties that were shown already: a keyset that stays flat at depth, as the usual OR does not.
    return found.filter(**{f"{key}__{'gte' if rising else 'lte'}": at}).exclude(**{key: at, "pk__lte": _key(last)})


def _bytes(text: str) -> bytes | None:
    """Return the bytes that an address states, or None."""
    with suppress(ValueError):
        return bytes.fromhex(text)
    return None


def _moment(text: str) -> datetime | None:
    """Return the moment that an address states, or None."""
    with suppress(ValueError, OverflowError):
        found = parse_datetime(text.replace(" ", "+"))
        return found.astimezone(UTC) if found else None
    return None


def _key(text: str) -> UUID:
    """Return the last sheet of the page before; of those with the same moment it and all before it were shown."""
    with suppress(ValueError):
        return UUID(text)
    return UUID(int=0)

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
"""The most characters of a search; SQLite allows at most 50,000 in a pattern."""


def asked_of_list(request: HttpRequest, *keys: str) -> dict[str, str]:
    """Return {key: value} of a list's query parameters, "" for those that are missing."""
    return {key: request.GET.get(key, "").replace("\0", "")[:SOUGHT].strip() for key in keys}


def page_of(found: QuerySet[Sheet], key: str, before: str, last: str, *,
            rising: bool = False) -> tuple[list[Sheet], Sheet | None]:
    """Return a page of sheets by the column `key`, descending, and its last sheet if there is a next page, else None.

    The previous page's link says where that ended: `before` is the value of its last sheet and `last` the sheet's key;
    if they are invalid, the first page is returned. With `rising` the order is ascending, and `before` is bytes in
    hexadecimal digits instead of a datetime.
    """
    page = list(_after(found, key, before, last, rising=rising).order_by(
        F(key).asc() if rising else F(key).desc(), "pk")[: PAGE + 1])
    return page[:PAGE], page[PAGE - 1] if len(page) > PAGE else None


def page_of_all(lists: Iterable[QuerySet[Sheet]], key: str, before: str, last: str) -> tuple[list[Sheet], Sheet | None]:
    """Return such a page of several lists without common sheets together, in ascending order."""
    found = [one for some in lists
             for one in _after(some, key, before, last, rising=True).order_by(key, "pk")[: PAGE + 1]]
    page = sorted(found, key=lambda one: (bytes(getattr(one, key)), one.pk))[: PAGE + 1]
    return page[:PAGE], page[PAGE - 1] if len(page) > PAGE else None


def _after(found: QuerySet[Sheet], key: str, before: str, last: str, *, rising: bool) -> QuerySet[Sheet]:
    """Return the sheets after the previous page, unordered."""
    at = (_bytes(before) if last else None) if rising else _moment(before)
    if at is None:
        return found
    # Keyset pagination that excludes the ties shown already; unlike the usual OR it stays fast on late pages.
    return found.filter(**{f"{key}__{'gte' if rising else 'lte'}": at}).exclude(**{key: at, "pk__lte": _key(last)})


def _bytes(text: str) -> bytes | None:
    """Return the bytes from hexadecimal digits, or None."""
    with suppress(ValueError):
        return bytes.fromhex(text)
    return None


def _moment(text: str) -> datetime | None:
    """Return the datetime from a query parameter, or None."""
    with suppress(ValueError, OverflowError):
        found = parse_datetime(text.replace(" ", "+"))
        return found.astimezone(UTC) if found else None
    return None


def _key(text: str) -> UUID:
    """Return the key of the previous page's last sheet; ties with a key up to this one were shown already."""
    with suppress(ValueError):
        return UUID(text)
    return UUID(int=0)

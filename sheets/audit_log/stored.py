"""The rows of the chain as they are stored, whatever was written to the bare database in their place."""

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from typing import Any

from django.db import DatabaseError, connection
from django.db.models import CharField, DateTimeField, F, Func, IntegerField, Model, QuerySet, UUIDField

from sheets.models import Review

PAGE = 200
"""Entries that are read at a time."""
UNREAD = tuple(f"sheet__{field}" for field in ("data", "typed", "house", "play", "notes"))
"""The fields of a sheet that the chain does not need, and which may be large."""
UNREADABLE = (ValueError, TypeError, AttributeError, RecursionError, OverflowError, DatabaseError)
"""The errors of reading a value that only the bare database could have: half a character, no time, no key."""
MOMENT = "0000-00-00 00:00:00".replace("0", "[0-9]")
"""A time as SQLite's GLOB knows it; a fraction of its last second has six digits."""


@dataclass(frozen=True)
class Known:
    """The facts that are looked up before the entries are checked."""

    erased: dict[Any, int]
    """{key of a sheet or person: number of the last entry that says that it is gone}."""
    parties: set[Any]
    entries: dict[int, str]
    """{number: column} of those entries that the program never stores so."""
    revisions: dict[int, str]


def read_entries(entries: QuerySet[Review]) -> Iterator[tuple[int, Review | None]]:
    """Return (number, entry) in order, some at a time; None for one with a value that the database should not hold."""
    return paged(entries.select_related("sheet", "revision").defer(*UNREAD), "number")


def paged(rows: QuerySet[Any], key: str) -> Iterator[tuple[int, Any]]:
    """Yield (key, row) in the order of a key, some at a time; None for a row that cannot be read."""
    rows, last = _numbered(rows, key).order_by(key), -1
    while True:
        page = rows.filter(**{f"{key}__gt": last})[:PAGE]
        try:
            found: list[tuple[int, Any]] = [(getattr(one, key), one) for one in page]
        except UNREADABLE:
            found = [(number, _alone(rows, key, number)) for number in page.values_list(key, flat=True)]
        if not found:
            return
        yield from found
        last = found[-1][0]


def _alone(rows: QuerySet[Any], key: str, number: int) -> Any:
    try:
        return rows.get(**{key: number})
    except UNREADABLE:
        return None


def _numbered(rows: QuerySet[Any], key: str) -> QuerySet[Any]:
    """Return the rows whose key is a whole number: in SQLite it may be anything, and nothing tells what follows it."""
    if connection.vendor != "sqlite":
        return rows
    sort = Func(F(key), function="typeof", output_field=CharField())
    numbered: QuerySet[Any] = rows.alias(sort=sort).filter(sort="integer")
    return numbered


def unnumbered() -> int:
    """Return the number of entries without a whole number."""
    return Review.objects.count() - _numbered(Review.objects.all(), "number").count()


def oddly_stored(model: type[Model], keys: Collection[int] | None = None) -> dict[int, str]:
    """Return {key of a row: column with a value as the program never stores it}, of all rows or some.

    Such a value may read like the one that was signed: SQLite compares keys and times as the texts that they are, and
    does not find a row by a key that is spelt differently. PostgreSQL has one spelling for each.
    """
    if connection.vendor != "sqlite" or (keys is not None and not keys):
        return {}
    quote, meta = connection.ops.quote_name, model._meta  # noqa: SLF001
    fields: list[Any] = list(meta.concrete_fields)
    odd = " ".join(f"WHEN NOT ({_shape(field, quote(field.column))}) THEN '{field.attname}'" for field in fields)
    key, chosen = quote(str(meta.pk.column)), list(keys or ())
    among = f" AND {key} IN ({', '.join(['%s'] * len(chosen))})" if chosen else ""
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT {key}, CASE {odd} END AS odd FROM {quote(meta.db_table)} "  # noqa: S608 - our names
                       f"WHERE typeof({key}) = 'integer' AND odd IS NOT NULL{among}", chosen)
        return dict(cursor.fetchall())


def _shape(field: Any, column: str) -> str:
    """Return the condition that a column of SQLite holds a value as the program stores it."""
    own = field.target_field if field.is_relation else field
    if isinstance(own, IntegerField):
        return f"typeof({column}) IN ('null', 'integer')"
    well = f"typeof({column}) = 'text'"
    if isinstance(own, UUIDField):
        well += f" AND length({column}) = 32 AND {column} NOT GLOB '*[^0-9a-f]*'"
    if isinstance(own, DateTimeField):
        well += f" AND ({column} GLOB '{MOMENT}' OR {column} GLOB '{MOMENT}.{'[0-9]' * 6}')"
    return f"{column} IS NULL OR {well}"

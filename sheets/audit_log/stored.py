"""Reading the rows of the chain, even if somebody has put values into the database that the program never stores."""

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from typing import Any

from django.db import DatabaseError, connection
from django.db.models import CharField, DateTimeField, F, Func, IntegerField, Model, QuerySet, UUIDField

from sheets.models import Review

PAGE = 200
"""The entries that are read at a time."""
DEFERRED = tuple(f"sheet__{field}" for field in ("data", "typed", "house", "play", "notes"))
"""The fields of a sheet that the chain does not need, and which may be large."""
READ_ERRORS = (ValueError, TypeError, AttributeError, RecursionError, OverflowError, DatabaseError)
"""The errors of reading a value that the program never stores: invalid UTF-8, an invalid time, an invalid UUID."""
TIMESTAMP_GLOB = "0000-00-00 00:00:00".replace("0", "[0-9]")
"""The GLOB pattern of a timestamp without a fraction; a fraction has six digits."""


@dataclass(frozen=True)
class ChainFacts:
    """The facts about the chain that are looked up before its entries are checked."""

    erased: dict[Any, int]
    """{key of a sheet or person: number of the last entry that says that it is gone}."""
    parties: set[Any]
    """The keys of parties that exist."""
    odd_entries: dict[int, str]
    """{number of an entry: its column with a value that the program never stores}."""
    odd_revisions: dict[int, str]
    """{key of a revision: its column with a value that the program never stores}."""


def read_entries(entries: QuerySet[Review]) -> Iterator[tuple[int, Review | None]]:
    """Yield (number, entry) in order, read page by page; None for an entry that cannot be read."""
    return paged(entries.select_related("sheet", "revision").defer(*DEFERRED), "number")


def paged(rows: QuerySet[Any], key: str) -> Iterator[tuple[int, Any]]:
    """Yield (key, row) in the order of a key, read page by page; None for a row that cannot be read."""
    rows, last = _numbered(rows, key).order_by(key), -1
    while True:
        page = rows.filter(**{f"{key}__gt": last})[:PAGE]
        try:
            found: list[tuple[int, Any]] = [(getattr(one, key), one) for one in page]
        except READ_ERRORS:
            found = [(number, _read_one(rows, key, number)) for number in page.values_list(key, flat=True)]
        if not found:
            return
        yield from found
        last = found[-1][0]


def _read_one(rows: QuerySet[Any], key: str, number: int) -> Any:
    try:
        return rows.get(**{key: number})
    except READ_ERRORS:
        return None


def _numbered(rows: QuerySet[Any], key: str) -> QuerySet[Any]:
    """Return the rows whose key is an integer: in SQLite it may have any type, and others cannot be paged in order."""
    if connection.vendor != "sqlite":
        return rows
    sqlite_type = Func(F(key), function="typeof", output_field=CharField())
    numbered: QuerySet[Any] = rows.alias(sqlite_type=sqlite_type).filter(sqlite_type="integer")
    return numbered


def count_unnumbered() -> int:
    """Return the number of entries whose number is not an integer."""
    return Review.objects.count() - _numbered(Review.objects.all(), "number").count()


def odd_rows(model: type[Model], keys: Collection[int] | None = None) -> dict[int, str]:
    """Return {key of a row: its column with a value that the program never stores}, of all rows or some.

    Such a value may be equal in Python to the one that was signed, and yet unequal in SQLite, which compares keys and
    times as texts: it does not find a row by a key that is spelt differently. PostgreSQL has one spelling for each.
    """
    if connection.vendor != "sqlite" or (keys is not None and not keys):
        return {}
    quote, meta = connection.ops.quote_name, model._meta  # noqa: SLF001
    fields: list[Any] = list(meta.concrete_fields)
    odd = " ".join(f"WHEN NOT ({_as_stored(field, quote(field.column))}) THEN '{field.attname}'" for field in fields)
    key, chosen = quote(str(meta.pk.column)), list(keys or ())
    and_in_keys = f" AND {key} IN ({', '.join(['%s'] * len(chosen))})" if chosen else ""
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT {key}, CASE {odd} END AS odd FROM {quote(meta.db_table)} "  # noqa: S608 - our names
                       f"WHERE typeof({key}) = 'integer' AND odd IS NOT NULL{and_in_keys}", chosen)
        return dict(cursor.fetchall())


def _as_stored(field: Any, column: str) -> str:
    """Return the SQL condition that is true if a column of SQLite has a value as the program stores it."""
    stored_field = field.target_field if field.is_relation else field
    if isinstance(stored_field, IntegerField):
        return f"typeof({column}) IN ('null', 'integer')"
    condition = f"typeof({column}) = 'text'"
    if isinstance(stored_field, UUIDField):
        condition += f" AND length({column}) = 32 AND {column} NOT GLOB '*[^0-9a-f]*'"
    if isinstance(stored_field, DateTimeField):
        condition += f" AND ({column} GLOB '{TIMESTAMP_GLOB}' OR {column} GLOB '{TIMESTAMP_GLOB}.{'[0-9]' * 6}')"
    return f"{column} IS NULL OR {condition}"

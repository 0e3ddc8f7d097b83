"""The bytes that a request's statements add to the database."""

import json
from collections.abc import Callable, Iterable
from itertools import zip_longest
from typing import Any

from django.db import connection

LEAST = 1_000
"""The fewest bytes of a value in an update for which the length of the old value is queried."""
PAGE = 4_096
"""Bytes of a page of SQLite; rows of more than half a page are counted in whole pages."""
OVERHEAD = 250
"""The approximate bytes of a row besides its values, including its entries in indexes."""
PLAIN = '" = %s'
"""The end of an assignment of a parameter to a column, as Django writes it."""
LENGTHS = {"sqlite": ("LENGTH(CAST({} AS BLOB))", "LENGTH({})"),
           "postgresql": ("OCTET_LENGTH(CAST({} AS TEXT))", "OCTET_LENGTH({})")}
"""{database: (SQL of the length of a column in bytes, the same for a binary column)}."""


class StoredSize:
    """A wrapper of the connection's statements that adds up the bytes that they store.

    Inserted rows count in full, with an overhead, also if the database copies them from another table. Updates count
    only by as much as the new values are longer than the old ones.
    """

    bytes = 0

    def __call__(self, execute: Callable[..., Any], sql: str, params: Any, many: Any, context: Any) -> Any:
        """Count a statement's bytes, and execute it."""
        values = [one for row in params for one in row] if many else list(params or ())
        kind = sql.lstrip()[:6].upper()
        if kind == "INSERT":
            self.bytes += sum(map(_room, _rows(sql, values)))
            if copied := _copied(sql):
                self.bytes += _number(execute, copied, values[:copied.count("%s")], context)
        elif kind == "UPDATE" and any(length(one) >= LEAST for one in values):
            self.bytes += _growth(execute, sql, values, context)
        return execute(sql, params, many, context)


def _rows(sql: str, values: list) -> Iterable[list]:
    """Return the inserted values as rows; as a single row if their number is not a multiple of that of the columns."""
    columns = sql.partition("(")[2].partition(")")[0].count(",") + 1
    if values and all(isinstance(one, list) for one in values):
        # Django sends many rows to PostgreSQL as one array for each column.
        return map(list, zip_longest(*values, fillvalue=""))
    if len(values) % columns:
        return [values]
    return [values[at:at + columns] for at in range(0, len(values), columns)]


def _room(row: Iterable) -> int:
    """Return the approximate number of bytes that a row takes in the database."""
    size = sum(map(length, row))
    if connection.vendor == "sqlite" and size > PAGE / 2:
        size = -(-size // PAGE) * PAGE
    return size + OVERHEAD


def length(value: Any) -> int:
    """Return the approximate number of bytes that a statement's parameter takes in the database."""
    if isinstance(value, str):
        return len(value.encode("utf-8", "replace"))
    if isinstance(value, bytes | memoryview):
        return len(value)
    if isinstance(value, list):
        return sum(map(length, value))
    if hasattr(value, "obj"):
        # PostgreSQL gets JSON in a wrapper, SQLite as a text with escapes.
        return len(json.dumps(value.obj, ensure_ascii=False, default=str).encode("utf-8", "replace"))
    return len(str(value))


def _length_of(column: str, *, raw: bool = False) -> str:
    return f"COALESCE({LENGTHS[connection.vendor][raw].format(column)}, 0)"


def _copied(sql: str) -> str:
    """Return a query for the length of the rows that an INSERT … SELECT copies; "" for any other statement."""
    head, _select, rows = " ".join(sql.split()).partition(" SELECT ")
    # PostgreSQL gets many rows as arrays, which are parameters.
    if " FROM " not in rows or " FROM UNNEST(" in rows:
        return ""
    rows = rows.partition(" ON CONFLICT ")[0]
    columns = head[head.index("(") + 1:head.rindex(")")]
    lengths = " + ".join(_length_of(one.strip()) for one in columns.split(","))
    return f"WITH copied ({columns}) AS (SELECT {rows}) SELECT SUM({lengths}) FROM copied"  # noqa: S608


def _growth(execute: Callable[..., Any], sql: str, values: list, context: Any) -> int:
    """Return by how many bytes an update's values are longer than the old ones; their full length if unknown."""
    head, _set, rest = " ".join(sql.split()).partition(" SET ")
    pairs, _where, where = rest.partition(" WHERE ")
    table, columns, new, at = head.split(" ", 1)[1], [], 0, 0
    for one in pairs.split(", "):
        value = values[at] if at < len(values) else ""
        if one.endswith(PLAIN) and length(value) >= LEAST:
            columns.append(_length_of(one.partition(" = ")[0], raw=isinstance(value, bytes | memoryview)))
            new += length(value)
        at += one.count("%s")
    if not columns or not where or at + where.count("%s") != len(values):
        return sum(map(length, values))
    old = f"COALESCE(SUM({' + '.join(columns)}), 0)"
    question = f"SELECT COUNT(*) * {new} - {old} FROM {table} WHERE {where}"  # noqa: S608 - all but values is ours
    return max(0, _number(execute, question, values[at:], context))


def _number(execute: Callable[..., Any], question: str, values: Iterable, context: Any) -> int:
    execute(question, tuple(values), False, context)  # noqa: FBT003 - Django's own
    found = context["cursor"].fetchone()
    return int(found[0] or 0) if found else 0

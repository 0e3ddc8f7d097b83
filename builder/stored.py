"""The size of what a request's statements add to the database, in bytes as they are stored."""

import json
from collections.abc import Callable, Iterable
from itertools import zip_longest
from typing import Any

from django.db import connection

LEAST = 1_000
"""Bytes of a value in an update below which nobody looks how long the old one was."""
PAGE = 4_096
"""Bytes of a page of SQLite: a row of more than half of one shares it with no other row as long."""
BESIDE = 250
"""Bytes that a row takes in indexes and for itself, about."""
PLAIN = '" = %s'
"""Django's way of writing that a column gets another value."""
LENGTHS = {"sqlite": ("LENGTH(CAST({} AS BLOB))", "LENGTH({})"),
           "postgresql": ("OCTET_LENGTH(CAST({} AS TEXT))", "OCTET_LENGTH({})")}
"""{database: how long what a column holds is, and the same of one that holds bytes}."""


class Stored:
    """A wrapper of a connection's statements that counts what they store.

    What is inserted counts whole, with the room that its rows take, also where the database copies it itself; what is
    updated counts by how much longer it is than what it replaces.
    """

    bytes = 0

    def __call__(self, execute: Callable[..., Any], sql: str, params: Any, many: Any, context: Any) -> Any:
        """Count a statement, and execute it."""
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
    """Return what is inserted row by row; all as one row where that cannot be told."""
    columns = sql.partition("(")[2].partition(")")[0].count(",") + 1
    if values and all(isinstance(one, list) for one in values):
        # PostgreSQL gets many rows as an array for each column.
        return map(list, zip_longest(*values, fillvalue=""))
    if len(values) % columns:
        return [values]
    return [values[at:at + columns] for at in range(0, len(values), columns)]


def _room(row: Iterable) -> int:
    """Return how many bytes a row takes where it is stored."""
    size = sum(map(length, row))
    if connection.vendor == "sqlite" and size > PAGE / 2:
        size = -(-size // PAGE) * PAGE
    return size + BESIDE


def length(value: Any) -> int:
    """Return how many bytes a statement's parameter is stored in, about."""
    if isinstance(value, str):
        return len(value.encode("utf-8", "replace"))
    if isinstance(value, bytes | memoryview):
        return len(value)
    if isinstance(value, list):
        return sum(map(length, value))
    if hasattr(value, "obj"):
        # PostgreSQL's JSON, which SQLite gets as a text already, with escapes.
        return len(json.dumps(value.obj, ensure_ascii=False, default=str).encode("utf-8", "replace"))
    return len(str(value))


def _length_of(column: str, *, raw: bool = False) -> str:
    return f"COALESCE({LENGTHS[connection.vendor][raw].format(column)}, 0)"


def _copied(sql: str) -> str:
    """Return the question how long the rows are that a statement copies from a table, "" where it copies none."""
    head, _select, rows = " ".join(sql.split()).partition(" SELECT ")
    # PostgreSQL gets many rows as arrays, which are parameters.
    if " FROM " not in rows or " FROM UNNEST(" in rows:
        return ""
    rows = rows.partition(" ON CONFLICT ")[0]
    columns = head[head.index("(") + 1:head.rindex(")")]
    lengths = " + ".join(_length_of(one.strip()) for one in columns.split(","))
    return f"WITH copied ({columns}) AS (SELECT {rows}) SELECT SUM({lengths}) FROM copied"  # noqa: S608


def _growth(execute: Callable[..., Any], sql: str, values: list, context: Any) -> int:
    """Return how much longer what an update writes is than what was there; whole where that cannot be asked."""
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

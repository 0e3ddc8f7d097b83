"""Inserting the rows of a backup into the database; errors name the line of the row that does not fit."""

import json
import re
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from datetime import datetime
from itertools import islice
from pathlib import Path
from typing import Any, NoReturn

from django.db import connection, models

from builder.backup.archive import backup_lines
from builder.backup.database import BackupError, columns, lost_rows
from builder.backup.faults import REFUSED_BY_DATABASE, UNREADABLE, error_text, fault_of, suspicious

BATCH = 100
"""The rows that are inserted into SQLite at a time."""
PLAIN = (models.CharField, models.TextField, models.IntegerField, models.BooleanField)
"""Fields whose values are passed to the database exactly as they are in a backup."""
SPELT = (models.UUIDField, models.DateField)
"""Fields whose values PostgreSQL parses from their text in a backup."""
TEXT = json.JSONEncoder(allow_nan=False)
Numbered = tuple[int, bytes]
"""(number of a line in the file, the line)."""


class Misfit(Exception):
    """A row that cannot be restored: the number of its line, 0 if unknown, and a message."""

    def __init__(self, line: int, what: str) -> None:
        super().__init__(what)
        self.line = line


class Rows:
    """The rows of a backup file, to be inserted into `tables`; `column_names` are the columns that the header names.

    Raise `BackupError` if these are not the columns of the tables.
    """

    def __init__(self, path: Path, column_names: dict[str, list[str]], tables: dict[str, Any]) -> None:
        self.path, self.column_names, self.tables = path, column_names, tables
        self.line = 0
        for label, model in tables.items():
            given, wanted = column_names.get(label), columns(model)
            if given is None:
                self._refuse(1, f"it does not say which fields {label} has")
            for name in sorted({*given} ^ {*wanted}):
                self._refuse(1, f"{label} has no field {name}" if name in given else f"{label}.{name} is missing")

    def _refuse(self, line: int, what: str) -> NoReturn:
        raise BackupError(f"{self.path}, line {line}: {what}. Nothing was changed.")

    def numbered_lines(self) -> Iterator[Numbered]:
        """Yield (number, line) of all lines but the header."""
        return enumerate(islice(backup_lines(self.path), 1, None), 2)

    @contextmanager
    def errors_with_lines(self) -> Iterator[None]:
        """Turn an exception that a row causes in this context into a `BackupError` that names its line, if known."""
        try:
            yield
        except (Misfit, *REFUSED_BY_DATABASE) as error:
            if isinstance(error, Misfit) and error.line:
                line = next(line for number, line in self.numbered_lines() if number == error.line)
                self._refuse(error.line, self._fault(line) or str(error))
            self.search()
            raise BackupError(f"{self.path} has what the database does not take ({error_text(error)}); nothing was "
                              "changed.") from None

    def search(self) -> None:
        """Check each row by itself, which is slow, and raise `BackupError` for the first that is wrong."""
        last = b""
        for number, line in self.numbered_lines():
            if last and (what := self._fault(last)):
                self._refuse(number - 1, what)
            last = line

    def _fault(self, line: bytes) -> str:
        return fault_of(line, self.tables, self.column_names)

    def unrestored_lines(self, group: Iterable[Numbered]) -> Iterator[bytes]:
        """Yield the lines of a table that is counted but not restored; raise `Misfit` if one is not a valid row."""
        for number, line in group:
            if what := self._fault(line):
                raise Misfit(number, what)
            yield line

    def insert(self, label: str, group: Iterable[Numbered]) -> None:
        """Insert rows as they are, without defaults, automatic times or signals; raise `Misfit` if one does not fit."""
        if label not in self.tables:
            raise Misfit(next(iter(group))[0], f"there is no table {label}")
        model, names = self.tables[label], self.column_names[label]
        fields = {field.attname: field for field in model._meta.concrete_fields}
        rows, quote = self._read([_reader(fields[name]) for name in names], group), connection.ops.quote_name
        table, chosen = quote(model._meta.db_table), ", ".join(quote(fields[name].column) for name in names)
        if connection.vendor == "postgresql":
            self._copy(f"COPY {table} ({chosen}) FROM STDIN", rows)
        else:
            marks = ", ".join(["%s"] * len(names))
            self._insert(f"INSERT INTO {table} ({chosen}) VALUES ({marks})", rows)  # noqa: S608 - our names

    def _read(self, readers: list[Any], group: Iterable[Numbered]) -> Iterator[list[Any]]:
        for self.line, line in group:
            if suspicious(line) and (what := self._fault(line)):
                raise Misfit(self.line, what)
            try:
                row = [read(value) if read and value is not None else value
                       for read, value in zip(readers, json.loads(line)[1], strict=True)]
            except UNREADABLE as error:
                raise Misfit(self.line, _refused(error)) from None
            yield row

    def _insert(self, sql: str, rows: Iterator[list[Any]]) -> None:
        sqlite: Any = connection
        with connection.cursor() as cursor:
            while batch := list(islice(rows, BATCH)):
                before = sqlite.connection.total_changes
                try:
                    cursor.executemany(sql, batch)
                except REFUSED_BY_DATABASE as error:
                    taken = sqlite.connection.total_changes - before
                    raise Misfit(self.line - len(batch) + 1 + taken, _refused(error)) from None

    def _copy(self, sql: str, rows: Iterator[list[Any]]) -> None:
        first = 0
        try:
            with connection.cursor() as cursor, connection.wrap_database_errors, cursor.copy(sql) as copy:
                for row in rows:
                    first = first or self.line
                    copy.write_row(row)
        except REFUSED_BY_DATABASE as error:
            # The error message has the number of the row within this COPY; later rows may have been sent already.
            place = re.search(r"\bline (\d+)", getattr(getattr(error.__cause__, "diag", None), "context", None) or "")
            raise Misfit(first - 1 + int(place[1]) if place else self.line, _refused(error)) from None

    def insert_again(self, table: str, make: str) -> None:
        """Insert a table's rows again, one by one, after the statement `make` failed to create an index on all of them.

        Raise `Misfit` at the row that breaks the index.
        """
        with connection.cursor() as cursor:
            cursor.execute(f"DELETE FROM {connection.ops.quote_name(table)}")  # noqa: S608 - our name
            cursor.execute(make)
        label = next(label for label, model in self.tables.items() if model._meta.db_table == table)
        start = f'["{label}",'.encode()
        for number, line in self.numbered_lines():
            if line.startswith(start):
                self.insert(label, [(number, line)])

    def find_lost(self) -> None:
        """Raise `Misfit` if a row refers to a missing row, or `BackupError` first if a row is wrong by itself."""
        self.search()
        for label, model in self.tables.items():
            for field, lost in lost_rows(model):
                for key, to in lost.values_list("pk", field.attname)[:1]:
                    what = f"{label}.{field.attname} is {to}, which is not there"
                    raise Misfit(self._line_of(label, model, key), what)

    def _line_of(self, label: str, model: Any, key: Any) -> int:
        start, place = f'["{label}",'.encode(), self.column_names[label].index(model._meta.pk.attname)
        return next((number for number, line in self.numbered_lines()
                     if line.startswith(start) and str(json.loads(line)[1][place]) == str(key)), 0)


def _refused(error: Exception) -> str:
    return f"the database does not take it ({error_text(error)})"


def _reader(field: Any) -> Callable[[Any], Any] | None:
    """Return the function that converts a value of a line for the database; None if it needs no conversion."""
    own = field.target_field if field.is_relation else field
    if isinstance(own, PLAIN) or (connection.vendor == "postgresql" and isinstance(own, SPELT)):
        return None
    if isinstance(own, models.JSONField):
        return _json
    if isinstance(own, models.DateTimeField):
        return _time
    return lambda value: own.get_db_prep_save(own.to_python(value), connection)


def _json(value: Any) -> str:
    # Most values are empty, and `str` is faster than the encoder.
    return str(value) if value in ({}, []) else TEXT.encode(value)


def _time(value: str) -> Any:
    read = datetime.fromisoformat(value)
    if read.tzinfo is None:
        raise ValueError("a time without its zone")
    return connection.ops.adapt_datetimefield_value(read)

"""The rows of a backup on their way into the database; one that does not fit is told by its line."""

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
from builder.backup.faults import UNREADABLE, UNTAKEN, fault_of, suspicious, worded

BATCH = 100
"""Rows that are written to the database at once."""
PLAIN = (models.CharField, models.TextField, models.IntegerField, models.BooleanField)
"""Fields whose values stand in a backup as they are given to the database."""
SPELT = (models.UUIDField, models.DateField)
"""Those whose values PostgreSQL reads as they are spelt there."""
TEXT = json.JSONEncoder(allow_nan=False)
Numbered = tuple[int, bytes]
"""A line of the file, and which it is."""


class Misfit(Exception):
    """A row that the database does not take: its line, 0 where it is not known, and what is said of it."""

    def __init__(self, line: int, what: str) -> None:
        super().__init__(what)
        self.line = line


class Rows:
    """The rows of a file, for the tables that there are."""

    def __init__(self, path: Path, named: dict[str, list[str]], tables: dict[str, Any]) -> None:
        self.path, self.named, self.tables = path, named, tables
        self.line = 0
        for label, model in tables.items():
            given, wanted = named.get(label), columns(model)
            if given is None:
                self._refuse(1, f"it does not say which fields {label} has")
            for name in sorted({*given} ^ {*wanted}):
                self._refuse(1, f"{label} has no field {name}" if name in given else f"{label}.{name} is missing")

    def _refuse(self, line: int, what: str) -> NoReturn:
        raise BackupError(f"{self.path}, line {line}: {what}. Nothing was changed.")

    def numbered(self) -> Iterator[Numbered]:
        """All lines but the first."""
        return enumerate(islice(backup_lines(self.path), 1, None), 2)

    @contextmanager
    def told(self) -> Iterator[None]:
        """Whatever a row brings about in here is said of its line (`BackupError`)."""
        try:
            yield
        except (Misfit, *UNTAKEN) as error:
            if isinstance(error, Misfit) and error.line:
                line = next(line for number, line in self.numbered() if number == error.line)
                self._refuse(error.line, self._fault(line) or str(error))
            self.search()
            raise BackupError(f"{self.path} has what the database does not take ({worded(error)}); nothing was "
                              "changed.") from None

    def search(self) -> None:
        """Look at each row by itself, which takes its time, and tell of the first that is none (`BackupError`)."""
        last = b""
        for number, line in self.numbered():
            if last and (what := self._fault(last)):
                self._refuse(number - 1, what)
            last = line

    def _fault(self, line: bytes) -> str:
        return fault_of(line, self.tables, self.named)

    def left_out(self, group: Iterable[Numbered]) -> Iterator[bytes]:
        """Rows that are only counted."""
        for number, line in group:
            if what := self._fault(line):
                raise Misfit(number, what)
            yield line

    def insert(self, label: str, group: Iterable[Numbered]) -> None:
        """Write rows as they are: no default, no time of saving, no signal (`Misfit`)."""
        if label not in self.tables:
            raise Misfit(next(iter(group))[0], f"there is no table {label}")
        model, names = self.tables[label], self.named[label]
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
                except UNTAKEN as error:
                    taken = sqlite.connection.total_changes - before
                    raise Misfit(self.line - len(batch) + 1 + taken, _refused(error)) from None

    def _copy(self, sql: str, rows: Iterator[list[Any]]) -> None:
        first = 0
        try:
            with connection.cursor() as cursor, connection.wrap_database_errors, cursor.copy(sql) as copy:
                for row in rows:
                    first = first or self.line
                    copy.write_row(row)
        except UNTAKEN as error:
            # The server tells which of the rows it was, which came long ago.
            place = re.search(r"\bline (\d+)", getattr(getattr(error.__cause__, "diag", None), "context", None) or "")
            raise Misfit(first - 1 + int(place[1]) if place else self.line, _refused(error)) from None

    def insert_again(self, table: str, make: str) -> None:
        """Find the row by which an index could not be made of those that are there (`Misfit`)."""
        with connection.cursor() as cursor:
            cursor.execute(f"DELETE FROM {connection.ops.quote_name(table)}")  # noqa: S608 - our name
            cursor.execute(make)
        label = next(label for label, model in self.tables.items() if model._meta.db_table == table)
        start = f'["{label}",'.encode()
        for number, line in self.numbered():
            if line.startswith(start):
                self.insert(label, [(number, line)])

    def find_lost(self) -> None:
        """Tell of a row that leads to one that is not there, if each is well by itself (`Misfit`)."""
        self.search()
        for label, model in self.tables.items():
            for field, lost in lost_rows(model):
                for key, to in lost.values_list("pk", field.attname)[:1]:
                    what = f"{label}.{field.attname} is {to}, which is not there"
                    raise Misfit(self._line_of(label, model, key), what)

    def _line_of(self, label: str, model: Any, key: Any) -> int:
        start, place = f'["{label}",'.encode(), self.named[label].index(model._meta.pk.attname)
        return next((number for number, line in self.numbered()
                     if line.startswith(start) and str(json.loads(line)[1][place]) == str(key)), 0)


def _refused(error: Exception) -> str:
    return f"the database does not take it ({worded(error)})"


def _reader(field: Any) -> Callable[[Any], Any] | None:
    """Return the function that turns a value in a line into the database's; None where they are the same."""
    own = field.target_field if field.is_relation else field
    if isinstance(own, PLAIN) or (connection.vendor == "postgresql" and isinstance(own, SPELT)):
        return None
    if isinstance(own, models.JSONField):
        return _json
    if isinstance(own, models.DateTimeField):
        return _time
    return lambda value: own.get_db_prep_save(own.to_python(value), connection)


def _json(value: Any) -> str:
    # Most of these are empty, and are not asked how they are written.
    return str(value) if value in ({}, []) else TEXT.encode(value)


def _time(value: str) -> Any:
    read = datetime.fromisoformat(value)
    if read.tzinfo is None:
        raise ValueError("a time without its zone")
    return connection.ops.adapt_datetimefield_value(read)

"""Reading the rows of all tables from a snapshot of the database, as lines of a backup, with counts and checksums."""

import base64
import hashlib
import json
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from datetime import UTC, date, datetime
from functools import lru_cache
from json.encoder import encode_basestring_ascii
from typing import Any
from uuid import UUID

from django.apps import apps
from django.db import connection, models, transaction
from django.db.migrations.recorder import MigrationRecorder
from django.db.models import Exists, OuterRef, Q, QuerySet

from sheets.progress import progress

CHUNK = 100
"""The rows that are fetched at a time; 100 pictures are about 20 MB."""


SESSIONS = "sessions.Session"
"""The table of sessions. Backups leave it out: a stolen one lets nobody sign in, and a restore signs everybody out."""
SECRET = {("sheets.RollKey", "sealed")}
"""Columns that are null in every backup: the private keys that sign rolls, which a restore ends anyway."""
SHORT = 100
"""JSON values of up to this many characters are cached once encoded: most are empty or the same in many rows."""


class BackupError(Exception):
    """A backup that cannot be made, read or restored; the message says why and what can be done."""


class Tally:
    """The number of rows in each table, and a checksum of all rows that does not depend on their order."""

    def __init__(self) -> None:
        self.counts, self.content = Counter(), 0

    def add(self, label: str, line: bytes) -> None:
        """Add one row of a table to its count and to the checksum."""
        self.counts[label] += 1
        self.content = (self.content + int.from_bytes(hashlib.sha256(line).digest())) % 2**256

    def asdict(self) -> dict:
        """Return the counts and the checksum as the last line of a backup has them."""
        return {"counts": dict(sorted(self.counts.items())), "content": f"{self.content:064x}"}


def tables(registry: Any = apps) -> dict:
    """Return {label: model} of every table that backups contain: those of all models except the sessions.

    `registry` is an app registry, which may be one of historical models from migrations.
    """
    return {model._meta.label: model for model in registry.get_models(include_auto_created=True)
            if model._meta.managed and not model._meta.proxy and model._meta.label != SESSIONS}


def lost_rows(model: Any) -> Iterator[tuple[Any, QuerySet[Any]]]:
    """Yield (field, queryset of the rows whose value refers to a missing row) for each foreign key of a model."""
    for field in (one for one in model._meta.concrete_fields if one.is_relation):
        there = field.related_model._base_manager.filter(pk=OuterRef(field.attname))
        yield field, model._base_manager.filter(~Q(**{field.attname: None}), ~Exists(there))


def columns(model: Any) -> list[str]:
    """Return the attribute names of a model's concrete fields, such as `owner_id`."""
    return [field.attname for field in model._meta.concrete_fields]


def applied_migrations() -> list[str]:
    """Return the names of the applied migrations, "app.name", sorted."""
    return sorted(f"{app}.{name}" for app, name in MigrationRecorder(connection).applied_migrations())


@contextmanager
def snapshot() -> Iterator[None]:
    """Open a transaction that reads one snapshot of the database; other connections can write meanwhile."""
    if connection.vendor != "sqlite":
        with transaction.atomic(durable=True), connection.cursor() as cursor:
            cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY")
            yield
        return
    # Reads take no lock in WAL mode; BEGIN IMMEDIATE, which other transactions use, would block all writers.
    connection.ensure_connection()
    sqlite: Any = connection
    usual, sqlite.transaction_mode = sqlite.transaction_mode, "DEFERRED"
    try:
        with transaction.atomic(durable=True):
            yield
    finally:
        sqlite.transaction_mode = usual


def ensure_snapshot() -> AbstractContextManager[None]:
    """Return `snapshot()`, or a context that does nothing if a transaction is open already."""
    return nullcontext() if connection.in_atomic_block else snapshot()


@contextmanager
def check_constraints_once(database: Any) -> Iterator[None]:
    """Check SQLite's foreign keys once at the end of the context, rather than in all tables after each migration."""
    if database.vendor != "sqlite":
        yield
        return
    asked: list[None] = []
    database.check_constraints = lambda *_tables: asked.append(None)
    try:
        yield
    finally:
        del database.check_constraints
    if asked:
        database.check_constraints()


def lines(registry: Any = apps, column_names: dict | None = None) -> Iterator[tuple[str, bytes]]:
    """Yield (table, line of a backup) for every row, its values in the order of the table's `column_names`."""
    for label, model in sorted(tables(registry).items()):
        names = column_names[label] if column_names else columns(model)
        for row in progress(_rows(model, names), label, model._base_manager.count):
            yield label, f'["{label}",[{row}]]\n'.encode()


def _rows(model: Any, names: list[str]) -> Iterator[str]:
    """Yield the values of each row as comma-separated JSON, read without the ORM but encoded as `as_line` would."""
    fields = {field.attname: field for field in model._meta.concrete_fields}
    spelt, quote = [_speller(fields[name]) for name in names], connection.ops.quote_name
    chosen = ", ".join(quote(fields[name].column) for name in names)
    with connection.chunked_cursor() as cursor:
        cursor.execute(f"SELECT {chosen} FROM {quote(model._meta.db_table)} "  # noqa: S608 - our names
                       f"ORDER BY {quote(model._meta.pk.column)}")
        while rows := cursor.fetchmany(CHUNK):
            for row in rows:
                yield ",".join(["null" if value is None else spell(value)
                                for spell, value in zip(spelt, row, strict=True)])


def _speller(field: Any) -> Callable[[Any], str]:
    """Return the function that encodes a database value of a field as JSON."""
    if (field.model._meta.label, field.attname) in SECRET:
        return lambda _value: "null"
    own = field.target_field if field.is_relation else field
    if isinstance(own, models.JSONField):
        return _json
    if isinstance(own, models.CharField | models.TextField):
        return encode_basestring_ascii
    if isinstance(own, models.UUIDField):
        return _key
    if isinstance(own, models.DateTimeField):
        return _time
    if isinstance(own, models.BooleanField):
        return lambda value: "true" if value else "false"
    if isinstance(own, models.IntegerField):
        return int.__repr__
    return lambda value: WRITER.encode(own.to_python(value))


@lru_cache(1000)
def _key(value: UUID | str) -> str:
    # SQLite stores UUIDs as texts without hyphens.
    return f'"{value if isinstance(value, UUID) else UUID(value)}"'


def _time(value: datetime) -> str:
    # SQLite stores times in UTC without a time zone.
    return f'"{_plain(value if value.tzinfo else value.replace(tzinfo=UTC))}"'


def _json(text: str) -> str:
    # The databases store keys in different orders and with different spaces.
    return _short(text) if len(text) <= SHORT else WRITER.encode(json.loads(text))


@lru_cache(1000)
def _short(text: str) -> str:
    return WRITER.encode(json.loads(text))


def check_file() -> None:
    """Raise `BackupError` if SQLite finds its file damaged; PostgreSQL checks its pages by itself."""
    if connection.vendor == "sqlite":
        with connection.cursor() as cursor:
            found = cursor.execute("PRAGMA integrity_check(3)").fetchall()
        if found != [("ok",)]:
            raise BackupError(f"The database file is damaged ({found[0][0]}); restore the last backup.")


def as_line(tree: Any) -> bytes:
    """Return a row, header or summary as a line of a backup, the same for every database."""
    return WRITER.encode(tree).encode() + b"\n"


def _plain(value: Any) -> str:
    """Return a value that JSON has no type for as a string: times in UTC, bytes in base 64 as Django reads them."""
    if isinstance(value, datetime):
        return value.astimezone(UTC).isoformat()
    if isinstance(value, date | UUID):
        return str(value)
    if isinstance(value, bytes | memoryview):
        return base64.b64encode(value).decode()
    raise TypeError(f"no way to write {type(value)}")


WRITER = json.JSONEncoder(sort_keys=True, separators=(",", ":"), default=_plain)

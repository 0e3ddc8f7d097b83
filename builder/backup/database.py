"""The content of the database, read row by row as of one moment, counted and summed up."""

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
"""Rows that are read at once: of pictures these are twenty megabytes."""


SESSIONS = "sessions.Session"
"""The table of the sessions: who holds a backup signs in as nobody, and a restore signs everybody out."""
SHORT = 100
"""Characters of what may be spelt but once: most lists and figures of a row are empty, or those of many others."""


class BackupError(Exception):
    """A backup that cannot be made, read or brought back; the message says why and the way out."""


class Tally:
    """The number of rows in each table, and a sum over their content that does not depend on their order."""

    def __init__(self) -> None:
        self.counts, self.content = Counter(), 0

    def add(self, label: str, line: bytes) -> None:
        """Count one row."""
        self.counts[label] += 1
        self.content = (self.content + int.from_bytes(hashlib.sha256(line).digest())) % 2**256

    def asdict(self) -> dict:
        """As the last line of a file states it."""
        return {"counts": dict(sorted(self.counts.items())), "content": f"{self.content:064x}"}


def tables(known: Any = apps) -> dict:
    """{label: model} of every table that is kept: in the end that is everything but the cache and the sessions.

    `known` may be the models of another state of migrations.
    """
    return {model._meta.label: model for model in known.get_models(include_auto_created=True)
            if model._meta.managed and not model._meta.proxy and model._meta.label != SESSIONS}


def lost_rows(model: Any) -> Iterator[tuple[Any, QuerySet[Any]]]:
    """Yield (field, rows of a table that lead by it to a row that is not there) of each field that leads anywhere."""
    for field in (one for one in model._meta.concrete_fields if one.is_relation):
        there = field.related_model._base_manager.filter(pk=OuterRef(field.attname))
        yield field, model._base_manager.filter(~Q(**{field.attname: None}), ~Exists(there))


def columns(model: Any) -> list[str]:
    """The names of a table's columns, as Django's."""
    return [field.attname for field in model._meta.concrete_fields]


def applied_migrations() -> list[str]:
    """The migrations that the database stands at."""
    return sorted(f"{app}.{name}" for app, name in MigrationRecorder(connection).applied_migrations())


@contextmanager
def snapshot() -> Iterator[None]:
    """One moment of the database, whatever others write meanwhile; nobody waits for it."""
    if connection.vendor != "sqlite":
        with transaction.atomic(durable=True), connection.cursor() as cursor:
            cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY")
            yield
        return
    # Reading takes no lock in WAL; the IMMEDIATE that suits writers would stop them all.
    connection.ensure_connection()
    sqlite: Any = connection
    usual, sqlite.transaction_mode = sqlite.transaction_mode, "DEFERRED"
    try:
        with transaction.atomic(durable=True):
            yield
    finally:
        sqlite.transaction_mode = usual


def moment() -> AbstractContextManager[None]:
    """The same for who only reads: within a transaction of somebody else's, what that one sees."""
    return nullcontext() if connection.in_atomic_block else snapshot()


@contextmanager
def checked_once(database: Any) -> Iterator[None]:
    """After each migration SQLite looks whether any row of any table leads nowhere; once after the last is enough."""
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


def lines(known: Any = apps, named: dict | None = None) -> Iterator[tuple[str, bytes]]:
    """(table, line) of every row that there is; `named` are the tables' columns where those are in another order."""
    for label, model in sorted(tables(known).items()):
        names = named[label] if named else columns(model)
        for row in progress(_rows(model, names), label, model._base_manager.count):
            yield label, f'["{label}",[{row}]]\n'.encode()


def _rows(model: Any, names: list[str]) -> Iterator[str]:
    """The values of each row as the database keeps them, spelt as `as_line` would what Django makes of them."""
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
    """Return the function that spells a value of a field."""
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
    # SQLite's are texts without hyphens.
    return f'"{value if isinstance(value, UUID) else UUID(value)}"'


def _time(value: datetime) -> str:
    # SQLite's are in UTC without saying so.
    return f'"{_plain(value if value.tzinfo else value.replace(tzinfo=UTC))}"'


def _json(text: str) -> str:
    # In one order of keys and spaced alike, whatever the database keeps.
    return _short(text) if len(text) <= SHORT else WRITER.encode(json.loads(text))


@lru_cache(1000)
def _short(text: str) -> str:
    return WRITER.encode(json.loads(text))


def check_file() -> None:
    """Ask SQLite whether its file is whole (`BackupError`); PostgreSQL checks its pages by itself."""
    if connection.vendor == "sqlite":
        with connection.cursor() as cursor:
            found = cursor.execute("PRAGMA integrity_check(3)").fetchall()
        if found != [("ok",)]:
            raise BackupError(f"The database file is damaged ({found[0][0]}); restore the last backup.")


def as_line(tree: Any) -> bytes:
    """A row, a header or an end as a line of a backup, the same for every database."""
    return WRITER.encode(tree).encode() + b"\n"


def _plain(value: Any) -> str:
    """A value that JSON has no word for; times to the microsecond, in UTC, pictures in base 64 as Django reads them."""
    if isinstance(value, datetime):
        return value.astimezone(UTC).isoformat()
    if isinstance(value, date | UUID):
        return str(value)
    if isinstance(value, bytes | memoryview):
        return base64.b64encode(value).decode()
    raise TypeError(f"no way to write {type(value)}")


WRITER = json.JSONEncoder(sort_keys=True, separators=(",", ":"), default=_plain)

"""A backup brought back, one of an earlier version too: all of it or nothing, but for sessions that such a one has."""

import json
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from itertools import groupby, islice
from pathlib import Path
from typing import Any

from django.apps import apps
from django.contrib.sessions.models import Session
from django.core.management.color import no_style
from django.core.management.sql import emit_post_migrate_signal
from django.db import OperationalError, connection, models, transaction
from django.db.migrations.executor import MigrationExecutor

from builder.backup.archive import backup_lines, examined, header, table_of
from builder.backup.database import SESSIONS, BackupError, Tally, applied_migrations, checked_once, lines, tables
from sheets.progress import progress

BATCH = 100
"""Rows that are written to the database at once."""
GIVEN = {"contenttypes.ContentType", "auth.Permission", "sheets.Head"}
"""Tables that migrating fills by itself."""
PLAIN = (models.CharField, models.TextField, models.IntegerField, models.BooleanField)
"""Fields whose values stand in a backup as they are given to the database."""
SPELT = (models.UUIDField, models.DateField)
"""Those whose values PostgreSQL reads as they are spelt there."""
TEXT = json.JSONEncoder()


def rows_made() -> Counter:
    """How many rows somebody made are in the database."""
    found = Counter({label: model._base_manager.count() for label, model in tables().items() if label not in GIVEN})
    return +found


def restore(path: Path, *, replace: bool) -> dict:
    """Bring a backup back, all or nothing; return what it holds (`BackupError`).

    One of an earlier version goes into tables as that version had them; then all is migrated to this one.
    """
    said, there = examined(path), header(path)
    later = _later(there["migrations"])
    if not replace and (rows := rows_made()):
        kept = ", ".join(f"{label} {count}" for label, count in rows.most_common(3))
        raise BackupError(f"The database is not empty ({kept}); --replace throws all of that away.")
    with _unchecked(), transaction.atomic():
        _empty()
        connection.check_constraints()  # PostgreSQL changes no table of which something is still to be checked
        known = migrated([(one, True) for one in reversed(later)]) if later else apps
        tally = Tally()
        with _plain_tables():
            for label, group in groupby(islice(backup_lines(path), 1, None), table_of):
                if label in tables(known):
                    told = progress(group, label, said["counts"][label])
                    _insert(tables(known)[label], there["columns"][label], told)
                elif label == SESSIONS:
                    for line in group:
                        tally.add(label, line)
        with connection.cursor() as cursor:
            for command in connection.ops.sequence_reset_sql(no_style(), list(tables(known).values())):
                cursor.execute(command)
        connection.check_constraints()
        for label, line in lines(known, there["columns"]):
            tally.add(label, line)
        if said != said | tally.asdict():
            raise BackupError("The database does not hold what the backup does; nothing was changed.")
        if later:
            migrated([(one, False) for one in later])
            emit_post_migrate_signal(0, interactive=False, db=connection.alias)
            connection.check_constraints()
    return said


def _later(backed: list[str]) -> list:
    """The migrations of this database that came after a backup's, in their order (`BackupError`)."""
    here, whole = applied_migrations(), MigrationExecutor(connection).loader.graph
    every = MigrationExecutor(connection).migration_plan(whole.leaf_nodes(), clean_start=True)
    names = {f"{one.app_label}.{one.name}": one for one, _back in every}
    if set(here) != set(names) and here != backed:
        differing = ", ".join(sorted(set(names) ^ set(here))[:5])
        raise BackupError(f"The database is not as this version wants it; it differs by {differing}. Run migrate "
                          "first.")
    if unknown := sorted(set(backed) - set(here)):
        raise BackupError("The backup is of a later version, or of another program: its tables differ by "
                      f"{', '.join(unknown[:5])}. Restore it with the version that made it.")
    return [one for name, one in names.items() if name not in backed]


def migrated(plan: list):
    """The models as they are after these migrations, (migration, whether backwards), were done."""
    def settle(doing: str, *_what) -> None:
        # PostgreSQL changes no table of which something is still to be checked, as after a change of its rows.
        if doing.endswith("_start"):
            connection.check_constraints()

    with checked_once(connection):
        return MigrationExecutor(connection, settle).migrate(None, plan).apps


@contextmanager
def _unchecked() -> Iterator[None]:
    """SQLite rebuilds tables to change them, which it can do within a transaction only if told before it.

    All is checked at the end, so that no row need be as it comes.
    """
    connection.disable_constraint_checking()
    try:
        with _written_once():
            yield
    finally:
        connection.enable_constraint_checking()


@contextmanager
def _written_once() -> Iterator[None]:
    """SQLite writes new pages to the file itself instead of to a log beside it, which grows as large as all of them.

    While somebody else has the file open it stays as it is; whoever opens it next asks for the log again.
    """
    if connection.vendor != "sqlite":
        yield
        return
    with connection.cursor() as cursor:
        with suppress(OperationalError):
            cursor.execute("PRAGMA journal_mode = DELETE").fetchall()
        try:
            yield
        finally:
            with suppress(OperationalError):
                cursor.execute("PRAGMA journal_mode = WAL").fetchall()


def _empty() -> None:
    if connection.vendor == "postgresql":
        names = ", ".join(connection.ops.quote_name(model._meta.db_table) for model in (*tables().values(), Session))
        with connection.cursor() as cursor:
            cursor.execute(f"LOCK TABLE {names} IN ACCESS EXCLUSIVE MODE")
    for model in (*tables().values(), Session):
        everything = model._base_manager.all()
        everything._raw_delete(everything.db)


@contextmanager
def _plain_tables() -> Iterator[None]:
    """SQLite's indexes and PostgreSQL's foreign keys are made when all rows are there.

    Sorted once, an index does not write a page anew for each row; looked over once, what leads elsewhere need not be
    remembered row by row until the end, in the server's memory.
    """
    quote = connection.ops.quote_name
    with connection.cursor() as cursor:
        if connection.vendor == "sqlite":
            # What is sorted at once, and pages of the index of a constraint, which stays.
            cursor.execute("PRAGMA cache_size = -16000")
            cursor.execute("SELECT name, sql FROM sqlite_master WHERE type = 'index' AND sql IS NOT NULL")
            found = [(f"DROP INDEX {quote(name)}", sql) for name, sql in cursor.fetchall()]
        else:
            cursor.execute("SELECT conrelid::regclass::text, conname, pg_get_constraintdef(oid) FROM pg_constraint "
                           "WHERE contype = 'f' AND connamespace = current_schema()::regnamespace")
            found = [(f"ALTER TABLE {table} DROP CONSTRAINT {quote(name)}",
                      f"ALTER TABLE {table} ADD CONSTRAINT {quote(name)} {definition}")
                     for table, name, definition in cursor.fetchall()]
        for drop, _make in found:
            cursor.execute(drop)
        yield
        for _drop, make in found:
            cursor.execute(make)


def _insert(model, names: list[str], group: Iterable[bytes]) -> None:
    """Writes rows as they are: no default, no time of saving, no signal."""
    fields = {field.attname: field for field in model._meta.concrete_fields}
    readers = [_reader(fields[name]) for name in names]
    rows = ([read(value) if read else value for read, value in zip(readers, json.loads(line)[1], strict=True)]
            for line in group)
    quote = connection.ops.quote_name
    table, columns = quote(model._meta.db_table), ", ".join(quote(fields[name].column) for name in names)
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            with connection.wrap_database_errors, cursor.copy(f"COPY {table} ({columns}) FROM STDIN") as copy:
                for row in rows:
                    copy.write_row(row)
        else:
            sql = f"INSERT INTO {table} ({columns}) VALUES ({', '.join(['%s'] * len(names))})"  # noqa: S608 - our names
            while batch := list(islice(rows, BATCH)):
                cursor.executemany(sql, batch)


def _reader(field) -> Callable[[Any], Any] | None:
    """What makes of a value in a line the one that the database is given; None where they are the same."""
    own = field.target_field if field.is_relation else field
    if isinstance(own, PLAIN) or (connection.vendor == "postgresql" and isinstance(own, SPELT)):
        return None
    if isinstance(own, models.JSONField):
        return _json
    return lambda value: own.get_db_prep_save(own.to_python(value), connection)


def _json(value: Any) -> str | None:
    # Most of these are empty, and are not asked how they are written.
    return None if value is None else str(value) if value in ({}, []) else TEXT.encode(value)

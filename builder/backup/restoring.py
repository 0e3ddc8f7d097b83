"""Restoring a backup of this or an earlier version, all or nothing; sessions in old backups are not restored."""

from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from itertools import groupby
from pathlib import Path
from typing import Any

from django.apps import apps
from django.contrib.sessions.models import Session
from django.core.management.color import no_style
from django.core.management.sql import emit_post_migrate_signal
from django.db import IntegrityError, OperationalError, connection, transaction
from django.db.migrations.executor import MigrationExecutor

from builder.backup.archive import header, table_of, verified_summary
from builder.backup.database import (
    SESSIONS,
    BackupError,
    Tally,
    applied_migrations,
    check_constraints_once,
    lines,
    tables,
)
from builder.backup.faults import error_text
from builder.backup.rows import Rows
from sheets.evenings import feeds
from sheets.models import RollKey
from sheets.models.receipts import PUT_BACK
from sheets.notifications import push
from sheets.parties.webhooks import end_all
from sheets.progress import progress
from sheets.receipts.services import end_key

FILLED_BY_MIGRATE = {"contenttypes.ContentType", "auth.Permission", "sheets.Head"}
"""Tables that `migrate` fills by itself."""


def count_rows() -> Counter:
    """Return the number of rows of each table that `migrate` does not fill itself; empty tables are left out."""
    found = Counter({label: model._base_manager.count() for label, model in tables().items()
                     if label not in FILLED_BY_MIGRATE})
    return +found


def restore(path: Path, *, replace: bool, keep_tokens: bool = False) -> dict:
    """Restore a backup, all or nothing, and return its summary; raise `BackupError` if that fails.

    A restore ends the keys that sign rolls. Unless `keep_tokens`, it also ends webhooks, devices and calendar links,
    because the site that was backed up may still run; the summary has their numbers as `ended`, `devices` and `feeds`.
    For a backup of an earlier version, the emptied tables are migrated back to it, and forward again once they have its
    rows.
    """
    summary, there = verified_summary(path), header(path)
    later = _later(there["migrations"])
    if not replace and (rows := count_rows()):
        counted = ", ".join(f"{label} {count}" for label, count in rows.most_common(3))
        raise BackupError(f"The database is not empty ({counted}); --replace throws all of that away.")
    with _unchecked(), transaction.atomic():
        _empty()
        connection.check_constraints()  # see `run_migrations`
        with _migrating(path):
            registry = run_migrations([(one, True) for one in reversed(later)]) if later else apps
        rows = Rows(path, there["columns"], tables(registry))
        with rows.errors_with_lines():
            _bring(rows, registry, summary)
        if later:
            with _migrating(path):
                run_migrations([(one, False) for one in later])
                emit_post_migrate_signal(0, interactive=False, db=connection.alias)
                connection.check_constraints()
        _end_keys()
        ended = (0, 0, 0) if keep_tokens else (end_all(), push.end_all(), feeds.end_all())
        summary["ended"], summary["devices"], summary["feeds"] = ended
    return summary


def _end_keys() -> None:
    """End all keys that sign rolls, because logs may now assign a number again; the next roll creates a new key."""
    for key in RollKey.objects.filter(ended=""):
        end_key(key, PUT_BACK)


def _bring(rows: Rows, registry: Any, summary: dict) -> None:
    """Insert all rows, then compare the database with the summary of the backup; raise `BackupError` if they differ."""
    tally = Tally()
    with _plain_tables(rows):
        for label, group in groupby(rows.numbered_lines(), lambda one: table_of(one[1])):
            if label == SESSIONS:
                for line in rows.unrestored_lines(group):
                    tally.add(label, line)
            elif label:
                rows.insert(label, progress(group, label, summary["counts"][label]))
    with connection.cursor() as cursor:
        for command in connection.ops.sequence_reset_sql(no_style(), list(rows.tables.values())):
            cursor.execute(command)
    try:
        connection.check_constraints()
    except IntegrityError:
        rows.find_lost()
        raise
    for label, line in lines(registry, rows.column_names):
        tally.add(label, line)
    if summary != summary | tally.asdict():
        rows.search()
        raise BackupError("The database does not hold what the backup does; nothing was changed.")


@contextmanager
def _migrating(path: Path) -> Iterator[None]:
    """Turn an exception raised by a migration into a `BackupError`, except for `OperationalError`."""
    try:
        yield
    except (BackupError, OperationalError):
        raise
    except Exception as error:  # a migration may raise any exception for unexpected rows
        raise BackupError(f"{path}: its rows or migrations are none of an earlier version "
                          f"({type(error).__name__}: {error_text(error)}). Nothing was changed.") from error


def _later(backed: list[str]) -> list:
    """Return the migrations of this version that are missing in a backup, in the order in which they are applied.

    Raise `BackupError` if the database is not fully migrated, or if the backup names a migration of another program or
    of a later version, or one without its dependencies.
    """
    here, whole = applied_migrations(), MigrationExecutor(connection).loader.graph
    every = MigrationExecutor(connection).migration_plan(whole.leaf_nodes(), clean_start=True)
    names = {f"{one.app_label}.{one.name}": one for one, _back in every}
    if set(here) != set(names) and here != backed:
        differing = ", ".join(sorted(set(names) ^ set(here))[:5])
        raise BackupError(f"The database is not as this version wants it; it differs by {differing}. Run migrate "
                          "first.")
    for one in backed:
        node = whole.node_map.get(tuple(one.split(".", 1)))
        if lacking := sorted({".".join(parent.key) for parent in node.parents} - {*backed} if node else ()):
            raise BackupError(f"The backup names the migration {one}, but not {lacking[0]}, which comes before it.")
    if unknown := sorted(set(backed) - set(here)):
        raise BackupError("The backup is of a later version, or of another program: its tables differ by "
                      f"{', '.join(unknown[:5])}. Restore it with the version that made it.")
    return [one for name, one in names.items() if name not in backed]


def run_migrations(plan: list) -> Any:
    """Run migrations, a list of (migration, True to reverse it), and return the app registry after them."""
    def settle(doing: str, *_what: Any) -> None:
        # PostgreSQL refuses ALTER TABLE while deferred constraint checks are pending.
        if doing.endswith("_start"):
            connection.check_constraints()

    with check_constraints_once(connection):
        return MigrationExecutor(connection, settle).migrate(None, plan).apps


@contextmanager
def _unchecked() -> Iterator[None]:
    """Disable SQLite's foreign key checks, since migrations rebuild tables; it must be done outside a transaction.

    All constraints are checked at the end instead.
    """
    connection.disable_constraint_checking()
    try:
        with _written_once():
            yield
    finally:
        connection.enable_constraint_checking()


@contextmanager
def _written_once() -> Iterator[None]:
    """Switch SQLite's journal from WAL to DELETE: within one large transaction the WAL would grow as large as the file.

    The mode cannot be changed while another connection has the file open; in that case WAL stays on.
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
def _plain_tables(rows: Rows) -> Iterator[None]:
    """Drop SQLite's indexes or PostgreSQL's foreign keys, and create them again once all rows are inserted.

    Creating an index sorts all rows once, instead of changing a page for each row. Adding a foreign key checks a table
    once, instead of keeping a deferred check for each row in the server's memory.
    """
    quote = connection.ops.quote_name
    with connection.cursor() as cursor:
        if connection.vendor == "sqlite":
            # 16 MB, for sorting and for the indexes of constraints, which cannot be dropped.
            cursor.execute("PRAGMA cache_size = -16000")
            cursor.execute("SELECT name, sql, tbl_name FROM sqlite_master WHERE type = 'index' AND sql IS NOT NULL")
            found = [(f"DROP INDEX {quote(name)}", sql, table) for name, sql, table in cursor.fetchall()]
        else:
            cursor.execute("SELECT conrelid::regclass::text, conname, pg_get_constraintdef(oid) FROM pg_constraint "
                           "WHERE contype = 'f' AND connamespace = current_schema()::regnamespace")
            found = [(f"ALTER TABLE {table} DROP CONSTRAINT {quote(name)}",
                      f"ALTER TABLE {table} ADD CONSTRAINT {quote(name)} {definition}",
                      table) for table, name, definition in cursor.fetchall()]
        for drop, _make, _table in found:
            cursor.execute(drop)
        yield
        for _drop, make, table in found:
            try:
                with transaction.atomic():
                    cursor.execute(make)
            except IntegrityError:
                if connection.vendor == "sqlite":
                    rows.insert_again(table, make)
                else:
                    rows.find_lost()
                raise

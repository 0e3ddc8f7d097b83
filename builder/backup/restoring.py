"""A backup brought back, one of an earlier version too: all of it or nothing, but for sessions that such a one has."""

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

from builder.backup.archive import examined, header, table_of
from builder.backup.database import SESSIONS, BackupError, Tally, applied_migrations, checked_once, lines, tables
from builder.backup.faults import worded
from builder.backup.rows import Rows
from sheets.progress import progress

GIVEN = {"contenttypes.ContentType", "auth.Permission", "sheets.Head"}
"""Tables that migrating fills by itself."""


def rows_made() -> Counter:
    """Return the number of rows that somebody made, by table; tables without any are left out."""
    found = Counter({label: model._base_manager.count() for label, model in tables().items() if label not in GIVEN})
    return +found


def restore(path: Path, *, replace: bool) -> dict:
    """Bring a backup back, all or nothing; return what it holds (`BackupError`).

    One of an earlier version goes into tables as that version had them; then all is migrated to this one.
    """
    summary, there = examined(path), header(path)
    later = _later(there["migrations"])
    if not replace and (rows := rows_made()):
        counted = ", ".join(f"{label} {count}" for label, count in rows.most_common(3))
        raise BackupError(f"The database is not empty ({counted}); --replace throws all of that away.")
    with _unchecked(), transaction.atomic():
        _empty()
        connection.check_constraints()  # PostgreSQL changes no table of which something is still to be checked
        with _migrating(path):
            known = migrated([(one, True) for one in reversed(later)]) if later else apps
        rows = Rows(path, there["columns"], tables(known))
        with rows.told():
            _bring(rows, known, summary)
        if later:
            with _migrating(path):
                migrated([(one, False) for one in later])
                emit_post_migrate_signal(0, interactive=False, db=connection.alias)
                connection.check_constraints()
    return summary


def _bring(rows: Rows, known: Any, summary: dict) -> None:
    """Write all rows, and compare what is there then with what the file says."""
    tally = Tally()
    with _plain_tables(rows):
        for label, group in groupby(rows.numbered(), lambda one: table_of(one[1])):
            if label == SESSIONS:
                for line in rows.left_out(group):
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
    for label, line in lines(known, rows.named):
        tally.add(label, line)
    if summary != summary | tally.asdict():
        rows.search()
        raise BackupError("The database does not hold what the backup does; nothing was changed.")


@contextmanager
def _migrating(path: Path) -> Iterator[None]:
    """Whatever rows break a migration by is said in a sentence (`BackupError`)."""
    try:
        yield
    except (BackupError, OperationalError):
        raise
    except Exception as error:  # a migration reads rows as its version wrote them, and these are others
        raise BackupError(f"{path}: its rows or migrations are none of an earlier version "
                          f"({type(error).__name__}: {worded(error)}). Nothing was changed.") from error


def _later(backed: list[str]) -> list:
    """The migrations of this database that came after a backup's, in their order (`BackupError`)."""
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


def migrated(plan: list) -> Any:
    """The models as they are after these migrations, (migration, whether backwards), were done."""
    def settle(doing: str, *_what: Any) -> None:
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
def _plain_tables(rows: Rows) -> Iterator[None]:
    """SQLite's indexes and PostgreSQL's foreign keys are made when all rows are there.

    Sorted once, an index does not write a page anew for each row; looked over once, what leads elsewhere need not be
    remembered row by row until the end, in the server's memory.
    """
    quote = connection.ops.quote_name
    with connection.cursor() as cursor:
        if connection.vendor == "sqlite":
            # What is sorted at once, and pages of the index of a constraint, which stays.
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

"""A backup brought back, one of an earlier version too: all of it or nothing."""

import json
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, nullcontext
from itertools import groupby, islice
from pathlib import Path

from django.apps import apps
from django.core.management.color import no_style
from django.core.management.sql import emit_post_migrate_signal
from django.db import connection, transaction
from django.db.migrations.executor import MigrationExecutor

from builder.backup.archive import backup_lines, examined, header, table_of
from builder.backup.database import BackupError, Tally, applied_migrations, lines, tables
from sheets.progress import progress

BATCH = 100
"""Rows that are written to the database at once."""
GIVEN = {"contenttypes.ContentType", "auth.Permission", "sheets.Head"}
"""Tables that migrating fills by itself."""


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
    with _unchecked() if later else nullcontext(), transaction.atomic():
        _empty()
        connection.check_constraints()  # PostgreSQL changes no table of which something is still to be checked
        known = migrated([(one, True) for one in reversed(later)]) if later else apps
        for label, group in groupby(islice(backup_lines(path), 1, None), table_of):
            if label in tables(known):
                _insert(tables(known)[label], there["columns"][label], progress(group, label, said["counts"][label]))
        with connection.cursor() as cursor:
            for command in connection.ops.sequence_reset_sql(no_style(), list(tables(known).values())):
                cursor.execute(command)
        connection.check_constraints()
        tally = Tally()
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

    return MigrationExecutor(connection, settle).migrate(None, plan).apps


@contextmanager
def _unchecked() -> Iterator[None]:
    """SQLite rebuilds tables to change them, which it can do within a transaction only if told before it."""
    connection.disable_constraint_checking()
    try:
        yield
    finally:
        connection.enable_constraint_checking()


def _empty() -> None:
    if connection.vendor == "postgresql":
        names = ", ".join(connection.ops.quote_name(model._meta.db_table) for model in tables().values())
        with connection.cursor() as cursor:
            cursor.execute(f"LOCK TABLE {names} IN ACCESS EXCLUSIVE MODE")
    for model in tables().values():
        everything = model._base_manager.all()
        everything._raw_delete(everything.db)


def _insert(model, names: list[str], group: Iterable[bytes]) -> None:
    """Writes rows as they are: no default, no time of saving, no signal."""
    fields = {field.attname: field for field in model._meta.concrete_fields}
    readers = [(fields[name].target_field if fields[name].is_relation else fields[name]).to_python for name in names]
    rows = (model(**{name: read(value) for name, read, value in zip(names, readers, json.loads(line)[1], strict=True)})
            for line in group)
    most = connection.ops.bulk_batch_size(list(fields.values()), [None] * BATCH)
    while batch := list(islice(rows, min(BATCH, most))):
        model._base_manager._insert(batch, fields=list(fields.values()), using=connection.alias, raw=True)

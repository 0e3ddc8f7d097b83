"""Backups: every row of every table in one file that says itself whether it is whole, the same for every database.

The file is gzip of UTF-8 lines. The first is a header (format, version, when it was made, the migrations that the
tables stand at, each table's columns), the last one counts the rows of each table, their content and the bytes before.
Between them each line is a row: [table, [values]].
"""

import gzip
import hashlib
import json
import os
import re
import tempfile
import zlib
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext, suppress
from datetime import UTC, date, datetime
from itertools import groupby, islice
from pathlib import Path
from uuid import UUID

from django.apps import apps
from django.core.management.color import no_style
from django.core.management.sql import emit_post_migrate_signal
from django.db import connection, transaction
from django.db.migrations.executor import MigrationExecutor
from django.db.migrations.recorder import MigrationRecorder
from django.utils import timezone

FORMAT, VERSION = "bogenschmiede.backup", 1
BATCH = 200
"""Rows that are written to the database at once."""
LONGEST, FRAME = 16 * 2**20, 2**20
"""The most bytes of a row, many times what a request can store, and of the first and the last line."""
GIVEN = {"contenttypes.ContentType", "auth.Permission", "sheets.Head"}
"""Tables that migrating fills by itself."""


class BackupError(Exception):
    """A backup that cannot be made, read or brought back; the message says why and the way out."""


class Tally:
    """How many rows there are of each table, and a sum over their content that does not mind their order."""

    def __init__(self):
        self.counts, self.content = Counter(), 0

    def add(self, label: str, line: bytes) -> None:
        """Count one row."""
        self.counts[label] += 1
        self.content = (self.content + int.from_bytes(hashlib.sha256(line).digest())) % 2**256

    def asdict(self) -> dict:
        """As the last line of a file states it."""
        return {"counts": dict(sorted(self.counts.items())), "content": f"{self.content:064x}"}


def tables(known=apps) -> dict:
    """{label: model} of every table that holds something; in the end that is everything but the cache.

    `known` may be the models of another state of migrations.
    """
    models = known.get_models(include_auto_created=True)
    return {model._meta.label: model for model in models if model._meta.managed and not model._meta.proxy}


def columns(model) -> list[str]:
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
    usual, connection.transaction_mode = connection.transaction_mode, "DEFERRED"
    try:
        with transaction.atomic(durable=True):
            yield
    finally:
        connection.transaction_mode = usual


def moment() -> AbstractContextManager[None]:
    """The same for who only reads: within a transaction of somebody else's, what that one sees."""
    return nullcontext() if connection.in_atomic_block else snapshot()


def lines(known=apps, named: dict | None = None) -> Iterator[tuple[str, bytes]]:
    """(table, line) of every row that there is; `named` are the tables' columns where those are in another order."""
    for label, model in sorted(tables(known).items()):
        names = named[label] if named else columns(model)
        for row in model._base_manager.order_by("pk").values_list(*names).iterator(chunk_size=500):
            yield label, _line([label, row])


def back_up(path: Path) -> dict:
    """Write a backup and read it back before it takes its name; return what it holds (`Refused`, `OSError`)."""
    file, part = tempfile.mkstemp(prefix=path.name, suffix=".part", dir=path.parent)  # only its owner may read it
    try:
        with os.fdopen(file, "wb") as raw:
            with gzip.GzipFile(fileobj=raw, mode="wb", compresslevel=6) as packed, snapshot():
                check_file()
                said = _write(packed)
            raw.flush()
            os.fsync(raw.fileno())
        if examined(Path(part)) != said:
            raise BackupError("What was written is not what is read back; is the disk all right?")
        Path(part).replace(path)
    finally:
        with suppress(FileNotFoundError):
            Path(part).unlink()
    return said


def check_file() -> None:
    """Ask SQLite whether its file is whole (`Refused`); PostgreSQL checks its pages by itself."""
    if connection.vendor == "sqlite":
        with connection.cursor() as cursor:
            found = cursor.execute("PRAGMA integrity_check(3)").fetchall()
        if found != [("ok",)]:
            raise BackupError(f"The database file is damaged ({found[0][0]}); restore the last backup.")


def _write(packed) -> dict:
    digest, tally = hashlib.sha256(), Tally()

    def put(line: bytes) -> None:
        digest.update(line)
        packed.write(line)

    put(_line({"format": FORMAT, "version": VERSION, "made": timezone.now(), "migrations": applied_migrations(),
               "columns": {label: columns(model) for label, model in tables().items()}}))
    for label, line in lines():
        tally.add(label, line)
        put(line)
    said = tally.asdict() | {"sha256": digest.hexdigest()}
    packed.write(_line(said))
    return said


def backup_lines(path: Path) -> Iterator[bytes]:
    """The lines of a backup (`Refused` where it is none, or broken)."""
    try:
        with gzip.open(path) as file:
            while line := file.readline(LONGEST + 1):
                if len(line) > LONGEST:
                    raise BackupError(f"{path} is no backup of this program: it has a line of over {LONGEST} bytes.")
                yield line
    except (gzip.BadGzipFile, EOFError, zlib.error) as error:
        raise BackupError(f"{path} is no whole backup: {error}. Take another one.") from None


def header(path: Path) -> dict:
    """What a backup says of itself first (`Refused`)."""
    try:
        said = _frame(next(backup_lines(path), b""))
        known = said["format"] == FORMAT and said["version"] == VERSION
    except (ValueError, KeyError, TypeError):
        known = False
    if not known:
        raise BackupError(f"{path} is no backup of this program, or one of a later version.")
    return said


def examined(path: Path) -> dict:
    """What a backup holds, counted anew and compared with what it says (`Refused`)."""
    header(path)
    digest, tally, last = hashlib.sha256(), Tally(), b""
    with suppress(ValueError, TypeError, IndexError):
        for line in backup_lines(path):
            digest.update(last)
            if label := _table(last):
                tally.add(label, last)
            last = line
        found = tally.asdict() | {"sha256": digest.hexdigest()}
        if _frame(last) == found:
            return found
    raise BackupError(f"{path} is not whole: its rows are not those that it counts. Take another one.")


def rows_made() -> Counter:
    """How many rows somebody made are in the database."""
    found = Counter({label: model._base_manager.count() for label, model in tables().items() if label not in GIVEN})
    return +found


def restore(path: Path, *, replace: bool) -> dict:
    """Bring a backup back, all or nothing; return what it holds (`Refused`).

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
        for label, group in groupby(islice(backup_lines(path), 1, None), _table):
            if label in tables(known):
                _insert(tables(known)[label], there["columns"][label], group)
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
    """The migrations of this database that came after a backup's, in their order (`Refused`)."""
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
    executor = MigrationExecutor(connection)
    return executor.migrate(None, plan).apps


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


def _frame(line: bytes) -> dict:
    """The first or the last line (ValueError)."""
    if len(line) > FRAME:
        raise ValueError
    return json.loads(line)


def _table(line: bytes) -> str | None:
    """The table of a row, which nothing is read but the name of; None for the header and the last line."""
    named = re.match(rb'\["([\w.]{1,100})",', line)
    return named and named[1].decode()


def _insert(model, names: list[str], group: Iterable[bytes]) -> None:
    """Writes rows as they are: no default, no time of saving, no signal."""
    fields = {field.attname: field for field in model._meta.concrete_fields}
    readers = [(fields[name].target_field if fields[name].is_relation else fields[name]).to_python for name in names]
    rows = (model(**{name: read(value) for name, read, value in zip(names, readers, json.loads(line)[1], strict=True)})
            for line in group)
    most = connection.ops.bulk_batch_size(list(fields.values()), [None] * BATCH)
    while batch := list(islice(rows, min(BATCH, most))):
        model._base_manager._insert(batch, fields=list(fields.values()), using=connection.alias, raw=True)


def _line(tree) -> bytes:
    return json.dumps(tree, sort_keys=True, separators=(",", ":"), default=_plain).encode() + b"\n"


def _plain(value) -> str:
    """A value that JSON has no word for; times to the microsecond, in UTC."""
    if isinstance(value, datetime):
        return value.astimezone(UTC).isoformat()
    if isinstance(value, date | UUID):
        return str(value)
    raise TypeError(f"no way to write {type(value)}")

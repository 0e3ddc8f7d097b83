"""Backups: one file with every row of every table and checksums, in the same format for every database.

The file is gzipped UTF-8 text. Its first line is a header: format, version, time, the applied migrations and each
table's columns. Its last line is a summary: the number of rows of each table, a checksum of the rows that ignores their
order, and the SHA-256 of all lines before it. Each line between the two is a row: [table, [values]].
"""

import gzip
import hashlib
import json
import os
import re
import tempfile
import zlib
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

from django.utils import timezone

from builder.backup.database import (
    BackupError,
    Tally,
    applied_migrations,
    as_line,
    check_file,
    columns,
    lines,
    snapshot,
    tables,
)
from sheets.progress import progress

FORMAT, VERSION = "bogenschmiede.backup", 1
LONGEST, FRAME = 16 * 2**20, 2**20
"""The most bytes of a row (many times what a request can store), and those of the header and the summary."""
UNFRAMED = (ValueError, KeyError, TypeError, AttributeError, RecursionError)
"""Exceptions raised while a broken header or summary is read."""


def back_up(path: Path) -> dict:
    """Write a backup, read it back, and only then move it to `path`; return its summary.

    Raise `BackupError` or `OSError` if that fails; an existing file at `path` is then left unchanged.
    """
    file, part = tempfile.mkstemp(prefix=path.name, suffix=".part", dir=path.parent)  # readable only by its owner
    try:
        with os.fdopen(file, "wb") as raw:
            with gzip.GzipFile(fileobj=raw, mode="wb", compresslevel=6) as packed, snapshot():
                check_file()
                summary = _write(packed)
            raw.flush()
            os.fsync(raw.fileno())
        if verified_summary(Path(part), sum(summary["counts"].values())) != summary:
            raise BackupError("What was written is not what is read back; is the disk all right?")
        Path(part).replace(path)
    finally:
        with suppress(FileNotFoundError):
            Path(part).unlink()
    return summary


def _write(packed: Any) -> dict:
    digest, tally = hashlib.sha256(), Tally()

    def put(line: bytes) -> None:
        digest.update(line)
        packed.write(line)

    put(as_line({"format": FORMAT, "version": VERSION, "made": timezone.now(), "migrations": applied_migrations(),
               "columns": {label: columns(model) for label, model in tables().items()}}))
    for label, line in lines():
        tally.add(label, line)
        put(line)
    summary = tally.asdict() | {"sha256": digest.hexdigest()}
    packed.write(as_line(summary))
    return summary


def backup_lines(path: Path) -> Iterator[bytes]:
    """Yield the lines of a backup; raise `BackupError` if the gzip file is incomplete or a line is too long."""
    try:
        with gzip.open(path) as file:
            while line := file.readline(LONGEST + 1):
                if len(line) > LONGEST:
                    raise BackupError(f"{path} is no backup of this program: it has a line of over {LONGEST} bytes.")
                yield line
    except (gzip.BadGzipFile, EOFError, zlib.error) as error:
        raise BackupError(f"{path} is no whole backup: {error}. Take another one.") from None


def header(path: Path) -> dict:
    """Return the header of a backup; raise `BackupError` if this version cannot read it."""
    try:
        summary = _frame(next(backup_lines(path), b""))
        known = summary["format"] == FORMAT and summary["version"] == VERSION
    except UNFRAMED:
        known = False
    if not known:
        raise BackupError(f"{path} is no backup of this program, or one of a later version.")
    if not (_texts(summary.get("migrations")) and isinstance(named := summary.get("columns"), dict)
            and all(_texts(one) for one in named.values())):
        raise BackupError(f"{path}, line 1: it does not say which migrations, tables and columns there were.")
    return summary


def _texts(found: Any) -> bool:
    """Return True if a value is a list of distinct strings."""
    return isinstance(found, list) and all(isinstance(one, str) for one in found) and len({*found}) == len(found)


def verified_summary(path: Path, rows: int = 0) -> dict:
    """Compute the summary of a backup from its rows, compare it with its last line, and return it.

    Raise `BackupError` if they differ. `rows` is the expected number of rows, for the progress display; 0 if unknown.
    """
    known = header(path)["columns"]
    digest, tally, last = hashlib.sha256(), Tally(), b""
    for number, line in enumerate(progress(backup_lines(path), "read back", rows)):
        digest.update(last)
        if number > 1:
            if (label := table_of(last)) is None or label not in known:
                raise BackupError(f"{path} is not whole: line {number} is no row of a table that line 1 names.")
            tally.add(label, last)
        last = line
    found = tally.asdict() | {"sha256": digest.hexdigest()}
    with suppress(*UNFRAMED):
        summary = _frame(last)
        if summary == found:
            return found
        counts = summary["counts"]
        for label in sorted(counts.keys() | found["counts"].keys()):
            told, there = counts.get(label, 0), found["counts"].get(label, 0)
            if told != there:
                raise BackupError(f"{path} is not whole: of {label} it has {there} rows and counts {str(told)[:20]}.")
    raise BackupError(f"{path} is not whole: its rows are not those that it counts. Take another one.")


def _frame(line: bytes) -> dict:
    """Parse the first or the last line; raise one of `UNFRAMED` if it is too long or not JSON."""
    if len(line) > FRAME:
        raise ValueError
    return json.loads(line)


def table_of(line: bytes) -> str | None:
    """Return the table of a row without parsing its values; None for the header and the summary."""
    named = re.match(rb'\["([\w.]{1,100})",', line)
    return named[1].decode() if named else None

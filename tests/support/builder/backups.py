"""Backups that were written by hand: whatever stands in them, their sums are right."""

import gzip
import hashlib
import json

from builder.backup.database import Tally, as_line


class Written:
    """The lines of a backup, to be changed: `header`, `rows`, and `line`, the one that a restore is to tell of."""

    def __init__(self, lines):
        self.header, self.rows = json.loads(lines[0]), lines[1:-1]
        self.line = 1

    def place(self, label, number=0):
        """Where the rows of a table begin, and so many after that."""
        found = next(at for at, row in enumerate(self.rows) if row.startswith(f'["{label}",'.encode())) + number
        self.line = found + 2
        return found

    def values(self, label, number=0):
        """What a row says, by its columns."""
        row = json.loads(self.rows[self.place(label, number)])[1]
        return dict(zip(self.header["columns"][label], row, strict=True))

    def put(self, label, number=0, **values):
        """Change values of a row; bytes stand in the line as they are."""
        row = self.values(label, number) | {key: "\0" if isinstance(one, bytes) else one for key, one in values.items()}
        line = as_line([label, list(row.values())])
        for raw in (one for one in values.values() if isinstance(one, bytes)):
            line = line.replace(b'"\\u0000"', raw, 1)
        self.rows[self.place(label, number)] = line

    def packed(self, first=None, last=None):
        """The file; with another first or last line if given."""
        head, tally = as_line(self.header) if first is None else first, Tally()
        digest = hashlib.sha256(head)
        for row in self.rows:
            digest.update(row)
            tally.add(row[2:].partition(b'"')[0].decode(errors="replace"), row)
        end = as_line(tally.asdict() | {"sha256": digest.hexdigest()})
        return gzip.compress(b"".join([head, *self.rows, end if last is None else last]), 1)

"""Values that nobody but the bare database could be given, for every column of the three tables, by its type.

SQLite keeps a value of any type in any column; what PostgreSQL's types let through is less.
"""

import re
import sys
from dataclasses import dataclass
from uuid import UUID

from django.db import DatabaseError, connection, models, transaction

from sheets.models import Review, Revision
from tests.support.commands import run
from tests.support.sheets.tampering.columns import COLUMNS, Change, kinds_of
from tests.support.sheets.tampering.ways import first

SAME = {"hyphens", "capitals", "a T", "another zone", "a seventh digit"}
"""What reads as what was signed and is another spelling of it."""
TREES = {"0": "0", "an empty text": '""', "an empty list": "[]", "null": "null", "false": "false", "a number": "1.0",
         "a text": '"{}"', "another tree": '{"": {}}'}
VALUES = {
    "sqlite": {
        models.IntegerField: {"a text": "drei", "an empty text": "", "a fraction": 0.5, "bytes": b"\xff",
                              "a large number": 2**60, "too large a number": 1e300, "NULL": None,
                              "a very long text": "9" * 100_000, "no number": 0},
        models.UUIDField: {"a text": "kein", "an empty text": "", "NULL": None, "a number": 7, "bytes": b"\xff" * 16,
                           "a very long text": "a" * 100_000, "another key": UUID(int=7).hex,
                           "hyphens": lambda now: str(UUID(now)), "capitals": lambda now: now.replace("a", "A")},
        models.DateTimeField: {"a text": "gestern", "an empty text": "", "NULL": None, "a number": 7, "bytes": b"\xff",
                               "a day that is none": "2026-02-30 10:00:00", "a very long text": "2026" * 25_000,
                               "a T": lambda now: now.replace(" ", "T"), "another zone": lambda now: f"{now}+00:00",
                               "a seventh digit": lambda now: f"{now}0", "a day": lambda now: now[:10]},
        models.CharField: {"a number": 7, "an empty text": "", "NULL": None, "bytes": b"\xff", "a NUL": "\0",
                           "a NUL at the end": lambda now: f"{now}\0", "a very long text": "a" * 1_000_000,
                           "a space more": lambda now: f"{now} ", "bytes of the same": lambda now: now.encode()},
        models.JSONField: TREES | {"NULL": None, "half a character": '{"a": "\\ud800"}', "no finite number": "1e999",
                                   "5,000 digits": "1" * 5_000, "a deep list": "[" * 900 + "]" * 900,
                                   "bytes": b"{}", "a very long text": f'"{"a" * 1_000_000}"'},
    },
    "postgresql": {
        models.IntegerField: {"a large number": 2**31 - 1, "NULL": None, "no number": 0},
        models.UUIDField: {"NULL": None, "another key": UUID(int=7)},
        models.DateTimeField: {"no end": "infinity", "no beginning": "-infinity", "a far year": "20000-01-01",
                               "before Christ": "0044-03-15 12:00:00 BC", "NULL": None},
        models.CharField: {"an empty text": "", "NULL": None, "a space more": lambda now: f"{now} ", "another": "7"},
        models.JSONField: TREES | {"NULL": None, "5,000 digits": "1e5000", "a deep list": "[" * 5_000 + "]" * 5_000,
                                   "a very long text": f'"{"a" * 1_000_000}"'},
    },
}
"""{vendor: {type of a column: {what it is: the value, or a function of the text that is there}}}."""


@dataclass(frozen=True)
class Bare(Change):
    """A column of one row of a kind gets a value by the bare database."""

    def done(self) -> set[int] | None:
        """Change it and return the entries of which one is then the first bad; None where nothing was changed."""
        entries, row = list(Review.objects.order_by("number")), self.rows().first()
        value = self._given(row) if row else self
        if value is self or not self._changed(row, value):
            return None
        if self.model is not Review:
            named = [one.number for one in entries if self.model is Revision and one.revision_id == row.pk]
            return {min([*named, len(entries) + 1])}
        if self.column == "number" and self.value == "no number":
            return {0}
        # One that cannot be read excuses nothing.
        return {row.number} | (set() if self.value in SAME else {first(row, entries)})

    def _given(self, row):
        """Return the value; the change itself where there is none."""
        value = values_of(self.model._meta.get_field(self.column))[self.value]
        if not callable(value):
            return value
        now = self._asked(row, "{}" if connection.vendor == "sqlite" else "{}::text")
        return value(now) if isinstance(now, str) else self

    def _changed(self, row, value):
        raw = "typeof({0}) || hex({0})" if connection.vendor == "sqlite" else "{}::text"
        before, table = self._asked(row, raw), self.model._meta
        column, key = table.get_field(self.column).column, table.pk.column
        json = isinstance(table.get_field(self.column), models.JSONField) and connection.vendor == "postgresql"
        try:
            with transaction.atomic(), connection.cursor() as cursor:
                cursor.execute(f"UPDATE {table.db_table} SET {column} = %s{'::jsonb' * json} "  # noqa: S608
                               f"WHERE {key} = %s", [value, row.pk])
        except DatabaseError:
            return False
        return self.column == table.pk.column or self._asked(row, raw) != before

    def _asked(self, row, what):
        table = self.model._meta
        with connection.cursor() as cursor:
            cursor.execute(f"SELECT {what.format(table.get_field(self.column).column)} "  # noqa: S608
                           f"FROM {table.db_table} WHERE {table.pk.column} = %s", [row.pk])
            return cursor.fetchone()[0]


def values_of(field) -> dict:
    """{what it is: value} of a column."""
    own = field.target_field if field.is_relation else field
    return next(values for kind, values in VALUES[connection.vendor].items() if isinstance(own, kind))


def _changes(*, full):
    """Every column with every value, in every kind of row; or each second of these in one kind of row in turn.

    The next column of a type is given the others.
    """
    turn, halves = 0, {}
    for model, column in COLUMNS:
        kinds, values = kinds_of(model), list(values_of(model._meta.get_field(column)))
        half = halves[str(values)] = not halves.get(str(values), True)
        for value in values if full else values[half::2]:
            turn += 1
            for kind in kinds if full else (kinds[turn % len(kinds)],):
                yield Bare(model, column, kind, value)


def assert_every_value_found(full):
    """Give each column each such value alone; the command names an entry and ends as it should. Return how many."""
    done = 0
    for change in _changes(full=full):
        with transaction.atomic():
            if expected := change.done():
                said = run("verify_reviews")
                told = re.match(r"first broken: entry (\d+): \S.*\n", said)
                assert told, f"{change}: {said}"
                assert (said.code, int(told[1]) in expected) == (1, True), f"{change}: {said}"
                done += 1
            transaction.set_rollback(True)
    if full:
        sys.stdout.write(f"\n{done} values of {len(COLUMNS)} columns, all found\n")
    return done

"""Every column of the three tables in every kind of row, changed by SQL: it is found, at the entry that it is of."""

import sys
from dataclasses import dataclass
from datetime import timedelta
from itertools import product
from uuid import UUID

from django.db import IntegrityError, models, transaction

from sheets.audit_log import chain
from sheets.audit_log.chain import chain_faults
from sheets.models import Head, Review, Revision
from sheets.models.reviews import KINDS, REVISION_KINDS
from tests.support.sheets.tampering.ways import first

COLUMNS = [(model, field.attname) for model in (Review, Revision, Head) for field in model._meta.concrete_fields
           if (model, field.attname) != (Revision, "id")]
"""All but the key by which entries find a revision, whose place in its sheet is what is signed."""
VALUES = ("other", "none", "of another row")


@dataclass(frozen=True)
class Change:
    """A column of one row of a kind gets a value of a sort."""

    model: type
    column: str
    kind: str
    value: str

    def __str__(self) -> str:
        return f"{self.model.__name__}.{self.column} of {self.kind}: {self.value}"

    def rows(self):
        """The rows of its kind; an unnamed revision is one that no entry names."""
        found = self.model.objects.order_by("pk")
        if self.model is Revision and self.kind.endswith(", unnamed"):
            return found.filter(kind=self.kind.partition(",")[0], reviews=None)
        if self.model is Revision:
            return found.filter(kind=self.kind).exclude(reviews=None)
        return found.filter(kind=self.kind) if self.model is Review else found

    def done(self) -> int | None:
        """Change it and return the first bad entry; None where there is no such row or the database does not take it.

        Of what no entry names that is the number after the last entry.
        """
        entries, row = list(Review.objects.order_by("number")), self.rows().first()
        value = row and self._value(row)
        if row is None or value == getattr(row, self.column):
            return None
        try:
            with transaction.atomic():
                self.model.objects.filter(pk=row.pk).update(**{self.column: value})
        except IntegrityError:
            return None
        if self.model is Review:
            return first(row, entries) if self.column in (*chain.COVERED, "mac", "made", "number") else row.number
        named = [one.number for one in entries if self.model is Revision and one.revision_id == row.pk]
        return min([*named, len(entries) + 1])

    def _value(self, row):
        field, now = self.model._meta.get_field(self.column), getattr(row, self.column)
        if self.value == "of another row":
            others = self.model.objects.exclude(pk=row.pk).exclude(**{self.column: now}) if not isinstance(
                now, dict) else self.model.objects.exclude(pk=row.pk)
            return next((one for one in others.order_by("-pk").values_list(self.column, flat=True)
                         if one not in (now, None)), now)
        if self.value == "none":
            return None if field.null else "" if isinstance(now, str) else {} if isinstance(now, dict) else now
        return _other(field, now, self.column)


def _other(field, now, column):
    """A value of the same sort that is another."""
    if column == "kind":
        return next(one for one in (KINDS if field.model is Review else REVISION_KINDS) if one != now)
    if isinstance(now, dict):
        return {**now, "anders": 1}
    if isinstance(now, str):
        return ("a" if now[:1] != "a" else "b") + now[1:]
    if isinstance(now, UUID):
        return now if isinstance(field, models.ForeignKey) else UUID(int=now.int ^ 1)
    if isinstance(now, int):
        return now if isinstance(field, models.ForeignKey) else now + 1_000
    return now + timedelta(microseconds=1) if now else now


def kinds_of(model):
    """The kinds of rows of a table."""
    if model is Review:
        return KINDS
    return (*REVISION_KINDS, *(f"{one}, unnamed" for one in REVISION_KINDS)) if model is Revision else ("head",)


CHANGES = [Change(model, column, kind, value) for model, column in COLUMNS
           for kind, value in product(kinds_of(model), VALUES)]
SAMPLE = [one for number, one in enumerate(CHANGES) if number % 3 == (number // 3) % 3]
"""Each column in each kind of row, with one sort of value in turn."""


def assert_every_column_found(full):
    """Change each column of each kind of row alone; return how many were, by table."""
    done = {}
    for change in CHANGES if full else SAMPLE:
        with transaction.atomic():
            expected = change.done()
            if expected is not None:
                found = next(chain_faults(), None)
                assert found, str(change)
                assert found.number == expected, f"{change}: {found}"
                done.setdefault(change.model.__name__, []).append(str(change))
            transaction.set_rollback(True)
    assert list(chain_faults()) == []
    for table, changes in done.items() if full else ():
        sys.stdout.write(f"\n{len(changes)} of {table}, all found:\n  " + "\n  ".join(changes) + "\n")
    return {table: len(changes) for table, changes in done.items()}

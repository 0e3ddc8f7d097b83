"""The checks of an installation that `manage.py doctor` runs: settings, database, and the rows in it."""

import sqlite3
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path

from django.conf import settings
from django.core import checks
from django.db import connection
from django.db.models import F
from django.utils import timezone

from builder import readiness
from builder.backup.database import BackupError, check_file, ensure_snapshot, lost_rows, tables
from builder.version import VERSION
from rulesets import systems
from rulesets.document import sealed
from sheets.audit_log.chain import chain_faults
from sheets.documents import document_of
from sheets.models import Change, Delivery, Portrait, Receiver, Revision, Sheet
from sheets.models.outbox import CHANNELS, GIVEN_UP
from sheets.outbox.services import SETTLED_LIFETIME, waiting_deliveries
from sheets.progress import progress
from sheets.receipts.faults import key_faults

SHOWN = 10
"""The most broken rows that are named; the others are only counted."""
AT_ONCE = 20
"""Sheets read from the database at a time, each with all of its changes."""
LATE = timedelta(hours=1)
"""A delivery is late if it has been due for this long."""


@dataclass(frozen=True)
class Checked:
    """The result of one check: a line of text, and `well`, which is True if nothing is wrong."""

    well: bool
    text: str


def examine() -> Iterator[Checked]:
    """Yield the results of all checks, cheapest first; checks of rows are left out if migrations are not applied."""
    yield from _settings()
    yield from _database()
    faults = list(readiness.missing())
    for one in faults:
        yield Checked(well=False, text=one)
    if readiness.unmigrated():
        return
    yield Checked(well=True, text="all migrations are applied")
    if not faults:
        yield Checked(well=True, text="the database can be written, and there is space")
    yield from _orphans()
    yield from _broken()
    yield from _outbox()
    yield from _reviews()
    yield from _keys()
    for label, model in sorted(tables().items()):
        yield Checked(well=True, text=f"{label}: {model._base_manager.count()}")


def _settings() -> Iterator[Checked]:
    mode = "development" if settings.DEVELOPMENT else "production"
    yield Checked(well=True, text=f"Bogenschmiede {VERSION}")
    yield Checked(well=True, text=f"{mode}, accounts {settings.SIGNUP}, "
                f"mail {'by ' + settings.EMAIL_HOST if settings.EMAIL_HOST else 'to the log'}")
    for one in checks.run_checks(include_deployment_checks=not settings.DEVELOPMENT):
        # `readiness.missing` reports the checks that have its tag.
        if not one.is_silenced() and not str(one.id).startswith(readiness.TAG):
            yield Checked(well=one.level < checks.WARNING, text=str(one))
    for name in ("IMPRINT", "PRIVACY"):
        for language, _title in settings.LANGUAGES:
            path = Path(getattr(settings, name).replace("{lang}", language))
            if getattr(settings, name) and not path.is_file():
                yield Checked(well=False, text=f"{name}: there is no file {path}")


def _database() -> Iterator[Checked]:
    with connection.cursor() as cursor:
        if connection.vendor == "sqlite":
            yield Checked(well=True, text=f"SQLite {sqlite3.sqlite_version}, {connection.settings_dict['NAME']}")
            # Tests use a database in memory, which has no write-ahead log.
            for pragma, wanted in (("journal_mode", {"wal", "memory"}), ("synchronous", {2}), ("foreign_keys", {1})):
                value = cursor.execute(f"PRAGMA {pragma}").fetchone()[0]
                yield Checked(well=value in wanted, text=f"{pragma} is {value}")
            try:
                check_file()
                yield Checked(well=True, text="the file is whole")
            except BackupError as error:
                yield Checked(well=False, text=str(error))
        else:
            cursor.execute("SHOW server_encoding")
            encoding = cursor.fetchone()[0]
            yield Checked(well=encoding == "UTF8", text=f"{connection.display_name} "
                        f"{'.'.join(map(str, connection.get_database_version()))}, encoding {encoding}")
    if (cache := settings.CACHES["default"]["LOCATION"]) not in connection.introspection.table_names():
        yield Checked(well=False, text=f"the table {cache} is missing, which counts attempts; run createcachetable")


def _orphans() -> Iterator[Checked]:
    """Yield each foreign key with rows that refer to a missing row, and the number of pictures without a sheet."""
    for label, model in tables().items():
        for field, found in lost_rows(model):
            if lost := found.count():
                yield Checked(well=False, text=f"{label}: {lost} rows lead to a {field.name} that is not there")
    if left := Portrait.objects.filter(sheet=None).count():
        yield Checked(well=False, text=f"{left} pictures are of no sheet")


def _broken() -> Iterator[Checked]:
    """Yield the sheets, changes and revisions that cannot be validated any more."""
    sheets = Sheet.objects.prefetch_related("changes").iterator(AT_ONCE)
    yield from _named("sheets", ((f"sheet {sheet.pk}", _fault(sheet)) for sheet in
                                  progress(sheets, "sheets", Sheet.objects.count)))
    found = Revision.objects.filter(sheet__ruleset__in=list(systems())).order_by("sheet", "number")
    revisions = progress(found.select_related("sheet").iterator(AT_ONCE), "revisions", found.count)
    yield from _named("revisions", ((f"sheet {one.sheet_id}, revision {one.number}", _unread(one))
                                    for one in revisions))
    if ahead := Change.objects.filter(number__gt=F("sheet__top")).count():
        yield Checked(well=False, text=f"{ahead} places of histories lie after their end")


def _named(what: str, checked: Iterable[tuple[str, str]]) -> Iterator[Checked]:
    """Yield a result for each broken row of (name, fault or ""): name the first `SHOWN` and count the rest."""
    broken = 0
    for which, fault in checked:
        broken += bool(fault)
        if fault and broken <= SHOWN:
            yield Checked(well=False, text=f"{which}: {fault}")
    if broken > SHOWN:
        yield Checked(well=False, text=f"and {broken - SHOWN} more {what}")


def _reviews() -> Iterator[Checked]:
    """Check a snapshot of the chain of reviews; yield its first fault."""
    with ensure_snapshot():
        fault = next(chain_faults(), None)
    if fault:
        yield Checked(well=False, text=f"the chain of reviews is broken, first at entry {fault.number}: "
                    f"{fault.message}; verify_reviews names the rest")


def _keys() -> Iterator[Checked]:
    """Check the keys that sign rolls as a verifier does."""
    faults = list(_named("keys of rolls", key_faults()))
    yield from faults or [Checked(well=True, text="the keys of rolls are good")]


def _fault(sheet: Sheet) -> str:
    """Return what is wrong with a sheet, in one line; "" if nothing."""
    if sheet.ruleset not in systems():
        return f"its system {sheet.ruleset!r} is not installed"
    try:
        document_of(sheet)
        for change in sheet.changes.all():
            systems()[sheet.ruleset].sheet.model_validate(change.data)
    except ValueError as error:
        return _short(error)
    return ""


def _outbox() -> Iterator[Checked]:
    """Yield the faults of the outbox: a missing `SITE_URL`, late deliveries and those that were given up."""
    wanted, now = Receiver.objects.count(), timezone.now()
    if wanted and not settings.SITE_URL:
        yield Checked(well=False, text=f"{wanted} want to be sent what happens, and SITE_URL, which that takes, is not "
                      "set")
    for channel in CHANNELS:
        if late := waiting_deliveries(channel).filter(due__lt=now - LATE, receiver__after__lt=now).count():
            yield Checked(well=False, text=f"{late} deliveries by {channel} have been due for over an hour; does "
                          "`manage.py deliver` run, and what does it say?")
        lost = Delivery.objects.filter(receiver__channel=channel, state=GIVEN_UP,
                                       settled__gt=now - SETTLED_LIFETIME).count()
        if lost:
            yield Checked(well=False, text=f"{lost} deliveries by {channel} of the last {SETTLED_LIFETIME.days} days "
                          "were given up; who was to get them reads so on the site")


def _unread(revision: Revision) -> str:
    """Return what is wrong with a revision, in one line: its seal or its data; "" if nothing."""
    ruleset = systems()[revision.sheet.ruleset]
    if sealed(ruleset.slug, revision.rules, revision.house, revision.name, revision.data) != revision.seal:
        return "it is not what was sealed"
    try:
        ruleset.sheet.model_validate(revision.data)
        ruleset.house.model_validate(revision.house)
    except ValueError as error:
        return _short(error)
    return ""


def _short(error: ValueError) -> str:
    return "; ".join(str(error).splitlines()[:3])

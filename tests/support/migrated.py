"""The tables of a SQLite database, migrated once for each state of the migrations and copied ever after.

To run all migrations takes eight seconds of processor, and each process of each run of the tests needs the tables.
"""

import fcntl
import sqlite3
from contextlib import closing, contextmanager
from hashlib import sha256
from importlib.metadata import version
from pathlib import Path
from unittest import mock

from django.conf import settings
from django.core.management import call_command
from django.db import connection


def path() -> Path:
    """Return where the database lies that the present migrations lead to, whether or not it has been made."""
    state = sha256(f"{version('django')} {version('django-allauth')} {settings.REVIEW_KEY}".encode())
    for source in sorted(settings.BASE_DIR.glob("*/migrations/*.py")):
        state.update(source.read_bytes())
    return settings.BASE_DIR / ".pytest_cache" / f"migrated-{state.hexdigest()[:16]}.sqlite3"


@contextmanager
def _locked(there):
    there.parent.mkdir(exist_ok=True)
    with there.with_suffix(".lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def _migrate(name, *args, **options):
    if name != "migrate" or connection.vendor != "sqlite":
        return call_command(name, *args, **options)
    with _locked(there := path()):
        connection.ensure_connection()
        if there.exists():
            with closing(sqlite3.connect(there)) as made:
                made.backup(connection.connection)
            return None
        call_command(name, *args, **options)
        unfinished = there.with_suffix(".new")
        unfinished.unlink(missing_ok=True)
        with closing(sqlite3.connect(unfinished)) as made:
            connection.connection.backup(made)
        unfinished.rename(there)
        return None


def copied():
    """Return a context in which the test database is a copy, where it is one of SQLite."""
    return mock.patch("django.core.management.call_command", _migrate)

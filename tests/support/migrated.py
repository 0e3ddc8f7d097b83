"""The tables of the test database, migrated once for each state of the migrations and copied ever after.

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
    """Return where the file lies that the present migrations lead to, whether or not it has been made."""
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
    if name != "migrate":
        return call_command(name, *args, **options)
    with _locked(there := path()):
        (_copy_file if connection.vendor == "sqlite" else _copy_template)(
            there, lambda: call_command(name, *args, **options))
    return None


def _copy_file(there, migrate):
    """Fill SQLite's database from the file, which is written where it is not there."""
    connection.ensure_connection()
    if there.exists():
        with closing(sqlite3.connect(there)) as made:
            made.backup(connection.connection)
        return
    migrate()
    unfinished = there.with_suffix(".new")
    unfinished.unlink(missing_ok=True)
    with closing(sqlite3.connect(unfinished)) as made:
        connection.connection.backup(made)
    unfinished.rename(there)


def _copy_template(there, migrate):
    """Make PostgreSQL's database anew from the template, or the template from it where there is none of this state."""
    template, database = f"test_{there.stem}", connection.settings_dict["NAME"]
    connection.close()
    with connection._nodb_cursor() as cursor:
        cursor.execute("SELECT datname FROM pg_database WHERE datname LIKE 'test_migrated-%'")
        made = {one for one, in cursor.fetchall()}
    if template not in made:
        migrate()
        connection.close()
    with connection._nodb_cursor() as cursor:
        if template in made:
            cursor.execute(f'DROP DATABASE "{database}"')
            cursor.execute(f'CREATE DATABASE "{database}" TEMPLATE "{template}"')
            return
        for earlier in made:
            cursor.execute(f'DROP DATABASE IF EXISTS "{earlier}"')
        cursor.execute(f'CREATE DATABASE "{template}" TEMPLATE "{database}"')


def copied():
    """Return a context in which the test database is a copy."""
    return mock.patch("django.core.management.call_command", _migrate)

from typing import Any

from django.core.management.commands import migrate
from django.db import connections

from builder.backup.database import check_constraints_once

LOCK = 27_011_984
"""The key of the advisory lock: any number that nothing else in the database uses."""


class Command(migrate.Command):
    """Django's command, run by one process at a time: several servers that start together wait for each other."""

    def handle(self, *args: Any, database: str, **options: Any) -> None:
        connection = connections[database]
        if connection.vendor != "postgresql":
            # A SQLite file is used by one server only, so no lock is needed.
            with check_constraints_once(connection):
                super().handle(*args, database=database, **options)
            return
        with connection.cursor() as cursor:
            # The lock ends with the connection, even if this process is killed.
            cursor.execute("SELECT pg_advisory_lock(%s)", [LOCK])
        try:
            super().handle(*args, database=database, **options)
        finally:
            with connection.cursor() as cursor:
                cursor.execute("SELECT pg_advisory_unlock(%s)", [LOCK])


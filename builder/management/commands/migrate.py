from typing import Any

from django.core.management.commands import migrate
from django.db import connections

from builder.backup.database import checked_once

LOCK = 27_011_984
"""Any number that nothing else in the database locks."""


class Command(migrate.Command):
    """Django's own, one at a time: of several servers that start together only one makes the tables."""

    def handle(self, *args: Any, database: str, **options: Any) -> None:
        connection = connections[database]
        if connection.vendor != "postgresql":
            # SQLite's file has one server.
            with checked_once(connection):
                super().handle(*args, database=database, **options)
            return
        with connection.cursor() as cursor:
            # It ends with the connection, whatever becomes of this process.
            cursor.execute("SELECT pg_advisory_lock(%s)", [LOCK])
        try:
            super().handle(*args, database=database, **options)
        finally:
            with connection.cursor() as cursor:
                cursor.execute("SELECT pg_advisory_unlock(%s)", [LOCK])


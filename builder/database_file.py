"""SQLite's file, which may be replaced while the program runs; connections that are open then use the deleted one.

A connection lasts for many requests. Without this it would go on with the file that it opened, and what is written
there would be lost with it.
"""

import os
from typing import Any
from weakref import WeakKeyDictionary

from django.db import connections
from django.db.backends.base.base import BaseDatabaseWrapper

_OPENED: "WeakKeyDictionary[BaseDatabaseWrapper, tuple[int, int]]" = WeakKeyDictionary()
"""{connection: the file that it has opened}."""


def note_file(connection: BaseDatabaseWrapper, **_signal: Any) -> None:
    """Remember the file that a new connection has opened."""
    if connection.vendor == "sqlite" and (file := _file_of(connection)):
        _OPENED[connection] = file


def close_if_replaced(**_signal: Any) -> None:
    """Close connections to files in whose place another one lies; the next query opens that."""
    for connection in connections.all(initialized_only=True):
        opened, now = _OPENED.get(connection), _file_of(connection) if connection.vendor == "sqlite" else None
        if opened and now and opened != now and not connection.in_atomic_block:
            connection.close()


def _file_of(connection: BaseDatabaseWrapper) -> tuple[int, int] | None:
    """Return the identity of the file, None if there is no file, as for a database in memory."""
    try:
        found = os.stat(connection.settings_dict["NAME"])  # noqa: PTH116 - the quicker way, with every request
    except OSError:
        return None
    return found.st_dev, found.st_ino

"""Closing of connections to a SQLite file that was replaced while the program runs.

A connection lasts for many requests. It would go on using the deleted file, and everything written to that would be
lost.
"""

import os
from typing import Any
from weakref import WeakKeyDictionary

from django.db import connections
from django.db.backends.base.base import BaseDatabaseWrapper

_OPENED: "WeakKeyDictionary[BaseDatabaseWrapper, tuple[int, int]]" = WeakKeyDictionary()
"""{connection: (device, inode) of the file that it has opened}."""


def note_file(connection: BaseDatabaseWrapper, **_signal: Any) -> None:
    """Store which file a new connection has opened."""
    if connection.vendor == "sqlite" and (file := _file_of(connection)):
        _OPENED[connection] = file


def close_if_replaced(**_signal: Any) -> None:
    """Close connections whose file was replaced, except in a transaction; their next query opens the new file."""
    for connection in connections.all(initialized_only=True):
        opened, now = _OPENED.get(connection), _file_of(connection) if connection.vendor == "sqlite" else None
        if opened and now and opened != now and not connection.in_atomic_block:
            connection.close()


def _file_of(connection: BaseDatabaseWrapper) -> tuple[int, int] | None:
    """Return (device, inode) of a connection's file; None if there is none, as for a database in memory."""
    try:
        found = os.stat(connection.settings_dict["NAME"])  # noqa: PTH116 - faster, and called in every request
    except OSError:
        return None
    return found.st_dev, found.st_ino

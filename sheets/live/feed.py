"""Changes in the database, for the streams' process: notifications from PostgreSQL, or polling of SQLite."""

import asyncio
import logging
from collections.abc import Mapping
from typing import Any
from uuid import UUID

import psycopg
from django.db import DatabaseError, connection
from psycopg import AsyncConnection

from sheets.live.topics import change_markers
from sheets.live.watchers import DATABASE_RETRY, Watchers

LOG = logging.getLogger(__name__)
CHANNEL = "live"
"""The channel that PostgreSQL's triggers notify (migration 0022)."""
POLL_INTERVAL = 0.1
"""Seconds between two checks of SQLite's file."""


async def listen_for_changes(watchers: Watchers) -> None:
    """Report every change in the database to the watchers until cancelled."""
    listen = _listen_to_postgresql if connection.vendor == "postgresql" else _poll_sqlite
    while True:
        try:
            await listen(watchers)
        # A standby server refuses LISTEN with an error that is not an OperationalError.
        except (DatabaseError, psycopg.Error) as error:
            LOG.warning("the database does not answer: %s", " ".join(str(error).split()))
            await asyncio.sleep(DATABASE_RETRY)


async def _listen_to_postgresql(watchers: Watchers) -> None:
    params = connection.get_connection_params()
    # The options include the timeouts for a server that does not respond.
    names = ("host", "port", "dbname", "user", "password", *connection.settings_dict["OPTIONS"])
    given = {key: params[key] for key in names if params.get(key)}
    async with await AsyncConnection.connect(**given, autocommit=True) as listener:
        await listener.execute(f"LISTEN {CHANNEL}")
        # Changes may have been missed while nothing was listening.
        watchers.note_gap()
        async for notification in listener.notifies():
            watchers.note_changes({UUID(notification.payload)})


async def _poll_sqlite(watchers: Watchers) -> None:
    version: int | None = None
    known: dict[UUID, Any] = {}
    while True:
        await asyncio.sleep(POLL_INTERVAL)
        if not (keys := set(watchers.by_key)):
            version, known = None, {}
            continue
        version, current = await watchers.query(_read_sqlite, version if keys <= known.keys() else None, keys)
        if current is not None:
            watchers.note_changes({key for key in keys if key not in known or current.get(key) != known[key]})
            known = {key: current.get(key) for key in keys}


def _read_sqlite(last_version: int | None, keys: set[UUID]) -> tuple[int, Mapping[UUID, Any] | None]:
    """Return (version of the file, change markers); the markers are None if the version is still `last_version`."""
    with connection.cursor() as cursor:
        # The version changes when another connection writes; reading it touches no page of the file.
        version: int = cursor.execute("PRAGMA data_version").fetchone()[0]
    return version, None if version == last_version else change_markers(keys)

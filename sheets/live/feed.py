"""The source of news for the process of the streams: PostgreSQL notifies it; one reader polls SQLite for all."""

import asyncio
import logging
from collections.abc import Mapping
from typing import Any
from uuid import UUID

import psycopg
from django.db import DatabaseError, connection
from psycopg import AsyncConnection

from sheets.live.topics import rows
from sheets.live.watchers import AWAY, Watchers

LOG = logging.getLogger(__name__)
CHANNEL = "live"
"""The channel that PostgreSQL's triggers notify (migration 0022)."""
PAUSE = 0.1
"""Seconds between two looks at SQLite's file."""


async def hear(watchers: Watchers) -> None:
    """Let the watchers know of everything that happens, until it is cancelled."""
    heard = _notified if connection.vendor == "postgresql" else _looked
    while True:
        try:
            await heard(watchers)
        # A server that stands by for another one refuses to listen, which is no OperationalError.
        except (DatabaseError, psycopg.Error) as error:
            LOG.warning("the database does not answer: %s", " ".join(str(error).split()))
            await asyncio.sleep(AWAY)


async def _notified(watchers: Watchers) -> None:
    known = connection.get_connection_params()
    # With how long a server that says nothing is waited for.
    words = ("host", "port", "dbname", "user", "password", *connection.settings_dict["OPTIONS"])
    line = {key: known[key] for key in words if known.get(key)}
    async with await AsyncConnection.connect(**line, autocommit=True) as listening:
        await listening.execute(f"LISTEN {CHANNEL}")
        # What happened while nobody listened.
        watchers.happened(watchers.by_key.keys())
        async for note in listening.notifies():
            watchers.happened({UUID(note.payload)})


async def _looked(watchers: Watchers) -> None:
    seen: int | None = None
    known: dict[UUID, Any] = {}
    while True:
        await asyncio.sleep(PAUSE)
        if not (keys := set(watchers.by_key)):
            seen, known = None, {}
            continue
        seen, found = await watchers.ask(_look, seen if keys <= known.keys() else None, keys)
        if found is not None:
            watchers.happened({key for key in keys if key not in known or found.get(key) != known[key]})
            known = {key: found.get(key) for key in keys}


def _look(seen: int | None, keys: set[UUID]) -> tuple[int, Mapping[UUID, Any] | None]:
    """Return (number of the file's state, what changes with news by key); nothing of the latter if that is `seen`."""
    with connection.cursor() as cursor:
        # Another number as soon as another connection has written, read without touching a page of the file.
        number: int = cursor.execute("PRAGMA data_version").fetchone()[0]
    return number, None if number == seen else rows(keys)

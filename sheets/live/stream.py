"""The streams themselves (Server-Sent Events): an ASGI application, which granian runs as one process of its own."""

import asyncio
import logging
import os
import re
import resource
import secrets
from collections.abc import Awaitable, Callable, MutableMapping
from contextlib import suppress
from importlib import import_module
from io import BytesIO
from typing import Any
from uuid import UUID

from django.conf import settings
from django.contrib.auth import get_user
from django.core.exceptions import BadRequest, SuspiciousOperation
from django.core.handlers.asgi import ASGIRequest
from django.db import DatabaseError
from django.utils.functional import SimpleLazyObject

from sheets.client_address import client_address
from sheets.live.feed import hear
from sheets.live.topics import TOPICS
from sheets.live.watchers import Charge, Crowded, Watcher, Watchers

Scope = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[MutableMapping[str, Any]]]
Send = Callable[[MutableMapping[str, Any]], Awaitable[None]]

LINK, QUEUE = "link", "queue"
"""The topics that are watched by a link, and without a key, because everybody has one of their own."""
KEYED = "|".join(TOPICS.keys() - {LINK, QUEUE})
PATH = re.compile(rf"/live/(?:({KEYED})/([0-9a-f]{{8}}(?:-[0-9a-f]{{4}}){{3}}-[0-9a-f]{{12}})|({LINK})/([\w-]{{1,64}})"
                  rf"|({QUEUE}))/", re.ASCII)
RETRY, SPREAD = 500, 1500
"""Milliseconds until a browser asks again after its stream was cut off: not all at once."""
BEAT = 20
"""Seconds after which a silent stream sends a sign of life: proxies end silent connections."""
SLOW = 10
"""Seconds that a reader may take to accept anything."""
LASTS = 300
"""Seconds after which a stream ends and is asked for anew, so that whoever has signed out hears nothing more."""
LONGEST = 200
"""Characters of a change token that a browser sends back."""
HEADERS = {"Cache-Control": "no-store", "X-Accel-Buffering": "no", "X-Content-Type-Options": "nosniff",
           "Referrer-Policy": "same-origin", "Content-Security-Policy": "default-src 'none'"}
SESSIONS = import_module(settings.SESSION_ENGINE).SessionStore
LOG = logging.getLogger(__name__)


class Streams:
    """The application: `/live/<topic>/<key>/` is a stream of change tokens, one whenever there is news of the topic.

    `charge` is told the cost of each look, and returns whether the one who asked may use more.
    """

    def __init__(self, charge: Charge | None = None) -> None:
        self.charge = charge
        self.watchers: Watchers

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self._live(receive, send)
        elif scope["type"] == "http":
            await self._answer(scope, receive, send)

    async def _live(self, receive: Receive, send: Send) -> None:
        """Run from the server's start to its end."""
        # A stream is an open file; what a shell allows by itself is a thousand.
        _soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
        resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
        await receive()
        self.watchers = Watchers(self.charge)
        tasks = [asyncio.create_task(one) for one in (self.watchers.tell(), hear(self.watchers), _orphaned())]
        for task in tasks:
            task.add_done_callback(_over)
        await send({"type": "lifespan.startup.complete"})
        await receive()
        for task in tasks:
            task.cancel()
        self.watchers.end()
        await send({"type": "lifespan.shutdown.complete"})

    async def _answer(self, scope: Scope, receive: Receive, send: Send) -> None:
        request = ASGIRequest(scope, BytesIO())
        try:
            if (watcher := _watcher(request)) is None:
                return await _refuse(send, 404)
            known = watcher.change_token
            if not await self.watchers.begin(watcher):
                self.watchers.leave(watcher)
                return await _refuse(send, 404)
        except (BadRequest, SuspiciousOperation):
            return await _refuse(send, 400)
        except Crowded:
            return await _refuse(send, 429)
        except DatabaseError as error:
            LOG.warning("the database does not answer: %s", " ".join(str(error).split()))
            return await _refuse(send, 503)
        gone = asyncio.create_task(_gone(receive, watcher))
        try:
            await _send(send, {"type": "http.response.start", "status": 200, "headers": _headers("text/event-stream")})
            await self._stream(watcher, known, send)
        except (TimeoutError, OSError):
            # Whoever does not read is let go.
            pass
        finally:
            gone.cancel()
            self.watchers.leave(watcher)

    async def _stream(self, watcher: Watcher, known: str, send: Send) -> None:
        loop = asyncio.get_running_loop()
        end = loop.time() + LASTS
        # Whoever knows all that there is is not made to look.
        hello = f"retry: {RETRY + secrets.randbelow(SPREAD)}\n"
        text = hello + ("event: known\n" if watcher.change_token == known else "") + _told(watcher)
        while not watcher.ended:
            await _send(send, {"type": "http.response.body", "body": text.encode(), "more_body": True})
            try:
                async with asyncio.timeout(min(BEAT, max(0, end - loop.time()))):
                    await watcher.news.wait()
            except TimeoutError:
                text = ":\n\n"
                if loop.time() >= end:
                    break
                continue
            text = _told(watcher)
        with suppress(TimeoutError):
            await _send(send, {"type": "http.response.body", "body": b"", "more_body": False})


def _watcher(request: ASGIRequest) -> Watcher | None:
    """Return the watcher for a request; None if there is no such topic (SuspiciousOperation, BadRequest)."""
    request.get_host()
    if (found := PATH.fullmatch(request.path)) is None or request.method != "GET":
        return None
    cookie = request.COOKIES.get(settings.SESSION_COOKIE_NAME)
    # What is no session's key does not come to the database, which would refuse a NUL for all who are asked about.
    request.session = SESSIONS(cookie if cookie and cookie.isascii() and cookie.isalnum() else None)
    request.user = SimpleLazyObject(lambda: get_user(request))  # type: ignore[assignment]
    change_token = request.headers.get("Last-Event-ID") or request.GET.get("since", "")
    if len(change_token) > LONGEST:
        raise BadRequest
    address = client_address(request)
    # A guest's browser has a cookie of its own, and perhaps no session.
    browser = cookie or request.COOKIES.get(settings.GUEST_COOKIE_NAME)
    whose = "all", f"address {address}", f"browser {address} {browser}"
    keyed, key, link, token, queue = found.groups()
    language = request.GET.get("language", "")
    return Watcher(request, keyed or link or queue, UUID(key) if key else token or "", change_token, whose,
                   language if language in dict(settings.LANGUAGES) else settings.LANGUAGE_CODE)


def _told(watcher: Watcher) -> str:
    """Return the pieces that a watcher has not, or the change token for the page, as events of its stream."""
    watcher.news.clear()
    pieces, watcher.pieces = watcher.pieces, []
    if not pieces:
        return f"id: {watcher.change_token}\ndata: {watcher.change_token}\n\n"
    return "".join(f"event: pieces\ndata: {one}\n\n" for one in pieces[:-1]) + (
        f"id: {watcher.change_token}\nevent: pieces\ndata: {pieces[-1]}\n\n")


def _headers(kind: str) -> list[tuple[bytes, bytes]]:
    return [(name.lower().encode(), value.encode()) for name, value in (HEADERS | {"Content-Type": kind}).items()]


async def _send(send: Send, message: MutableMapping[str, Any]) -> None:
    async with asyncio.timeout(SLOW):
        await send(message)


async def _refuse(send: Send, status: int) -> None:
    await send({"type": "http.response.start", "status": status, "headers": _headers("text/plain")})
    await send({"type": "http.response.body", "body": b""})


def _over(task: asyncio.Task[None]) -> None:
    """End this process if one of its tasks failed: otherwise nobody would hear of anything any more."""
    if not task.cancelled() and (error := task.exception()):
        LOG.critical("the streams end", exc_info=error)
        os._exit(1)


async def _orphaned() -> None:
    """End this process once its parent is gone: another is started in its place, at the same port."""
    parent = os.getppid()
    while os.getppid() == parent:
        await asyncio.sleep(1)
    os._exit(1)


async def _gone(receive: Receive, watcher: Watcher) -> None:
    """End what nobody reads any more."""
    while (await receive())["type"] != "http.disconnect":
        pass
    watcher.end()

"""The streams (Server-Sent Events): an ASGI application, which granian runs in a separate process."""

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
from sheets.live.feed import listen_for_changes
from sheets.live.topics import TOPICS
from sheets.live.watchers import Charge, TooManyWatchers, Watcher, Watchers

Scope = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[MutableMapping[str, Any]]]
Send = Callable[[MutableMapping[str, Any]], Awaitable[None]]

LINK, QUEUE = "link", "queue"
"""The address of `LINK` contains a sheet's link instead of a key; that of `QUEUE` neither, as it is the user's own."""
KEYED = "|".join(TOPICS.keys() - {LINK, QUEUE})
PATH = re.compile(rf"/live/(?:({KEYED})/([0-9a-f]{{8}}(?:-[0-9a-f]{{4}}){{3}}-[0-9a-f]{{12}})|({LINK})/([\w-]{{1,64}})"
                  rf"|({QUEUE}))/", re.ASCII)
RETRY, RETRY_JITTER = 500, 1500
"""Milliseconds until a browser reconnects after its stream was cut off; the random part spreads the reconnections."""
HEARTBEAT = 20
"""Seconds after which an idle stream sends a comment, because proxies close idle connections."""
SEND_TIMEOUT = 10
"""Seconds that a client may take to accept a message."""
LIFETIME = 300
"""Seconds after which a stream ends and the browser reconnects, so that a user who has signed out gets no more news."""
MAX_TOKEN_LENGTH = 200
"""The most characters of a change token that a browser sends back."""
HEADERS = {"Cache-Control": "no-store", "X-Accel-Buffering": "no", "X-Content-Type-Options": "nosniff",
           "Referrer-Policy": "same-origin", "Content-Security-Policy": "default-src 'none'"}
SESSIONS = import_module(settings.SESSION_ENGINE).SessionStore
LOG = logging.getLogger(__name__)


class Streams:
    """The application: `/live/<topic>/<key>/` is a stream of change tokens, one for each change of the topic.

    `charge` is called with the cost of each query, and returns True if the watcher may use more.
    """

    def __init__(self, charge: Charge | None = None) -> None:
        self.charge = charge
        self.watchers: Watchers

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self._lifespan(receive, send)
        elif scope["type"] == "http":
            await self._answer(scope, receive, send)

    async def _lifespan(self, receive: Receive, send: Send) -> None:
        """Handle the ASGI lifespan, from the server's start to its shutdown."""
        # A stream is an open file, and a shell's default limit is about a thousand.
        _soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
        resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
        await receive()
        self.watchers = Watchers(self.charge)
        tasks = [asyncio.create_task(coroutine) for coroutine in (
            self.watchers.deliver_news(), listen_for_changes(self.watchers), _end_with_parent())]
        for task in tasks:
            task.add_done_callback(_end_if_failed)
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
            shown_token = watcher.change_token
            if not await self.watchers.add(watcher):
                self.watchers.remove(watcher)
                return await _refuse(send, 404)
        except (BadRequest, SuspiciousOperation):
            return await _refuse(send, 400)
        except TooManyWatchers:
            return await _refuse(send, 429)
        except DatabaseError as error:
            LOG.warning("the database does not answer: %s", " ".join(str(error).split()))
            return await _refuse(send, 503)
        disconnected = asyncio.create_task(_end_on_disconnect(receive, watcher))
        try:
            await _send(send, {"type": "http.response.start", "status": 200, "headers": _headers("text/event-stream")})
            await self._stream(watcher, shown_token, send)
        except (TimeoutError, OSError):
            # The client reads too slowly or is gone.
            pass
        finally:
            disconnected.cancel()
            self.watchers.remove(watcher)

    async def _stream(self, watcher: Watcher, shown_token: str, send: Send) -> None:
        loop = asyncio.get_running_loop()
        deadline = loop.time() + LIFETIME
        retry = f"retry: {RETRY + secrets.randbelow(RETRY_JITTER)}\n"
        # Tell a page that is up to date that it need not request its content.
        text = retry + ("event: known\n" if watcher.change_token == shown_token else "") + _events_for(watcher)
        while not watcher.ended:
            await _send(send, {"type": "http.response.body", "body": text.encode(), "more_body": True})
            try:
                async with asyncio.timeout(min(HEARTBEAT, max(0, deadline - loop.time()))):
                    await watcher.news.wait()
            except TimeoutError:
                text = ":\n\n"
                if loop.time() >= deadline:
                    break
                continue
            text = _events_for(watcher)
        with suppress(TimeoutError):
            await _send(send, {"type": "http.response.body", "body": b"", "more_body": False})


def _watcher(request: ASGIRequest) -> Watcher | None:
    """Return the watcher for a request, or None if there is no such topic.

    Raise `SuspiciousOperation` for a host that is not allowed, `BadRequest` for a change token that is too long.
    """
    request.get_host()
    if (match := PATH.fullmatch(request.path)) is None or request.method != "GET":
        return None
    cookie = request.COOKIES.get(settings.SESSION_COOKIE_NAME)
    # A malformed session key must not reach the database: a NUL would make the query fail for all watchers.
    request.session = SESSIONS(cookie if cookie and cookie.isascii() and cookie.isalnum() else None)
    request.user = SimpleLazyObject(lambda: get_user(request))  # type: ignore[assignment]
    change_token = request.headers.get("Last-Event-ID") or request.GET.get("since", "")
    if len(change_token) > MAX_TOKEN_LENGTH:
        raise BadRequest
    address = client_address(request)
    # A guest's browser has its own cookie, and may have no session.
    browser = cookie or request.COOKIES.get(settings.GUEST_COOKIE_NAME)
    buckets = "all", f"address {address}", f"browser {address} {browser}"
    keyed_topic, key, link, link_token, queue = match.groups()
    language = request.GET.get("language", "")
    return Watcher(request, keyed_topic or link or queue, UUID(key) if key else link_token or "", change_token, buckets,
                   language if language in dict(settings.LANGUAGES) else settings.LANGUAGE_CODE)


def _events_for(watcher: Watcher) -> str:
    """Return a watcher's unsent pieces, or else its change token, as events of its stream."""
    watcher.news.clear()
    pieces, watcher.pieces = watcher.pieces, []
    if not pieces:
        return f"id: {watcher.change_token}\ndata: {watcher.change_token}\n\n"
    return "".join(f"event: pieces\ndata: {one}\n\n" for one in pieces[:-1]) + (
        f"id: {watcher.change_token}\nevent: pieces\ndata: {pieces[-1]}\n\n")


def _headers(content_type: str) -> list[tuple[bytes, bytes]]:
    headers = HEADERS | {"Content-Type": content_type}
    return [(name.lower().encode(), value.encode()) for name, value in headers.items()]


async def _send(send: Send, message: MutableMapping[str, Any]) -> None:
    async with asyncio.timeout(SEND_TIMEOUT):
        await send(message)


async def _refuse(send: Send, status: int) -> None:
    await send({"type": "http.response.start", "status": status, "headers": _headers("text/plain")})
    await send({"type": "http.response.body", "body": b""})


def _end_if_failed(task: asyncio.Task[None]) -> None:
    """End this process if one of its tasks failed, because no watcher would get news any more."""
    if not task.cancelled() and (error := task.exception()):
        LOG.critical("the streams end", exc_info=error)
        os._exit(1)


async def _end_with_parent() -> None:
    """End this process once its parent has ended, because another one is started at the same port."""
    parent = os.getppid()
    while os.getppid() == parent:
        await asyncio.sleep(1)
    os._exit(1)


async def _end_on_disconnect(receive: Receive, watcher: Watcher) -> None:
    """End a watcher once its client has disconnected."""
    while (await receive())["type"] != "http.disconnect":
        pass
    watcher.end()

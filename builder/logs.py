"""The log: numbers of requests, JSON lines, slow queries, and limits on the length of lines."""

import json
import logging
import re
import time
from collections.abc import Callable
from contextvars import ContextVar
from pathlib import Path
from traceback import walk_stack
from typing import Any
from uuid import uuid4

from django.conf import settings
from django.http import HttpRequest, HttpResponse

LOG = logging.getLogger(__name__)
LONGEST = 1000
"""The most characters of a query in the log."""
MAX_MESSAGE = 300
"""The most characters of a message about a request, whose URL may have thousands."""
OURS = tuple(f"{settings.BASE_DIR}/{room}/" for room in ("builder", "sheets"))
number: ContextVar[str] = ContextVar("number", default="")
"""The number of the current request: a text in `X-Request-ID` from the proxy, or a random one."""


def request_number_middleware(
    get_response: Callable[[HttpRequest], HttpResponse],
) -> Callable[[HttpRequest], HttpResponse]:
    """Give each request a number, which is in its answer's `X-Request-ID` and in its lines of the log."""

    def middleware(request: HttpRequest) -> HttpResponse:
        given = request.headers.get("X-Request-ID", "")
        # Without a trusted proxy the header comes from the client, which could forge lines of the log.
        proxied = getattr(settings, "ALLAUTH_TRUSTED_PROXY_COUNT", 0)
        trusted = proxied and re.fullmatch(r"[\w-]{8,64}", given, re.ASCII)
        token = number.set(given if trusted else uuid4().hex)
        try:
            response = get_response(request)
            response.headers["X-Request-ID"] = number.get()
            return response
        finally:
            number.reset(token)

    return middleware


class JsonLine(logging.Formatter):
    """A formatter that writes a record as one line of JSON."""

    default_time_format, default_msec_format = "%Y-%m-%dT%H:%M:%S", "%s.%03dZ"
    converter = staticmethod(time.gmtime)

    def format(self, record: logging.LogRecord) -> str:
        entry = {"time": self.formatTime(record), "level": record.levelname, "name": record.name,
                 "message": record.getMessage(), "request": number.get()}
        if record.exc_info:
            entry["traceback"] = self.formatException(record.exc_info)
        return json.dumps({key: value for key, value in entry.items() if value}, ensure_ascii=False)


def slow(execute: Callable[..., Any], sql: str, params: Any, many: bool, context: dict[str, Any]) -> Any:  # noqa: FBT001
    """Execute a query; log it without its parameters if it takes `SLOW_QUERY` milliseconds or more."""
    begun = time.perf_counter()
    try:
        return execute(sql, params, many, context)
    finally:
        took = (time.perf_counter() - begun) * 1000
        if took >= settings.SLOW_QUERY:
            LOG.warning("a query of %s took %d ms: %s", _caller(), took, " ".join(sql.split())[:LONGEST])


def _caller() -> str:
    """Return the file and line of this project that runs the query; the request's URL could contain a secret link."""
    return next((f"{Path(frame.f_code.co_filename).relative_to(settings.BASE_DIR)}:{line}"
                 for frame, line in walk_stack(None)
                 if frame.f_code.co_filename.startswith(OURS) and frame.f_code.co_filename != __file__), "nobody here")


def log_slow_queries(connection: Any, **_signal: Any) -> None:
    """Add the wrapper that logs slow queries to a connection that does not have it yet."""
    if slow not in connection.execute_wrappers:
        # At the beginning: the context manager `execute_wrapper` removes the last wrapper at its end.
        connection.execute_wrappers.insert(0, slow)


class ShortenRequests(logging.Filter):
    """A filter that shortens records about requests; those of a 4xx, the client's error, lose their traceback."""

    def filter(self, record: logging.LogRecord) -> bool:
        """Return True for every record; cut a long message of a request, and put that of a 4xx on one line."""
        status = getattr(record, "status_code", 0)
        if 400 <= status < 500:
            record.exc_info = record.exc_text = record.stack_info = None
            record.msg, record.args = " ".join(record.getMessage().split()), ()
        if status and len(record.getMessage()) > MAX_MESSAGE:
            record.msg, record.args = f"{record.getMessage()[:MAX_MESSAGE]}…", ()
        return True

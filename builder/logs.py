"""The content of the log, and its limits."""

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
"""Characters of a question to the database that are told."""
SAID = 300
"""Characters of what is told of a request: its address may have thousands."""
OURS = tuple(f"{settings.BASE_DIR}/{room}/" for room in ("builder", "sheets"))
number: ContextVar[str] = ContextVar("number", default="")
"""The number of the request that is being answered."""


def numbered(get_response: Callable[[HttpRequest], HttpResponse]) -> Callable[[HttpRequest], HttpResponse]:
    """Middleware: a request has a number, its proxy's or a new one, which its answer and each line of the log say."""

    def middleware(request: HttpRequest) -> HttpResponse:
        given = request.headers.get("X-Request-ID", "")
        # Anybody else's could be anything.
        trusted = getattr(settings, "ALLAUTH_TRUSTED_PROXY_COUNT", 0) and re.fullmatch(r"[\w-]{8,64}", given, re.ASCII)
        token = number.set(given if trusted else uuid4().hex)
        try:
            response = get_response(request)
            response.headers["X-Request-ID"] = number.get()
            return response
        finally:
            number.reset(token)

    return middleware


class JsonLine(logging.Formatter):
    """A record as one line of JSON: when, how grave, whose, what, in which request, with its traceback."""

    default_time_format, default_msec_format = "%Y-%m-%dT%H:%M:%S", "%s.%03dZ"
    converter = staticmethod(time.gmtime)

    def format(self, record: logging.LogRecord) -> str:
        entry = {"time": self.formatTime(record), "level": record.levelname, "name": record.name,
                 "message": record.getMessage(), "request": number.get()}
        if record.exc_info:
            entry["traceback"] = self.formatException(record.exc_info)
        return json.dumps({key: value for key, value in entry.items() if value}, ensure_ascii=False)


def slow(execute: Callable[..., Any], sql: str, params: Any, many: bool, context: dict[str, Any]) -> Any:  # noqa: FBT001
    """Log a query that took long, without what it was asked about."""
    begun = time.perf_counter()
    try:
        return execute(sql, params, many, context)
    finally:
        took = (time.perf_counter() - begun) * 1000
        if took >= settings.SLOW_QUERY:
            LOG.warning("a query of %s took %d ms: %s", _asking(), took, " ".join(sql.split())[:LONGEST])


def _asking() -> str:
    """The line of ours that asks: an address could tell a link that is secret."""
    return next((f"{Path(frame.f_code.co_filename).relative_to(settings.BASE_DIR)}:{line}"
                 for frame, line in walk_stack(None)
                 if frame.f_code.co_filename.startswith(OURS) and frame.f_code.co_filename != __file__), "nobody here")


def tell_slow(connection: Any, **_signal: Any) -> None:
    """Let a connection to the database tell of what is slow, once however often it is opened anew."""
    if slow not in connection.execute_wrappers:
        # First: whoever wraps for a while takes the last one away again.
        connection.execute_wrappers.insert(0, slow)


class Theirs(logging.Filter):
    """A request that is refused is whoever sent it's fault: a line tells of it, without our traceback."""

    def filter(self, record: logging.LogRecord) -> bool:
        """Let every record through, one of a request cut short, one of a 4xx without the way to it, on one line."""
        status = getattr(record, "status_code", 0)
        if 400 <= status < 500:
            record.exc_info = record.exc_text = record.stack_info = None
            record.msg, record.args = " ".join(record.getMessage().split()), ()
        if status and len(record.getMessage()) > SAID:
            record.msg, record.args = f"{record.getMessage()[:SAID]}…", ()
        return True

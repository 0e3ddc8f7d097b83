"""Streams of news on a developer's machine, where no proxy stands before pages and streams."""

from collections.abc import Iterator
from contextlib import closing, suppress
from http.client import HTTPConnection, HTTPException, HTTPResponse
from typing import Any

from django.conf import settings
from django.http import HttpRequest, HttpResponse, StreamingHttpResponse
from django.http.response import HttpResponseBase
from django.views.decorators.http import require_safe

PASSED = ("Host", "Cookie", "Last-Event-ID")


@require_safe
def passed_on(request: HttpRequest, **_watched: Any) -> HttpResponseBase:
    """Pass on the stream of the process beside this one; in production a proxy asks that one, and this answers 204."""
    if not settings.DEVELOPMENT:
        return HttpResponse(status=204)
    line = HTTPConnection("127.0.0.1", settings.LIVE_PORT)
    try:
        line.request("GET", request.get_full_path(), headers={
            name: request.headers[name] for name in PASSED if name in request.headers})
    except OSError:
        return HttpResponse(status=204)
    answer = line.getresponse()
    return StreamingHttpResponse(
        _lines(line, answer), status=answer.status, content_type=answer.headers["Content-Type"])


def _lines(line: HTTPConnection, answer: HTTPResponse) -> Iterator[bytes]:
    # The process beside may end in the middle; the browser asks anew.
    with closing(line), closing(answer), suppress(HTTPException):
        while text := answer.read1():
            yield text

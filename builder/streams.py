"""Forwarding of news streams in development, where there is no proxy in front of pages and streams."""

from collections.abc import Iterator
from contextlib import closing, suppress
from http.client import HTTPConnection, HTTPException, HTTPResponse
from typing import Any

from django.conf import settings
from django.http import HttpRequest, HttpResponse, StreamingHttpResponse
from django.http.response import HttpResponseBase
from django.views.decorators.http import require_safe

FORWARDED_HEADERS = ("Host", "Cookie", "Last-Event-ID")


@require_safe
def forward_stream(request: HttpRequest, **_watched: Any) -> HttpResponseBase:
    """Forward the stream of the streams' own process; answer 204 in production, where the proxy asks that process."""
    if not settings.DEVELOPMENT:
        return HttpResponse(status=204)
    upstream = HTTPConnection("127.0.0.1", settings.LIVE_PORT)
    try:
        upstream.request("GET", request.get_full_path(), headers={
            name: request.headers[name] for name in FORWARDED_HEADERS if name in request.headers})
    except OSError:
        return HttpResponse(status=204)
    answer = upstream.getresponse()
    return StreamingHttpResponse(
        _chunks(upstream, answer), status=answer.status, content_type=answer.headers["Content-Type"])


def _chunks(upstream: HTTPConnection, answer: HTTPResponse) -> Iterator[bytes]:
    # The streams' process may end in the middle of an answer; the browser then reconnects.
    with closing(upstream), closing(answer), suppress(HTTPException):
        while chunk := answer.read1():
            yield chunk

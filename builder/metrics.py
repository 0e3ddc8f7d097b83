"""Figures of the running program for Prometheus; counted only where METRICS names somebody who may ask for them.

Workers and the process of the streams keep their figures in files of one folder, PROMETHEUS_MULTIPROC_DIR, which
`make serve` makes anew at each start; whichever of them is asked adds them up.
"""

import os
import sys
import time
from collections.abc import Callable, Iterator
from ipaddress import IPv4Address, IPv6Address, ip_address
from typing import Any

from allauth.account.adapter import get_adapter
from django.conf import settings
from django.core.exceptions import PermissionDenied
from django.core.signals import got_request_exception
from django.db import connection
from django.http import Http404, HttpRequest, HttpResponse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe
from prometheus_client import CONTENT_TYPE_LATEST, REGISTRY, CollectorRegistry, Counter, Histogram, generate_latest
from prometheus_client.core import GaugeMetricFamily
from prometheus_client.multiprocess import MultiProcessCollector

from sheets.models import Report
from sheets.notifications.mail import due

METHODS = ("GET", "HEAD", "POST")
REQUESTS = Counter("bogenschmiede_requests", "Requests by view, method and status.", ["view", "method", "status"])
SECONDS = Histogram("bogenschmiede_request_seconds", "Seconds until the answer is made.", ["view"],
                    buckets=(0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10))
QUERIES = Counter("bogenschmiede_queries", "Questions to the database.", ["view"])
FAILURES = Counter("bogenschmiede_failures", "Exceptions that nothing has answered, by their class.", ["exception"])


class Queue:
    """The number of things waiting, read from the database whenever Prometheus asks."""

    def collect(self) -> Iterator[GaugeMetricFamily]:
        """Yield one figure for each queue."""
        found = GaugeMetricFamily("bogenschmiede_waiting", "What waits to be done, by its queue.", labels=["queue"])
        found.add_metric(["mail"], due().count())
        found.add_metric(["reports"], Report.objects.filter(settled=None).count())
        yield found


def counted(get_response: Callable[[HttpRequest], HttpResponse]) -> Callable[[HttpRequest], HttpResponse]:
    """Middleware: counts every request, what it takes and asks the database, by its view's name."""

    def middleware(request: HttpRequest) -> HttpResponse:
        asked, begun = 0, time.perf_counter()

        def counting(execute: Callable[..., Any], *arguments: Any) -> Any:
            nonlocal asked
            asked += 1
            return execute(*arguments)

        with connection.execute_wrapper(counting):
            response = get_response(request)
        view = request.resolver_match.url_name if request.resolver_match else "none"
        method = request.method if request.method in METHODS else "other"
        REQUESTS.labels(view, method, response.status_code).inc()
        SECONDS.labels(view).observe(time.perf_counter() - begun)
        QUERIES.labels(view).inc(asked)
        return response

    # Not what was refused (404, 403, 400), but what broke, in a middleware or a template, too.
    got_request_exception.connect(_failed)
    return middleware


def _failed(**_signal: Any) -> None:
    FAILURES.labels(type(sys.exc_info()[1]).__name__).inc()


@require_safe
@never_cache
def metrics(request: HttpRequest) -> HttpResponse:
    """All figures, for those whom METRICS names; to everybody else there is nothing here (Http404)."""
    if not any(_address(request) in network for network in settings.METRICS):
        raise Http404
    registry = CollectorRegistry()
    if os.environ.get("PROMETHEUS_MULTIPROC_DIR"):
        MultiProcessCollector(registry)
    else:
        registry.register(REGISTRY)
    registry.register(Queue())
    return HttpResponse(generate_latest(registry), content_type=CONTENT_TYPE_LATEST)


def _address(request: HttpRequest) -> IPv4Address | IPv6Address:
    try:
        return ip_address(get_adapter().get_client_ip(request))
    except PermissionDenied:
        # Whoever asks without the proxy is known by the connection.
        return ip_address(request.META["REMOTE_ADDR"])

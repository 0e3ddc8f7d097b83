"""Metrics for Prometheus; they are collected only if METRICS names networks that may read them.

Workers and the process of the streams write their metrics to files in one folder, PROMETHEUS_MULTIPROC_DIR, which
`make serve` empties at each start; the process that answers a scrape adds them up.
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
from prometheus_client.core import GaugeMetricFamily, InfoMetricFamily
from prometheus_client.multiprocess import MultiProcessCollector

from builder.version import VERSION
from sheets.models import Delivery, Report
from sheets.models.outbox import CHANNELS, GIVEN_UP
from sheets.outbox.services import waiting_deliveries

METHODS = ("GET", "HEAD", "POST")
REQUESTS = Counter("bogenschmiede_requests", "Requests by view, method and status.", ["view", "method", "status"])
SECONDS = Histogram("bogenschmiede_request_seconds", "Seconds until the answer is made.", ["view"],
                    buckets=(0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10))
QUERIES = Counter("bogenschmiede_queries", "Questions to the database.", ["view"])
FAILURES = Counter("bogenschmiede_failures", "Exceptions that nothing has answered, by their class.", ["exception"])


class Queue:
    """A collector of the lengths of queues, read from the database at each scrape."""

    def collect(self) -> Iterator[GaugeMetricFamily]:
        """Yield the lengths of the queues, and the number of deliveries given up on each channel."""
        found = GaugeMetricFamily("bogenschmiede_waiting", "What waits to be done, by its queue.", labels=["queue"])
        for channel in CHANNELS:
            found.add_metric([channel], waiting_deliveries(channel).count())
        found.add_metric(["reports"], Report.objects.filter(settled=None).count())
        yield found
        lost = GaugeMetricFamily("bogenschmiede_given_up", "Deliveries of the last week that were given up.",
                                 labels=["channel"])
        for channel in CHANNELS:
            lost.add_metric([channel], Delivery.objects.filter(state=GIVEN_UP, receiver__channel=channel).count())
        yield lost


class Release:
    """A collector of the program's version."""

    def collect(self) -> Iterator[InfoMetricFamily]:
        """Yield the version as a label."""
        yield InfoMetricFamily("bogenschmiede", "The version that runs.", value={"version": VERSION})


def metrics_middleware(get_response: Callable[[HttpRequest], HttpResponse]) -> Callable[[HttpRequest], HttpResponse]:
    """Count each request, its duration and its queries by the name of its view."""

    def middleware(request: HttpRequest) -> HttpResponse:
        queries, begun = 0, time.perf_counter()

        def count_query(execute: Callable[..., Any], *arguments: Any) -> Any:
            nonlocal queries
            queries += 1
            return execute(*arguments)

        with connection.execute_wrapper(count_query):
            response = get_response(request)
        view = request.resolver_match.url_name if request.resolver_match else "none"
        method = request.method if request.method in METHODS else "other"
        REQUESTS.labels(view, method, response.status_code).inc()
        SECONDS.labels(view).observe(time.perf_counter() - begun)
        QUERIES.labels(view).inc(queries)
        return response

    # This signal is sent for unhandled exceptions, in middleware and templates too, but not for a 404, 403 or 400.
    got_request_exception.connect(_count_failure)
    return middleware


def _count_failure(**_signal: Any) -> None:
    FAILURES.labels(type(sys.exc_info()[1]).__name__).inc()


@require_safe
@never_cache
def metrics(request: HttpRequest) -> HttpResponse:
    """Return all metrics to clients in the networks of METRICS; raise Http404 for everybody else."""
    if not any(_address(request) in network for network in settings.METRICS):
        raise Http404
    registry = CollectorRegistry()
    if os.environ.get("PROMETHEUS_MULTIPROC_DIR"):
        MultiProcessCollector(registry)
    else:
        registry.register(REGISTRY)
    registry.register(Queue())
    registry.register(Release())
    return HttpResponse(generate_latest(registry), content_type=CONTENT_TYPE_LATEST)


def _address(request: HttpRequest) -> IPv4Address | IPv6Address:
    try:
        return ip_address(get_adapter().get_client_ip(request))
    except PermissionDenied:
        # The request did not come through the proxy: use the address of the connection.
        return ip_address(request.META["REMOTE_ADDR"])

"""The middleware that limits how much processor time and storage an address or account uses, and how much at once."""

import logging
import time
from collections.abc import Callable
from contextlib import AbstractContextManager, ExitStack, nullcontext, suppress

from django.conf import settings
from django.db import DatabaseError, connection
from django.http import HttpRequest, HttpResponse

from builder import costly
from builder.addresses import networks
from builder.rate_limit import SAFE, WRITTEN_AT_ONCE, buckets_of, charge, half_used, reserve, use
from builder.refusals import ADDRESS, BYTES, HOUSE, WORK, Spent, busy, refusal
from builder.stored_size import StoredSize
from builder.turns import Busy, one_at_a_time, sending
from sheets.separate_process import seconds_used

LOG = logging.getLogger(__name__)
EXEMPT = (*(f"/account/{page}/" for page in ("login", "logout", "2fa/authenticate", "password/reset")), "/i18n/",
          "/health/")
"""Prefixes of paths at which nobody is refused: signing in raises the limit, and has limits of its own."""
LONG_FILES = ("/account/download/", "/log.json")
"""Suffixes of paths that answer with a file made of many rows: one at a time for each address, like uploads."""
CHEAP, WRITE, FILE = 0.02, 0.1, 2.0
"""Processor seconds reserved for a request until its cost is known: for a read, for a write, for a file."""


def limits_middleware(get_response: Callable[[HttpRequest], HttpResponse]) -> Callable[[HttpRequest], HttpResponse]:
    """Refuse requests of an address or account whose budget is used up, and charge each answered request's cost."""

    def middleware(request: HttpRequest) -> HttpResponse:
        response = budgeted(request) if settings.BUDGET else get_response(request)
        if response.status_code == 429:
            response.headers.setdefault("Retry-After", "60")
        return response

    def budgeted(request: HttpRequest) -> HttpResponse:
        refusable = not request.path.startswith(EXEMPT)
        stored, nominal = StoredSize(), expected(request)
        try:
            address = reserve(request, nominal, refusable=refusable)
        except Spent as spent:
            return refusal(request, spent)
        cost, kind = 0.0, costly.kind_of(request)
        try:
            with _turn(request, address, kind, nominal, refusable=refusable), connection.execute_wrapper(stored):
                begun, _others = time.thread_time(), seconds_used()
                try:
                    response = _sent_alone(get_response, request, address)
                finally:
                    cost = time.thread_time() - begun + seconds_used()
                    costly.learn(address, kind, cost)
        except Busy:
            return busy(request, reading=nominal == FILE)
        finally:
            for bucket in (f"{ADDRESS} {address}", *networks(address)):
                use(bucket, -nominal)
        for bucket in buckets_of(request, load_user=cost >= WRITTEN_AT_ONCE[WORK]):
            use(bucket, cost)
            try:
                charge(bucket, WORK, cost)
                if stored.bytes:
                    charge(bucket, BYTES, stored.bytes)
            except DatabaseError as error:
                # The answer is complete: with a full disk, pages can still be read.
                LOG.warning("nothing is charged: %s", " ".join(str(error).split()))
        return response

    # Django looks for the hook among the attributes of the middleware function.
    vars(middleware)["process_exception"] = \
        lambda request, error: refusal(request, error) if isinstance(error, Spent) else None
    return middleware


def _turn(request: HttpRequest, address: str, kind: str, nominal: float, *,
          refusable: bool) -> AbstractContextManager[None]:
    """Return a context that waits for the request's turn: files one at a time, costly requests a few at once.

    Entering it raises `Busy` if too many are waiting. An address that has used half of its budget must wait with
    cheaper requests, too.
    """
    own = f"{ADDRESS} {address}"
    least = costly.COSTLY / 3 if half_used(own) else costly.COSTLY
    if nominal == FILE:
        return one_at_a_time(address)
    if not refusable or costly.is_cheap(address, kind, least):
        return nullcontext()
    with suppress(DatabaseError):
        own = buckets_of(request)[0]
    return costly.in_turn(address, kind, own, (f"{HOUSE} {address}", *networks(address)), least)


def _sent_alone(get_response: Callable[[HttpRequest], HttpResponse], request: HttpRequest,
                address: str) -> HttpResponse:
    """Return the answer to a request; raise `Busy` before making a long file if too many are being sent."""
    if not request.path.endswith(LONG_FILES):
        return get_response(request)
    with ExitStack() as stack:
        stack.callback(sending(address))
        response = get_response(request)
        if response.streaming:
            # Django calls these when the server closes the answer: after sending it, or if the client disconnects.
            vars(response)["_resource_closers"].append(stack.pop_all().close)
        return response


def expected(request: HttpRequest) -> float:
    """Return the processor seconds that are reserved for a request."""
    if request.path.endswith(LONG_FILES):
        return FILE
    if request.method in SAFE:
        return CHEAP
    return FILE if request.content_type == "multipart/form-data" else WRITE

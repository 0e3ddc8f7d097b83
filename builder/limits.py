"""The middleware that bounds what one address and one account may use up, and how much of it at a time."""

import logging
import time
from collections.abc import Callable
from contextlib import AbstractContextManager, ExitStack, nullcontext, suppress

from django.conf import settings
from django.db import DatabaseError, connection
from django.http import HttpRequest, HttpResponse

from builder import dear
from builder.addresses import networks
from builder.rate_limit import DEAR, SAFE, charge, half_used, reserve, use, whose
from builder.refusals import ADDRESS, BYTES, HOUSE, WORK, Spent, busy, refusal
from builder.stored import Stored
from builder.turns import Busy, alone, sending
from sheets.separate_process import seconds_used

LOG = logging.getLogger(__name__)
OPEN = (*(f"/account/{page}/" for page in ("login", "logout", "2fa/authenticate", "password/reset")), "/i18n/",
        "/health/")
"""Addresses at which nobody is refused: signing in is the way out, and has limits of its own."""
TAKEN = ("/account/download/", "/log.json")
"""The ends of addresses that answer with a file made of many rows: one at a time, like files that are uploaded."""
CHEAP, WRITE, FILE = 0.02, 0.1, 2.0
"""Processor seconds that are reserved for a request until its cost is known: for reading, for writing, for a file."""


def limited(get_response: Callable[[HttpRequest], HttpResponse]) -> Callable[[HttpRequest], HttpResponse]:
    """Middleware: refuses whoever has used up what there is, and charges what a request has cost once it is done."""

    def middleware(request: HttpRequest) -> HttpResponse:
        response = budgeted(request) if settings.BUDGET else get_response(request)
        if response.status_code == 429:
            response.headers.setdefault("Retry-After", "60")
        return response

    def budgeted(request: HttpRequest) -> HttpResponse:
        refusable = not request.path.startswith(OPEN)
        stored, nominal = Stored(), expected(request)
        try:
            address = reserve(request, nominal, refusable=refusable)
        except Spent as spent:
            return refusal(request, spent)
        cost, kind = 0.0, dear.kind_of(request)
        try:
            with _turn(request, address, kind, nominal, refusable=refusable), connection.execute_wrapper(stored):
                begun, _others = time.thread_time(), seconds_used()
                try:
                    response = _sent_alone(get_response, request, address)
                finally:
                    cost = time.thread_time() - begun + seconds_used()
                    dear.learn(address, kind, cost)
        except Busy:
            return busy(request, reading=nominal == FILE)
        finally:
            for bucket in (f"{ADDRESS} {address}", *networks(address)):
                use(bucket, -nominal)
        for bucket in whose(request, ask=cost >= DEAR[WORK]):
            use(bucket, cost)
            try:
                charge(bucket, WORK, cost)
                if stored.bytes:
                    charge(bucket, BYTES, stored.bytes)
            except DatabaseError as error:
                # The answer is ready; on a full disk people can still read.
                LOG.warning("nothing is charged: %s", " ".join(str(error).split()))
        return response

    # Django asks a middleware's own attribute for what to do about an exception.
    vars(middleware)["process_exception"] = \
        lambda request, error: refusal(request, error) if isinstance(error, Spent) else None
    return middleware


def _turn(request: HttpRequest, address: str, kind: str, nominal: float, *,
          refusable: bool) -> AbstractContextManager[None]:
    """Return the context of a request in its turn (`Busy`): files one at a time, costly ones a few at once."""
    own = f"{ADDRESS} {address}"
    least = dear.DEAR / 3 if half_used(own) else dear.DEAR
    if nominal == FILE:
        return alone(address)
    if not refusable or dear.cheap(address, kind, least):
        return nullcontext()
    with suppress(DatabaseError):
        own = whose(request)[0]
    return dear.in_turn(address, kind, own, (f"{HOUSE} {address}", *networks(address)), least)


def _sent_alone(get_response: Callable[[HttpRequest], HttpResponse], request: HttpRequest,
                address: str) -> HttpResponse:
    """Return the answer to a request; a long file is begun only where it can be sent, too (`Busy`)."""
    if not request.path.endswith(TAKEN):
        return get_response(request)
    with ExitStack() as stack:
        stack.callback(sending(address))
        response = get_response(request)
        if response.streaming:
            # Django closes these with the answer: the server does when it is out, or nobody wants it any more.
            vars(response)["_resource_closers"].append(stack.pop_all().close)
        return response


def expected(request: HttpRequest) -> float:
    """Return the processor seconds that are reserved for a request."""
    if request.path.endswith(TAKEN):
        return FILE
    if request.method in SAFE:
        return CHEAP
    return FILE if request.content_type == "multipart/form-data" else WRITE

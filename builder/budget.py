"""What may be used up from one network address, or by one account: processor time, new drafts, bytes to be kept.

Each is a bucket that use fills and time empties. It stands in the database, so that all processes fill the same one; a
process adds up in memory what costs little and writes only what is dear, or has become so. Whose bucket is full it
remembers for itself: a refusal asks nothing of the database, and another process learns of it with the next dear
request, which is the one that it still answers. What an account uses fills a second bucket, that of all accounts behind
its address: whoever has many accounts has no more than that.
"""

import logging
import math
import threading
import time
from contextlib import nullcontext

from allauth.core.internal.ratelimit import get_ip
from django.conf import settings
from django.core.exceptions import PermissionDenied
from django.db import DatabaseError, connection
from django.db.models import F, FloatField, Value
from django.db.models.functions import Greatest
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.crypto import salted_hmac
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from builder.models import Used
from sheets.api.problems import Problem, document, framed

LOG = logging.getLogger(__name__)
WORK, BYTES, DRAFTS = "work", "bytes", "drafts"
SPANS = {WORK: 300, BYTES: 3600, DRAFTS: 3600}
"""Seconds in which a full bucket empties."""
DEAR = {WORK: 0.05, BYTES: 16_000, DRAFTS: 1}
"""What is written at once."""
MUCH = {WORK: 0.5, BYTES: 128_000, DRAFTS: 1}
"""What is written once so much of it has come together."""
ADDRESS, ACCOUNT, HOUSE = "address", "user", "house"
"""Whose buckets there are: a guest's address, an account, all accounts behind one address."""
SIZES = {ADDRESS: 1, ACCOUNT: 2, HOUSE: 3}
"""How many times as much as a guest's address each may use; all three stay below what two processors can do."""
SAFE = ("GET", "HEAD", "OPTIONS")
OPEN = ("/account/", "/i18n/", "/health/")
"""Where nobody is refused: to sign in is the way out, and has limits of its own."""
CLOSED = ("/account/download/",)
"""What of it is dear, and no way out."""
PEOPLE = 10_000
"""Addresses and accounts that a process keeps in mind at most."""

_pending: dict[tuple[str, str], float] = {}
_full: dict[tuple[str, str], float] = {}
_lock = threading.Lock()
"""Held while the two are changed: a process has several threads, and two may charge the same bucket at once."""


class Spent(Exception):
    """Something of somebody's is used up; `wait` is in how many seconds there is some again."""

    def __init__(self, who: str, kind: str, wait: float):
        super().__init__(who, kind)
        self.who, self.kind, self.wait = who, kind, max(1, math.ceil(wait))


def limited(get_response):
    """Middleware: refuses whoever has used up what there is, and charges what a request has cost once it is done."""

    def middleware(request: HttpRequest) -> HttpResponse:
        response = budgeted(request) if settings.BUDGET else get_response(request)
        if response.status_code == 429:
            response.headers.setdefault("Retry-After", "60")
        return response

    def budgeted(request: HttpRequest) -> HttpResponse:
        if _full and (not request.path.startswith(OPEN) or request.path.startswith(CLOSED)):
            try:
                check(request, WORK)
                if request.method not in SAFE:
                    check(request, BYTES)
            except Spent as spent:
                return refusal(request, spent)
        kept, begun = _Kept(), time.thread_time()
        with nullcontext() if request.method in SAFE else connection.execute_wrapper(kept):
            response = get_response(request)
        cost = time.thread_time() - begun
        for who in whose(request, ask=cost >= DEAR[WORK]):
            try:
                charge(who, WORK, cost)
                if kept.bytes:
                    charge(who, BYTES, kept.bytes)
            except DatabaseError as error:
                # What was asked for is there; on a full disk people read on.
                LOG.warning("nothing is charged: %s", " ".join(str(error).split()))
        return response

    # Django asks a middleware's own attribute for what to do about an exception.
    vars(middleware)["process_exception"] = \
        lambda request, error: refusal(request, error) if isinstance(error, Spent) else None
    return middleware


class _Kept:
    """Counts what a request adds to the database; what it changes there stays within the bounds of a sheet."""

    bytes = 0

    def __call__(self, execute, sql, params, many, context):
        if sql.startswith("INSERT"):
            self.bytes += sum(_length(getattr(one, "obj", one)) for one in params or ())
        return execute(sql, params, many, context)


def _length(value) -> int:
    return len(value) if isinstance(value, bytes | memoryview) else len(str(value))


def whose(request: HttpRequest, *, ask: bool = True) -> tuple[str, ...]:
    """Whose buckets these are, of the account and its house, or of the address; with `ask` off nobody is looked up."""
    try:
        address = get_ip(request)
    except PermissionDenied:
        # Who asks without the proxy, as a watcher does, has no address of its own.
        address = ""
    known = settings.SESSION_COOKIE_NAME in request.COOKIES and (ask or hasattr(request, "_cached_user"))
    if known and request.user.is_authenticated:
        return f"{ACCOUNT} {request.user.pk}", f"{HOUSE} {address}"
    return (f"{ADDRESS} {address}",)


def sort(who: str) -> str:
    """Whether it is a guest's address, an account or a house."""
    return who.partition(" ")[0]


def limit(who: str, kind: str) -> float:
    """How much a bucket holds."""
    return (settings.BUDGET if kind == WORK else settings.BUDGETS[kind]) * SIZES[sort(who)]


def check(request: HttpRequest, kind: str) -> None:
    """`Spent` while nothing is to be had, as far as this process knows."""
    if not _full:
        return
    for who in whose(request):
        with _lock:
            left = _full.get((who, kind), 0) - time.time()
            if left <= 0:
                _full.pop((who, kind), None)
        if left > 0:
            raise Spent(who, kind, left)


def take(request: HttpRequest, kind: str, amount: float = 1) -> None:
    """Takes what is asked for before it is done (`Spent`)."""
    if settings.BUDGET:
        check(request, kind)
        for who in whose(request):
            charge(who, kind, amount)
        check(request, kind)


def charge(who: str, kind: str, amount: float) -> None:
    """Adds what was used, in memory or, where that is dear, in the database (DatabaseError)."""
    # What a house uses stands in its accounts' buckets too: it can wait until it is much.
    least = MUCH[kind] if sort(who) == HOUSE else DEAR[kind]
    with _lock:
        pending = _pending.pop((who, kind), 0) + amount
        if amount < least and pending < MUCH[kind]:
            _keep(_pending, (who, kind), pending)
            return
    most = limit(who, kind)
    pace = most / SPANS[kind]
    try:
        level = _fill(f"{who} {kind}", pending, pace)
    except DatabaseError:
        # It is added to what comes next, but never so much that nobody could work it off.
        with _lock:
            _keep(_pending, (who, kind), min(_pending.get((who, kind), 0) + pending, most))
        raise
    if level > most:
        # Half of it is to be had again before anything is, so that nobody is let in for one request at a time.
        with _lock:
            _keep(_full, (who, kind), time.time() + (level - most / 2) / pace)


def _keep(store: dict, key: tuple[str, str], value: float) -> None:
    """Keep in mind, and forget what was kept longest where that is too much."""
    store[key] = value
    if len(store) > PEOPLE:
        del store[next(iter(store))]


def _fill(name: str, amount: float, pace: float) -> float:
    """How full a bucket is now, and with this in it; one statement, so that no two processes forget each other's."""
    # The address itself stands nowhere.
    key, now = salted_hmac("builder.budget", name).hexdigest(), time.time()
    bucket = Used.objects.filter(key=key)
    passed = Value(now, FloatField()) - F("at")
    left = Greatest(F("level") - passed * Value(pace, FloatField()), Value(0.0, FloatField()))
    if not bucket.update(level=left + Value(float(amount), FloatField()), at=now):
        Used.objects.filter(at__lt=now - max(SPANS.values())).delete()
        Used.objects.bulk_create([Used(key=key, level=amount, at=now)], ignore_conflicts=True)
        return amount
    return bucket.values_list("level", flat=True).get()


def forget() -> None:
    """Empties what this process has in mind."""
    with _lock:
        _pending.clear()
        _full.clear()


def refusal(request: HttpRequest, spent: Spent) -> HttpResponse:
    """Says until when there is nothing, as a page or, to programs, as a problem document."""
    if request.path.startswith("/api/"):
        response = framed(lambda _request: document(Problem(429, sentence(spent))))(request)
    else:
        response = render(request, "429.html", {"sentence": sentence(spent)}, status=429)
    response.headers["Retry-After"] = str(spent.wait)
    return response


def sentence(spent: Spent) -> str:
    """What is used up, and when there is some again."""
    what = {
        WORK: _("So much was reckoned for your network address lately that others must come first."),
        BYTES: _("So much was stored from your network address lately that it must wait."),
        DRAFTS: _("So many drafts were begun from your network address lately that the next one must wait."),
    } if sort(spent.who) != ACCOUNT else {
        WORK: _("So much was reckoned for your account lately that others must come first."),
        BYTES: _("So much was stored by your account lately that it must wait."),
        DRAFTS: _("So many drafts were begun by your account lately that the next one must wait."),
    }
    minutes = math.ceil(spent.wait / 60)
    again = ngettext("Try again in {n} minute.", "Try again in {n} minutes.", minutes).format(n=minutes)
    more = _("Whoever signs in may use more.") if sort(spent.who) == ADDRESS else ""
    return " ".join(filter(None, (what[spent.kind], again, more)))

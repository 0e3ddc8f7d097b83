"""Rate limits of network addresses and accounts: processor time, new drafts and stored bytes.

Each limit is a leaky bucket, which use fills and time empties. Buckets are in the database, because all processes fill
the same ones; small amounts are added up in memory and written together. Each process remembers by itself which buckets
are full, so a refusal needs no query; another process learns of a full bucket with the next costly request, which it
still answers. The use of an account also fills the bucket of its house, that is of all accounts behind its address, so
that nobody gains by having many accounts.

A bucket's name is a kind of owner and the owner, such as "user 7" or "address 192.0.2.1".
"""

import logging
import threading
import time
from collections.abc import Iterable
from contextlib import suppress
from typing import Any

from django.conf import settings
from django.db import DatabaseError
from django.db.models import F, FloatField, Value
from django.db.models.functions import Greatest
from django.http import HttpRequest
from django.utils.crypto import salted_hmac

from builder.addresses import networks
from builder.ended import REPORT_BUCKET
from builder.models import Used
from builder.refusals import ACCOUNT, ADDRESS, BYTES, DRAFTS, HOUSE, WORK, Spent, owner_kind
from sheets.client_address import client_address

LOG = logging.getLogger(__name__)
SPANS = {WORK: 300, BYTES: 3600, DRAFTS: 3600}
"""{kind of use: seconds in which a full bucket empties}."""
WRITTEN_AT_ONCE = {WORK: 0.05, BYTES: 16_000, DRAFTS: 1}
"""{kind of use: amount of a single request from which it is written to the database at once}."""
WRITTEN_TOGETHER = {WORK: 0.5, BYTES: 128_000, DRAFTS: 1}
"""{kind of use: sum of smaller amounts in memory from which it is written to the database}."""
SIZES = {ADDRESS: 1, ACCOUNT: 2, HOUSE: 3, "network56": 4, "network48": 5}
"""{kind of owner: size of its bucket as a multiple of a guest's}; two processors have enough time for the largest."""
SAFE = ("GET", "HEAD", "OPTIONS")
PREVIEW = "/preview.png"
"""The suffix of the paths of pictures that a GET request stores if it is the first."""
MAX_ENTRIES = 10_000
"""The most buckets in each of a process's dictionaries."""
AT_ONCE, PROCESSES = 6.0, 2
"""Processor seconds that a guest's address may use at once in each process, and the number of processes."""

_pending: dict[tuple[str, str], float] = {}
"""{(bucket, kind of use): amount that is not written yet}."""
_full: dict[tuple[str, str], float] = {}
"""{(bucket, kind of use): time until which it is refused}."""
_used: dict[str, tuple[float, float]] = {}
"""{bucket: (seconds used at once, time when they were)}, including those reserved for requests under way."""
_ended: dict[str, float] = {}
"""{hash of a bucket: seconds of requests that the watchdog killed}, until the next request from that address."""
_lock = threading.Lock()
"""The lock for changing these dictionaries: two threads may charge the same bucket at once."""


def reserve(request: HttpRequest, nominal: float, *, refusable: bool) -> str:
    """Reserve the expected cost of a request for its address, and return the address.

    Raise `Spent` if the request is refusable and a bucket is full. While enough is left no query is made, since it does
    not matter yet who is signed in.
    """
    address = client_address(request)
    bucket, house = f"{ADDRESS} {address}", f"{HOUSE} {address}"
    # Without a query, a session cookie only shows that somebody may be signed in.
    mine = (bucket, house) if settings.SESSION_COOKIE_NAME in request.COOKIES else (bucket,)
    for one in mine if REPORT_BUCKET in request.META else ():
        request.META[REPORT_BUCKET](hashed(f"{one} {WORK}"))
    for one in mine if _ended else ():
        if seconds := _ended.pop(hashed(f"{one} {WORK}"), 0):
            use(one, seconds)
            with suppress(DatabaseError):
                # A write returns the bucket's level, which `charge_ended` has raised, so this process learns of it.
                charge(one, WORK, WRITTEN_TOGETHER[WORK])
    if refusable:
        if _full:
            check(request, WORK)
            if request.method not in SAFE or request.path.endswith(PREVIEW):
                check(request, BYTES)
        if (_left_at_once(bucket) < nominal or _left_at_once(house) <= 0
                or any(_left_at_once(one) < nominal for one in networks(address))):
            _check_at_once(request, nominal)
    for one in (bucket, *networks(address)):
        use(one, nominal, mark=False)
    return address


def _check_at_once(request: HttpRequest, nominal: float) -> None:
    """Raise `Spent` if the expected cost of a request is more than a bucket has left for use at once."""
    for one in buckets_of(request):
        if owner_kind(one) != ACCOUNT and _left_at_once(one) < nominal:
            raise Spent(one, WORK, (nominal - _left_at_once(one)) / _pace(one))


def _max_at_once(bucket: str) -> float:
    """Return the processor seconds that a bucket's owner may use at once."""
    return AT_ONCE * SIZES[owner_kind(bucket)]


def _pace(bucket: str) -> float:
    """Return the processor seconds by which a bucket empties in a second, for one of the processes."""
    return limit(bucket, WORK) / SPANS[WORK] / PROCESSES


def _left_at_once(bucket: str) -> float:
    """Return the processor seconds that a bucket's owner may still use at once, as far as this process knows."""
    level, at = _used.get(bucket, (0.0, 0.0))
    return _max_at_once(bucket) - max(0.0, level - (time.time() - at) * _pace(bucket))


def half_used(bucket: str) -> bool:
    """Return True if less than half of a bucket's use at once is left."""
    return _left_at_once(bucket) < _max_at_once(bucket) / 2


def use(bucket: str, seconds: float, *, mark: bool = True) -> None:
    """Add seconds, or subtract them if negative, to a bucket's use at once, which is in memory only.

    With `mark` a bucket that is used up is refused until half of it is free again.
    """
    with _lock:
        level = _max_at_once(bucket) - _left_at_once(bucket) + seconds
        _used.pop(bucket, None)
        if level > 0:
            _store_bounded(_used, bucket, (level, time.time()))
        if mark and seconds > 0 and level > _max_at_once(bucket):
            until = time.time() + (level - _max_at_once(bucket) / 2) / _pace(bucket)
            _store_bounded(_full, (bucket, WORK), max(until, _full.get((bucket, WORK), 0)))


def charge_ended(notes: Iterable[tuple[str, float]]) -> None:
    """Charge the (hash of a bucket, seconds) of requests that the watchdog killed."""
    for key, seconds in notes:
        _ended[key] = _ended.get(key, 0) + seconds
        try:
            _fill(key, seconds, limit(ADDRESS, WORK) / SPANS[WORK])
        except DatabaseError as error:
            LOG.warning("the cost of a killed request is not charged: %s", " ".join(str(error).split()))


def buckets_of(request: HttpRequest, *, load_user: bool = True) -> tuple[str, ...]:
    """Return the buckets that a request fills: its account's and house's or its address's, and those of its networks.

    With `load_user` off the account is used only if it has been loaded already.
    """
    address = client_address(request)
    known = settings.SESSION_COOKIE_NAME in request.COOKIES and (load_user or hasattr(request, "_cached_user"))
    if known and request.user.is_authenticated:
        return f"{ACCOUNT} {request.user.pk}", f"{HOUSE} {address}", *networks(address)
    return f"{ADDRESS} {address}", *networks(address)


def limit(bucket: str, kind: str) -> float:
    """Return the size of a bucket for a kind of use."""
    return (settings.BUDGET if kind == WORK else settings.BUDGETS[kind]) * SIZES[owner_kind(bucket)]


def check(request: HttpRequest, kind: str) -> None:
    """Raise `Spent` if one of a request's buckets is full, as far as this process knows."""
    if not _full:
        return
    for bucket in buckets_of(request):
        with _lock:
            left = _full.get((bucket, kind), 0) - time.time()
            if left <= 0:
                _full.pop((bucket, kind), None)
        if left > 0:
            raise Spent(bucket, kind, left)


def take(request: HttpRequest, kind: str, amount: float = 1) -> None:
    """Charge an amount before it is used; raise `Spent` if a bucket was full before or is now."""
    if settings.BUDGET:
        check(request, kind)
        for bucket in buckets_of(request):
            charge(bucket, kind, amount)
        check(request, kind)


def charge_watcher(request: HttpRequest, seconds: float) -> bool:
    """Charge the processor time of an update for an open stream; return False if its bucket is full."""
    if not settings.BUDGET:
        return True
    try:
        for bucket in buckets_of(request):
            use(bucket, seconds)
            charge(bucket, WORK, seconds)
        check(request, WORK)
    except DatabaseError as error:
        LOG.warning("nothing is charged: %s", " ".join(str(error).split()))
    except Spent:
        return False
    return True


def charge(bucket: str, kind: str, amount: float) -> None:
    """Add an amount to a bucket: in memory if it is small, otherwise in the database (DatabaseError)."""
    # The use of a house or network is in other buckets, too, so it can wait until it adds up.
    least = WRITTEN_AT_ONCE[kind] if owner_kind(bucket) in (ADDRESS, ACCOUNT) else WRITTEN_TOGETHER[kind]
    with _lock:
        pending = _pending.pop((bucket, kind), 0) + amount
        if amount < least and pending < WRITTEN_TOGETHER[kind]:
            _store_bounded(_pending, (bucket, kind), pending)
            return
    most = limit(bucket, kind)
    pace = most / SPANS[kind]
    try:
        level = _fill(hashed(f"{bucket} {kind}"), pending, pace)
    except DatabaseError:
        # Keep the amount for the next charge, but at most a full bucket, so that it empties within its span.
        with _lock:
            _store_bounded(_pending, (bucket, kind), min(_pending.get((bucket, kind), 0) + pending, most))
        raise
    if level > most:
        # Refused until the bucket is half empty, so that the owner does not get just one request at a time.
        with _lock:
            _store_bounded(_full, (bucket, kind), time.time() + (level - most / 2) / pace)


def _store_bounded(store: dict, key: Any, value: Any) -> None:
    """Store a value, and drop the oldest one if there are too many."""
    store[key] = value
    if len(store) > MAX_ENTRIES:
        del store[next(iter(store))]


def hashed(name: str) -> str:
    """Return the hash of a bucket's name for the database and for notes, which contain no plain addresses."""
    return salted_hmac("builder.budget", name).hexdigest()


def _fill(key: str, amount: float, pace: float) -> float:
    """Add an amount to a bucket in the database and return its new level.

    One statement computes the level, so that concurrent charges add up.
    """
    now = time.time()
    bucket = Used.objects.filter(key=key)
    elapsed = Value(now, FloatField()) - F("at")
    level = Greatest(F("level") - elapsed * Value(pace, FloatField()), Value(0.0, FloatField()))
    if not bucket.update(level=level + Value(float(amount), FloatField()), at=now):
        Used.objects.filter(at__lt=now - max(SPANS.values())).delete()
        Used.objects.bulk_create([Used(key=key, level=amount, at=now)], ignore_conflicts=True)
        return amount
    return bucket.values_list("level", flat=True).get()


def forget() -> None:
    """Forget everything that this process has in memory."""
    with _lock:
        _pending.clear()
        _full.clear()
        _used.clear()
        _ended.clear()

"""Budgets of network addresses and accounts: processor time, new drafts and bytes to be kept.

Each is a bucket that use fills and time empties. It stands in the database, so that all processes fill the same one; a
process adds up in memory what costs little and writes only what costs much, or has come to. Each process remembers for
itself whose bucket is full: a refusal asks nothing of the database, and another process learns of it with the next
costly request, which it still answers. What an account uses also fills a second bucket, that of all accounts behind its
address: whoever has many accounts has no more than that.
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
from builder.ended import TELL
from builder.models import Used
from builder.refusals import ACCOUNT, ADDRESS, BYTES, DRAFTS, HOUSE, WORK, Spent, sort
from sheets.client_address import client_address

LOG = logging.getLogger(__name__)
SPANS = {WORK: 300, BYTES: 3600, DRAFTS: 3600}
"""Seconds in which a full bucket empties."""
DEAR = {WORK: 0.05, BYTES: 16_000, DRAFTS: 1}
"""The amounts that are written at once."""
MUCH = {WORK: 0.5, BYTES: 128_000, DRAFTS: 1}
"""The amounts that are written once so much has come together."""
SIZES = {ADDRESS: 1, ACCOUNT: 2, HOUSE: 3, "network56": 4, "network48": 5}
"""The multiples of what a guest's address has that each may use; all stay within what two processors can do."""
SAFE = ("GET", "HEAD", "OPTIONS")
PREVIEW = "/preview.png"
"""The end of an address whose answer is stored when it is first read."""
PEOPLE = 10_000
"""Addresses and accounts that a process keeps in mind at most."""
AT_ONCE, PROCESSES = 6.0, 2
"""Processor seconds that each process gives to a guest's address at once, and how many share what comes with time."""

_pending: dict[tuple[str, str], float] = {}
_full: dict[tuple[str, str], float] = {}
_used: dict[str, tuple[float, float]] = {}
"""{whose: (seconds used at once, when)}, what is reserved for requests under way among them."""
_owed: dict[str, float] = {}
"""{hash of whose: seconds} of what the watchdog ended, until that address comes again."""
_lock = threading.Lock()
"""Held while these are changed: a process has several threads, and two may charge the same bucket at once."""


def reserve(request: HttpRequest, nominal: float, *, refusable: bool) -> str:
    """Reserve what a request may cost from its address, which is returned, before it is caused; raise `Spent`.

    Nothing is asked of the database while there is enough: only then it matters who is signed in.
    """
    address = client_address(request)
    bucket, house = f"{ADDRESS} {address}", f"{HOUSE} {address}"
    # Who is signed in is not known yet; that an account may be is.
    mine = (bucket, house) if settings.SESSION_COOKIE_NAME in request.COOKIES else (bucket,)
    for one in mine if TELL in request.META else ():
        request.META[TELL](hashed(f"{one} {WORK}"))
    for one in mine if _owed else ():
        if seconds := _owed.pop(hashed(f"{one} {WORK}"), 0):
            use(one, seconds)
            with suppress(DatabaseError):
                # Tells this process how full the bucket is that it was charged to at the start.
                charge(one, WORK, MUCH[WORK])
    if refusable:
        if _full:
            check(request, WORK)
            if request.method not in SAFE or request.path.endswith(PREVIEW):
                check(request, BYTES)
        if _left(bucket) < nominal or _left(house) <= 0 or any(_left(one) < nominal for one in networks(address)):
            _look(request, nominal)
    for one in (bucket, *networks(address)):
        use(one, nominal, mark=False)
    return address


def _look(request: HttpRequest, nominal: float) -> None:
    """Raise `Spent` where there is not as much at once as a request may cost."""
    for one in whose(request):
        if sort(one) != ACCOUNT and _left(one) < nominal:
            raise Spent(one, WORK, (nominal - _left(one)) / _pace(one))


def _most(bucket: str) -> float:
    return AT_ONCE * SIZES[sort(bucket)]


def _pace(bucket: str) -> float:
    return limit(bucket, WORK) / SPANS[WORK] / PROCESSES


def _left(bucket: str) -> float:
    """Return how many seconds somebody may use at once, as far as this process knows."""
    level, at = _used.get(bucket, (0.0, 0.0))
    return _most(bucket) - max(0.0, level - (time.time() - at) * _pace(bucket))


def half_used(bucket: str) -> bool:
    """Return whether somebody has used half of what there is at once."""
    return _left(bucket) < _most(bucket) / 2


def use(bucket: str, seconds: float, *, mark: bool = True) -> None:
    """Add seconds to what somebody has used at once, or take them off; whoever has used it up is refused for a while.

    It is in memory alone, so that the cheapest request counts.
    """
    with _lock:
        level = _most(bucket) - _left(bucket) + seconds
        _used.pop(bucket, None)
        if level > 0:
            _keep(_used, bucket, (level, time.time()))
        if mark and seconds > 0 and level > _most(bucket):
            until = time.time() + (level - _most(bucket) / 2) / _pace(bucket)
            _keep(_full, (bucket, WORK), max(until, _full.get((bucket, WORK), 0)))


def owed(notes: Iterable[tuple[str, float]]) -> None:
    """Charge what the watchdog ended in other workers; a hash says whose bucket it is."""
    for key, seconds in notes:
        _owed[key] = _owed.get(key, 0) + seconds
        try:
            _fill(key, seconds, limit(ADDRESS, WORK) / SPANS[WORK])
        except DatabaseError as error:
            LOG.warning("what was ended is charged to nobody: %s", " ".join(str(error).split()))


def whose(request: HttpRequest, *, ask: bool = True) -> tuple[str, ...]:
    """Return whose buckets count: those of the account and its house, or of the address, and of the networks around it.

    With `ask` off nobody is looked up.
    """
    address = client_address(request)
    known = settings.SESSION_COOKIE_NAME in request.COOKIES and (ask or hasattr(request, "_cached_user"))
    if known and request.user.is_authenticated:
        return f"{ACCOUNT} {request.user.pk}", f"{HOUSE} {address}", *networks(address)
    return f"{ADDRESS} {address}", *networks(address)


def limit(bucket: str, kind: str) -> float:
    """Return how much a bucket holds."""
    return (settings.BUDGET if kind == WORK else settings.BUDGETS[kind]) * SIZES[sort(bucket)]


def check(request: HttpRequest, kind: str) -> None:
    """Raise `Spent` while nothing is to be had, as far as this process knows."""
    if not _full:
        return
    for bucket in whose(request):
        with _lock:
            left = _full.get((bucket, kind), 0) - time.time()
            if left <= 0:
                _full.pop((bucket, kind), None)
        if left > 0:
            raise Spent(bucket, kind, left)


def take(request: HttpRequest, kind: str, amount: float = 1) -> None:
    """Take what is asked for before it is done (`Spent`)."""
    if settings.BUDGET:
        check(request, kind)
        for bucket in whose(request):
            charge(bucket, kind, amount)
        check(request, kind)


def watched(request: HttpRequest, seconds: float) -> bool:
    """Charge what a look for a watcher cost; return whether they may use more."""
    if not settings.BUDGET:
        return True
    try:
        for bucket in whose(request):
            use(bucket, seconds)
            charge(bucket, WORK, seconds)
        check(request, WORK)
    except DatabaseError as error:
        LOG.warning("nothing is charged: %s", " ".join(str(error).split()))
    except Spent:
        return False
    return True


def charge(bucket: str, kind: str, amount: float) -> None:
    """Add what was used, in memory or, if that costs much, in the database (DatabaseError)."""
    # What a house or a network uses stands in other buckets too: it can wait until it is much.
    least = DEAR[kind] if sort(bucket) in (ADDRESS, ACCOUNT) else MUCH[kind]
    with _lock:
        pending = _pending.pop((bucket, kind), 0) + amount
        if amount < least and pending < MUCH[kind]:
            _keep(_pending, (bucket, kind), pending)
            return
    most = limit(bucket, kind)
    pace = most / SPANS[kind]
    try:
        level = _fill(hashed(f"{bucket} {kind}"), pending, pace)
    except DatabaseError:
        # It is added to what comes next, but never so much that nobody could work it off.
        with _lock:
            _keep(_pending, (bucket, kind), min(_pending.get((bucket, kind), 0) + pending, most))
        raise
    if level > most:
        # Half of it is to be had again before anything is, so that nobody is let in for one request at a time.
        with _lock:
            _keep(_full, (bucket, kind), time.time() + (level - most / 2) / pace)


def _keep(store: dict, key: Any, value: Any) -> None:
    """Keep in mind, and forget what was kept longest where that is too much."""
    store[key] = value
    if len(store) > PEOPLE:
        del store[next(iter(store))]


def hashed(name: str) -> str:
    """Return what a bucket is called in the database and in notes: the address itself stands nowhere."""
    return salted_hmac("builder.budget", name).hexdigest()


def _fill(key: str, amount: float, pace: float) -> float:
    """Add an amount to a bucket and return its new level; one statement, so that no process undoes another's."""
    now = time.time()
    bucket = Used.objects.filter(key=key)
    passed = Value(now, FloatField()) - F("at")
    left = Greatest(F("level") - passed * Value(pace, FloatField()), Value(0.0, FloatField()))
    if not bucket.update(level=left + Value(float(amount), FloatField()), at=now):
        Used.objects.filter(at__lt=now - max(SPANS.values())).delete()
        Used.objects.bulk_create([Used(key=key, level=amount, at=now)], ignore_conflicts=True)
        return amount
    return bucket.values_list("level", flat=True).get()


def forget() -> None:
    """Forget what this process has in mind."""
    with _lock:
        _pending.clear()
        _full.clear()
        _used.clear()
        _owed.clear()

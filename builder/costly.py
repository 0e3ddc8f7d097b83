"""A limit on the costly requests that an account or address has at a time, so that threads are left for others.

The cost of a kind of request (a view, and whether it is read or written) is learned for each address from its recent
requests. Cheap requests, such as presses, saves and polls of a table, never wait. If an address has not made requests
of a kind before, a few of them begin at once and the others wait until the cost is known.
"""

import threading
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress

from django.http import HttpRequest
from django.urls import Resolver404, resolve

from builder.turns import Busy

COSTLY = 0.15
"""Processor seconds from which a request is costly: twice the cost of a table with ten seats."""
DECAY = 0.9
"""The factor by which the highest recent cost falls with each cheaper request."""
PATIENCE = 2.0
"""Seconds that one more request of a bucket waits; any further one is refused at once, so that it takes no thread."""
MAX_PER_OWNER, MAX_PER_ADDRESS = 2, 3
"""Costly requests that a process answers at a time: of an account or the guests of an address; of a whole address."""
MAX_THREADS = 4
"""The threads, of a process's five, that costly requests from one address may occupy, including waiting ones."""
READING = ("GET", "HEAD")
KINDS = 20_000
"""The most (address, kind) pairs whose cost a process remembers."""

_costs: dict[tuple[str, str], float] = {}
"""{(address, kind): the highest recent cost in processor seconds}."""
_at_work: Counter[str] = Counter()
"""{bucket, or bucket and kind: costly requests being answered}."""
_threads: Counter[str] = Counter()
"""{shared bucket: threads that answer costly requests or wait}."""
_waiting: set[str] = set()
"""The buckets that have a waiting request of a kind whose cost is known."""
_turn = threading.Condition()
"""The lock for the four variables above, and the condition on which requests wait."""


def kind_of(request: HttpRequest) -> str:
    """Return a request's kind: whether it reads or writes, and the route of its URL; "" if no route matches."""
    with suppress(Resolver404):
        return f"{'reads' if request.method in READING else 'writes'} {resolve(request.path_info).route}"
    return ""


def learn(address: str, kind: str, seconds: float) -> None:
    """Record the cost of a request of a kind."""
    with _turn:
        before = _costs.pop((address, kind), 0.0)
        _costs[address, kind] = max(seconds, before * DECAY)
        if len(_costs) > KINDS:
            del _costs[next(iter(_costs))]


def is_cheap(address: str, kind: str, least: float = COSTLY) -> bool:
    """Return True if requests of a kind are known to cost less than `least` seconds."""
    seconds = _costs.get((address, kind))
    return seconds is not None and seconds < least


@contextmanager
def in_turn(address: str, kind: str, bucket: str, shared: Sequence[str], least: float = COSTLY) -> Iterator[None]:
    """Wait for the turn of a request that is not known to be cheap; raise `Busy` if too many run or wait.

    `bucket` is that of its account or of its address; `shared` are the buckets that it shares with other accounts.
    """
    until, keys = time.monotonic() + PATIENCE, (bucket, f"{bucket} {kind}", *shared)
    with _turn:
        if _costs.get((address, kind), 0) >= least and any(_threads[one] >= MAX_THREADS for one in shared):
            raise Busy
        _count(_threads, shared, 1)
        try:
            counts = _wait(address, kind, keys, least, until)
        except Busy:
            _count(_threads, shared, -1)
            raise
        _count(*((_at_work, keys, 1) if counts else (_threads, shared, -1)))
    try:
        yield
    finally:
        with _turn:
            if counts:
                _count(_at_work, keys, -1)
                _count(_threads, shared, -1)
            _turn.notify_all()


def _wait(address: str, kind: str, keys: Sequence[str], least: float, until: float) -> bool:
    """Wait until a request may begin, at most to `until` (`Busy`); the caller holds `_turn`.

    Return True if the request counts as costly, False if its kind has turned out to be cheap meanwhile.
    """
    (bucket, same_kind, *shared), waits = keys, False
    try:
        while not is_cheap(address, kind, least):
            known = (address, kind) in _costs
            at_work = _at_work[bucket if known else same_kind]
            if at_work < MAX_PER_OWNER and not (known and any(_at_work[one] >= MAX_PER_ADDRESS for one in shared)):
                return True
            if known and not waits:
                if bucket in _waiting:
                    raise Busy
                waits = True
                _waiting.add(bucket)
            if not _turn.wait(until - time.monotonic()):
                raise Busy
        return False
    finally:
        if waits:
            _waiting.discard(bucket)


def _count(counter: Counter[str], keys: Sequence[str], by: int) -> None:
    for one in keys:
        counter[one] += by
        if not counter[one]:
            del counter[one]


def forget() -> None:
    """Forget all costs."""
    with _turn:
        _costs.clear()

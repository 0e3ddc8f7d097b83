"""A few costly requests at a time from each account and address, so that threads are left for everybody else's.

What is costly is learned: from what requests of one kind, those for one view, have cost lately from the same address.
Cheap ones, as presses, saves and looks at a table are, never wait, whatever else is asked from their address. Of a kind
that an address has not asked for yet a few begin at once, and the others wait until it is known.
"""

import threading
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress

from django.http import HttpRequest
from django.urls import Resolver404, resolve

from builder.turns import Busy

DEAR = 0.15
"""Processor seconds from which on a request is costly: twice a look at a table of ten."""
FADES = 0.9
"""The share that remains of the highest recent cost with each cheaper request after it."""
PATIENCE = 2.0
"""Seconds that one more of somebody's waits; another one is refused at once, so that no threads are held."""
OWN, ALL = 2, 3
"""Costly requests of an account, or of the guests at an address, that a process answers at once; and of all there."""
HELD = 4
"""Threads, of a process's five, that costly requests from an address may hold: those that wait hold one each, too."""
READING = ("GET", "HEAD")
KINDS = 20_000
"""Kinds of requests by address that a process keeps in mind at most."""

_lately: dict[tuple[str, str], float] = {}
_at_work: Counter[str] = Counter()
_held: Counter[str] = Counter()
_waiting: set[str] = set()
_turn = threading.Condition()


def kind_of(request: HttpRequest) -> str:
    """Return what a request is for, whatever stands in its address."""
    with suppress(Resolver404):
        return f"{'reads' if request.method in READING else 'writes'} {resolve(request.path_info).route}"
    return ""


def learn(address: str, kind: str, seconds: float) -> None:
    """Keep in mind what a request of a kind has cost."""
    with _turn:
        before = _lately.pop((address, kind), 0.0)
        _lately[address, kind] = max(seconds, before * FADES)
        if len(_lately) > KINDS:
            del _lately[next(iter(_lately))]


def cheap(address: str, kind: str, least: float = DEAR) -> bool:
    """Return whether the requests of a kind are known to cost less than that."""
    seconds = _lately.get((address, kind))
    return seconds is not None and seconds < least


@contextmanager
def in_turn(address: str, kind: str, own: str, houses: Sequence[str], least: float = DEAR) -> Iterator[None]:
    """Answer one that is not known to be cheap, in its turn; raise `Busy` where too many are answered or wait.

    `own` is whose it is, an account's or the address's; `houses` are all whom it counts for together with others.
    """
    until, places = time.monotonic() + PATIENCE, (own, f"{own} {kind}", *houses)
    with _turn:
        if _lately.get((address, kind), 0) >= least and any(_held[one] >= HELD for one in houses):
            raise Busy
        _count(_held, houses, 1)
        try:
            takes = _wait(address, kind, places, least, until)
        except Busy:
            _count(_held, houses, -1)
            raise
        _count(*((_at_work, places, 1) if takes else (_held, houses, -1)))
    try:
        yield
    finally:
        with _turn:
            if takes:
                _count(_at_work, places, -1)
                _count(_held, houses, -1)
            _turn.notify_all()


def _wait(address: str, kind: str, places: Sequence[str], least: float, until: float) -> bool:
    """Wait until one may begin; tell whether it takes its places, as a cheap one does not. `_turn` is held."""
    (own, alike, *houses), waits = places, False
    try:
        while not cheap(address, kind, least):
            known = (address, kind) in _lately
            if _at_work[own if known else alike] < OWN and not (known and any(_at_work[one] >= ALL for one in houses)):
                return True
            if known and not waits:
                if own in _waiting:
                    raise Busy
                waits = True
                _waiting.add(own)
            if not _turn.wait(until - time.monotonic()):
                raise Busy
        return False
    finally:
        if waits:
            _waiting.discard(own)


def _count(counter: Counter[str], names: Sequence[str], by: int) -> None:
    for one in names:
        counter[one] += by
        if not counter[one]:
            del counter[one]


def forget() -> None:
    """Forget what has been learned."""
    with _turn:
        _lately.clear()

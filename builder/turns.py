"""Limits on the concurrent work for one address: it reads or makes one file, or hashes one password, at a time."""

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager

PATIENCE = 2.0
"""Seconds that a second request of an address waits; a third is refused at once, so that it holds no thread."""
HASHES = 2
"""Passwords that a process hashes at once; each occupies a thread and a CPU core for a third of a second."""

SENT = 2
"""Long files that a process sends at once, each to a different address; a process has five threads."""

_busy: set[str] = set()
_sent: set[str] = set()
_waiting: set[str] = set()
_turn = threading.Condition()
_hashing = threading.BoundedSemaphore(HASHES)


class Busy(Exception):
    """Raised if too many requests of a kind run: from one address or, for passwords and long files, from all."""


@contextmanager
def one_at_a_time(address: str) -> Iterator[None]:
    """Wait until no other request of an address is in this context; raise `Busy` if one waits already or after 2 s."""
    with _turn:
        if address in _busy:
            if address in _waiting:
                raise Busy
            _waiting.add(address)
            try:
                if not _turn.wait_for(lambda: address not in _busy, PATIENCE):
                    raise Busy
            finally:
                _waiting.discard(address)
        _busy.add(address)
    try:
        yield
    finally:
        with _turn:
            _busy.discard(address)
            _turn.notify_all()


def sending(address: str) -> Callable[[], None]:
    """Count a long file that is sent to an address; return a function to call when it has been sent.

    Raise `Busy` if too many are being sent: a slow client holds a thread for as long as its connection is open.
    """
    with _turn:
        if address in _sent or len(_sent) >= SENT:
            raise Busy
        _sent.add(address)

    def done() -> None:
        with _turn:
            _sent.discard(address)

    return done


@contextmanager
def hashing(address: str) -> Iterator[None]:
    """Wait, as `one_at_a_time` does, until the address hashes no other password; raise `Busy` if too many are."""
    with one_at_a_time(f"password {address}"):
        if not _hashing.acquire(blocking=False):
            raise Busy
        try:
            yield
        finally:
            _hashing.release()

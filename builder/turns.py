"""Files are read and made, and passwords hashed, one at a time from each address; nobody waits for another one's."""

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager

PATIENCE = 2.0
"""Seconds that a second one from an address waits; a third one is refused at once, so that no threads are held."""
HASHES = 2
"""Passwords that a process hashes at once; each holds a thread, and a processor for a third of a second."""

SENT = 2
"""Long files that a process sends at once, each to another address, by its five threads."""

_busy: set[str] = set()
_sent: set[str] = set()
_waiting: set[str] = set()
_turn = threading.Condition()
_hashing = threading.BoundedSemaphore(HASHES)


class Busy(Exception):
    """Another one is at it: from the same address or, where passwords are hashed or files are sent, from others."""


@contextmanager
def alone(address: str) -> Iterator[None]:
    """Let one be done from an address in this process; raise `Busy` where another one takes long, or one waits."""
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
    """Let one file be sent to an address; return what is called when it is out; raise `Busy` where too many are.

    Whoever reads slowly holds a thread of the server's, for as long as the connection stands.
    """
    with _turn:
        if address in _sent or len(_sent) >= SENT:
            raise Busy
        _sent.add(address)

    def out() -> None:
        with _turn:
            _sent.discard(address)

    return out


@contextmanager
def hashing(address: str) -> Iterator[None]:
    """Hash one password from an address; raise `Busy` at once where others already hash as many as may be."""
    with alone(f"password {address}"):
        if not _hashing.acquire(blocking=False):
            raise Busy
        try:
            yield
        finally:
            _hashing.release()

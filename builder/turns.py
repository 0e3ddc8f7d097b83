"""Files are read one at a time from each address, and nobody waits for those of another one."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager

PATIENCE = 2.0
"""Seconds that a second file from one address waits; a third one is refused at once, so that no threads are held."""

_busy: set[str] = set()
_waiting: set[str] = set()
_turn = threading.Condition()


class Busy(Exception):
    """Another file from the same address is being read."""


@contextmanager
def alone(address: str) -> Iterator[None]:
    """Read one file from an address in this process; raise `Busy` where another one takes long, or one waits."""
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

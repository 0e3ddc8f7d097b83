"""Optimistic locking: slow work is prepared before rows are locked, and again if the rows have changed meanwhile."""

from collections.abc import Callable
from typing import Any, Protocol, TypeVar

from django.db import transaction

TRIES = 3
"""The number of attempts to prepare without a lock; after that, the rows are locked first."""


class Prepared(Protocol):
    """The result of slow work on stored rows."""

    def fits(self, held: Any) -> bool:
        """Return True if the locked rows are the same as when this was prepared."""


Held = TypeVar("Held")
Ready = TypeVar("Ready", bound=Prepared)
Answer = TypeVar("Answer")


def prepare_then_lock(
    read: Callable[[], Held], lock: Callable[[], Held], prepare: Callable[[Held], Ready],
    do: Callable[[Held, Ready], Answer], *, tries: int = TRIES,
) -> Answer:
    """Call `do` in a transaction with the locked rows and what was prepared from them; return its result.

    The rows from `read` are prepared without a lock. If the rows from `lock` then differ, they are prepared again;
    after `tries` attempts they are prepared under the lock. With 0 tries they are locked at once.
    """
    for _try in range(tries):
        ready = prepare(read())
        with transaction.atomic():
            if ready.fits(held := lock()):
                return do(held, ready)
            transaction.set_rollback(True)
    with transaction.atomic():
        ready = prepare(held := lock())
        return do(held, ready)

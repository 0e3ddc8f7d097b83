"""Optimistic locking: slow work is prepared before anything is held, and again if its basis has changed meanwhile."""

from collections.abc import Callable
from typing import Any, Protocol, TypeVar

from django.db import transaction

TRIES = 3
"""Attempts to prepare something before anything is held; whoever is still too slow for the others then holds first."""


class Prepared(Protocol):
    """Something that was worked out from stored rows."""

    def fits(self, held: Any) -> bool:
        """Return True if what is held now is as it was when this was worked out."""


Held = TypeVar("Held")
Ready = TypeVar("Ready", bound=Prepared)
Answer = TypeVar("Answer")


def prepare_then_lock(
    read: Callable[[], Held], lock: Callable[[], Held], prepare: Callable[[Held], Ready],
    do: Callable[[Held, Ready], Answer], *, tries: int = TRIES,
) -> Answer:
    """Run something in a transaction with what is held and with what was prepared for it; return its result.

    The result of `read` is prepared while nobody waits; if that of `lock` then differs, it is prepared again, and after
    so many `tries` while it is held. With no tries it is held at once.
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

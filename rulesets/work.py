"""The work of computing odds, which is limited for each request.

A unit is the multiplication of two digits of a big number, about 2 ns; other steps count as several units.
"""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from typing import TypeVar

WORK = 130_000_000
"""The most work for one request, or for one computation without a request; 0.1 to 0.3 s."""
DIGIT, STEP = 30, 60
"""The bits of a digit, and the work of a step apart from its digits."""
_left: ContextVar[list[int] | None] = ContextVar("left", default=None)


class TooMuch(OverflowError):
    """Raised if a computation would exceed the limit of work; smaller figures avoid it."""


@contextmanager
def compute_limit(work: int = WORK) -> Iterator[list[int]]:
    """Limit the work done in the context; yield a list of one number, the units left."""
    left = [work]
    token = _left.set(left)
    try:
        yield left
    finally:
        _left.reset(token)


def spend(work: int) -> None:
    """Subtract work from the units left before it is done. Raise TooMuch and subtract nothing if too few are left."""
    left = _left.get() or [WORK]
    if work > left[0]:
        raise TooMuch(f"{work} steps are more than the {left[0]} that are left of {WORK}")
    left[0] -= work


_Found = TypeVar("_Found")


def affordable(found: Iterable[_Found]) -> Iterator[_Found]:
    """Yield the items of an iterable until the limit of work is reached."""
    with suppress(TooMuch):
        yield from found


def digits(number: int) -> int:
    """Return the number of `DIGIT`-bit digits of a number."""
    return number.bit_length() // DIGIT + 1

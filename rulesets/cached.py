"""A cache of results that is bounded by their size, all together, because anybody can choose the figures."""

import sys
import threading
from collections import OrderedDict
from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import wraps
from typing import Any, TypeVar

MOST = 32_000_000
"""Bytes of all that is kept; the largest tables of ways take some ten million each."""
SAMPLE = 100
"""Values of a long row or table, at most, whose size says that of all of them."""
SHARED = range(-5, 257)
"""The small whole numbers of which Python keeps a single object each."""
Answer = TypeVar("Answer")
_cached: OrderedDict[tuple[Any, ...], tuple[Any, int]] = OrderedDict()
_lock = threading.Lock()
_size = 0


def cached_by_size(reckon: Callable[..., Answer]) -> Callable[..., Answer]:
    """Cache a function's results by arguments; all caches together keep the latest, up to `MOST` bytes."""

    @wraps(reckon)
    def cached(*given: Any) -> Answer:
        global _size  # noqa: PLW0603 - of all functions
        key = (reckon, *given)
        with _lock:
            if key in _cached:
                _cached.move_to_end(key)
                found: Answer = _cached[key][0]
                return found
        answer = reckon(*given)
        taken = size_of(given) + size_of(answer)
        with _lock:
            if key not in _cached and taken <= MOST:
                _cached[key] = answer, taken
                _size += taken
            while _size > MOST:
                _size -= _cached.popitem(last=False)[1][1]
        return answer

    return cached


def size_of(value: Any) -> int:
    """Return how many bytes something takes with all that it holds, about; what is held twice counts twice."""
    if isinstance(value, type) or (isinstance(value, int) and value in SHARED):
        return 0
    own = sys.getsizeof(value)
    if isinstance(value, Fraction):
        return own + sum(map(sys.getsizeof, value.as_integer_ratio()))
    if isinstance(value, dict):
        return own + _together([*value]) + _together([*value.values()])
    if isinstance(value, tuple | list):
        return own + _together(value)
    return own + size_of(vars(value)) if hasattr(value, "__dict__") else own


def _together(values: Sequence[Any]) -> int:
    """Return how many bytes they take, of many by those of some of them, from the first to the last."""
    some = values[::len(values) // SAMPLE + 1]
    return sum(map(size_of, some)) * len(values) // max(1, len(some))


def forget() -> None:
    """Empty the cache."""
    global _size  # noqa: PLW0603 - of all functions
    with _lock:
        _cached.clear()
        _size = 0

"""A cache of results, limited by their total size in memory because any user can choose the arguments."""

import sys
import threading
from collections import OrderedDict
from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import wraps
from typing import Any, TypeVar

MOST = 32_000_000
"""The most bytes that all cached results may take; each of the largest dice tables takes about ten million."""
SAMPLE = 100
"""The most values that are measured to estimate the size of a long sequence."""
SHARED = range(-5, 257)
"""The small integers for which Python keeps one shared object each."""
Answer = TypeVar("Answer")
_cached: OrderedDict[tuple[Any, ...], tuple[Any, int]] = OrderedDict()
_lock = threading.Lock()
_size = 0


def cached_by_size(compute: Callable[..., Answer]) -> Callable[..., Answer]:
    """Cache a function's results by its arguments; all caches share `MOST` bytes and drop the least recently used."""

    @wraps(compute)
    def cached(*given: Any) -> Answer:
        global _size  # noqa: PLW0603 - shared by all functions
        key = (compute, *given)
        with _lock:
            if key in _cached:
                _cached.move_to_end(key)
                found: Answer = _cached[key][0]
                return found
        answer = compute(*given)
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
    """Return the approximate size in bytes of a value and its contents; an object counts each time it occurs."""
    if isinstance(value, type) or (isinstance(value, int) and value in SHARED):
        return 0
    own = sys.getsizeof(value)
    if isinstance(value, Fraction):
        return own + sum(map(sys.getsizeof, value.as_integer_ratio()))
    if isinstance(value, dict):
        return own + _estimated_size([*value]) + _estimated_size([*value.values()])
    if isinstance(value, tuple | list):
        return own + _estimated_size(value)
    return own + size_of(vars(value)) if hasattr(value, "__dict__") else own


def _estimated_size(values: Sequence[Any]) -> int:
    """Return the approximate total size of values in bytes, estimated from an evenly spaced sample."""
    some = values[::len(values) // SAMPLE + 1]
    return sum(map(size_of, some)) * len(values) // max(1, len(some))


def clear() -> None:
    """Empty the cache."""
    global _size  # noqa: PLW0603 - shared by all functions
    with _lock:
        _cached.clear()
        _size = 0

"""The progress of a command's long work, on a terminal."""

import sys
from collections.abc import Callable, Iterable
from contextlib import AbstractContextManager, nullcontext
from typing import TypeVar

from tqdm import tqdm

One = TypeVar("One")


def aside() -> AbstractContextManager[None]:
    """Return a context in which a line of output can be written to the terminal; the bar continues below it."""
    return tqdm.external_write_mode() if sys.stdout.isatty() else nullcontext()


def progress(rows: Iterable[One], what: str, total: int | Callable[[], int]) -> Iterable[One]:
    """Return the same rows; on a terminal, a progress bar shows the rows done and the remaining time.

    Without a terminal there is no bar, and `total` is not called.
    """
    if not sys.stderr.isatty():
        return rows
    return tqdm(rows, what, total if isinstance(total, int) else total(), leave=False, dynamic_ncols=True)

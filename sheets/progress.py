"""How far long work of a command is, on a terminal."""

import sys
from collections.abc import Callable, Iterable
from typing import TypeVar

from tqdm import tqdm

One = TypeVar("One")
aside = tqdm.external_write_mode
"""Within it lines can be written while a bar is shown, which goes on below them."""


def progress(rows: Iterable[One], what: str, total: int | Callable[[], int]) -> Iterable[One]:
    """The same rows; on a terminal a bar tells how many of the total are done and how long the rest takes.

    In a pipe or a log there is none, and nobody asks for the total.
    """
    if not sys.stderr.isatty():
        return rows
    return tqdm(rows, what, total if isinstance(total, int) else total(), leave=False, dynamic_ncols=True)

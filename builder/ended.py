"""The cost of requests that the watchdog ended: noted by the process beside a worker, charged by the next worker."""

import os
import stat
import tempfile
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

TELL = "builder.tell"
"""The key in a request's environment of the function that tells the watchdog whose bucket it is."""
LONGEST = 4_096
"""Bytes of a note that are read."""


def place(server: int) -> str:
    """Return what the notes of a server's workers begin with; `server` is the process that started them."""
    return str(Path(tempfile.gettempdir(), f"bogenschmiede-{os.getuid()}-{server}-"))


def taken(server: int) -> Iterator[tuple[str, float]]:
    """Yield (hash of whose bucket, seconds) of each note, which is gone then."""
    start = Path(place(server))
    for path in sorted(start.parent.glob(f"{start.name}*.ended")):
        with suppress(OSError, ValueError):
            handle = os.open(path, os.O_RDONLY | os.O_NOFOLLOW)
            with os.fdopen(handle, "rb") as file:
                found = os.fstat(handle)
                # Nobody else on the machine says who owes what.
                if found.st_uid != os.getuid() or not stat.S_ISREG(found.st_mode):
                    continue
                lines = file.read(LONGEST).decode("ascii").splitlines()
            # Of two workers that start at once one takes it.
            path.unlink()
            for line in lines:
                key, seconds = line.split()
                yield key, float(seconds)

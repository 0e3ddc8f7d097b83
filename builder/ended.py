"""The time used by requests that were killed: the watchdog notes it in files, which the next worker reads.

The worker charges it to the rate limit buckets of those requests.
"""

import os
import stat
import tempfile
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

REPORT_BUCKET = "builder.tell"
"""The key in the WSGI environment of the function that reports a request's bucket to the watchdog."""
LONGEST = 4_096
"""The most bytes of a note that are read."""


def notes_prefix(server: int) -> str:
    """Return the prefix of the paths of all notes of a server's workers; `server` is its process id."""
    return str(Path(tempfile.gettempdir(), f"bogenschmiede-{os.getuid()}-{server}-"))


def take_notes(server: int) -> Iterator[tuple[str, float]]:
    """Yield (hash of a bucket, seconds) from all notes, and delete them."""
    prefix = Path(notes_prefix(server))
    for path in sorted(prefix.parent.glob(f"{prefix.name}*.ended")):
        with suppress(OSError, ValueError):
            handle = os.open(path, os.O_RDONLY | os.O_NOFOLLOW)
            with os.fdopen(handle, "rb") as file:
                status = os.fstat(handle)
                # Another user of the machine could have put a file there.
                if status.st_uid != os.getuid() or not stat.S_ISREG(status.st_mode):
                    continue
                lines = file.read(LONGEST).decode("ascii").splitlines()
            # If two workers start at once, only one of them can delete the file; the other one skips it.
            path.unlink()
            for line in lines:
                key, seconds = line.split()
                yield key, float(seconds)

"""What `sheets.separate_process` is given to read files with, for its tests: none of these does any good."""

import os
import signal
import sys
from pathlib import Path

from sheets.separate_process import NotAccepted


def turned(content: bytes) -> bytes:
    return content[::-1]


def endless(_content: bytes = b"") -> bytes:
    while True:
        pass


def waiting(path: str) -> bytes:
    """Say in a file which process this is, and its group, and wait for good."""
    # What there is already may be written to: a pipe.
    with Path(path).open("w") as pipe:
        pipe.write(f"{os.getpid()} {os.getpgrp()}\n")
    while True:
        signal.pause()


def greedy() -> bytes:
    return bytes(2**30)


def talkative() -> bytes:
    return bytes(2**24)


def writing(path: str) -> bytes:
    return b"%d" % Path(path).write_bytes(b"x")


def picky() -> bytes:
    raise NotAccepted("moves")


def broken() -> bytes:
    return b"%d" % (1 // 0)


def crashing() -> bytes:
    os.kill(os.getpid(), signal.SIGSEGV)
    return b""


def told() -> bytes:
    """Return what this process knows of the one that asked: its environment, open files, whatever holds settings."""
    loaded = [one for one in sys.modules if one.startswith(("builder", "django.db", "sheets.models"))]
    return repr((sorted(os.environ), len(list(Path("/proc/self/fd").iterdir())), loaded)).encode()

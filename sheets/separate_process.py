"""Reads what people send in a process of its own: no file costs more than it may, and none ends whoever serves.

Beside each worker waits a process that has loaded what reads files, and nothing else: no settings, no secret, no
connection. For each file it forks one that has limits of processor time and of memory, writes no file, and has half as
long as a request; both are gone when the worker is, however it ended.
"""

import gc
import logging
import os
import pickle
import resource
import signal
import socket
import struct
import subprocess
import sys
import threading
from collections.abc import Callable
from contextlib import suppress
from importlib import import_module
from pathlib import Path
from typing import NoReturn

from django.conf import settings

READERS = ("sheets.faces.pictures", "sheets.validator.enclosed")
"""Modules whose functions read files; they load neither models nor settings."""
SECONDS = 3
"""Processor seconds that a file may cost; the dearest pictures that are allowed take 1.4 on an idle machine."""
MEMORY = 200 * 2**20
"""Bytes of memory that it may take; those pictures take 180 MB."""
AT_ONCE, PATIENCE = 2, 1.0
"""Files that a worker has read at once, and seconds that another one waits for its turn."""
ANSWER = 2**20
"""Bytes that may be made of a file."""
ENVIRONMENT = ("LANG", "LD_LIBRARY_PATH", "PATH", "PYTHONDONTWRITEBYTECODE", "PYTHONPATH")
"""The variables that the process is given of the worker's environment, which holds secrets too."""
MADE, REFUSED, COSTLY, BROKEN = b"m", b"r", b"c", b"b"
"""The first byte of an answer."""
BOUNDS = struct.Struct("=QQQ")
"""The beginning of a job: processor seconds, bytes, and seconds on the clock."""
END = struct.Struct("=id")
"""The end of an answer: the exit status of the process, and the processor seconds that it used."""

_turns = threading.BoundedSemaphore(AT_ONCE)
_used = threading.local()


class NotAccepted(ValueError):
    """A file that the function refuses; the message is a word for why, and no text for people."""


class TooCostly(Exception):
    """To read the file takes more than it may."""


class BrokenFile(Exception):
    """The function broke at the file; the message is for the log."""


class NoTime(Exception):
    """Others are being read, or the machine has no time for it."""


def run(function: Callable[..., bytes], *words: object) -> bytes:
    """Return what a function of `READERS` makes of a file.

    Raise `NotAccepted`, `TooCostly`, `BrokenFile` or `NoTime`.
    """
    if not _turns.acquire(timeout=PATIENCE):
        raise NoTime
    longest = settings.REQUEST_SECONDS // 2
    try:
        answer = _answered(BOUNDS.pack(SECONDS, MEMORY, longest) + pickle.dumps((function, words)), longest + 2)
    finally:
        _turns.release()
    ended = END.size <= len(answer) <= ANSWER
    status, seconds = END.unpack(answer[-END.size:]) if ended else (0, SECONDS)
    _used.seconds = getattr(_used, "seconds", 0.0) + seconds
    if not ended:
        raise NoTime
    kind, made = answer[:1], answer[1:-END.size]
    if status or not kind:
        raise _fault_of(os.waitstatus_to_exitcode(status))
    if kind == MADE:
        return made
    raise {REFUSED: NotAccepted, COSTLY: TooCostly, BROKEN: BrokenFile}[kind](made.decode())


def seconds_used() -> float:
    """Return the processor seconds that files have cost for this thread since it was last asked."""
    seconds, _used.seconds = getattr(_used, "seconds", 0.0), 0.0
    return seconds


def _fault_of(code: int) -> Exception:
    if code == -signal.SIGALRM:
        return NoTime()
    if code in (0, -signal.SIGXCPU, -signal.SIGKILL):
        return TooCostly()
    return BrokenFile(f"its process ended with {code}")


def _answered(job: bytes, seconds: float) -> bytes:
    """Return what comes back within so many seconds, nothing where nobody answers."""
    answer = bytearray()
    ours, theirs = socket.socketpair()
    with ours:
        with theirs:
            BESIDE.hand_over(theirs)
        ours.settimeout(seconds)
        # Whoever is ended early does not hear the rest, but has an end.
        with suppress(ConnectionError, TimeoutError):
            ours.sendall(job)
            ours.shutdown(socket.SHUT_WR)
        with suppress(ConnectionError, TimeoutError):
            while len(answer) <= ANSWER and (part := ours.recv(2**16)):
                answer += part
    return bytes(answer)


class Beside:
    """The process that waits beside this one, begun when it is first needed."""

    def __init__(self) -> None:
        self.process: subprocess.Popen[bytes] | None = None
        self.link: socket.socket | None = None
        self.lock = threading.Lock()

    def hand_over(self, link: socket.socket) -> None:
        """Let a file be read that comes through this link, and answered through it."""
        with self.lock:
            if self.process is None or self.process.poll() is not None:
                self._begin()
            # One that has just ended closes the link, which is answer enough.
            with suppress(OSError):
                if self.link:
                    socket.send_fds(self.link, [b"."], [link.fileno()])

    def _begin(self) -> None:
        if self.link:
            self.link.close()
        self.link, theirs = socket.socketpair()
        known = {name: os.environ[name] for name in ENVIRONMENT if name in os.environ}
        words = [sys.executable, "-W", "ignore", "-c", f"from {__name__} import serve; serve()"]
        with theirs:
            # In a group of its own, which ends together, and not by a key that ends the worker on a terminal.
            self.process = subprocess.Popen(  # noqa: S603 - this module
                words, stdin=theirs.fileno(), stdout=subprocess.DEVNULL, env=known, cwd=Path(__file__).parent.parent,
                process_group=0)


BESIDE = Beside()


def serve() -> None:
    """Fork a process for each file, until the worker is gone; then end with all of them."""
    # A broken file can be warned of a hundred thousand times.
    logging.disable()
    # Which signals a thread of the worker had blocked is no matter of what ends a file here.
    signal.pthread_sigmask(signal.SIG_SETMASK, ())
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    # Those that were forked end unseen.
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    for name in READERS:
        import_module(name)
    # What is loaded is shared with what is forked, as long as nobody looks it through.
    gc.freeze()
    with socket.socket(fileno=sys.stdin.fileno()) as worker:
        while links := socket.recv_fds(worker, 1, 1)[1]:
            with socket.socket(fileno=links[0]) as link, suppress(OSError):
                if not os.fork():
                    worker.close()
                    _mind(link)
    os.killpg(os.getpid(), signal.SIGKILL)


def _mind(link: socket.socket) -> NoReturn:
    """Have a file read, and say how that ended and what it cost."""
    try:
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)
        child = os.fork()
        if not child:
            _read(link)
        _child, status, used = os.wait4(child, 0)
        link.sendall(END.pack(status, used.ru_utime + used.ru_stime))
    finally:
        os._exit(0)


def _read(link: socket.socket) -> NoReturn:
    try:
        with link.makefile("rb") as job:
            _limit(*BOUNDS.unpack(job.read(BOUNDS.size)))
            function, words = pickle.load(job)  # noqa: S301 - the worker wrote it
        link.sendall(_made(function, words))
    finally:
        os._exit(0)


def _made(function: Callable[..., bytes], words: tuple) -> bytes:
    try:
        return MADE + function(*words)
    except NotAccepted as error:
        return REFUSED + str(error).encode()
    except MemoryError:
        return COSTLY
    except Exception as error:  # noqa: BLE001 - a broken file breaks its reader in many ways, none of them ours
        return BROKEN + repr(error)[:300].encode("utf-8", "backslashreplace")


def _limit(seconds: int, memory: int, longest: int) -> None:
    """Set what this process may use; whoever exceeds it is ended by the kernel, or has an allocation refused."""
    signal.alarm(longest)
    memory += int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
    for what, most in ((resource.RLIMIT_CPU, seconds), (resource.RLIMIT_AS, memory), (resource.RLIMIT_FSIZE, 0),
                       # No picture of anybody's stays as the dump of what was ended.
                       (resource.RLIMIT_CORE, 0)):
        resource.setrlimit(what, (most, most))

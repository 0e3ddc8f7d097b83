"""Reading uploaded files in a separate process, so that no file uses too many resources or crashes the worker.

Beside each worker runs a process that has loaded the modules in `READERS` and nothing else: no settings, no secret, no
connection. For each file it forks a process that has limits of processor time and of memory, cannot write files, and
may run for half the time of a request. All of them end with the worker, however that ended.
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
"""The modules whose functions read files; they load neither models nor settings."""
SECONDS = 3
"""The processor seconds that a file may take; the most expensive allowed pictures take 1.4 on an idle machine."""
MEMORY = 200 * 2**20
"""The bytes of memory that a file may take; those pictures take 180 MB."""
AT_ONCE, PATIENCE = 2, 1.0
"""The most files that a worker has read at the same time, and the seconds that another file waits for its turn."""
ANSWER = 2**20
"""The most bytes of an answer."""
ENVIRONMENT = ("LANG", "LD_LIBRARY_PATH", "PATH", "PYTHONDONTWRITEBYTECODE", "PYTHONPATH")
"""The variables that the process gets from the worker's environment, which also contains secrets."""
MADE, REFUSED, COSTLY, BROKEN = b"m", b"r", b"c", b"b"
"""The first byte of an answer."""
BOUNDS = struct.Struct("=QQQ")
"""The beginning of a job: processor seconds, bytes, and seconds on the clock."""
END = struct.Struct("=id")
"""The end of an answer: the exit status of the process, and the processor seconds that it used."""

_turns = threading.BoundedSemaphore(AT_ONCE)
_used = threading.local()


class NotAccepted(ValueError):
    """Raised for a file that the function refuses; the message is a code for the reason, not a text for users."""


class TooCostly(Exception):
    """Raised if reading a file exceeds its limits."""


class BrokenFile(Exception):
    """Raised if the function fails on a file; the message is for the log."""


class NoTime(Exception):
    """Raised if other files are being read, or the machine is too busy."""


def run(function: Callable[..., bytes], *words: object) -> bytes:
    """Return the result of a function of `READERS` for a file, called in the separate process.

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
    """Return the processor seconds used for files of this thread since the last call."""
    seconds, _used.seconds = getattr(_used, "seconds", 0.0), 0.0
    return seconds


def _fault_of(code: int) -> Exception:
    if code == -signal.SIGALRM:
        return NoTime()
    if code in (0, -signal.SIGXCPU, -signal.SIGKILL):
        return TooCostly()
    return BrokenFile(f"its process ended with {code}")


def _answered(job: bytes, seconds: float) -> bytes:
    """Return the answer that arrives within `seconds`; b"" if there is none."""
    answer = bytearray()
    ours, theirs = socket.socketpair()
    with ours:
        with theirs:
            READER_PROCESS.hand_over(theirs)
        ours.settimeout(seconds)
        # A process that was killed early does not read the whole job, but its end is still reported.
        with suppress(ConnectionError, TimeoutError):
            ours.sendall(job)
            ours.shutdown(socket.SHUT_WR)
        with suppress(ConnectionError, TimeoutError):
            while len(answer) <= ANSWER and (part := ours.recv(2**16)):
                answer += part
    return bytes(answer)


class ReaderProcess:
    """The process beside this worker, which is started when first needed."""

    def __init__(self) -> None:
        self.process: subprocess.Popen[bytes] | None = None
        self.link: socket.socket | None = None
        self.lock = threading.Lock()

    def hand_over(self, link: socket.socket) -> None:
        """Pass a socket to the process, which reads a job from it and writes the answer to it."""
        with self.lock:
            if self.process is None or self.process.poll() is not None:
                self._begin()
            # If the process has just ended, the link is closed, which counts as no answer.
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
            # In its own process group, which is killed as a whole, and not by a key pressed in the worker's terminal.
            self.process = subprocess.Popen(  # noqa: S603 - this module
                words, stdin=theirs.fileno(), stdout=subprocess.DEVNULL, env=known, cwd=Path(__file__).parent.parent,
                process_group=0)


READER_PROCESS = ReaderProcess()


def serve() -> None:
    """Fork a process for each file, until the worker is gone; then end with all of them."""
    # A broken file can cause a hundred thousand warnings.
    logging.disable()
    # Signals blocked in a thread of the worker must not be blocked here, because signals enforce the limits.
    signal.pthread_sigmask(signal.SIG_SETMASK, ())
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    # Ended children need not be waited for.
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    for name in READERS:
        import_module(name)
    # Forked processes share the loaded memory as long as the garbage collector does not touch it.
    gc.freeze()
    with socket.socket(fileno=sys.stdin.fileno()) as worker:
        while links := socket.recv_fds(worker, 1, 1)[1]:
            with socket.socket(fileno=links[0]) as link, suppress(OSError):
                if not os.fork():
                    worker.close()
                    _mind(link)
    os.killpg(os.getpid(), signal.SIGKILL)


def _mind(link: socket.socket) -> NoReturn:
    """Fork a process that reads the file; then send its exit status and the processor seconds that it used."""
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
    except Exception as error:  # noqa: BLE001 - libraries raise many kinds of errors for broken files
        return BROKEN + repr(error)[:300].encode("utf-8", "backslashreplace")


def _limit(seconds: int, memory: int, longest: int) -> None:
    """Limit this process; if it exceeds a limit, the kernel ends it or refuses the allocation."""
    signal.alarm(longest)
    memory += int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
    for what, most in ((resource.RLIMIT_CPU, seconds), (resource.RLIMIT_AS, memory), (resource.RLIMIT_FSIZE, 0),
                       # No core dump, which would contain a user's picture.
                       (resource.RLIMIT_CORE, 0)):
        resource.setrlimit(what, (most, most))

"""Every request has an end: a process beside each worker that ends it where one takes too long, and says which.

A stuck worker cannot be trusted to do that itself: its one lock may be held for good, so that no line of Python runs in
it any more. What is stuck or was cut off stands in the log with its method and path, never with its query.
"""

import faulthandler
import json
import os
import selectors
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress

GRACE = 0.5
"""Seconds that a worker has to write down where it is."""
BUSY = 0.1
"""The share of its time that a request has used the processor which keeps others from theirs."""
LONGEST = 300
"""Characters of a path that are told of; a line that is short enough arrives in one piece."""
TELL = "builder.tell"
"""The key of the application's function that tells whose bucket a request fills (`builder.ended` names it, too)."""
WHOSE = b"= "
"""The beginning of a line that says whose; no method begins so."""


class Watched:
    """A WSGI application whose requests are told to a process beside this one, from the first until the answer is out.

    Requests are told apart by their thread, so that any number of threads may serve. `notes` is what the files begin
    with in which that process notes who is charged for what it ended (`builder.ended`).
    """

    def __init__(self, application: Callable, seconds: float, notes: str = "") -> None:
        self.application, self.seconds, self.notes = application, seconds, notes
        self.beside: subprocess.Popen[bytes] | None = None
        self.lock = threading.Lock()

    def __call__(self, environ: dict, start_response: Callable) -> Iterable[bytes]:
        environ[TELL] = self.tell_whose
        # Escaped, so that no path breaks the line, nor the log's.
        self.tell(f"{environ['REQUEST_METHOD']} {environ['PATH_INFO']}"[:LONGEST].encode("unicode_escape"))
        try:
            answer = self.application(environ, start_response)
        except BaseException:
            self.tell(b"")
            raise
        if getattr(answer, "file_to_stream", None) is not None:
            # It is there; how long it takes to be read is up to whoever reads it.
            self.tell(b"")
        return Told(answer, self.tell)

    def tell_whose(self, key: str) -> None:
        """Say whose bucket the request fills that this thread is at."""
        self.tell(WHOSE + key.encode("ascii"))

    def tell(self, what: bytes) -> None:
        """Say what this thread is at; nothing: that it is done. Whoever listened may have been ended; another does."""
        line = b"%d %d %s\n" % (threading.get_native_id(), time.thread_time_ns(), what)
        with self.lock:
            if self.beside is None:
                # Written down by the signal's handler itself, whoever holds the lock.
                faulthandler.register(signal.SIGUSR1, all_threads=True)
            if self.beside is None or self.beside.poll() is not None:
                words = [sys.executable, "-I", "-S", __file__, str(self.seconds), self.notes]
                self.beside = subprocess.Popen(words, bufsize=0, stdin=subprocess.PIPE)  # noqa: S603 - this file
            try:
                if self.beside.stdin:
                    self.beside.stdin.write(line)
            except BrokenPipeError:
                self.beside.wait()


class Told:
    """An answer that says when it is out, or that nobody wants it any more."""

    def __init__(self, answer: Iterable[bytes], tell: Callable[[bytes], None]) -> None:
        self.answer, self.tell = answer, tell

    def __iter__(self) -> Iterator[bytes]:
        return iter(self.answer)

    def close(self) -> None:
        """Close the answer; the server does that in any case."""
        try:
            if hasattr(self.answer, "close"):
                self.answer.close()
        finally:
            self.tell(b"")


def say(text: str) -> None:
    """A line of the log, as the program's others (builder.logs), which this process has no part of."""
    if os.environ.get("LOG", "").strip().lower() == "json":
        line = json.dumps({"time": time.strftime("%Y-%m-%dT%H:%M:%S.000Z", time.gmtime()), "level": "ERROR",
                           "name": "builder.watchdog", "message": text})
    else:
        line = f"{time.strftime('%Y-%m-%d %H:%M:%S')},000 ERROR builder.watchdog: {text}"
    sys.stderr.write(f"{line}\n")
    sys.stderr.flush()


def watch(seconds: float, worker: int, notes: str) -> None:
    """Hear what the worker is at until it is gone, and end it where that takes too long."""
    at: dict[bytes, tuple[float, str]] = {}
    used: dict[bytes, int] = {}
    owing: dict[bytes, list[str]] = {}
    busy: bytes | None = None
    rest = b""
    source = sys.stdin.fileno()
    with selectors.DefaultSelector() as hearing:
        hearing.register(source, selectors.EVENT_READ)
        while True:
            until = min((end for end, _what in at.values()), default=None)
            if hearing.select(until and max(0, until - time.monotonic())):
                if not (heard := os.read(source, 65_536)):
                    break
                *lines, rest = (rest + heard).split(b"\n")
                for line in lines:
                    thread, ran, what = line.split(b" ", 2)
                    if what.startswith(WHOSE):
                        owing.setdefault(thread, []).append(what.removeprefix(WHOSE).decode())
                        continue
                    at.pop(thread, None)
                    owing.pop(thread, None)
                    if what:
                        at[thread], used[thread] = (time.monotonic() + seconds, what.decode()), int(ran)
            elif until is not None and until <= time.monotonic():
                thread = min(at, key=at.__getitem__)
                busy = busiest(worker, {one: used[one] for one in at}, seconds)
                # Before it ends: the next worker reads it when it starts.
                note(notes, worker, owing.get(busy or thread, []), seconds)
                _end, what = at.pop(thread)
                end(worker, seconds, what)
                break
    # What its other threads were at; all of them where somebody else ended it, the kernel for one.
    for thread, (_end, what) in at.items():
        say(f"the worker {worker} ended in {what}{', which kept the processor busy' if thread == busy else ''}")


def busiest(worker: int, used: dict[bytes, int], seconds: float) -> bytes | None:
    """Return the thread that has used the processor most since its request began; None where all of them wait.

    Whoever keeps the interpreter to themselves may have come later than those who wait for it.
    """
    ran = {thread: (running(worker, thread) - before) / 1e9 for thread, before in used.items()}
    thread = max(ran, key=ran.__getitem__)
    return thread if ran[thread] >= seconds * BUSY else None


def running(worker: int, thread: bytes) -> int:
    """Return the nanoseconds that a thread of the worker has run; 0 where nobody tells."""
    try:
        with open(f"/proc/{worker}/task/{thread.decode()}/schedstat", "rb") as file:  # noqa: PTH123 - starts quickly
            return int(file.read().split()[0])
    except (OSError, ValueError, IndexError):
        return 0


def note(notes: str, worker: int, keys: Iterable[str], seconds: float) -> None:
    """Note in a file whose buckets are charged, and how much, by the next worker (`builder.ended`)."""
    if not (notes and keys):
        return
    with suppress(OSError):
        handle = os.open(f"{notes}{worker}.ended", os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW, 0o600)
        with os.fdopen(handle, "w", encoding="ascii") as file:
            file.writelines(f"{key} {seconds:g}\n" for key in keys)


def end(worker: int, seconds: float, what: str) -> None:
    """End the worker, once it has written down its traceback."""
    say(f"the worker {worker} has been at {what} for {seconds:g} seconds; it is ended")
    for way in (signal.SIGUSR1, signal.SIGKILL):
        # A worker that is gone has left this process to another parent; its number may be somebody else's now.
        if os.getppid() == worker:
            os.kill(worker, way)
            time.sleep(GRACE)


if __name__ == "__main__":
    # Asked to stop, the server lets the request at hand end; this ends when the worker does.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    watch(float(sys.argv[1]), os.getppid(), sys.argv[2])

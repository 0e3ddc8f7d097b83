"""A time limit for requests: a process beside each worker kills the worker when a request takes too long.

A stuck worker cannot do that itself: if the interpreter's lock is never released, no Python runs in it. The log names
the method and path of the request that took too long and of those that were cut off, never their queries.
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
"""Seconds that a worker has to write its traceback before it is killed, and to be gone afterwards."""
BUSY = 0.1
"""The share of the time limit that a request must have run on the processor to be named as keeping it busy."""
LONGEST = 300
"""The most characters of a line about a request; a short line is written to the pipe in one piece."""
REPORT_BUCKET = "builder.tell"
"""The key in the WSGI environment of the function that reports a request's bucket (the same in `builder.ended`)."""
BUCKET = b"= "
"""The prefix of a line that reports a bucket; no request method begins like this."""


class Watched:
    """A WSGI application that reports the beginning and end of each request to a watchdog process.

    Requests are identified by their thread, so the server may have any number of threads. `notes` is the prefix of the
    paths of the files in which the watchdog notes the cost of a killed request (`builder.ended`).
    """

    def __init__(self, application: Callable, seconds: float, notes: str = "") -> None:
        self.application, self.seconds, self.notes = application, seconds, notes
        self.killer: subprocess.Popen[bytes] | None = None
        self.lock = threading.Lock()

    def __call__(self, environ: dict, start_response: Callable) -> Iterable[bytes]:
        environ[REPORT_BUCKET] = self.report_bucket
        # Escaped, so that no path contains a line break, here or in the log.
        self.report(f"{environ['REQUEST_METHOD']} {environ['PATH_INFO']}"[:LONGEST].encode("unicode_escape"))
        try:
            answer = self.application(environ, start_response)
        except BaseException:
            self.report(b"")
            raise
        if getattr(answer, "file_to_stream", None) is not None:
            # The file is complete; how long the transfer takes depends on the client.
            self.report(b"")
        return ReportedAnswer(answer, self.report)

    def report_bucket(self, key: str) -> None:
        """Report the hash of a bucket that is charged if the current thread's request is killed."""
        self.report(BUCKET + key.encode("ascii"))

    def report(self, what: bytes) -> None:
        """Write what the current thread is doing to the watchdog, b"" if it is done; start the watchdog if needed."""
        line = b"%d %d %s\n" % (threading.get_native_id(), time.thread_time_ns(), what)
        with self.lock:
            if self.killer is None:
                # faulthandler writes the traceback in C, so it does not need the interpreter's lock.
                faulthandler.register(signal.SIGUSR1, all_threads=True)
            if self.killer is None or self.killer.poll() is not None:
                command = [sys.executable, "-I", "-S", __file__, str(self.seconds), self.notes]
                self.killer = subprocess.Popen(command, bufsize=0, stdin=subprocess.PIPE)  # noqa: S603 - this file
            try:
                if self.killer.stdin:
                    self.killer.stdin.write(line)
            except BrokenPipeError:
                self.killer.wait()


class ReportedAnswer:
    """A WSGI response that reports the end of its request when it is closed."""

    def __init__(self, answer: Iterable[bytes], report: Callable[[bytes], None]) -> None:
        self.answer, self.report = answer, report

    def __iter__(self) -> Iterator[bytes]:
        return iter(self.answer)

    def close(self) -> None:
        """Close the answer and report it; a server calls this even if the client has disconnected."""
        try:
            if hasattr(self.answer, "close"):
                self.answer.close()
        finally:
            self.report(b"")


def log_error(text: str) -> None:
    """Write a line to standard error in the format of the program's log; this process has no Django and no logging."""
    if os.environ.get("LOG", "").strip().lower() == "json":
        line = json.dumps({"time": time.strftime("%Y-%m-%dT%H:%M:%S.000Z", time.gmtime()), "level": "ERROR",
                           "name": "builder.watchdog", "message": text})
    else:
        line = f"{time.strftime('%Y-%m-%d %H:%M:%S')},000 ERROR builder.watchdog: {text}"
    sys.stderr.write(f"{line}\n")
    sys.stderr.flush()


def watch(seconds: float, worker: int, notes: str) -> None:
    """Read the reports of a worker until it is gone, and kill it when a request takes longer than `seconds`.

    Threads are the keys: `running` has the deadline and text of each request under way, `used` the nanoseconds that its
    thread had run when it began, `buckets` the hashes of the buckets to charge.
    """
    running: dict[bytes, tuple[float, str]] = {}
    used: dict[bytes, int] = {}
    buckets: dict[bytes, list[str]] = {}
    busy: bytes | None = None
    rest = b""
    source = sys.stdin.fileno()
    with selectors.DefaultSelector() as selector:
        selector.register(source, selectors.EVENT_READ)
        while True:
            until = min((deadline for deadline, _what in running.values()), default=None)
            if selector.select(until and max(0, until - time.monotonic())):
                if not (data := os.read(source, 65_536)):
                    break
                *lines, rest = (rest + data).split(b"\n")
                for line in lines:
                    thread, ran, what = line.split(b" ", 2)
                    if what.startswith(BUCKET):
                        buckets.setdefault(thread, []).append(what.removeprefix(BUCKET).decode())
                        continue
                    running.pop(thread, None)
                    buckets.pop(thread, None)
                    if what:
                        running[thread], used[thread] = (time.monotonic() + seconds, what.decode()), int(ran)
            elif until is not None and until <= time.monotonic():
                thread = min(running, key=running.__getitem__)
                busy = busiest(worker, {one: used[one] for one in running}, seconds)
                # Written before the worker is killed: the next worker reads the note when it starts.
                note(notes, worker, buckets.get(busy or thread, []), seconds)
                _deadline, what = running.pop(thread)
                end(worker, seconds, what)
                break
    # The requests of the other threads; or of all threads if something else ended the worker, such as the kernel.
    for thread, (_deadline, what) in running.items():
        log_error(f"the worker {worker} ended in {what}{', which kept the processor busy' if thread == busy else ''}")


def busiest(worker: int, used: dict[bytes, int], seconds: float) -> bytes | None:
    """Return the thread that has run most since its request began; None if no thread has run for a share of `BUSY`.

    It need not be the request that took too long: that one may only have waited for the interpreter's lock.
    """
    ran = {thread: (nanoseconds_run(worker, thread) - before) / 1e9 for thread, before in used.items()}
    thread = max(ran, key=ran.__getitem__)
    return thread if ran[thread] >= seconds * BUSY else None


def nanoseconds_run(worker: int, thread: bytes) -> int:
    """Return the processor time of a thread of the worker in nanoseconds; 0 if the system does not provide it."""
    try:
        with open(f"/proc/{worker}/task/{thread.decode()}/schedstat", "rb") as file:  # noqa: PTH123 - starts quickly
            return int(file.read().split()[0])
    except (OSError, ValueError, IndexError):
        return 0


def note(notes: str, worker: int, keys: Iterable[str], seconds: float) -> None:
    """Write a file with the buckets' hashes and the seconds that the next worker charges to them (`builder.ended`)."""
    if not (notes and keys):
        return
    with suppress(OSError):
        handle = os.open(f"{notes}{worker}.ended", os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW, 0o600)
        with os.fdopen(handle, "w", encoding="ascii") as file:
            file.writelines(f"{key} {seconds:g}\n" for key in keys)


def end(worker: int, seconds: float, what: str) -> None:
    """Make the worker write its traceback, then kill it."""
    log_error(f"the worker {worker} has been at {what} for {seconds:g} seconds; it is ended")
    for number in (signal.SIGUSR1, signal.SIGKILL):
        # If the worker is gone this process has another parent, and another process may have the worker's id.
        if os.getppid() == worker:
            os.kill(worker, number)
            time.sleep(GRACE)


if __name__ == "__main__":
    # When the server is asked to stop it completes its current requests; this process ends when its worker does.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    watch(float(sys.argv[1]), os.getppid(), sys.argv[2])

"""The processes that serve the site: pages, the streams of news, and the worker that delivers messages.

`python -m builder.processes HOST` runs the last two, while another program serves the pages.
"""

import os
import signal
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from threading import Event, Thread

# Five threads of a worker answer no more requests than one would, but a cheap request need not wait even if four
# expensive ones come to the worker at once (tests/test_storm.py). Idle threads stay as long as their database
# connections. A worker that ends, or that has grown to over 512 MB, is replaced at once.
PAGES = ("--interface", "wsgi", "--workers", "2", "--blocking-threads", "5", "--blocking-threads-idle-timeout", "600",
         "--respawn-failed-workers", "--workers-max-rss", "512", "--workers-kill-timeout", "25")
# One worker serves all streams, and is replaced at once if it is killed. Each watcher is a request that stays open.
STREAMS = ("--interface", "asgi", "--workers", "1", "--backlog", "4096", "--backpressure", "20000",
           "--respawn-failed-workers", "--workers-max-rss", "512", "--workers-kill-timeout", "2")


def pages(host: str, port: int) -> list[str]:
    """Return the command that serves pages."""
    return ["-m", "granian", *PAGES, "--host", host, "--port", str(port), "builder.wsgi:application"]


def streams(host: str) -> list[str]:
    """Return the command that serves streams of news, on `LIVE_PORT`."""
    port = os.environ.get("LIVE_PORT") or "8001"
    return ["-m", "granian", *STREAMS, "--host", host, "--port", port, "builder.asgi:application"]


def worker() -> list[str]:
    """Return the command that delivers messages."""
    return ["-m", "django", "deliver", "--every", "2"]


def start(command: Sequence[str]) -> subprocess.Popen:
    """Start Python with the arguments of a command."""
    return subprocess.Popen([sys.executable, *command])  # noqa: S603 - the program's own


def stop(process: subprocess.Popen) -> None:
    """Stop a process and wait for its end. Granian ignores signals while it starts, so the signal is repeated."""
    while process.poll() is None:
        process.terminate()
        with suppress(subprocess.TimeoutExpired):
            process.wait(timeout=1)


def finish(command: Sequence[str]) -> int:
    """Run a command to its end and return its exit code; stop it if this process is stopped meanwhile."""
    process = start(command)
    try:
        return process.wait()
    finally:
        stop(process)


def _keep_running(command: Sequence[str], ended: Event) -> None:
    while not ended.is_set():
        process = start(command)
        while process.poll() is None and not ended.wait(0.1):
            pass
        if ended.is_set():
            stop(process)
        ended.wait(1)


@contextmanager
def supervised(*commands: Sequence[str]) -> Iterator[None]:
    """Run commands during the context; start each again a second after it ends."""
    ended = Event()
    threads = [Thread(target=_keep_running, args=(command, ended)) for command in commands]
    for thread in threads:
        thread.start()
    try:
        yield
    finally:
        ended.set()
        for thread in threads:
            thread.join()


def exit_when_told() -> None:
    """Raise SystemExit on SIGTERM, so that context managers exit and stop the processes they have started."""
    signal.signal(signal.SIGTERM, lambda *_signal: sys.exit(0))


if __name__ == "__main__":
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "builder.settings")
    exit_when_told()
    with suppress(KeyboardInterrupt), supervised(streams(sys.argv[1]), worker()):
        signal.pause()

"""A request that never ends costs one worker, which is replaced; the server goes on and says where it was."""

import http.client
import json
import os
import re
import shutil
import signal
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, closing, contextmanager

import pytest

from builder.watchdog import log_error
from tests.support.everyday import everyday
from tests.support.server import FILE, PATIENCE, ROOT, Server, migrated, until

pytestmark = pytest.mark.slow


class Stuck(Server):
    """A server with addresses that are stuck; none of them asks a database."""

    application = "tests.support.stuck.wsgi:application"

    def __init__(self, folder, **more):
        super().__init__(folder, DJANGO_SETTINGS_MODULE="tests.support.stuck.settings",
                         DATABASE_URL=f"sqlite:///{folder}/{FILE}", **more)

    def migrate(self, folder):
        """Lay down nothing."""

    def fill(self):
        return {"session": ""}

    @contextmanager
    def lines(self):
        """Return {worker: a connection to it}, once each of the two has answered in a hurry and has nothing to do."""
        with ExitStack() as ends:
            found = {}

            def met():
                line = ends.enter_context(closing(http.client.HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE)))
                ended = self.log.read_text()
                if answer := answered(line, "/who/?hurried"):
                    found[int(answer[1])] = line
                    # Before that the request counts as running, and one that holds the interpreter's lock keeps it so.
                    done = f"done in {answer[1]}\n"
                    until(lambda: self.log.read_text().count(done) > ended.count(done), self.said)
                return len(found) == 2
            until(met, self.said)
            yield found


class Charging(Stuck):
    """One that has a database to charge in."""

    def migrate(self, folder):
        """Lay down its tables."""
        shutil.copy(migrated(), folder)


def answered(line, address, of="198.51.100.7"):
    """Return (status, page) as somebody `of` a network address is answered, or None where the connection was cut."""
    try:
        line.request("GET", address, headers={"X-Forwarded-Proto": "https", "X-Forwarded-For": of})
        answer = line.getresponse()
        return answer.status, answer.read().decode()
    except (OSError, http.client.HTTPException):
        return None


@pytest.fixture(scope="module")
def stuck(tmp_path_factory):
    running = Stuck(tmp_path_factory.mktemp("stuck"))
    yield running
    running.stop(signal.SIGKILL)


@pytest.fixture
def server(stuck):
    """The server, with a log that begins now."""
    stuck.begun = len(stuck.log.read_text())
    return stuck


def test_a_worker_has_all_its_pages_before_it_serves(stuck):
    said = re.findall(r"all pages are there|Started worker", stuck.log.read_text())
    assert len(said) >= 4
    assert all(said[:n].count("Started worker") <= said[:n].count("all pages are there") for n in range(len(said) + 1))


# granian takes a worker for hopeless that ends soon after it took the place of another: the older one ends each time.
@pytest.mark.parametrize("path", everyday(["/held/a%0Ab/", "/endless/", "/slow/"], 2))
def test_a_worker_that_is_stuck_is_replaced_and_named_while_the_other_goes_on(path, server):
    older, younger = server.workers()
    with ThreadPoolExecutor(1) as pool, server.lines() as lines:
        stuck = pool.submit(answered, lines[older], f"{path}?hurried&secret=1")
        until(lambda: f"busy in {older}" in server.said(), server.said)
        assert [answered(lines[younger], "/health/") for _time in range(20)] == [(200, "ok")] * 20
        assert not stuck.done()
        os.kill(int(re.search(rf"{older} is watched by (\d+)", server.log.read_text())[1]), signal.SIGCONT)
        assert stuck.result() is None
    server.serves(1)
    with server.lines() as lines:
        assert list(lines) != [older, younger]
    assert server.workers()[0] == younger
    log = server.said()
    assert re.findall(r"the worker (\d+) has been at GET (\S+) for 0.2 seconds; it is ended", log) == [
        (str(older), path.replace("%0A", r"\n"))]
    assert "tests/support/stuck/urls.py" in log  # the way to it
    assert "secret" not in log


@pytest.mark.more
def test_the_next_worker_charges_whoever_asked_for_what_was_ended(tmp_path):
    running = Charging(tmp_path, BUDGET="1")
    try:
        older = running.workers()[0]
        with ThreadPoolExecutor(1) as pool, running.lines() as lines:
            stuck = pool.submit(answered, lines[older], "/held/x/?hurried", "203.0.113.9")
            until(lambda: f"busy in {older}" in running.said(), running.said)
            os.kill(int(re.search(rf"{older} is watched by (\d+)", running.said())[1]), signal.SIGCONT)
            assert stuck.result() is None
        running.serves(3)
        # What else was asked of it, by others, may have cost enough to be written, too.
        assert 0.2 in running.ask("used")
    finally:
        running.stop(signal.SIGKILL)


def test_its_lines_are_json_where_the_programs_are(capfd, monkeypatch):
    monkeypatch.setenv("LOG", "json")
    log_error('the worker 7 ended in GET /"a"/')
    said = json.loads(capfd.readouterr().err)
    assert (said["message"], said["level"], said["name"]) == (
        'the worker 7 ended in GET /"a"/', "ERROR", "builder.watchdog")


WORKER = """
import os, signal, sys, threading, time
from builder.watchdog import Watched

begun = threading.Semaphore(0)

def answer(environ, start_response):
    path = environ["PATH_INFO"]
    environ["builder.tell"](path)
    if path == "/reckons/":
        while time.thread_time() < 0.2:
            pass
    begun.release()
    while path == "/reckons/":
        pass
    if path != "/done/":
        threading.Event().wait()
    return []

watched = Watched(answer, 0.1, sys.argv[1])
watched.report(b"")
os.kill(watched.killer.pid, signal.SIGSTOP)
for path in sys.argv[2:]:
    asked = {"REQUEST_METHOD": "GET", "PATH_INFO": path}
    one = threading.Thread(target=lambda asked: watched(asked, None).close(), args=[asked])
    one.start()
    begun.acquire()
    if path == "/done/":
        one.join()
os.kill(watched.killer.pid, signal.SIGCONT)
"""


@pytest.mark.parametrize(("asked", "told", "payer"), [
    ("/done/ /stuck/ /young/", ["has been at GET /stuck/ for 0.1 seconds; it is ended", "ended in GET /young/"],
     "/stuck/"),
    ("/patient/ /reckons/", ["has been at GET /patient/ for 0.1 seconds; it is ended",
                             "ended in GET /reckons/, which kept the processor busy"], "/reckons/"),
])
def test_what_all_threads_of_a_worker_were_at_is_told_and_who_kept_it_busy_is_charged(asked, told, payer, tmp_path):
    words = [sys.executable, "-c", WORKER, str(tmp_path / "server-"), *asked.split()]
    done = subprocess.run(words, cwd=ROOT, stderr=subprocess.PIPE, text=True, check=False)
    assert done.returncode == -signal.SIGKILL
    assert re.findall(r"the worker \d+ (.+)", done.stderr) == told
    # By the next worker.
    assert [path.read_text() for path in tmp_path.glob("server-*.ended")] == [f"{payer} 0.1\n"]


def test_a_worker_that_is_killed_takes_only_its_own_request_along_and_comes_back(server, tmp_path):
    idle, busy = server.workers()
    with ThreadPoolExecutor(1) as pool, server.lines() as lines:
        waiting = pool.submit(answered, lines[busy], f"/slow/?until={tmp_path}/end")
        until(lambda: f"busy in {busy}" in server.said(), server.said)
        os.kill(idle, signal.SIGKILL)
        server.serves(1)
        (tmp_path / "end").touch()
        assert waiting.result() == (200, "done")
        waiting = pool.submit(answered, lines[busy], "/slow/")
        until(lambda: server.said().count(f"busy in {busy}") == 2, server.said)
        os.kill(busy, signal.SIGKILL)
        assert waiting.result() is None
    until(lambda: f"the worker {busy} ended in GET /slow/" in server.said(), server.said)
    server.serves(2)
    with server.lines() as lines:
        assert not {idle, busy} & set(lines)

"""A request that never ends costs one worker, which is replaced; the server goes on and says where it was."""

import json
import os
import re
import signal
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from builder.watchdog import say
from tests.support.server import ROOT, Server

pytestmark = pytest.mark.slow


class Stuck(Server):
    """A server with addresses that are stuck, and ten seconds for a request."""

    def start(self):
        self.environment |= {"REQUEST_SECONDS": "10", "DJANGO_SETTINGS_MODULE": "tests.support.stuck.settings"}
        super().start()

    def workers(self) -> set[int]:
        """The processes that serve, by what granian says of them."""
        spawned = re.findall(r"Spawning worker-\d with PID: (\d+)", self.log.read_text())
        return {int(one) for one in spawned if Path(f"/proc/{one}/exe").exists()}

    def busy(self) -> int | None:
        """The worker that said last that it is at something slow."""
        said = re.findall(r"slow in (\d+)", self.log.read_text())
        return int(said[-1]) if said else None


@pytest.fixture
def server(tmp_path, transactional_db):
    running = Stuck(tmp_path)
    yield running
    running.stop(signal.SIGKILL)


def answered(server, address):
    """(status, page) or None where the connection was cut."""
    try:
        return server.send("GET", address)
    except OSError:
        return None


def until(true, seconds=30):
    """Wait for something to come true; whether it did."""
    end = time.monotonic() + seconds
    while not (found := true()) and time.monotonic() < end:
        time.sleep(0.1)
    return found


def alive(server, count):
    """How many of so many questions, one after the other, were answered."""
    return [answered(server, "/health/") for _time in range(count)].count((200, "ok"))


@pytest.mark.parametrize("address", ["/held/a%0Ab/?secret=1", "/slow/?seconds=1000", "/endless/"])
def test_a_worker_that_is_stuck_is_replaced_and_named_while_the_other_goes_on(address, server):
    before = server.workers()
    assert len(before) == 2
    said = {"/held/a%0Ab/?secret=1": r"GET /held/a\nb/"}.get(address, f"GET {address.partition('?')[0]}")
    with ThreadPoolExecutor(20) as pool:
        stuck = pool.submit(answered, server, address)
        # Half of these wait behind the stuck one until it is ended, the other half is served at once.
        others = [pool.submit(answered, server, "/health/") for _time in range(16)]
        served = until(lambda: sum(one.done() and one.result() == (200, "ok") for one in others) >= 2, 9)
        assert served
        assert not stuck.done() or address == "/endless/"
        assert until(lambda: f"has been at {said} for 10 seconds; it is ended" in server.log.read_text())
        assert stuck.result() is None
    assert until(lambda: len(server.workers()) == 2 and server.workers() != before)
    assert len(server.workers() & before) == 1
    assert until(lambda: alive(server, 20) == 20)
    log = server.log.read_text()
    assert "tests/support/stuck/urls.py" in log  # the way to it
    assert "secret" not in log
    assert log.count("it is ended") == 1


def test_its_lines_are_json_where_the_programs_are(capfd, monkeypatch):
    monkeypatch.setenv("LOG", "json")
    say('the worker 7 ended in GET /"a"/')
    said = json.loads(capfd.readouterr().err)
    assert (said["message"], said["level"], said["name"]) == (
        'the worker 7 ended in GET /"a"/', "ERROR", "builder.watchdog")


def test_what_the_other_threads_of_a_worker_were_at_is_named_too():
    worker = """
import threading, time
from builder.watchdog import Watched

def answer(environ, start_response):
    time.sleep(float(environ["QUERY_STRING"]))
    return []

watched = Watched(answer, 2)

def ask(path, seconds, after):
    time.sleep(after)
    watched({"REQUEST_METHOD": "GET", "PATH_INFO": path, "QUERY_STRING": seconds}, None).close()

for asked in (("/stuck/", "60", 0), ("/young/", "60", 1), ("/done/", "0", 1)):
    threading.Thread(target=ask, args=asked).start()
"""
    done = subprocess.run([sys.executable, "-c", worker], cwd=ROOT, stderr=subprocess.PIPE, text=True, check=False)
    assert done.returncode == -signal.SIGKILL
    assert re.findall(r"the worker \d+ (.+)", done.stderr) == [
        "has been at GET /stuck/ for 2 seconds; it is ended", "ended in GET /young/"]


def test_what_takes_long_within_its_time_is_answered(server):
    before = server.workers()
    assert server.send("GET", "/slow/?seconds=5")[0] == 200
    # Longer than the ten seconds since it began.
    time.sleep(7)
    assert server.workers() == before
    assert "ended" not in server.log.read_text()


def test_a_worker_that_is_killed_takes_only_its_own_request_along_and_comes_back(server):
    before = server.workers()
    with ThreadPoolExecutor(1) as pool:
        waiting = pool.submit(answered, server, "/slow/?seconds=5")
        assert until(server.busy)
        [idle] = before - {server.busy()}
        os.kill(idle, signal.SIGKILL)
        assert waiting.result() == (200, "done")
        assert until(lambda: len(server.workers() - before) == 1)
        assert until(lambda: alive(server, 20) == 20)
        # granian takes a worker for hopeless that ends within seconds of its start.
        time.sleep(6)
        busy = server.log.read_text().count("slow in")
        waiting = pool.submit(answered, server, "/slow/?seconds=5")
        assert until(lambda: server.log.read_text().count("slow in") > busy)
        os.kill(server.busy(), signal.SIGKILL)
        assert waiting.result() is None
    assert until(lambda: f"the worker {server.busy()} ended in GET /slow/" in server.log.read_text())
    assert until(lambda: len(server.workers()) == 2 and server.busy() not in server.workers())
    assert until(lambda: alive(server, 20) == 20)

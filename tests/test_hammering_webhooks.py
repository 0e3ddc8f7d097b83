"""Workers that tell webhooks, as processes of their own: several at once, and some that are killed."""

import json
import signal
import subprocess
import sys
from collections import defaultdict
from concurrent.futures import ThreadPoolExecutor
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from itertools import pairwise
from threading import Condition, Thread

import pytest

from tests.support.server import PATIENCE, ROOT, Installation

pytestmark = pytest.mark.slow
HOOKS = 4


class Receivers(ThreadingHTTPServer):
    """All receivers of a test, each at a path of its own: what came there, and when."""

    daemon_threads = True

    def __init__(self):
        self.got, self.more = defaultdict(list), Condition()
        super().__init__(("127.0.0.1", 0), Receiver)
        self.origin = f"http://127.0.0.1:{self.server_port}"
        self.addresses = [f"{self.origin}/{one}" for one in range(HOOKS)]
        Thread(target=self.serve_forever, args=(0.01,), daemon=True).start()

    def names(self):
        """{path: names of the scenes that it was told of, in order}."""
        return {path: [int(name) for name, _time, _key in told] for path, told in self.got.items()}

    def wait_for(self, number):
        """Return once so much has come altogether."""
        with self.more:
            assert self.more.wait_for(lambda: sum(map(len, self.got.values())) >= number, PATIENCE)


class Receiver(BaseHTTPRequestHandler):
    def do_POST(self):
        told = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        with self.server.more:
            self.server.got[self.path].append((told["data"]["scene"]["name"], int(self.headers["webhook-timestamp"]),
                                               self.headers["webhook-id"]))
            self.server.more.notify_all()
        self.send_response(204)
        self.end_headers()

    def log_message(self, *_words):
        """Say nothing."""


@pytest.fixture
def receivers():
    with Receivers() as made:
        yield made
        made.shutdown()


@pytest.fixture
def site(tmp_path, transactional_db, receivers):
    """An installation with a party that has some webhooks, and no pause between two messages to one."""
    made = Installation(tmp_path)
    made.environment |= {"SITE_URL": "https://sheets.example.org", "TRUSTED_RECEIVERS": receivers.origin,
                         "WEBHOOK_SECONDS": "0"}
    made.migrate(tmp_path)
    made.ask("hooked", *receivers.addresses)
    return made


def test_several_workers_at_once_tell_each_receiver_all_of_it_exactly_once_and_in_order(site, receivers, full, figure):
    workers, events = (4, 2_000 // HOOKS) if full else (3, 20 // HOOKS)
    site.ask("happen", str(events))
    with ThreadPoolExecutor(workers) as pool:
        done = list(pool.map(lambda _number: site.command("deliver"), range(workers)))
    assert [(one.returncode, one.stderr) for one in done] == [(0, "")] * workers
    assert receivers.names() == {f"/{one}": [*range(events)] for one in range(HOOKS)}
    assert site.ask("mailed") == {"sent": HOOKS * events}
    figure(f"{workers} workers, {HOOKS} receivers: {HOOKS * events} messages, each once and in order")


def test_workers_that_are_killed_lose_nothing_and_keep_the_order(site, receivers, full):
    kills, events = (8, 2_000 // HOOKS) if full else (2, 20 // HOOKS)
    site.ask("happen", str(events))
    for kill in range(1, kills + 1):
        worker = subprocess.Popen([sys.executable, "manage.py", "deliver", "--every", "1"], cwd=ROOT,
                                  env=site.environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        receivers.wait_for(kill * 3)
        worker.kill()
        assert worker.wait() == -signal.SIGKILL
        site.ask("mailed", "later")
    assert site.command("deliver").returncode == 0
    for told in receivers.got.values():
        # Whoever was told twice was told the same: the id says so.
        names = [int(name) for name, _time, _key in dict.fromkeys((name, 0, key) for name, _time, key in told)]
        assert names == [*range(events)]
    assert sum(map(len, receivers.got.values())) <= HOOKS * events + kills


def test_a_receiver_is_sent_at_most_one_message_a_second(site, receivers):
    site.environment["WEBHOOK_SECONDS"] = "1"
    site.ask("happen", "5")
    worker = subprocess.Popen([sys.executable, "manage.py", "deliver", "--every", "1"], cwd=ROOT,
                              env=site.environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    receivers.wait_for(HOOKS * 5)
    worker.terminate()
    assert worker.wait(PATIENCE) == 0
    assert receivers.names() == {f"/{one}": [*range(5)] for one in range(HOOKS)}
    times = [[time for _name, time, _key in told] for told in receivers.got.values()]
    assert all(before < after for each in times for before, after in pairwise(each))

"""Receivers on loopback that settings allow, webhooks or a push service, and workers that send to them."""

import signal
import subprocess
import sys
from collections import defaultdict
from contextlib import ExitStack, contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from math import inf
from threading import Condition, Thread

import pytest

from tests.support.server import PATIENCE, ROOT

RECEIVERS = 4


class Receivers(ThreadingHTTPServer):
    """All receivers of a test, each at a path of its own: the (body, headers) of what came there."""

    daemon_threads = True

    def __init__(self):
        self.got, self.more = defaultdict(list), Condition()
        self.before_held, self.arrives, self.held = inf, True, False
        super().__init__(("127.0.0.1", 0), Receiver)
        self.origin = f"http://127.0.0.1:{self.server_port}"
        self.addresses = [f"{self.origin}/{one}" for one in range(RECEIVERS)]
        Thread(target=self.serve_forever, args=(0.01,), daemon=True).start()

    def number(self):
        """Return the number of all that has come."""
        return sum(map(len, self.got.values()))

    def wait_for(self, number):
        """Return once so much has come altogether."""
        with self.more:
            assert self.more.wait_for(lambda: self.number() >= number, PATIENCE)

    def kill_sender(self, site, after, *, arrives):
        """Have a worker answered so often, and kill it while it waits for the next answer.

        What it has sent last has arrived, or was lost on the way.
        """
        self.before_held, self.arrives = after, arrives
        sender = worker(site)
        with self.more:
            assert self.more.wait_for(lambda: self.held, PATIENCE)
            sender.kill()
            assert sender.wait() == -signal.SIGKILL
            self.before_held, self.held = inf, False
            self.more.notify_all()


class Receiver(BaseHTTPRequestHandler):
    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"]))
        with (server := self.server).more:
            last = server.before_held == 0
            server.before_held, server.held = server.before_held - 1, server.held or last
            if server.arrives or not last:
                server.got[self.path].append((body, self.headers))
            server.more.notify_all()
            if last:
                assert server.more.wait_for(lambda: not server.held, PATIENCE)
                return
        self.send_response(201)
        self.end_headers()

    def log_message(self, *_words):
        """Say nothing."""


@pytest.fixture
def receivers():
    with Receivers() as made:
        yield made
        made.shutdown()


def worker(site):
    """Begin a worker of an installation, which goes on until it is ended."""
    return subprocess.Popen([sys.executable, "manage.py", "deliver", "--every", "1"], cwd=ROOT, env=site.environment,
                            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


@contextmanager
def several(site, number):
    """So many workers are at work meanwhile, and end as they should."""
    with ExitStack() as ends:
        senders = [worker(site) for _number in range(number)]
        for one in senders:
            ends.callback(one.wait, PATIENCE)
            ends.callback(one.terminate)
        yield
    # One that had not begun yet is ended by the signal itself.
    assert {one.returncode for one in senders} <= {0, -signal.SIGTERM}

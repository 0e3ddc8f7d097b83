"""Receivers on loopback that settings allow, webhooks or a push service, and workers that send to them."""

import subprocess
import sys
from collections import defaultdict
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Condition, Thread

import pytest

from tests.support.server import PATIENCE, ROOT

RECEIVERS = 4


class Receivers(ThreadingHTTPServer):
    """All receivers of a test, each at a path of its own: the (body, headers) of what came there."""

    daemon_threads = True

    def __init__(self):
        self.got, self.more = defaultdict(list), Condition()
        super().__init__(("127.0.0.1", 0), Receiver)
        self.origin = f"http://127.0.0.1:{self.server_port}"
        self.addresses = [f"{self.origin}/{one}" for one in range(RECEIVERS)]
        Thread(target=self.serve_forever, args=(0.01,), daemon=True).start()

    def number(self):
        """How much has come altogether."""
        return sum(map(len, self.got.values()))

    def wait_for(self, number):
        """Return once so much has come altogether."""
        with self.more:
            assert self.more.wait_for(lambda: self.number() >= number, PATIENCE)


class Receiver(BaseHTTPRequestHandler):
    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"]))
        with self.server.more:
            self.server.got[self.path].append((body, self.headers))
            self.server.more.notify_all()
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

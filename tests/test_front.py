"""Debian's nginx in front of the program, with docs/deploy's file: what reaches the workers, and what does not."""

import http.client
import re
import shutil
import signal
import socket
import subprocess
import time
import uuid
from contextlib import ExitStack, closing
from functools import cache
from pathlib import Path

import pytest

from tests.support.builder.held import lacking
from tests.support.hostile_requests import EXACT
from tests.support.server import ROOT, Server
from tests.support.streams import Live

pytestmark = pytest.mark.slow

SHOWN = "docs/deploy/nginx.conf"
HELD = "POST /validate/ HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: text/plain\r\nContent-Length: 1000\r\n\r\n{"
"""A request that never comes to its end."""


class Front(Server):
    """The server, and nginx before it with the documented file; ports, name and certificate are the test's."""

    def __init__(self, folder):
        self.folder = Path(folder)
        self.front, self.streams = free_port(), free_port()
        super().__init__(folder)

    def start(self):
        """With a budget that few dear requests use up."""
        self.environment["BUDGET"] = "1"
        super().start()

    def begin(self):
        """Starts nginx."""
        text = re.sub(r"server \{\s+listen 80;.*?\n\}\n", "", (ROOT / SHOWN).read_text(), flags=re.DOTALL)
        for old, new in (("listen 443 ssl", f"listen 127.0.0.1:{self.front} ssl"),
                         ("127.0.0.1:8000", f"127.0.0.1:{self.port}"),
                         ("127.0.0.1:8001", f"127.0.0.1:{self.streams}"), ("sheets.example.org;", "127.0.0.1;"),
                         ("/var/www/html", str(ROOT / "docs/deploy"))):
            assert old in text
            text = text.replace(old, new)
        text = re.sub(r"/etc/letsencrypt/\S+/(\w+\.pem)", rf"{self.folder}/\1", text)
        subprocess.run([shutil.which("openssl"), "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2",
                        "-subj", "/CN=127.0.0.1", "-keyout", self.folder / "privkey.pem",
                        "-out", self.folder / "fullchain.pem"],
                       check=True, capture_output=True)
        whole = self.folder / "nginx.conf"
        whole.write_text(f"daemon off; pid {self.folder}/nginx.pid; error_log {self.folder}/nginx.log;\n"
                         "events {}\nhttp {\naccess_log off;\n" + "".join(
                             f"{one}_temp_path {self.folder}/{one};\n"
                             for one in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")) + text + "}\n")
        program = shutil.which("nginx") or "/usr/sbin/nginx"
        self.nginx = subprocess.Popen([program, "-e", self.folder / "nginx.log", "-c", whole, "-p", self.folder])
        for _try in range(200):
            try:
                if self.through("GET", "/health/")[0] == 200:
                    return
            except OSError:
                time.sleep(0.05)
        raise AssertionError((self.folder / "nginx.log").read_text())

    def straight(self, address, **headers):
        """The status of a request past nginx, said to come by https."""
        with closing(http.client.HTTPConnection("127.0.0.1", self.port, timeout=30)) as caller:
            caller.request("GET", address, headers={"Host": "127.0.0.1", "X-Forwarded-Proto": "https", **headers})
            return caller.getresponse().status

    def through(self, method, address, headers=(), body=None):
        """(status, headers, page) of a request as a browser's reaches nginx."""
        with closing(self.calling()) as caller:
            caller.request(method, address, body, dict(headers))
            answer = caller.getresponse()
            return answer.status, answer.headers, answer.read().decode()

    def calling(self, **options):
        return http.client.HTTPSConnection("127.0.0.1", self.front, timeout=30, context=trusting(), **options)

    def slowly(self, text=HELD):
        """A client that says this much and then nothing for long."""
        line = trusting().wrap_socket(socket.create_connection(("127.0.0.1", self.front)))
        line.sendall(text.encode())
        return line


def free_port():
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return free.getsockname()[1]


@cache
def trusting():
    """Of the test's own certificate."""
    context = http.client.ssl.create_default_context()
    context.check_hostname, context.verify_mode = False, http.client.ssl.CERT_NONE
    return context


@pytest.fixture
def front(tmp_path, transactional_db):
    with ExitStack() as ends:
        running = Front(tmp_path)
        ends.callback(running.stop)
        running.begin()
        ends.callback(running.nginx.wait)
        ends.callback(running.nginx.terminate)
        yield running


def test_slow_clients_hold_no_worker(front):
    with ExitStack() as held:
        # Straight at the program ten of them hold all threads; that is what the one in front is for.
        for _client in range(14):
            held.enter_context(front.slowly())
            held.enter_context(front.slowly("GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n"))
        time.sleep(1)
        assert [front.through("GET", "/health/")[0] for _time in range(30)] == [200] * 30
        assert front.through("GET", "/")[0] == 200


def test_news_comes_through_as_it_is_told(front):
    (table,) = front.ask("tables", "1", "1")
    live = Live(front, front.streams)
    try:
        line = front.slowly(f"GET /live/table/{table['party']}/ HTTP/1.1\r\nHost: 127.0.0.1\r\n"
                            f"Cookie: sessionid={table['sessions'][0]}\r\n\r\n")
        with line, line.makefile() as heard:
            assert heard.readline().split()[1] == "200"
            words = (one.strip() for one in heard if one.startswith("data: "))
            before = next(words)
            assert front.send("POST", f"/sheets/{table['sheet']}/play/", session=table["sessions"][0],
                              w="roll-attack-attacks-0", _press=str(uuid.uuid4()))[0] == 302
            assert next(words) != before
    finally:
        live.stop()


def test_headers_with_underscores_do_not_reach_the_program(front):
    forged = {"X_Forwarded_Proto": "http", "X_Forwarded_For": "1.2.3.4"}
    # Believed, the first of them leads to https; straight at the program it is.
    assert (front.straight("/", **forged), front.through("GET", "/", forged)[0]) == (301, 200)


def test_no_header_makes_somebody_another_address(front):
    # Straight at the program each of them is another one, whose budget is whole.
    for number in range(10):
        assert front.straight(EXACT[0], X_Forwarded_For=f"203.0.113.{number}") == 200
    # The first refusal itself is looked at: the budget fills again while one asks once more.
    for number in range(100):
        there = f"203.0.113.{number}"
        names = ("X_Forwarded_For", "X-Forwarded-For", "X-Forwarded_For", "X-Real-IP")
        forged = dict.fromkeys(names, there) | {"Forwarded": f"for={there}"}
        status, headers, _page = front.through("GET", EXACT[0], forged)
        if status != 200:
            break
    assert (status, "Retry-After" in headers) == (429, True)


@pytest.mark.parametrize(("address", "taken"), [
    ("/sheets/{key}/picture/", True), ("/parties/{key}/handouts/", True), ("/parties/{key}/", False)])
def test_a_picture_of_8_mb_comes_through_where_pictures_are_brought_and_nowhere_else(front, address, taken):
    status = front.through("POST", address.format(key=uuid.uuid4()), body=bytes(8 * 2**20 + 2**16))[0]
    # The program knows none of these.
    assert (status != 413) == taken


def test_a_flood_of_requests_is_refused_before_the_program_and_hits_no_other_address(front):
    def ask(address, times):
        with closing(front.calling(source_address=(address, 0))) as caller:
            for _time in range(times):
                caller.request("GET", "/health/ready/")
                answer = caller.getresponse()
                answer.read()
                yield answer.status

    # Who may not ask this is refused by nginx itself, so that the program is no brake.
    answers = list(ask("127.0.0.2", 600))
    assert (set(answers), answers[:100]) == ({403, 429}, [403] * 100)
    assert list(ask("127.0.0.1", 5)) == [200] * 5


def test_more_connections_of_one_address_than_a_table_has_are_refused(front):
    def healthy():
        time.sleep(0.5)
        return front.through("GET", "/health/")[0]

    with ExitStack() as held:
        for _client in range(39):
            held.enter_context(front.slowly())
        assert healthy() == 200
        held.enter_context(front.slowly())
        assert healthy() == 429
    assert healthy() == 200


def test_where_the_program_does_not_answer_people_read_a_page_that_says_so(front):
    front.stop(signal.SIGKILL)
    for method in ("GET", "POST"):
        status, headers, page = front.through(method, "/sheets/")
        assert (status, headers["Retry-After"]) == (503, "5")
        assert lacking(page, "Versuch es gleich noch einmal", "try again in a moment") == []
    front.start()
    assert front.through("GET", "/")[0] == 200

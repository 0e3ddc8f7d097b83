"""Debian's nginx in front of the program, with docs/deploy's file: what reaches the workers, and what does not."""

import http.client
import re
import shutil
import signal
import socket
import subprocess
import uuid
from contextlib import ExitStack, closing
from functools import cache
from itertools import islice
from pathlib import Path

import pytest

from tests.support.hostile_requests import EXACT
from tests.support.server import FORMS, PATIENCE, ROOT, SESSION, TOKEN, Server, exchange, free_port, replaced, until
from tests.support.streams import Live

pytestmark = [pytest.mark.slow, pytest.mark.database("sqlite")]

SHOWN = "docs/deploy/nginx.conf"


class Front(Server):
    """The server, and nginx before it with the documented file; ports, name and certificate are the test's."""

    def __init__(self, folder):
        self.folder, self.front, self.streams = Path(folder), free_port(), free_port()
        # A budget that few dear requests use up.
        super().__init__(folder, BUDGET="1")
        self.sources = (f"127.0.1.{number}" for number in range(1, 250))
        self.comes_from_elsewhere()

    def comes_from_elsewhere(self):
        """Let whoever asks from now on have used up nothing of what an address may."""
        self.source = next(self.sources)
        return self

    def begin(self):
        """Start nginx; that the machine is slow ends nothing, and gives nobody another request."""
        text = (ROOT / SHOWN).read_text()
        text = re.sub(r"server \{\s+listen 80;.*?\n\}\n", "", text, flags=re.DOTALL)
        text = replaced(text, [
            ("listen 443 ssl", f"listen 127.0.0.1:{self.front} ssl"), ("127.0.0.1:8000", f"127.0.0.1:{self.port}"),
            ("127.0.0.1:8001", f"127.0.0.1:{self.streams}"), ("sheets.example.org;", "127.0.0.1;"),
            ("/var/www/html", str(ROOT / "docs/deploy")), ("rate=20r/s", "rate=1r/s")])
        text = re.sub(r"(\w+_timeout) \d+s;", r"\1 600s;", text)
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
        until(lambda: self.through("GET", "/health/")[0] == 200, (self.folder / "nginx.log").read_text)
        return self

    def line(self, source):
        """Return a connection of a browser at an address."""
        return http.client.HTTPSConnection("127.0.0.1", self.front, timeout=PATIENCE, context=trusting(),
                                           source_address=(source, 0))

    def through(self, method, address, headers=(), body=None):
        """Return (status, headers, page) of a request as a browser's reaches nginx."""
        return exchange(self.line(self.source), method, address, body, headers)

    def straight(self, address, **headers):
        """Return the status of one that comes to the program past nginx."""
        line = http.client.HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE)
        return exchange(line, "GET", address, headers={"Host": "127.0.0.1", "X-Forwarded-Proto": "https", **headers})[0]

    def slowly(self, text):
        """Return the line of a client that says this much and then nothing for long."""
        line = socket.create_connection(("127.0.0.1", self.front), PATIENCE, source_address=(self.source, 0))
        line = trusting().wrap_socket(line)
        line.sendall(text.encode())
        return line


@cache
def trusting():
    """Of the test's own certificate."""
    context = http.client.ssl.create_default_context()
    context.check_hostname, context.verify_mode = False, http.client.ssl.CERT_NONE
    return context


@pytest.fixture(scope="module")
def fronted(serve):
    running = serve(Front)
    try:
        yield running.begin()
    finally:
        running.nginx.terminate()
        running.nginx.wait()


@pytest.fixture
def front(fronted):
    return fronted.comes_from_elsewhere()


# A form of somebody who may send it, which the program reads whole before it does anything else.
HEAD = ("POST /validate/ HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/x-www-form-urlencoded\r\n"
        f"Origin: https://127.0.0.1\r\nCookie: {FORMS}={TOKEN}\r\nContent-Length: 1000\r\n\r\na=")


def test_slow_clients_hold_no_worker(front):
    with ExitStack() as held:
        # Straight at the program ten of them hold all threads; that is what the one in front is for.
        for _client in range(14):
            held.enter_context(front.slowly(HEAD))
            held.enter_context(front.slowly("GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n"))
        assert [front.through("GET", "/health/")[0] for _time in range(30)] == [200] * 30
        assert front.through("GET", "/")[0] == 200


def test_news_comes_through_as_it_is_told(front):
    (table,) = front.ask("tables", "1", "1")
    live = Live(front, front.streams)
    try:
        line = front.slowly(f"GET /live/table/{table['party']}/ HTTP/1.1\r\nHost: 127.0.0.1\r\n"
                            f"Cookie: {SESSION}={table['sessions'][0]}\r\n\r\n")
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
    assert front.straight("/", **forged) == 301
    assert front.through("GET", "/", forged)[0] == 200


def test_no_header_makes_somebody_another_address(front):
    def forged(number):
        there = f"203.0.113.{number}"
        return {"X_Forwarded_For": there, "X-Forwarded-For": there, "X-Forwarded_For": there, "X-Real-IP": there,
                "Forwarded": f"for={there}"}
    # Straight at the program each of them is another one, whose budget is whole.
    assert [front.straight(EXACT[0], X_Forwarded_For=f"203.0.113.{number}") for number in range(10)] == [200] * 10
    # The first refusal itself is looked at: the budget fills again while one asks once more.
    for number in range(100):
        status, headers, _page = front.through("GET", EXACT[0], forged(number))
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
    def ask(source):
        with closing(front.line(source)) as line:
            while True:
                line.request("GET", "/health/ready/")
                answer = line.getresponse()
                answer.read()
                yield answer.status
    # Who may not ask this is refused by nginx itself, so that the program is no brake.
    with closing(ask(front.source)) as flood:
        assert {*islice(flood, 100)} == {403}
        assert next(status for status in islice(flood, 500) if status != 403) == 429
    with closing(ask("127.0.0.1")) as others:
        assert {*islice(others, 5)} == {200}


def test_more_connections_of_one_address_than_a_table_has_are_refused(front):
    def answered(status):
        until(lambda: front.through("GET", "/health/")[0] == status)
    with ExitStack() as held:
        for _client in range(39):
            held.enter_context(front.slowly(HEAD))
        with front.slowly(HEAD):
            answered(429)
        # Too many at once, not too many one after the other.
        assert "limiting connections" in (front.folder / "nginx.log").read_text()
        answered(200)
    answered(200)


@pytest.mark.more
def test_where_the_program_does_not_answer_people_read_a_page_that_says_so(front):
    front.stop(signal.SIGKILL)
    for method in ("GET", "POST"):
        status, headers, page = front.through(method, "/sheets/")
        assert (status, headers["Retry-After"]) == (503, "5")
        assert "Versuch es gleich noch einmal" in page
        assert "try again in a moment" in page
    front.start()
    assert front.through("GET", "/")[0] == 200

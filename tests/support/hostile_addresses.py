"""Addresses that lead inside by their form or by what their name is resolved to; servers that answer as they like."""

import socket
import socketserver
import threading
import time

import pytest

from sheets.outbox import connect

PUBLIC, OTHER = "93.184.216.34", "2606:2800:220:1:248:1893:25c8:1946"
FORMS = [
    "http://hook.example/x", "ftp://hook.example/x", "//hook.example/x", "hook.example", "", "https://", "https:///x",
    "https://hook.example:8443/x", "https://hook.example:80/x", "https://hook.example:/x", "https://hook.example:443x/",
    "https://hook.example:99999/", "https://user@hook.example/x", "https://user:secret@hook.example/x",
    "https://hook.example@127.0.0.1/", "https://127.0.0.1@hook.example/", "https://@hook.example/",
    "https://hook.example\\@127.0.0.1/", "https://hook.example/\r\nHost: inside", "https://hook.example/a b",
    "https://hook.example/\x00", "https://hook.example/ü", " https://hook.example/", "https://hook.example/\t",
    "javascript:alert(1)", "file:///etc/passwd", "gopher://127.0.0.1:6379/_x", "https://hook.example/" + "a" * 1000,
    # Names that only stand for what is inside, and numbers in forms that some resolvers read.
    "https://localhost/", "https://LOCALHOST/", "https://intranet/", "https://①②⑦.0.0.1/", "https://１２７.0.0.1/",
    "https://127。0。0。1/", "https://127.0.0.1/", "https://127.0.0.1./", "https://127.1/", "https://2130706433/",
    "https://0x7f000001/", "https://0x7f.0.0.1/", "https://0177.0.0.1/", "https://017700000001/", "https://127.0.1/",
    "https://0/", "https://0.0.0.0/", "https://10.0.0.1/", "https://172.16.0.1/", "https://192.168.0.1/",
    "https://169.254.169.254/latest/meta-data/", "https://100.64.0.1/", "https://168.63.129.16/", "https://192.0.0.8/",
    "https://224.0.0.1/", "https://255.255.255.255/", "https://[::1]/", "https://[::]/", "https://[::ffff:127.0.0.1]/",
    "https://[::ffff:7f00:1]/", "https://[::127.0.0.1]/", "https://[64:ff9b::7f00:1]/", "https://[64:ff9b:1::a00:1]/",
    "https://[2002:7f00:1::]/", "https://[fec0::1]/", "https://[fe80::1]/", "https://[fe80::1%25eth0]/",
    "https://[fc00::1]/", "https://[ff02::1]/", "https://[ff0e::1]/", "https://[::ffff:10.0.0.1]/", "https://[::1/",
    "https://[v1.x]/", "https://::1/", "https://hook..example/", "https://-hook.example/", "https://hook.example../",
    "https://%31%32%37.0.0.1/", "https://hook.example%00.inside/", "https://hook.example#@127.0.0.1/ x",
]
INSIDE = [
    "127.0.0.1", "127.8.9.1", "0.0.0.0",  # noqa: S104 - an answer
    "10.1.2.3", "172.31.0.1", "192.168.1.1", "169.254.169.254", "100.64.0.1",
    "168.63.129.16", "192.0.0.1", "192.0.0.9", "192.0.0.170", "198.18.0.1", "203.0.113.1", "224.0.0.1", "239.1.2.3",
    "240.0.0.1", "255.255.255.255", "::", "::1", "::7f00:1", "::5db8:d822", "::ffff:127.0.0.1", "::ffff:10.0.0.1",
    "::ffff:168.63.129.16", "64:ff9b::7f00:1", "64:ff9b::5db8:d822", "64:ff9b:1::5db8:d822", "2002:7f00:1::",
    "2002:5db8:d822::1", "fec0::1", "fe80::1", "fe80::1%eth0", "fc00::1", "fd12:3456::1", "ff02::1", "ff0e::1",
    "2001:db8::1", "100::1", "no address", "",
]


class Resolver:
    """Stands in for the resolver: gives a list of answers each time it is asked, and the last one ever after."""

    def __init__(self, *answers):
        self.answers, self.asked = list(answers), []

    def __call__(self, host, port, **_kind):
        self.asked.append(host)
        now = self.answers.pop(0) if len(self.answers) > 1 else self.answers[0]
        return [(socket.AF_INET6 if ":" in one else socket.AF_INET, socket.SOCK_STREAM, 6, "", (one, port))
                for one in now]


class Refusing(socket.socket):
    """A socket that notes where it is to connect to, and cannot."""

    asked = []

    def connect(self, where):
        if self.type == socket.SOCK_DGRAM:
            super().connect(where)
        else:
            self.asked.append(where[0])
            raise ConnectionRefusedError(111, "refused")


@pytest.fixture
def resolver(monkeypatch):
    """Has names answered as the test says, and notes connections instead of making them."""
    monkeypatch.setattr(Refusing, "asked", [])
    monkeypatch.setattr(connect.socket, "socket", Refusing)

    def answer(*answers):
        stand_in = Resolver(*answers)
        monkeypatch.setattr(connect.socket, "getaddrinfo", stand_in)
        return stand_in

    return answer


def drip(out):
    """Send a header that never ends, a byte at a time."""
    out.sendall(b"HTTP/1.1 200 OK\r\nX: ")
    while True:
        out.sendall(b"x")
        time.sleep(0.01)


def endless(out):
    """Answer at once, with a body that never ends."""
    out.sendall(b"HTTP/1.1 200 OK\r\n\r\n")
    while True:
        out.sendall(b"x" * 65536)


def server(settings, answer):
    """Run a server on loopback that the settings allow; `answer` is given each connection and the request's head."""

    class Handler(socketserver.BaseRequestHandler):
        def handle(self):
            read = b""
            while b"\r\n\r\n" not in read and (more := self.request.recv(4096)):
                read += more
            self.server.got.append(read)
            try:
                answer(self.request)
            except OSError:
                self.server.hung_up.set()

    found = socketserver.ThreadingTCPServer(("127.0.0.1", 0), Handler)
    found.daemon_threads, found.got, found.hung_up = True, [], threading.Event()
    threading.Thread(target=found.serve_forever, args=(0.01,), daemon=True).start()
    found.address = f"http://127.0.0.1:{found.server_address[1]}"
    settings.TRUSTED_RECEIVERS = [found.address]
    return found


@pytest.fixture
def served(settings):
    """Starts servers as `server` has it, and ends them."""
    started = []

    def start(answer):
        started.append(server(settings, answer))
        return started[-1]

    yield start
    for one in started:
        one.shutdown()
        one.server_close()

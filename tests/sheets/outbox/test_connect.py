"""The only way out: whatever address people give and whatever answers there, nothing inside is reached, and it ends."""

import socket
import socketserver
import threading
import time

import pytest

from sheets.outbox import connect
from sheets.outbox.connect import NoAnswer, NotAllowed, destination_of, is_allowed, post

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


def server(monkeypatch, settings, answer):
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
def served(monkeypatch, settings):
    """Starts servers as `server` has it, and ends them."""
    started = []

    def start(answer):
        started.append(server(monkeypatch, settings, answer))
        return started[-1]

    yield start
    for one in started:
        one.shutdown()
        one.server_close()


@pytest.mark.parametrize("address", FORMS)
def test_an_address_of_a_hostile_form_is_refused_and_its_name_is_not_even_asked_for(resolver, address):
    stand_in = resolver([PUBLIC])
    with pytest.raises(NotAllowed):
        post(address, b"x", {})
    assert (stand_in.asked, Refusing.asked) == ([], [])


@pytest.mark.parametrize("inside", INSIDE)
def test_a_name_is_refused_if_any_of_its_answers_is_inside(resolver, inside):
    for answers in ([inside], [PUBLIC, inside], [inside, PUBLIC], [OTHER, PUBLIC, inside]):
        resolver(answers)
        with pytest.raises(NotAllowed):
            post("https://hook.example/x", b"x", {})
    assert Refusing.asked == []


def test_a_name_is_resolved_once_and_only_its_answers_are_connected_to(resolver):
    stand_in = resolver([PUBLIC, OTHER], ["127.0.0.1"])
    with pytest.raises(NoAnswer, match="refused"):
        post("https://hook.example/x", b"x", {})
    assert (stand_in.asked, Refusing.asked) == (["hook.example"], [PUBLIC, OTHER])


def test_what_is_public_is_allowed():
    assert [one for one in (PUBLIC, OTHER, "1.1.1.1", f"::ffff:{PUBLIC}") if not is_allowed(one)] == []
    assert destination_of("https://Hook.Example./a?b=c#d") == (True, "hook.example", 443, "/a?b=c", False)
    assert destination_of("https://xn--bcher-kva.example:443").authority == "xn--bcher-kva.example"


def test_an_address_of_the_machine_itself_is_refused_although_it_is_public(monkeypatch):
    class Own(socket.socket):
        def connect(self, where):
            self.mine = where[0]

        def getsockname(self):
            return (self.mine, 40000)

    monkeypatch.setattr(connect.socket, "socket", Own)
    assert not is_allowed(PUBLIC)


def test_the_request_is_what_it_says_and_the_answers_status_is_returned(served, monkeypatch):
    monkeypatch.setenv("HTTP_PROXY", "http://127.0.0.1:9")
    monkeypatch.setenv("ALL_PROXY", "http://127.0.0.1:9")
    there = served(lambda out: out.sendall(b"HTTP/1.1 103 Early\r\nLink: x\r\n\r\nHTTP/1.1 204 None\r\n\r\n"))
    assert post(f"{there.address}/in?a=b", b"{}", {"Content-Type": "application/json"}) == 204
    head, _, body = there.got[0].partition(b"\r\n\r\n")
    assert head.split(b"\r\n")[:2] == [b"POST /in?a=b HTTP/1.1", b"Host: " + there.address[7:].encode()]
    assert (b"Content-Type: application/json" in head, body) == (True, b"{}")


def test_a_redirect_is_not_followed(served):
    inside = served(lambda out: out.sendall(b"HTTP/1.1 200 OK\r\n\r\n"))
    there = served(lambda out: out.sendall(
        b"HTTP/1.1 307 There\r\nLocation: " + inside.address.encode() + b"/\r\n\r\n"))
    assert (post(there.address, b"", {}), inside.got) == (307, [])


def test_other_origins_than_those_of_the_settings_stay_inside(served):
    there = served(lambda out: out.sendall(b"HTTP/1.1 200 OK\r\n\r\n"))
    for other in (f"{there.address}0/", there.address.replace("127.0.0.1", "localhost"), f"{there.address[:-1]}/",
                  there.address.replace("http:", "https:"), there.address.replace("//", "//a@")):
        with pytest.raises(NotAllowed):
            post(other, b"", {})
    assert there.got == []


@pytest.mark.parametrize(("header", "value"), [("X-A", "b\r\nHost: inside"), ("X-A\r\nX-B", "b"), ("X-A", "ü")])
def test_no_header_brings_another(served, header, value):
    there = served(lambda out: None)
    with pytest.raises(NotAllowed):
        post(there.address, b"", {header: value})
    assert there.got == []


@pytest.mark.parametrize("answer", [
    b"", b"HTTP/1.1 200 OK\r\n", b"HTTP/1.1 200", b"SSH-2.0-OpenSSH\r\n\r\n", b"HTTP/1.1 abc\r\n\r\n", b"\r\n\r\n",
    b"HTTP/1.1 20000\r\n\r\n", b"HTTP/2 200\r\n\r\n", b"HTTP/1.1 600 x\r\n\r\n", b"\x16\x03\x01\x02\x00\r\n\r\n",
    b"HTTP/1.1 200 OK\r\nX: " + b"x" * 4096 + b"\r\n\r\n", b"HTTP/1.1 100 Continue\r\n\r\n" * 200, b"x" * 100_000,
])
def test_an_answer_that_is_none_or_too_long_is_none(served, answer):
    with pytest.raises(NoAnswer):
        post(served(lambda out: out.sendall(answer)).address, b"", {})


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


def test_an_answer_that_does_not_end_is_given_up_by_the_clock(served, monkeypatch):
    monkeypatch.setattr(connect, "SECONDS", 0.3)
    there, begun = served(drip), time.monotonic()
    with pytest.raises(NoAnswer, match="in time"):
        post(there.address, b"", {})
    assert time.monotonic() - begun < 5
    assert there.hung_up.wait(30)


def test_a_receiver_that_takes_nothing_or_says_nothing_is_given_up_by_the_clock(served, monkeypatch):
    monkeypatch.setattr(connect, "SECONDS", 0.3)
    there = served(lambda out: out.recv(1) and time.sleep(0.01))
    listening = socket.create_server(("127.0.0.1", 0))
    connect.settings.TRUSTED_RECEIVERS = [f"http://127.0.0.1:{listening.getsockname()[1]}", there.address]
    for address in connect.settings.TRUSTED_RECEIVERS:
        with pytest.raises(NoAnswer):
            post(address, b"x" * 50_000_000, {})
    listening.close()


def test_of_a_body_without_an_end_nothing_is_waited_for(served):
    there = served(endless)
    assert post(there.address, b"", {}) == 200
    assert there.hung_up.wait(30)


def test_a_resolver_that_says_nothing_is_given_up_by_the_clock(monkeypatch):
    monkeypatch.setattr(connect, "SECONDS", 0.2)
    asked = threading.Event()
    monkeypatch.setattr(connect.socket, "getaddrinfo", lambda *_, **__: [asked.wait(60)][:0])
    with pytest.raises(NoAnswer, match="resolved in time"):
        post("https://hook.example/x", b"", {})
    asked.set()


def test_a_name_without_an_address_is_no_answer(monkeypatch):
    def nobody(*_, **__):
        raise socket.gaierror(-2, "Name or service not known")

    monkeypatch.setattr(connect.socket, "getaddrinfo", nobody)
    with pytest.raises(NoAnswer, match="cannot be resolved"):
        post("https://hook.example/x", b"", {})


def test_no_message_names_what_the_address_keeps_secret(resolver, served):
    resolver(["127.0.0.1"])
    for address in ("https://hook.example/secret", "https://hook.example:1/secret", "https://10.0.0.1/secret"):
        with pytest.raises(NotAllowed) as refused:
            post(address, b"", {})
        assert "secret" not in str(refused.value)

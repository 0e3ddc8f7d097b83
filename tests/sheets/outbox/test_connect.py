"""The only way out: whatever address people give, nothing inside is reached."""

import socket
import threading

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


def test_no_message_names_what_the_address_keeps_secret(resolver):
    resolver(["127.0.0.1"])
    for address in ("https://hook.example/secret", "https://hook.example:1/secret", "https://10.0.0.1/secret"):
        with pytest.raises(NotAllowed) as refused:
            post(address, b"", {})
        assert "secret" not in str(refused.value)

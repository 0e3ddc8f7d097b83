"""The only way out: whatever address people give, nothing inside is reached."""

import socket
import threading

import pytest

from sheets.outbox import connect
from sheets.outbox.connect import NoAnswer, NotAllowed, destination_of, is_allowed, post
from tests.support.hostile_addresses import FORMS, INSIDE, OTHER, PUBLIC, Refusing, resolver

__all__ = ["resolver"]


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

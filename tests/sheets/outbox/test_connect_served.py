"""The only way out, with servers on loopback that the settings allow: whatever answers there, it ends."""

import socket
import ssl
import threading
import time
from contextlib import suppress
from datetime import UTC, datetime, timedelta

import pytest
from cryptography import x509
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat
from cryptography.x509.oid import NameOID

from sheets.outbox import connect
from sheets.outbox.connect import NoAnswer, NotAllowed, post
from tests.support.hostile_addresses import drip, endless, served

__all__ = ["served"]


def test_the_request_is_what_it_says_and_the_answers_status_is_returned(served, monkeypatch):
    monkeypatch.setenv("HTTP_PROXY", "http://127.0.0.1:9")
    monkeypatch.setenv("ALL_PROXY", "http://127.0.0.1:9")
    there = served(lambda out: out.sendall(b"HTTP/1.1 103 Early\r\nLink: x\r\n\r\nHTTP/1.1 204 None\r\n\r\n"))
    assert post(f"{there.address}/in?a=b", b"{}", {"Content-Type": "application/json"}) == 204
    head, _, body = there.got[0].partition(b"\r\n\r\n")
    assert head.split(b"\r\n")[:2] == [b"POST /in?a=b HTTP/1.1", b"Host: " + there.address[7:].encode()]
    assert (b"Content-Type: application/json" in head, body) == (True, b"{}")


@pytest.fixture
def secured(tmp_path, monkeypatch, settings):
    """A server on loopback with a certificate for hook.example, whatever name is resolved; what it got."""
    key, name = ec.generate_private_key(ec.SECP256R1()), x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "x")])
    now = datetime.now(UTC)
    certificate = x509.CertificateBuilder(name, name, key.public_key(), 1, now - timedelta(1), now + timedelta(1)) \
        .add_extension(x509.SubjectAlternativeName([x509.DNSName("hook.example")]), critical=False) \
        .add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True).sign(key, SHA256())
    (tmp_path / "pem").write_bytes(key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
                                   + certificate.public_bytes(Encoding.PEM))
    theirs, got = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER), []
    theirs.load_cert_chain(tmp_path / "pem")

    def answer(plain):
        try:
            with theirs.wrap_socket(plain, server_side=True) as connection:
                got.append(connection.recv(4096))
                connection.sendall(b"HTTP/1.1 200 OK\r\n\r\n")
        except OSError:
            got.append(b"")

    listening = socket.create_server(("127.0.0.1", 0))

    def serve():
        with suppress(OSError):
            while True:
                answer(listening.accept()[0])

    threading.Thread(target=serve, daemon=True).start()
    port, ours = listening.getsockname()[1], ssl.create_default_context(cafile=tmp_path / "pem")
    monkeypatch.setattr(connect, "_context", lambda: ours)
    monkeypatch.setattr(connect.socket, "getaddrinfo", lambda *_, **__: [
        (socket.AF_INET, socket.SOCK_STREAM, 6, "", listening.getsockname())])
    settings.TRUSTED_RECEIVERS = [f"https://{one}.example:{port}" for one in ("hook", "other")]
    yield port, got
    listening.close()


def test_tls_and_host_have_the_name_of_the_address_and_another_name_is_not_believed(secured):
    port, got = secured
    assert post(f"https://hook.example:{port}/x", b"", {}) == 200
    assert f"Host: hook.example:{port}".encode() in got[0]
    with pytest.raises(NoAnswer, match="CERTIFICATE_VERIFY_FAILED"):
        post(f"https://other.example:{port}/x", b"geheim", {})
    assert b"geheim" not in b"".join(got)


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

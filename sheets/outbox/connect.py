"""A POST to an address that people gave, which reaches no internal host and takes a few seconds at most.

No other code connects to such addresses. An address is https on port 443. Its name is resolved once. If any of the
resolved addresses is not on the public internet, nothing is sent; otherwise the connection goes to one of them. No
redirect is followed, and no proxy of the environment is used. Only the status of the response is read.
"""

import re
import socket
import ssl
import time
from collections.abc import Mapping
from ipaddress import IPv4Address, IPv6Address, ip_address, ip_network
from queue import Empty, SimpleQueue
from threading import Thread
from typing import Any, NamedTuple
from urllib.parse import SplitResult, urlsplit

from django.conf import settings
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

SECONDS = 5
"""The seconds on the clock for a whole POST."""
ANSWER = 4096
"""The most bytes of a response that are read, with its headers."""
LONGEST = 1000
"""The most characters of an address."""
NEVER = tuple(ip_network(one) for one in (
    "::/96", "64:ff9b::/96", "64:ff9b:1::/48", "2002::/16", "fec0::/10", "192.0.0.0/24", "168.63.129.16/32"))
"""Networks that are not public, though `is_global` of some Python version says so."""
_NAME = re.compile(r"(?=.{1,253}\Z)(?:[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?\.)+[a-z](?:[a-z0-9-]{0,61}[a-z0-9])?\Z")
_STATUS = re.compile(rb"HTTP/1\.[01] ([1-5][0-9]{2})[ \r]")


class NotAllowed(ValueError):
    """Nothing may be sent to an address; `reason` is a sentence for the person who gave it."""

    def __init__(self, reason: str | Promise) -> None:
        super().__init__(str(reason))
        self.reason = reason


class NoAnswer(OSError):
    """A receiver sent no readable response in time."""


class Destination(NamedTuple):
    """The parts of a checked address; a `trusted` one, which only the settings can name, may be anywhere."""

    secure: bool
    host: str
    port: int
    path: str
    trusted: bool

    @property
    def authority(self) -> str:
        """The host as in a Host header, with its port if that is not the default."""
        name = f"[{self.host}]" if ":" in self.host else self.host
        return name if self.port == (443 if self.secure else 80) else f"{name}:{self.port}"


def destination_of(address: str) -> Destination:
    """Return the parts of an address; raise `NotAllowed` if it is not allowed, before its name is resolved."""
    if len(address) > LONGEST:
        raise NotAllowed(_("The address is too long."))
    if not re.fullmatch(r"[!-~]+", address) or re.search(r'[\\<>"^`{|}]', address):
        raise NotAllowed(_("The address may only contain the characters of addresses: no spaces, no umlauts."))
    try:
        parts = urlsplit(address)
        port, host = parts.port, (parts.hostname or "").removesuffix(".")
    except ValueError:
        raise NotAllowed(_("This is not an address.")) from None
    if parts.scheme not in ("https", "http") or not host:
        raise NotAllowed(_("The address must begin with https://."))
    if "@" in parts.netloc:
        raise NotAllowed(_("The address may not contain a user name."))
    secure = parts.scheme == "https"
    destination = Destination(secure, host, port or (443 if secure else 80), _path(parts), trusted=False)
    if f"{parts.scheme}://{destination.authority}" in settings.TRUSTED_RECEIVERS:
        return destination._replace(trusted=True)
    if not secure or destination.port != 443 or parts.netloc.endswith(":"):
        raise NotAllowed(_("The address must begin with https:// and may not name a port."))
    if not (is_allowed(host) if _is_number(parts, host) else "[" not in parts.netloc and _NAME.match(host)):
        raise NotAllowed(_("The host of the address is not one of the open internet."))
    return destination


def _path(parts: SplitResult) -> str:
    return (parts.path or "/") + (f"?{parts.query}" if parts.query else "")


def _is_number(parts: SplitResult, host: str) -> bool:
    """Return True for the usual form of an IPv4 address, or an IPv6 address in brackets."""
    try:
        found = ip_address(host)
    except ValueError:
        return False
    return isinstance(found, IPv4Address) or "[" in parts.netloc


def is_allowed(answer: str) -> bool:
    """Return True for a public IP address that is not this machine's own."""
    try:
        found: IPv4Address | IPv6Address = ip_address(answer)
    except ValueError:
        return False
    if isinstance(found, IPv6Address) and found.scope_id:
        return False
    if isinstance(found, IPv6Address) and found.ipv4_mapped:
        found = found.ipv4_mapped
    if not found.is_global or found.is_multicast or any(found in one for one in NEVER):
        return False
    return not _is_own(found)


def _is_own(found: IPv4Address | IPv6Address) -> bool:
    """Return True if an address is this machine's: a packet to it would then come from it. No packet is sent."""
    try:
        with socket.socket(socket.AF_INET if found.version == 4 else socket.AF_INET6, socket.SOCK_DGRAM) as probe:
            probe.connect((str(found), 443))
            return ip_address(probe.getsockname()[0]) == found
    except OSError:
        return False


def post(address: str, body: bytes, headers: Mapping[str, str]) -> int:
    """Send a POST to an address that people gave; return the status of the response.

    Raise `NotAllowed` if nothing may be sent there, `NoAnswer` if there is no response. No message names the path.
    """
    destination, until = destination_of(address), time.monotonic() + SECONDS
    answers = _resolve(destination, until)
    if not destination.trusted and not all(is_allowed(str(where[0])) for _family, where in answers):
        raise NotAllowed(_("The host of the address is not one of the open internet."))
    lines = {"Host": destination.authority, "Content-Length": str(len(body)), "Connection": "close",
             "User-Agent": "Bogenschmiede", **headers}
    head = f"POST {destination.path} HTTP/1.1\r\n" + "".join(f"{name}: {value}\r\n" for name, value in lines.items())
    if re.search(r"[^\t -~]", head.replace("\r\n", "")) or head.count("\r\n") != len(lines) + 1:
        raise NotAllowed(_("This is not an address."))
    try:
        with _connected(destination, answers, until) as connection:
            connection.settimeout(_left(until))
            connection.sendall(f"{head}\r\n".encode("ascii") + body)
            return _status(connection, until)
    except TimeoutError:
        raise NoAnswer("no answer in time") from None
    except ssl.SSLError as error:
        raise NoAnswer(f"TLS: {error.reason or 'failed'}") from None
    except NoAnswer:
        raise
    except OSError as error:
        raise NoAnswer(error.strerror or "the connection failed") from None


def _left(until: float) -> float:
    left = until - time.monotonic()
    if left <= 0:
        raise NoAnswer("no answer in time")
    return left


def _resolve(destination: Destination, until: float) -> list[tuple[int, tuple[Any, ...]]]:
    """Return the (family, address) pairs of a host, resolved in a thread, because the resolver has no timeout."""
    found: SimpleQueue[list[tuple[int, tuple[Any, ...]]] | OSError] = SimpleQueue()

    def ask() -> None:
        try:
            answers = socket.getaddrinfo(destination.host, destination.port, type=socket.SOCK_STREAM)
            found.put([(int(one[0]), one[4]) for one in answers])
        except (OSError, UnicodeError) as error:
            found.put(OSError(str(error)))

    Thread(target=ask, daemon=True).start()
    try:
        answers = found.get(timeout=_left(until))
    except Empty:
        raise NoAnswer("the name is not resolved in time") from None
    if isinstance(answers, OSError) or not answers:
        raise NoAnswer("the name cannot be resolved")
    return answers


def _connected(destination: Destination, answers: list[tuple[int, tuple[Any, ...]]], until: float) -> socket.socket:
    """Return a connection to the first of the resolved addresses that can be reached."""
    failure: OSError = NoAnswer("no answer in time")
    for family, where in answers:
        connection = socket.socket(family, socket.SOCK_STREAM)
        try:
            connection.settimeout(_left(until))
            connection.connect(where)
            connection.settimeout(_left(until))
            return _secured(connection, destination)
        except OSError as error:
            connection.close()
            failure = error
    raise failure


def _secured(connection: socket.socket, destination: Destination) -> socket.socket:
    return _context().wrap_socket(connection, server_hostname=destination.host) if destination.secure else connection


def _context() -> ssl.SSLContext:
    return ssl.create_default_context()


def _status(connection: socket.socket, until: float) -> int:
    """Return the status of a response once its headers are complete; the body is not needed."""
    read, left = b"", ANSWER
    while True:
        head, ended, rest = read.partition(b"\r\n\r\n")
        if ended:
            found = _STATUS.match(head + b"\r")
            if found is None:
                raise NoAnswer("no answer of HTTP")
            if (status := int(found[1])) >= 200:
                return status
            read = rest
            continue
        if not left:
            raise NoAnswer("the headers are too long")
        connection.settimeout(_left(until))
        if not (more := connection.recv(left)):
            raise NoAnswer("the answer is not whole")
        read, left = read + more, left - len(more)

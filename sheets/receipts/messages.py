"""The message of a roll that is signed, and the chain of links over a log; see docs/receipts.md for the format."""

import hashlib
import re
from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Mapping
from typing import Any

import rfc8785

FORMAT, VERSION = "bogenschmiede.receipt", 1
ROLL = "bogenschmiede.roll.v1"
"""The first line of the message of a roll."""
NONCE = re.compile(r"[A-Za-z0-9_-]{21}[AQgw]")
"""A nonce: 16 bytes in base64url; the last four bits of the last character must be zero."""
SIGNATURE = 256
"""The number of bytes of a signature."""
NO_LINK = bytes(32)
"""The link before the first roll of a log."""


def encode(data: bytes) -> str:
    """Return bytes in base64url without padding."""
    return urlsafe_b64encode(data).rstrip(b"=").decode()


def decode(text: str, length: int) -> bytes:
    """Return the bytes of base64url without padding; raise `ValueError` unless it encodes exactly `length` bytes."""
    data = urlsafe_b64decode(text + "=" * (-len(text) % 4))
    if len(data) != length or encode(data) != text:
        raise ValueError(f"not the base64url of {length} bytes")
    return data


def message(key: str, log: str, number: int, nonce: str, rolled: Mapping[str, Any]) -> bytes:
    """Return the message of a roll, the six lines that are signed.

    Raise `ValueError` if the nonce is malformed, or if `rolled` cannot be written as canonical JSON.
    """
    if not NONCE.fullmatch(nonce):
        raise ValueError("not a nonce")
    return _lines(key, log, number, nonce, rfc8785.dumps(rolled).decode())


def unsigned_message(log: str, number: int, rolled: Mapping[str, Any] | None) -> bytes:
    """Return the message from which the link of an unsigned roll is computed."""
    return _lines("", log, number, "", "" if rolled is None else rfc8785.dumps(rolled).decode())


def _lines(key: str, log: str, number: int, nonce: str, rolled: str) -> bytes:
    return "\n".join((ROLL, key, log, str(number), nonce, rolled)).encode()


def link_after(link: bytes, signed: bytes, signature: bytes = b"") -> bytes:
    """Return the link of a roll, given the previous link, its message, and its signature (b"" if it is unsigned)."""
    return hashlib.sha256(link + signed + signature).digest()

"""Addresses and secrets of receivers, encrypted under REVIEW_KEY for the database."""

import json
import secrets
from typing import Any

from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from django.conf import settings

SEAL = b"bogenschmiede.receiver.seal.v1"
_SALT = 12


def seal(data: dict[str, Any], whose: str) -> bytes:
    """Return encrypted data; `whose`, the name of its owner, must be the same when it is decrypted."""
    salt = secrets.token_bytes(_SALT)
    return salt + AESGCM(_key()).encrypt(salt, json.dumps(data).encode(), whose.encode())


def unseal(sealed: bytes | memoryview, whose: str) -> dict[str, Any]:
    """Return decrypted data; raise `InvalidTag` if REVIEW_KEY or `whose` has changed."""
    sealed = bytes(sealed)
    found: dict[str, Any] = json.loads(AESGCM(_key()).decrypt(sealed[:_SALT], sealed[_SALT:], whose.encode()))
    return found


def _key() -> bytes:
    return HKDF(hashes.SHA256(), 32, None, SEAL).derive(settings.REVIEW_KEY.encode())

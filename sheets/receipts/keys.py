"""RSA keys that sign rolls: making, encrypting, publishing, and checking them as a verifier does.

A key is only useful if every message has exactly one valid signature under it. `check` refuses keys for which that is
not certain.
"""

import hashlib
import secrets
from base64 import b64encode
from collections.abc import Sequence
from functools import cache
from math import gcd, prod
from typing import cast

from cryptography.exceptions import InvalidSignature, UnsupportedAlgorithm
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric.padding import PKCS1v15
from cryptography.hazmat.primitives.asymmetric.rsa import RSAPrivateKey, RSAPublicKey, generate_private_key
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from django.conf import settings

from sheets.receipts.messages import SIGNATURE, decode, encode

ALGORITHM = "RSASSA-PKCS1-v1_5-SHA256"
EXPONENT, BITS = 65537, 2048
PROOFS = 8
"""The signatures in a key's proof. If 65537 divides the totient of the modulus, all of them exist only by chance."""
SMALLEST_FACTOR = 65536
"""The modulus must have no prime factor below this."""
SEAL = b"bogenschmiede.key.seal.v1"
_SALT = 12


class BadKey(ValueError):
    """Raised for a public key that may have several valid signatures for a message, or none."""


def key_id(der: bytes) -> str:
    """Return the id of a public key: the SHA-256 of its DER (SubjectPublicKeyInfo), in base64url."""
    return encode(hashlib.sha256(der).digest())


def make() -> RSAPrivateKey:
    """Return a new private key."""
    return generate_private_key(EXPONENT, BITS)


def der_of(key: RSAPublicKey) -> bytes:
    """Return a public key as DER (SubjectPublicKeyInfo)."""
    return key.public_bytes(serialization.Encoding.DER, serialization.PublicFormat.SubjectPublicKeyInfo)


def sign(key: RSAPrivateKey, message: bytes) -> bytes:
    """Return the only valid signature of a message, 256 bytes."""
    return key.sign(message, PKCS1v15(), hashes.SHA256())


def proof_of(key: RSAPrivateKey) -> list[str]:
    """Return the signatures which prove that each message has exactly one signature under a key."""
    return [encode(sign(key, one)) for one in _proven(key_id(der_of(key.public_key())))]


def check(der: bytes, proof: Sequence[str]) -> RSAPublicKey:
    """Return the public key; raise `BadKey` unless each message has exactly one valid signature under it."""
    try:
        key = serialization.load_der_public_key(der)
    except (ValueError, UnsupportedAlgorithm) as error:
        raise BadKey("no public key") from error
    if not isinstance(key, RSAPublicKey) or der_of(key) != der:
        raise BadKey("no RSA key in its usual form")
    numbers = key.public_numbers()
    if numbers.e != EXPONENT:
        raise BadKey(f"the exponent is {numbers.e}")
    if numbers.n.bit_length() != BITS:
        raise BadKey(f"the modulus has {numbers.n.bit_length()} bits")
    if gcd(numbers.n, _small_primes()) != 1:
        raise BadKey("the modulus has a small factor")
    if len(proof) != PROOFS or not all(
            verify(key, message, one) for message, one in zip(_proven(key_id(der)), proof, strict=True)):
        raise BadKey("the proof does not hold")
    return key


def verify(key: RSAPublicKey, message: bytes, signature: str) -> bool:
    """Return True if `signature`, in base64url, is the signature of a message under a checked key."""
    try:
        data = decode(signature, SIGNATURE)
        if int.from_bytes(data) >= key.public_numbers().n:
            return False
        key.verify(data, message, PKCS1v15(), hashes.SHA256())
    except (ValueError, InvalidSignature):
        return False
    return True


def seal(key: RSAPrivateKey) -> bytes:
    """Return a private key encrypted under REVIEW_KEY, for the database."""
    data = key.private_bytes(serialization.Encoding.DER, serialization.PrivateFormat.PKCS8,
                             serialization.NoEncryption())
    salt = secrets.token_bytes(_SALT)
    return salt + AESGCM(_sealing_key()).encrypt(salt, data, key_id(der_of(key.public_key())).encode())


def unseal(sealed: bytes, identity: str) -> RSAPrivateKey:
    """Return the private key sealed with this id; raise `InvalidTag` if REVIEW_KEY or the id differ."""
    data = AESGCM(_sealing_key()).decrypt(sealed[:_SALT], sealed[_SALT:], identity.encode())
    key = serialization.load_der_private_key(data, None)
    return cast("RSAPrivateKey", key)


def published(der: bytes) -> str:
    """Return the published form of a public key: base64 of its DER."""
    return b64encode(der).decode()


def _sealing_key() -> bytes:
    return HKDF(hashes.SHA256(), 32, None, SEAL).derive(settings.REVIEW_KEY.encode())


def _proven(identity: str) -> list[bytes]:
    return [f"bogenschmiede.key.v1\n{identity}\n{number}".encode() for number in range(PROOFS)]


@cache
def _small_primes() -> int:
    """Return the product of all primes below `SMALLEST_FACTOR`."""
    sieve = bytearray([1]) * SMALLEST_FACTOR
    sieve[:2] = b"\0\0"
    for number in range(2, int(SMALLEST_FACTOR**0.5) + 1):
        if sieve[number]:
            sieve[number * number::number] = bytes(len(range(number * number, SMALLEST_FACTOR, number)))
    return prod(number for number in range(SMALLEST_FACTOR) if sieve[number])

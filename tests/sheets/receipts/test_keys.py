"""Keys that sign rolls: each way to make a dishonest one is refused, by the docs' verifier too."""

import json
from base64 import b64decode, b64encode
from math import gcd

import pytest
from cryptography.exceptions import InvalidTag, UnsupportedAlgorithm
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric.padding import PKCS1v15
from cryptography.hazmat.primitives.asymmetric.rsa import RSAPublicNumbers, generate_private_key

from sheets.receipts import keys
from sheets.receipts.messages import decode, encode
from tests.support.receipts import docs_verifier

MESSAGE = b"a message"
DIGEST = bytes.fromhex("3031300d060960864801650304020105000420")


@pytest.fixture(scope="module")
def private():
    return generate_private_key(65537, 2048)


def published(private, proof=None):
    """Return (DER, proof) of a key, with its own proof or another."""
    return keys.der_of(private.public_key()), keys.proof_of(private) if proof is None else proof


def spki_of(n, e=65537):
    """Return the DER of any modulus and exponent; no library makes the bad ones."""
    def whole(number):
        data = number.to_bytes(number.bit_length() // 8 + 1)
        return b"\x02" + length(data) + data

    def length(data):
        size = len(data)
        return bytes([size]) if size < 128 else bytes([0x80 + (size.bit_length() + 7) // 8]) + size.to_bytes(
            (size.bit_length() + 7) // 8)

    both = whole(n) + whole(e)
    bits = b"\0" + b"\x30" + length(both) + both
    inner = bytes.fromhex("300d06092a864886f70d0101010500") + b"\x03" + length(bits) + bits
    return b"\x30" + length(inner) + inner


def refused(der, proof):
    """Return whether the program and the verifier of the docs both refuse a key."""
    key = {"id": keys.key_id(der), "spki": b64encode(der).decode(), "proof": proof}
    with pytest.raises(keys.BadKey):
        keys.check(der, proof)
    return not docs_verifier()["good"](key)


def forged(n, phi, e=65537):
    """Return the proof that a maker who knows the totient can give, as far as there is one."""
    identity, d = keys.key_id(spki_of(n, e)), pow(e, -1, phi)
    found = []
    for number in range(8):
        digest = hashes.Hash(hashes.SHA256())
        digest.update(f"bogenschmiede.key.v1\n{identity}\n{number}".encode())
        size = (n.bit_length() + 7) // 8
        rest = DIGEST + digest.finalize()
        padded = b"\0\1" + b"\xff" * (size - 3 - len(rest)) + b"\0" + rest
        found.append(encode(pow(int.from_bytes(padded), d, n).to_bytes(size)))
    return found


def test_a_key_of_ours_is_good_and_its_id_is_the_hash_of_what_is_published(private):
    der, proof = published(private)
    assert keys.check(der, proof).public_numbers() == private.public_key().public_numbers()
    key = {"id": keys.key_id(der), "spki": keys.published(der), "proof": proof}
    assert b64decode(key["spki"]) == der
    assert docs_verifier()["good"](json.loads(json.dumps(key)))


@pytest.mark.parametrize(("exponent", "bits"), [(3, 2048), (65537, 1024), (65537, 2047), (65537, 3072)])
def test_keys_of_other_sizes_and_exponents_are_refused(exponent, bits):
    if bits == 2047:
        numbers = generate_private_key(65537, 2046).private_numbers()  # noqa: S505 - that is the point
        n = numbers.public_numbers.n
        assert n.bit_length() < 2048
        assert refused(spki_of(n), forged(n, (numbers.p - 1) * (numbers.q - 1)))
        return
    private = generate_private_key(exponent, bits)
    assert refused(*published(private))


@pytest.mark.parametrize("factor", [2, 3, 65521])
def test_a_modulus_with_a_small_factor_is_refused(factor):
    rest = 2**2047 // factor + 1
    while gcd(rest, 2 * factor) > 1:
        rest += 1
    n = factor * rest
    assert n.bit_length() == 2048
    assert refused(spki_of(n), keys.proof_of(generate_private_key(65537, 2048)))


def test_a_modulus_whose_totient_the_exponent_divides_has_no_proof():
    # p - 1 is a multiple of 65537: most messages have no signature then, and the others have 65537 of them.
    step = 65537 * 2
    p = generate_private_key(65537, 2048).private_numbers().p
    p += step - p % step + 1
    while not _is_prime(p):
        p += step
    q = generate_private_key(65537, 2048).private_numbers().q
    n = p * q
    if n.bit_length() != 2048:
        n = p * _larger(q)
    assert (p - 1) % 65537 == 0
    own = generate_private_key(65537, 2048)
    assert refused(spki_of(n), keys.proof_of(own))


def _is_prime(number):
    return all(pow(base, number - 1, number) == 1 for base in (2, 3, 5, 7))


def _larger(q):
    q |= 3 << 1022
    while not _is_prime(q):
        q += 2
    return q


def test_a_signature_plus_the_modulus_and_one_without_the_null_of_its_padding_are_refused(private):
    der, _proof = published(private)
    numbers, public = private.private_numbers(), private.public_key()
    n, d = numbers.public_numbers.n, numbers.d
    signature = keys.sign(private, MESSAGE)
    verify = docs_verifier()["signed"]
    assert keys.verify(public, MESSAGE, encode(signature))
    assert verify(n, encode(signature), MESSAGE)
    if (other := int.from_bytes(signature) + n) < 2**2048:
        assert not keys.verify(public, MESSAGE, encode(other.to_bytes(256)))
        assert not verify(n, encode(other.to_bytes(256)), MESSAGE)
    digest = hashes.Hash(hashes.SHA256())
    digest.update(MESSAGE)
    short = bytes.fromhex("302f300b0609608648016503040201") + b"\x04\x20" + digest.finalize()
    padded = b"\0\1" + b"\xff" * (256 - 3 - len(short)) + b"\0" + short
    without = encode(pow(int.from_bytes(padded), d, n).to_bytes(256))
    assert not keys.verify(public, MESSAGE, without)
    assert not verify(n, without, MESSAGE)
    assert keys.key_id(der) == encode(decode(keys.key_id(der), 32))


@pytest.mark.parametrize("text", ["", "A" * 342, "=" * 342, "é" * 342, "A" * 341 + "B"])
def test_what_is_no_signature_at_all_is_refused(private, text):
    assert not keys.verify(private.public_key(), MESSAGE, text)


def test_a_sealed_key_comes_back_under_the_same_review_key_and_id_alone(private, settings):
    sealed, identity = keys.seal(private), keys.key_id(keys.der_of(private.public_key()))
    assert keys.unseal(sealed, identity).private_numbers() == private.private_numbers()
    with pytest.raises(InvalidTag):
        keys.unseal(sealed, identity[::-1])
    settings.REVIEW_KEY = "another"
    with pytest.raises(InvalidTag):
        keys.unseal(sealed, identity)
    assert private.private_bytes(serialization.Encoding.DER, serialization.PrivateFormat.PKCS8,
                                 serialization.NoEncryption()) not in sealed


def test_the_signature_is_the_usual_one(private):
    private.public_key().verify(keys.sign(private, MESSAGE), MESSAGE, PKCS1v15(), hashes.SHA256())
    assert RSAPublicNumbers(65537, private.public_key().public_numbers().n).public_key()


def test_a_key_of_an_algorithm_that_nobody_knows_is_refused(private, monkeypatch):
    def load(_der):
        raise UnsupportedAlgorithm("a curve")

    monkeypatch.setattr(keys.serialization, "load_der_public_key", load)
    with pytest.raises(keys.BadKey, match="no public key"):
        keys.check(*published(private))

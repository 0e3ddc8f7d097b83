"""Receipts made without a database, and their verifier as the docs print it."""

import base64
import re
from functools import cache

from cryptography.hazmat.primitives.asymmetric.rsa import (
    RSAPrivateNumbers,
    RSAPublicNumbers,
    rsa_crt_dmp1,
    rsa_crt_dmq1,
    rsa_crt_iqmp,
)

from rulesets import systems
from rulesets.dice import RealTray, thrown
from rulesets.kit import Offer
from rulesets.signed_dice import source_of
from sheets.receipts import keys
from sheets.receipts.messages import FORMAT, VERSION, encode, message
from tests.support.rulesets.contract import taken
from tests.support.server import ROOT

PRIMES = [
    ("d164dc03d396a3ec2914a0467afb3bcc47cd0d5307e3ff57b3bdbdb73d6b31df"
     "faa50256f95b40f5fd5223ebeb5cccb9d02d731b2f299121814e517018fbdce8"
     "56e63ce1d7be9abe03523814ac93b9e45859e11020e890752906578038f7112e"
     "716857adafd06fe9a2a93f1501ab5537b91667994f9fd41903c9b592d04ffb9d"),
    ("c5bf761356cd2c9267bfbdf40b2221e5cb5775df6672ba59c1550d807cbf230f"
     "20d6d3e1e839191790d3c71926dfebe719864dc6614f85ef47f09aa7d69ab3d0"
     "84a3e519dd6a13c27263b8f90f93fa501086437065e9f0f6e26e2e71b424cac1"
     "ec32047c5cde148328ea444318bd4cadbda5584186b0a46372b6be7517825c57"),
]
"""The primes of a key for tests; it never changes, so that the same nonces always give the same dice."""
LOG = "scene:00000000-0000-4000-8000-000000000000"


@cache
def fixed_key():
    """Return the private key for tests."""
    p, q = (int(one, 16) for one in PRIMES)
    d = pow(keys.EXPONENT, -1, (p - 1) * (q - 1))
    return RSAPrivateNumbers(p, q, d, rsa_crt_dmp1(d, p), rsa_crt_dmq1(d, q), rsa_crt_iqmp(p, q),
                             RSAPublicNumbers(keys.EXPONENT, p * q)).private_key()


@cache
def published(private):
    """Return a key as its address answers it."""
    der = keys.der_of(private.public_key())
    return {"id": keys.key_id(der), "algorithm": keys.ALGORITHM, "spki": base64.b64encode(der).decode(),
            "proof": keys.proof_of(private)}


def receipt_of(rolled, throw, *, number=1, nonce="A" * 22, private=None):
    """Return the signed receipt of a roll, as its address answers it."""
    private = private or fixed_key()
    identity = published(private)["id"]
    signature = keys.sign(private, message(identity, LOG, number, nonce, rolled))
    outcome, tray = thrown(throw, RealTray(source_of(signature)))
    return {
        "format": FORMAT, "version": VERSION, "key": identity, "log": LOG, "number": number, "nonce": nonce,
        "rolled": rolled, "signature": encode(signature),
        "dice": [dict(zip(("first", "last", "face"), one, strict=False)) for one in tray.dice],
        "says": {"outcome": outcome.value, "state": "stands"},
    }


def receipt_of_roll(system, roll, **how):
    """Return the signed receipt of a system's roll."""
    rolled = {"ruleset": system.slug, "rules": system.version, "roll": roll.slug,
              "parameters": roll.model_dump(mode="json")}
    return receipt_of(rolled, roll.throw, **how)


@cache
def small_rolls():
    """Return (system, roll) of every roll of all systems with small parameters in several ways."""
    return [(system, roll) for system in systems().values() for cls in system.rolls.values()
            for roll in taken(Offer(cls, ""), 9, (1, 2, 5))]


def many_receipts(count, rng, private=None):
    """Yield receipts of all rolls in turn."""
    rolls = small_rolls()
    for number in range(1, count + 1):
        system, roll = rolls[number * 7 % len(rolls)]
        yield receipt_of_roll(system, roll, number=number, nonce=encode(rng.randbytes(16)), private=private)


@cache
def docs_verifier():
    """Return the names that the code of docs/receipts.md defines; it has at most forty lines."""
    text = (ROOT / "docs/receipts.md").read_text("utf-8")
    (code,) = re.findall(r"^```python\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)
    assert len(code.splitlines()) <= 40
    names = {}
    exec(compile(code, "docs/receipts.md", "exec"), names)  # noqa: S102 - our own text
    return names

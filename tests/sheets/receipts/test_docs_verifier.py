"""The verifier that the docs print answers at once, whatever a receipt and its key hold."""

import pytest
from cryptography.hazmat.primitives.asymmetric.rsa import generate_private_key

from sheets.receipts import keys
from sheets.receipts.messages import encode, message
from tests.support.receipts import docs_verifier

NONCE, LOG = "AAAAAAAAAAAAAAAAAAAAAA", "scene:00000000-0000-4000-8000-000000000000"


@pytest.fixture(scope="module")
def private():
    return generate_private_key(keys.EXPONENT, keys.BITS)


def key_of(private):
    der = keys.der_of(private.public_key())
    return {"id": keys.key_id(der), "spki": keys.published(der), "proof": keys.proof_of(private)}


@pytest.mark.parametrize(("first", "last"), [(1, 0), (6, 1), (1, -10**30), (1, 2**32 + 1), (-2**40, 2**40)])
def test_dice_that_no_word_can_throw_are_refused_at_once(private, first, last):
    key, rolled = key_of(private), {"formula": "1d6"}
    signature = keys.sign(private, message(key["id"], LOG, 1, NONCE, rolled))
    receipt = {"key": key["id"], "log": LOG, "number": 1, "nonce": NONCE, "rolled": rolled,
               "signature": encode(signature), "dice": []}
    assert docs_verifier()["proved"](receipt, key)
    die = {"first": first, "last": last, "face": first}
    assert not docs_verifier()["proved"]({**receipt, "dice": [die]}, key)


@pytest.mark.parametrize("proof", [None, 8, True, {}, "A" * 8])
def test_a_proof_that_is_no_list_is_refused(private, proof):
    assert not docs_verifier()["good"]({**key_of(private), "proof": proof})

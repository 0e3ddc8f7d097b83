"""The faults of stored keys that `doctor` names."""

import pytest
from cryptography.hazmat.primitives.asymmetric.rsa import generate_private_key

from builder.doctor import _keys
from sheets.models import RollKey
from sheets.receipts import services
from sheets.receipts.keys import BITS, EXPONENT

pytestmark = pytest.mark.django_db


def texts():
    return [(one.well, one.text) for one in _keys()]


def test_good_keys_and_no_keys_are_good():
    assert texts() == [(True, "the keys of rolls are good")]
    services.key_in_use()
    assert texts() == [(True, "the keys of rolls are good")]


@pytest.mark.parametrize(("fields", "fault"), [
    ({"proof": []}, "the proof does not hold"), ({"proof": 8}, "no list"), ({"spki": "AAAA"}, "no public key"),
    ({"spki": "é"}, "a verifier refuses it"), ({"sealed": None}, "is missing"), ({"ended": "time"}, "still stored")])
def test_a_bad_key_is_a_fault(fields, fault):
    services.key_in_use()
    RollKey.objects.update(**fields)
    ((well, text),) = texts()
    assert not well
    assert fault in text


def test_a_private_half_that_review_key_does_not_open_is_a_fault(settings):
    services.key_in_use()
    settings.REVIEW_KEY = "another"
    ((well, text),) = texts()
    assert not well
    assert "REVIEW_KEY does not open its private half" in text


def test_two_keys_in_use_at_a_time_are_a_fault(monkeypatch):
    made = iter(generate_private_key(EXPONENT, BITS) for _time in range(2))
    monkeypatch.setattr(services.keys, "make", lambda: next(made))
    first = services.key_in_use()
    services.make_key(begins=first.begins)
    ((well, text),) = texts()
    assert (well, text) == (False, "key of rolls 2: it is in use at the same time as key 1")

"""Checks of the stored keys that sign rolls, for `manage.py doctor`."""

from base64 import b64decode
from collections.abc import Iterator
from itertools import pairwise

from cryptography.exceptions import InvalidTag

from sheets.models import RollKey
from sheets.receipts import keys


def key_faults() -> Iterator[tuple[str, str]]:
    """Yield (name, fault or "") for each stored key, and a fault for each key that overlaps with another one."""
    for key in RollKey.objects.order_by("number"):
        yield f"key of rolls {key.number}", _fault(key)
    usable = RollKey.objects.filter(ended="").order_by("begins", "number")
    for one, after in pairwise(usable):
        if after.begins < one.until:
            yield f"key of rolls {after.number}", f"it is in use at the same time as key {one.number}"


def _fault(key: RollKey) -> str:
    try:
        der = b64decode(key.spki, validate=True)
        if not isinstance(key.proof, list) or not all(isinstance(one, str) for one in key.proof):
            return "the proof is no list of texts"
        public = keys.check(der, key.proof)
    except ValueError as error:
        return f"a verifier refuses it: {error}"
    if keys.key_id(der) != key.identity:
        return "its id is not the hash of what is published"
    if key.ended:
        return "it has ended, and its private half is still stored" if key.sealed else ""
    if not key.sealed:
        return "it has not ended, and its private half is missing"
    try:
        private = keys.unseal(bytes(key.sealed), key.identity)
    except (InvalidTag, ValueError):
        return "REVIEW_KEY does not open its private half; set the REVIEW_KEY under which it was made"
    same = private.public_key().public_numbers() == public.public_numbers()
    return "" if same else "its private half is that of another key"

"""The digest by which the chain covers data that may be erased."""

import hashlib

from rulesets.document import canonical
from rulesets.kit import Data


def digest(data: Data) -> str:
    """Return the digest by which the chain covers data.

    What may be erased contains a salt, which is erased with it, so that nobody can recover it by guessing. `{}` has the
    digest ""; no other empty value is ever stored.
    """
    return "" if data == {} else hashlib.sha256(canonical(data)).hexdigest()

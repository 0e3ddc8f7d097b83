"""The digest by which the chain vouches for words that may be erased."""

import hashlib

from rulesets.document import canonical
from rulesets.kit import Data


def digest(words: Data) -> str:
    """Return the digest of words that may be erased; their salt goes with them, so that nobody finds them by trying.

    No words, `{}`, have the digest ""; the program writes nothing else that is empty.
    """
    return "" if words == {} else hashlib.sha256(canonical(words)).hexdigest()

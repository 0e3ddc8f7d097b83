"""Dice that are determined by a signature: the same signature always gives the same dice."""

import hashlib
from collections.abc import Callable, Iterable, Iterator

from rulesets.dice import WORD, Die, RealTray


def source_of(signature: bytes) -> Callable[[int], bytes]:
    """Return a source of words for a tray: the SHA-256 of the signature and a block number, block after block."""
    words = _words(signature)
    return lambda _width: next(words)


def _words(signature: bytes) -> Iterator[bytes]:
    block = 0
    while True:
        digest = hashlib.sha256(signature + block.to_bytes(4)).digest()
        yield from (digest[at:at + WORD] for at in range(0, len(digest), WORD))
        block += 1


def matches_signature(dice: Iterable[Die], signature: bytes) -> bool:
    """Return True if the signature gives these dice, apart from those that are left from an earlier roll."""
    tray = RealTray(source_of(signature))
    return all(one.stays or tray.face(range(one.first, one.last + 1)) == one.face for one in dice)

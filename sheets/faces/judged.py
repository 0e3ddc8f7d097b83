"""What decoding a picture will cost, judged from its parts before any of them is decoded."""

import re
from collections.abc import Iterator

SCANS = 100
"""The most scans of a JPEG, each of which is a walk over all its dots; photographs have about ten."""
PARTS = 4_000
"""The most segments or chunks of a file; a PNG of 8 MB in pieces of 8 KB has a thousand."""
MARKER = re.compile(rb"\xff[\x01-\xcf\xd8-\xfe]")
"""What a segment of a JPEG begins with: no stuffed byte, no restart within coded dots; a file has 8 MB at most."""
SOI, EOI, SOS, APP2 = 0xD8, 0xD9, 0xDA, 0xE2
BARE = (0x01, SOI)
"""Markers that nothing belongs to."""
SEVERAL = b"MPF\0"
"""What the segment begins with by which a JPEG says that more pictures follow."""
PROFILE = b"iCCP"
"""What a chunk of a PNG is called that says how its colours are meant."""
PNG, RIFF, WEBP = b"\x89PNG\r\n\x1a\n", b"RIFF", b"WEBP"


class TooDear(ValueError):
    """A file that would cost far more to decode than a picture does."""


def judged(content: bytes) -> bytes:
    """Return the file as it may be decoded; raise `TooDear`.

    Of a JPEG with several pictures (phones write such) that is the first one. What is neither JPEG, PNG nor WebP comes
    back as it is: nothing reads it.
    """
    if content.startswith(b"\xff\xd8"):
        return _jpeg(content)
    if content.startswith(PNG):
        _bounded(_png(content))
    elif content.startswith(RIFF) and content.startswith(WEBP, 8):
        _bounded(_riff(content))
    return content


def _jpeg(content: bytes) -> bytes:
    """Return the first picture, in which nothing says that there are more; each of its bytes stands where it stood."""
    kept, at, scans, parts = bytearray(content), len(b"\xff\xd8"), 0, 0
    # Decoders look for the next marker, too, wherever a file is broken.
    while found := MARKER.search(content, at):
        at, marker = found.end(), content[found.end() - 1]
        if marker == EOI:
            break
        parts += 1
        scans += marker == SOS
        if parts > PARTS or scans > SCANS:
            raise TooDear
        if marker in BARE:
            continue
        end = at + int.from_bytes(content[at:at + 2], "big")
        if marker == APP2 and content.startswith(SEVERAL, at + 2):
            kept[at + 2:at + 2 + len(SEVERAL)] = bytes(len(SEVERAL))
        at = end
    else:
        at = len(content)
    return bytes(kept[:at])


def _bounded(chunks: Iterator[int]) -> None:
    for number, _at in enumerate(chunks):
        if number >= PARTS:
            raise TooDear


def _png(content: bytes) -> Iterator[int]:
    """Yield where each chunk is; raise `TooDear` for a second profile of colours, each of which is unpacked."""
    at, profiles = len(PNG), 0
    while at + 8 <= len(content):
        profiles += content.startswith(PROFILE, at + 4)
        if profiles > 1:
            raise TooDear
        yield at
        at += 12 + int.from_bytes(content[at:at + 4], "big")


def _riff(content: bytes) -> Iterator[int]:
    """Yield where each chunk is."""
    at = 12
    while at + 8 <= len(content):
        yield at
        length = int.from_bytes(content[at + 4:at + 8], "little")
        at += 8 + length + length % 2

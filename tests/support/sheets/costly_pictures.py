"""Pictures of a few kilobytes to 8 MB that cost far more to decode than others, or take far more memory."""

import struct
import zlib

from PIL import Image

from tests.support.sheets.files import chunk, file_of, thirds

HEAD = 33
"""Bytes of a PNG up to its size, and after that."""


def within(*parts, kind="PNG") -> bytes:
    """Return a picture with these parts between its beginning and the rest."""
    whole, at = file_of(thirds(), kind), HEAD if kind == "PNG" else 2
    return whole[:at] + b"".join(parts) + whole[at:]


def segments() -> bytes:
    """Thousands of pieces of EXIF, each of which is put to all before it."""
    return within((b"\xff\xe1" + struct.pack(">H", 2_100) + b"Exif\0\0" + bytes(2_092)) * 3_900, kind="JPEG")


def fill() -> bytes:
    """Millions of bytes that mean nothing where the next segment would begin."""
    return within(b"\xff" * 8_000_000, kind="JPEG")


def arithmetic() -> bytes:
    """Millions of dots that are coded arithmetically."""
    whole = file_of(Image.new("L", (4_472, 4_472)), "JPEG").replace(b"\xff\xc0", b"\xff\xc9", 1)
    at = whole.index(b"\xff\xda") + 2
    return whole[:at + int.from_bytes(whole[at:at + 2])] + b"\x55\x12\x34" * 200 + b"\xff\xd9"


def progressive() -> bytes:
    """As many dots of four colours as there may be, all of which are kept until the last scan."""
    return file_of(Image.new("CMYK", (4_472, 4_472)), "JPEG", progressive=True)


def deep() -> bytes:
    """As many dots of 16 bits as there may be."""
    return file_of(Image.new("I;16", (3_999, 3_999)), "PNG")


def chunks() -> bytes:
    """More pieces than any picture has."""
    return within(chunk(b"tEXt", b"") * 600_000)


def profiles() -> bytes:
    """Thousands of profiles of colours, each of which is unpacked."""
    return within(chunk(b"iCCP", b"k\0\0" + zlib.compress(bytes(1_000_000), 9)) * 3_000)


def texts() -> bytes:
    """Texts that unpack to very much."""
    return within(chunk(b"zTXt", b"k\0\0" + zlib.compress(bytes(60_000_000), 9)) * 3,
                  chunk(b"iTXt", b"k\0\0\0\0\0" + bytes(7_000_000)))

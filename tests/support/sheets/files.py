"""Pictures to be brought, and how one is."""

import random
import struct
import zlib
from io import BytesIO

from django.core.files.uploadedfile import SimpleUploadedFile
from PIL import Image

SIDE = 48
COLOURS = {"red": (255, 0, 0), "green": (0, 255, 0), "blue": (0, 0, 255)}


def thirds(*, upright=False):
    """Three squares beside or above each other: red, green, blue."""
    picture = Image.new("RGB", (SIDE, 3 * SIDE) if upright else (3 * SIDE, SIDE))
    for place, colour in enumerate(COLOURS.values()):
        at = place * SIDE
        picture.paste(colour, (0, at, SIDE, at + SIDE) if upright else (at, 0, at + SIDE, SIDE))
    return picture


def plain(colour="red"):
    return file_of(Image.new("RGB", (SIDE, SIDE), COLOURS[colour]))


def noise(mode, size, seed=1):
    many = {"RGB": 3, "RGBA": 4}[mode] * size[0] * size[1]
    return Image.frombytes(mode, size, random.Random(seed).randbytes(many))  # noqa: S311 - noise


def file_of(picture, kind="PNG", **more):
    file = BytesIO()
    picture.save(file, kind, **more)
    return file.getvalue()


def bring(browser, sheet, content):
    """Bring the picture of a sheet as its page does."""
    return browser.post(f"/sheets/{sheet.pk}/picture/", {"do": "bring", "file": SimpleUploadedFile("me.png", content)})


def opened(content):
    with Image.open(BytesIO(content)) as picture:
        picture.load()
        return picture


def strongest(content):
    """Which of red, green and blue is the strongest in the middle."""
    picture = opened(content)
    dot = picture.convert("RGB").getpixel((picture.width // 2, picture.height // 2))
    return list(COLOURS)[dot.index(max(dot))]


EMPTY = b"\xff\xda\x00\x08\x01\x01\x00\x01\x3f\x00" + b"\x7f\xa0"
"""A scan of one component that says nothing."""


def scanned(times, picture=None):
    """Return a progressive JPEG with so many more scans, each of which is a walk over all its dots."""
    whole = file_of(picture or thirds(), "JPEG", progressive=True)
    return whole.removesuffix(b"\xff\xd9") + EMPTY * times + b"\xff\xd9"


def chunk(kind, content):
    return struct.pack(">I", len(content)) + kind + content + struct.pack(">I", zlib.crc32(kind + content))


def claiming(width, height):
    """A PNG of a few bytes that says to be so large."""
    return (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0))
            + chunk(b"IDAT", zlib.compress(bytes(1000))) + chunk(b"IEND", b""))

"""Files that mean no good: none breaks the server, takes much memory, or is kept."""

import random
import resource
import struct
import zlib
from itertools import islice

import pytest
from PIL import Image

from sheets.models import Portrait
from tests.support.sheets.files import bring, chunk, claiming, file_of, thirds

pytestmark = [pytest.mark.django_db, pytest.mark.database("sqlite")]
MEMORY = 200 * 2**20
HEAD = b"\x89PNG\r\n\x1a\n"


def png(width, height, depth=8, colours=2, content=b"", *more):
    return (HEAD + chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, depth, colours, 0, 0, 0)) + b"".join(more)
            + chunk(b"IDAT", zlib.compress(content, 9)) + chunk(b"IEND", b""))


def hostile():
    """Files that are no picture that may be kept, without an end."""
    dice = random.Random(22)  # noqa: S311 - noise
    good = [file_of(thirds(), kind) for kind in ("PNG", "JPEG", "WEBP")]
    foreign = ("GIF", "BMP", "TIFF", "ICO", "PPM", "TGA", "PCX", "SGI", "ICNS", "JPEG2000")
    yield from (file_of(Image.new("RGB", (64, 64)), kind) for kind in foreign)
    yield from (
        b"<svg xmlns='http://www.w3.org/2000/svg' onload='alert(1)'/>", b"<!DOCTYPE x [<!ENTITY a 'a'>]><x>&a;</x>",
        b"%PDF-1.7\n", b"%!PS-Adobe-3.0 EPSF-3.0\n", b"MZ" + bytes(100), b"\x7fELF" + bytes(100),
        b"PK\x03\x04" + bytes(99), b"#!/bin/sh\nid\n", b"<?php system('id');", bytes(4096),
        b"RIFF\xff\xff\xff\xffWEBPVP8X",
        b"\xff\xd8\xff\xe0", b"\xff\xd8" + b"\xff\xe1\xff\xff" + bytes(66_000), HEAD, HEAD + chunk(b"IEND", b""),
        png(4000, 4000), png(1, 1, 16, 7), png(1, 1, 3, 3), png(100, 100, content=bytes(10)))
    # Bombs: a few bytes that claim to be, or unpack to, a lot.
    sides = (9000, 65_535, 2**31 - 1)
    yield from (claiming(width, height) for width in (5000, *sides) for height in sides)
    yield png(5000, 5000, 1, 0, bytes(626 * 5000))
    yield png(100, 100, 8, 2, b"", chunk(b"zTXt", b"k\0\0" + zlib.compress(bytes(50_000_000), 9)))
    yield png(100, 100, 8, 2, b"", chunk(b"iCCP", b"k\0\0" + zlib.compress(bytes(50_000_000), 9)))
    yield file_of(Image.new("L", (5000, 4001)), "JPEG")
    yield file_of(Image.new("L", (3500, 3000)), "WEBP", method=0)
    turned = [thirds().rotate(180)] * 3
    yield file_of(thirds(), "PNG", save_all=True, append_images=turned)
    yield file_of(thirds(), "WEBP", save_all=True, append_images=turned)
    yield bytes(8 * 2**20 + 1)
    yield good[0] + bytes(8 * 2**20)
    while True:
        whole = dice.choice(good)
        # Cut off so early, or with so much of it changed, that nothing of it is left to be seen.
        yield dice.choice([
            whole[: dice.randrange(4, 60)], dice.randbytes(dice.randrange(1, 9000)),
            whole[:16] + dice.randbytes(len(whole)), bytes(reversed(whole)),
        ])


@pytest.mark.slow
def test_a_hundred_hostile_files_are_refused_and_nothing_is_kept(juan, full):
    bring(juan.client, juan.sheet, b"")
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    for number, content in enumerate(islice(hostile(), 200 if full else 100)):
        assert bring(juan.client, juan.sheet, content).status_code == 422, number
    assert not Portrait.objects.exists()
    assert (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) * 1024 < MEMORY

import random
import struct
import zlib
from io import BytesIO

import pytest
from django.utils.translation import override
from PIL import Image

from sheets.faces import pictures
from sheets.faces.pictures import LARGE, ROOM, SIZES, SMALL, BadPicture, portraits

SIDE = 48


def halves(size=(3 * SIDE, SIDE)):
    """Three squares beside or above each other: red, green, blue."""
    picture = Image.new("RGB", size)
    across = size[0] > size[1]
    for place, colour in enumerate(((255, 0, 0), (0, 255, 0), (0, 0, 255))):
        corner = place * SIDE
        picture.paste(colour, (corner, 0, corner + SIDE, SIDE) if across else (0, corner, SIDE, corner + SIDE))
    return picture


def file_of(picture, kind="PNG", **more):
    file = BytesIO()
    picture.save(file, kind, **more)
    return file.getvalue()


def strongest(content):
    """Which of red, green and blue is the strongest in the middle."""
    with Image.open(BytesIO(content)) as picture:
        dot = picture.convert("RGB").getpixel((picture.width // 2, picture.height // 2))
    return ("red", "green", "blue")[dot.index(max(dot))]


def chunk(kind, content):
    return struct.pack(">I", len(content)) + kind + content + struct.pack(">I", zlib.crc32(kind + content))


def claiming(width, height):
    """A PNG of a few bytes that says to be so large."""
    return (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0))
            + chunk(b"IDAT", zlib.compress(bytes(1000))) + chunk(b"IEND", b""))


@pytest.mark.parametrize("kind", ["JPEG", "PNG", "WEBP"])
def test_a_picture_becomes_two_squares_of_webp(kind):
    for size, content in zip(SIZES, portraits(file_of(halves(), kind)), strict=True):
        with Image.open(BytesIO(content)) as picture:
            assert (picture.format, picture.size) == ("WEBP", (size, size))


@pytest.mark.parametrize("mode", ["1", "L", "LA", "P", "RGBA", "CMYK", "I;16"])
def test_each_way_to_say_colours_is_read(mode):
    kind = "JPEG" if mode == "CMYK" else "PNG"
    assert len(portraits(file_of(Image.new(mode, (20, 30)), kind))) == 2


@pytest.mark.parametrize(("focus", "colour"), [((0, 0.5), "red"), ((0.5, 0.5), "green"), ((1, 0.5), "blue"),
                                               ((-3, 9), "red"), ((7, -1), "blue")])
def test_the_square_is_where_the_focus_is(focus, colour):
    assert [strongest(one) for one in portraits(file_of(halves()), *focus)] == [colour] * 2
    upright = file_of(halves((SIDE, 3 * SIDE)))
    assert strongest(portraits(upright, *reversed(focus))[0]) == colour


def test_nothing_of_the_file_but_its_dots_is_kept_and_a_turned_picture_stands_upright():
    exif = Image.Exif()
    exif[0x010E], exif[0x0112] = "at home, 52.5 N 13.4 E", 3
    content = file_of(halves(), "JPEG", exif=exif, comment=b"secret", icc_profile=b"profile")
    large, small = portraits(content, across=0)
    assert strongest(large) == "blue"
    for one in (large, small):
        with Image.open(BytesIO(one)) as picture:
            assert not {"exif", "icc_profile", "xmp", "comment"} & set(picture.info)
        assert b"at home" not in one
        assert b"secret" not in one


def test_what_hangs_at_a_picture_is_not_kept():
    large, small = portraits(file_of(halves()) + b"<script>alert(1)</script>" + b"PK\x03\x04")
    assert b"script" not in large + small


def test_noise_fits_its_room_too():
    noise = Image.frombytes("RGBA", (LARGE, LARGE), random.Random(1).randbytes(LARGE * LARGE * 4))  # noqa: S311 - noise
    large, small = portraits(file_of(noise))
    assert len(small) <= len(large) <= ROOM


@pytest.mark.parametrize(("content", "word"), [
    (b"", "no picture"), (b"GIF89a" + bytes(50), "no picture"), (b"%PDF-1.7", "no picture"),
    (b"<svg xmlns='http://www.w3.org/2000/svg'/>", "no picture"), (b"%!PS-Adobe-3.0 EPSF-3.0\n", "no picture"),
    (file_of(halves(), "GIF"), "no picture"), (file_of(halves(), "BMP"), "no picture"),
    (file_of(halves(), "TIFF"), "no picture"), (file_of(halves())[:120], "no picture"),
    (file_of(halves(), "JPEG")[:300], "no picture"), (claiming(0, 0), "no picture"),
    (claiming(3000, 3000), "no picture"), (claiming(5000, 4000), "10 million"),
    (claiming(10_000, 10_000), "10 million"),
    (claiming(60_000, 60_000), "10 million"), (claiming(2**31 - 1, 1), "10 million"),
    (bytes(pictures.MOST_BYTES + 1), "8 MB"),
    (file_of(halves(), "PNG", save_all=True, append_images=[Image.new("RGB", (3 * SIDE, SIDE))]), "moves"),
    (file_of(halves(), "WEBP", save_all=True, append_images=[Image.new("RGB", (3 * SIDE, SIDE))]), "moves"),
], ids=lambda one: str(one)[:20])
def test_what_is_no_still_picture_is_refused_with_a_word(content, word):
    with override("en"), pytest.raises(BadPicture, match=word):
        portraits(content)


@pytest.mark.parametrize("kind", ["JPEG", "PNG", "WEBP"])
def test_a_damaged_file_becomes_a_portrait_or_is_refused(kind):
    whole, dice = file_of(halves(), kind), random.Random(kind)  # noqa: S311 - noise
    for _ in range(60):
        content = bytearray(whole)
        for _times in range(dice.randint(1, 8)):
            content[dice.randrange(len(content))] = dice.randrange(256)
        try:
            made = portraits(bytes(content))
        except BadPicture:
            continue
        assert [Image.open(BytesIO(one)).size for one in made] == [(LARGE, LARGE), (SMALL, SMALL)]

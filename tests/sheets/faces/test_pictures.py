import random

import pytest
from django.utils.translation import override
from PIL import Image

from sheets.faces import pictures
from sheets.faces.pictures import LARGE, PORTRAIT, SIZES, BadPicture, rewritten, size_of, squares
from tests.support.sheets.files import SIDE, claiming, file_of, noise, opened, strongest, thirds


@pytest.mark.parametrize("kind", ["JPEG", "PNG", "WEBP"])
def test_a_picture_becomes_two_squares_of_webp(kind):
    whole = rewritten(file_of(thirds(), kind))
    assert opened(whole).format == "WEBP"
    for size, content in zip(SIZES, squares(whole), strict=True):
        assert (opened(content).format, opened(content).size) == ("WEBP", (size, size))


@pytest.mark.parametrize(("size", "kept"), [
    ((3000, 2000), (768, 512)), ((400, 300), (400, 300)), ((300, 4000), (300, 600)), ((2000, 600), (1024, 512))])
def test_a_picture_is_kept_whole_but_for_what_is_too_long(size, kept):
    assert size_of(rewritten(file_of(Image.new("RGB", size), "JPEG"))) == kept


@pytest.mark.parametrize("mode", ["1", "L", "LA", "P", "RGBA", "CMYK", "I;16"])
def test_each_way_to_say_colours_is_read(mode):
    kind = "JPEG" if mode == "CMYK" else "PNG"
    assert size_of(rewritten(file_of(Image.new(mode, (20, 30)), kind))) == (20, 30)


def test_one_sees_through_a_picture_as_before():
    corner = opened(squares(rewritten(file_of(Image.new("RGBA", (20, 20), (255, 0, 0, 0)))))[0]).getpixel((0, 0))
    assert corner[3] == 0


@pytest.mark.parametrize(("focus", "colour"), [(0, "red"), (50, "green"), (100, "blue")])
@pytest.mark.parametrize("upright", [False, True])
def test_the_square_is_where_the_focus_is(focus, colour, upright):
    whole = file_of(thirds(upright=upright), "WEBP", lossless=True)
    assert [strongest(one) for one in squares(whole, focus)] == [colour] * 2


def test_nothing_of_the_file_but_its_dots_is_kept_and_a_turned_picture_stands_upright():
    exif = Image.Exif()
    exif[0x010E], exif[0x0112] = "at home, 52.5 N 13.4 E", 3
    content = file_of(thirds().crop((0, 0, 2 * SIDE, SIDE)), "JPEG", exif=exif, comment=b"secret",
                      icc_profile=b"profile")
    whole = rewritten(content)
    assert [strongest(squares(whole, focus)[0]) for focus in (0, 100)] == ["green", "red"]
    for one in (whole, *squares(whole)):
        assert not {"exif", "icc_profile", "xmp", "comment"} & set(opened(one).info)
        assert [secret in one for secret in (b"at home", b"secret")] == [False, False]
    # Nor is what hangs at a picture.
    assert b"script" not in rewritten(file_of(thirds()) + b"<script>alert(1)</script>" + b"PK\x03\x04")


@pytest.mark.parametrize("mode", ["RGB", "RGBA"])
def test_noise_fits_its_room_too(mode):
    whole = rewritten(file_of(noise(mode, (LARGE, 2 * LARGE)), compress_level=1))
    large, small = squares(whole)
    assert len(small) <= len(large) <= PORTRAIT.room >= len(whole)


@pytest.mark.parametrize(("content", "word"), [
    (b"", "not a picture"), (b"GIF89a" + bytes(50), "not a picture"), (b"%PDF-1.7", "not a picture"),
    (b"<svg xmlns='http://www.w3.org/2000/svg'/>", "not a picture"), (b"%!PS-Adobe-3.0 EPSF-3.0\n", "not a picture"),
    (file_of(thirds(), "GIF"), "not a picture"), (file_of(thirds(), "BMP"), "not a picture"),
    (file_of(thirds(), "TIFF"), "not a picture"), (file_of(thirds())[:120], "not a picture"),
    (file_of(thirds(), "JPEG")[:300], "not a picture"), (claiming(0, 0), "not a picture"),
    (claiming(3000, 3000), "not a picture"), (claiming(5000, 4000), "10 million"),
    (claiming(10_000, 10_000), "10 million"),
    (claiming(60_000, 60_000), "10 million"), (claiming(2**31 - 1, 1), "10 million"),
    (bytes(pictures.MOST_BYTES + 1), "8 MB"),
    (file_of(thirds(), "PNG", save_all=True, append_images=[Image.new("RGB", (3 * SIDE, SIDE))]), "animated"),
    (file_of(thirds(), "WEBP", save_all=True, append_images=[Image.new("RGB", (3 * SIDE, SIDE))]), "animated"),
], ids=lambda one: str(one)[:20])
def test_what_is_no_still_picture_is_refused_with_a_word(content, word):
    with override("en"), pytest.raises(BadPicture, match=word):
        rewritten(content)


@pytest.mark.parametrize("kind", ["JPEG", "PNG", "WEBP"])
def test_a_damaged_file_becomes_a_portrait_or_is_refused(kind):
    whole, dice = file_of(thirds(), kind), random.Random(kind)  # noqa: S311 - noise
    for _ in range(30):
        content = bytearray(whole)
        for _times in range(dice.randint(1, 8)):
            content[dice.randrange(len(content))] = dice.randrange(256)
        try:
            made = rewritten(bytes(content))
        except BadPicture:
            continue
        assert [opened(one).size for one in squares(made)] == [(one, one) for one in SIZES]

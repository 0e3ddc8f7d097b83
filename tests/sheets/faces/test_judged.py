"""What a picture would cost to decode is judged before; of several pictures in one file the first is taken."""

import struct
import threading
import zlib
from concurrent.futures import ThreadPoolExecutor
from io import BytesIO

import pytest
from django.utils.translation import override
from PIL import Image

from sheets.faces import pictures
from sheets.faces.judged import PARTS, SCANS, TooDear, judged
from sheets.faces.pictures import BadPicture, rewritten
from tests.support.sheets.files import EMPTY, chunk, file_of, scanned, strongest, thirds


def refused(content):
    with override("en"), pytest.raises(BadPicture, match="far too many pieces"):
        rewritten(content)


def test_a_jpeg_with_thousands_of_scans_is_refused_before_any_is_decoded(monkeypatch):
    monkeypatch.setattr(pictures, "_decoded", lambda *_: pytest.fail("it is decoded"))
    refused(scanned(SCANS))
    refused(scanned(5_000))


@pytest.mark.parametrize("between", [b"\xff\xff\xff", b"garbage", b"\xff\x00" * 9, b"\xff\xd0\xff\xd7"])
def test_what_lies_between_its_scans_hides_none_of_them(between):
    with pytest.raises(TooDear):
        judged(scanned(0).removesuffix(b"\xff\xd9") + (between + EMPTY) * (SCANS + 1))


def test_where_two_pictures_are_being_decoded_a_third_does_not_wait_for_long(monkeypatch):
    begun, end, decoded = threading.Semaphore(0), threading.Event(), pictures._decoded

    def decode(*words):
        begun.release()
        assert end.wait(60)
        return decoded(*words)
    monkeypatch.setattr(pictures, "_decoded", decode)
    monkeypatch.setattr(pictures, "PATIENCE", 0.01)
    with ThreadPoolExecutor(2) as pool:
        both = [pool.submit(rewritten, file_of(thirds())) for _one in range(2)]
        try:
            assert [begun.acquire(timeout=60) for _one in both] == [True, True]
            with override("en"), pytest.raises(BadPicture, match="send yours again"):
                rewritten(file_of(thirds()))
        finally:
            end.set()
        assert all(one.result(60) for one in both)
    assert rewritten(file_of(thirds()))


def test_a_photograph_as_cameras_write_it_is_read():
    for progressive in (False, True):
        content = file_of(thirds(), "JPEG", progressive=progressive, comment=EMPTY * (SCANS + 1),
                          icc_profile=EMPTY * 200)
        assert judged(content) == content
        assert rewritten(content)


def test_of_a_jpeg_with_two_pictures_the_first_is_taken():
    content = file_of(thirds(), "MPO", save_all=True, append_images=[Image.new("RGB", (48, 48), "blue")])
    assert Image.open(BytesIO(content)).format == "MPO"
    assert strongest(rewritten(content)) == "green"


def test_nothing_moves_where_a_jpeg_says_that_it_has_several_pictures():
    """What is cut out would join what stands around it to parts that nobody has judged."""
    content = file_of(thirds(), "MPO", save_all=True, append_images=[Image.new("RGB", (48, 48), "blue")])
    first = content.index(b"\xff\xd9") + 2
    assert judged(content) == content[:first].replace(b"MPF\0", bytes(4))


@pytest.mark.parametrize("size", [(1, pictures.LONGEST + 1), (pictures.LONGEST + 1, 1)])
def test_a_picture_of_few_dots_with_a_side_that_is_far_too_long_is_refused_before_it_is_decoded(size, monkeypatch):
    monkeypatch.setattr(Image.Image, "thumbnail", lambda *_more: pytest.fail("it is decoded"))
    with override("en"), pytest.raises(BadPicture, match="too many dots"):
        rewritten(file_of(Image.new("L", size)))


def test_a_png_with_more_than_one_profile_of_colours_is_refused():
    png = file_of(thirds())
    profile = chunk(b"iCCP", b"x\0\0" + zlib.compress(bytes(10_000)))
    assert judged(png[:33] + profile + png[33:])
    refused(png[:33] + profile * 2 + png[33:])


def test_a_png_and_a_webp_of_very_many_pieces_are_refused():
    png, webp = file_of(thirds()), file_of(thirds(), "WEBP")
    refused(png[:33] + chunk(b"tEXt", b"") * (PARTS + 1) + png[33:])
    refused(webp + struct.pack("<4sI", b"EXIF", 0) * (PARTS + 1))
    assert [judged(one) for one in (png, webp)] == [png, webp]

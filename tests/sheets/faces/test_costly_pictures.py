"""Pictures that cost far more to decode than others end a process of their own, and say so."""

from contextlib import suppress
from io import BytesIO

import pytest
from django.utils.translation import override
from PIL import Image
from PIL.JpegImagePlugin import JpegImageFile
from PIL.PngImagePlugin import PngImageFile

from sheets import separate_process
from sheets.faces import pictures
from sheets.faces.pictures import HANDOUT, PORTRAIT, BadPicture, rewritten
from sheets.models import Portrait
from sheets.separate_process import NotAccepted, seconds_used
from tests.support.everyday import everyday
from tests.support.sheets import costly_pictures as costly
from tests.support.sheets.files import EMPTY, bring, file_of, scanned, strongest, thirds


@pytest.fixture(autouse=True)
def _patient(settings):
    """A machine may be busy."""
    settings.REQUEST_SECONDS = 240


@pytest.fixture
def decoded_elsewhere(monkeypatch):
    """Nothing that somebody brings is decoded, nor looked into, by whoever serves."""
    for kind in (JpegImageFile, PngImageFile):
        monkeypatch.setattr(kind, "_open", lambda *_more: pytest.fail("it is read here"))


@pytest.mark.django_db
def test_whoever_brings_one_is_told_and_the_next_one_is_read(juan, decoded_elsewhere, monkeypatch):
    monkeypatch.setattr(separate_process, "SECONDS", 1)
    answer = bring(juan.client, juan.sheet, scanned(5_000, Image.new("L", (4_472, 4_472))))
    assert answer.status_code == 422
    assert "This picture takes far more work to read than others" in answer.text
    assert not Portrait.objects.exists()
    assert bring(juan.client, juan.sheet, file_of(thirds())).status_code == 302


@pytest.mark.parametrize("make", everyday([
    costly.segments, costly.arithmetic, costly.progressive, costly.deep, costly.chunks, costly.profiles, costly.texts,
    costly.fill], 4))
def test_none_costs_more_than_it_may(make, decoded_elsewhere, monkeypatch):
    monkeypatch.setattr(separate_process, "SECONDS", 1)
    content = make()
    assert len(content) <= pictures.MOST_BYTES
    seconds_used()
    with suppress(BadPicture):
        assert rewritten(content)
    assert seconds_used() < 2
    assert strongest(rewritten(file_of(thirds()))) == "green"


def test_one_that_takes_more_memory_than_it_may_is_refused_as_such(monkeypatch, decoded_elsewhere):
    monkeypatch.setattr(separate_process, "MEMORY", 32 * 2**20)
    with override("en"), pytest.raises(BadPicture, match="takes far more"):
        rewritten(costly.deep())


@pytest.mark.slow
@pytest.mark.parametrize(("mode", "size", "kind"), [
    ("CMYK", (4400, 4400), "JPEG"), ("RGBA", (4000, 4000), "PNG"), ("P", (3999, 3999), "PNG"),
    ("I;16", (3999, 3999), "PNG"), ("RGBA", (3100, 3100), "WEBP")])
def test_the_largest_that_are_allowed_have_room(mode, size, kind):
    assert rewritten(file_of(Image.new(mode, size), kind), HANDOUT)


def test_a_photograph_as_cameras_write_it_is_read():
    for progressive in (False, True):
        assert rewritten(file_of(thirds(), "JPEG", progressive=progressive, comment=EMPTY * 100,
                                 icc_profile=EMPTY * 200))


def test_of_a_jpeg_with_two_pictures_the_first_is_taken():
    content = file_of(thirds(), "MPO", save_all=True, append_images=[Image.new("RGB", (48, 48), "blue")])
    assert Image.open(BytesIO(content)).format == "MPO"
    assert strongest(rewritten(content)) == "green"
    # What says where the others are may be broken.
    assert strongest(rewritten(content.replace(b"MPF\0II*\0", b"MPF\0XX*\0"))) == "green"


@pytest.mark.parametrize("size", [(1, pictures.LONGEST + 1), (pictures.LONGEST + 1, 1)])
def test_a_picture_of_few_dots_with_a_side_that_is_far_too_long_is_refused_before_it_is_decoded(size, monkeypatch):
    monkeypatch.setattr(Image.Image, "thumbnail", lambda *_more: pytest.fail("it is decoded"))
    with pytest.raises(NotAccepted, match="dots"):
        pictures._decoded(file_of(Image.new("L", size)), PORTRAIT)
    with override("en"), pytest.raises(BadPicture, match="too many pixels"):
        rewritten(file_of(Image.new("L", size)))

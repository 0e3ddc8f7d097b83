"""What is uploaded is kept in memory, and no more of it than shows that it is too large."""

import tempfile

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile

from builder.uploads import ROOM
from sheets.faces.pictures import MOST_BYTES
from sheets.validator.pdf import LARGEST
from tests.support.sheets.files import bring, file_of, noise

pytestmark = pytest.mark.django_db


@pytest.fixture
def no_disk(monkeypatch):
    """No file is made for what is uploaded."""
    for name in ("NamedTemporaryFile", "TemporaryFile", "mkstemp"):
        monkeypatch.setattr(tempfile, name, lambda *_more, **_words: pytest.fail("it lies on the disk"))


def test_a_large_picture_never_lies_on_the_disk(juan, no_disk):
    content = file_of(noise("RGB", (1_200, 1_000)), compress_level=0)
    assert 3_000_000 < len(content) < MOST_BYTES
    assert bring(juan.client, juan.sheet, content).status_code == 302


def test_what_is_far_too_large_is_told_as_such_and_kept_in_part_alone(juan, no_disk, rf):
    assert max(MOST_BYTES, LARGEST) < ROOM
    large = bytes(2 * ROOM)
    assert "The file is larger than 8 MB" in bring(juan.client, juan.sheet, large).text
    sent = rf.post("/", {"a": SimpleUploadedFile("a", b"x" * 9), "b": SimpleUploadedFile("b", large),
                         "c": SimpleUploadedFile("c", b"y")}).FILES
    assert [(one.size, len(one.read())) for one in sent.values()] == [(9, 9), (ROOM - 9, ROOM - 9), (0, 0)]

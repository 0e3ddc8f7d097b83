"""A printed PDF brought back: its document is read, whatever else somebody brings is refused with a word."""

import io
from contextlib import suppress
from random import Random

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import reverse
from pypdf import PdfWriter
from pypdf.generic import ArrayObject, DictionaryObject, NameObject

from rulesets.document import BYTES, read, read_tree
from sheets.export import pdf
from sheets.export.layouts import LAYOUTS
from sheets.models import Sheet
from sheets.validator.pdf import LARGEST, NAME, NoDocument, attached
from tests.everyday import everyday
from tests.guest import Guest, example
from tests.sheets.export.test_paper import sheet, told

pytestmark = pytest.mark.django_db


@pytest.fixture
def printed():
    """A printed sheet and its owner."""
    guest = Guest(example())
    return guest, guest.client.get(f"/sheets/{guest.pk}/sheet.pdf").content


def bring(guest, raw, **form):
    upload = SimpleUploadedFile("x.pdf", raw, "application/pdf")
    return guest.client.post(reverse("import"), {"file": upload, "do": "check", **form})


def test_a_printed_character_is_imported_again(printed):
    guest, raw = printed
    answer = bring(guest, raw, do="import")
    assert answer.status_code == 302
    new = Sheet.objects.exclude(pk=guest.pk).get()
    assert new.data == Sheet.objects.get(pk=guest.pk).data
    assert read(attached(raw)).seal() == read_tree(example()).seal()


def test_the_validator_reads_a_pdf_too(printed):
    guest, raw = printed
    answer = guest.client.post(reverse("validator"), {"file": SimpleUploadedFile("x.pdf", raw)})
    assert "Einhornpiranhas" in answer.text


def carrying(name, content, change=None):
    """A PDF of somebody else's with something attached, and changed."""
    writer, out = PdfWriter(), io.BytesIO()
    writer.add_blank_page(72, 72)
    if name:
        writer.add_attachment(name, content)
    if change:
        change(writer)
    writer.write(out)
    return out.getvalue()


def locked(writer):
    writer.encrypt("geheim", algorithm="RC4-128")


def circling(writer):
    """Its names lead in a circle."""
    tree = DictionaryObject()
    there = writer._add_object(tree)
    tree[NameObject("/Kids")] = ArrayObject([there])
    writer.root_object[NameObject("/Names")] = DictionaryObject({NameObject("/EmbeddedFiles"): there})


def nested(writer):
    """Its names lie a thousand deep."""
    tree = DictionaryObject({NameObject("/Names"): ArrayObject()})
    for _level in range(1000):
        tree = DictionaryObject({NameObject("/Kids"): ArrayObject([writer._add_object(tree)])})
    writer.root_object[NameObject("/Names")] = DictionaryObject({NameObject("/EmbeddedFiles"): tree})


@pytest.mark.parametrize(("raw", "said"), [
    (b"%PDF-", "cannot be read"), (b"%PDF-1.7\n%%EOF", "cannot be read"),
    (b"%PDF-1.7\n" + b"<" * 100_000, "cannot be read"), (b"%PDF-1.7\n" + b"[" * 100_000 + b"\nstartxref\n9\n%%EOF",
                                                        "cannot be read"),
    (b"%PDF-1.7\n" + b"\0" * LARGEST, "is larger than"),
    (carrying("", b""), "carries no character"), (carrying("other.json", b"{}"), "carries no character"),
    (carrying(NAME, b""), "carries no character"), (carrying(NAME, b"{}", locked), "cannot be read"),
    (carrying(NAME, b"{}", circling), "this PDF"), (carrying(NAME, b"{}", nested), "this PDF"),
])
def test_a_hostile_pdf_is_refused_with_a_word_and_changes_nothing(raw, said):
    guest = Guest(example())
    answer = bring(guest, raw, do="import")
    assert answer.status_code == 422
    assert said.casefold() in answer.text.casefold()
    assert Sheet.objects.count() == 1
    page = guest.client.post(reverse("validator"), {"file": SimpleUploadedFile("x.pdf", raw)})
    assert said.casefold() in page.text.casefold()


def test_a_document_within_is_trusted_no_more_than_any_other():
    guest = Guest(example())
    for content in (b"{}", b"[" * 50_000, b"\xff\xfe", b"{" + b" " * (4 * BYTES) + b"}"):
        answer = bring(guest, carrying(NAME, content), do="import")
        assert answer.status_code == 422
    assert Sheet.objects.count() == 1


def test_a_document_that_unpacks_to_very_much_is_cut_where_one_ends():
    raw = pdf.typeset(LAYOUTS["sheet"], told(sheet()), "", b" " * 8_000_000)
    assert len(raw) < LARGEST
    assert len(attached(raw)) == BYTES + 1


@pytest.mark.parametrize("seed", everyday(range(40), 4))
def test_a_damaged_pdf_is_read_or_refused(seed):
    rng = Random(seed)  # noqa: S311 - the same damage in every run
    raw = bytearray(pdf.typeset(LAYOUTS["sheet"], told(sheet()), "", b'{"x": 1}'))
    for _time in range(rng.randrange(1, 60)):
        raw[rng.randrange(5, len(raw))] = rng.randrange(256)
    raw = bytes(raw[:rng.randrange(len(raw) // 2, len(raw) + 1)])
    with suppress(NoDocument):
        assert attached(raw) == b'{"x": 1}'

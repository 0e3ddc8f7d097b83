"""A printed PDF brought back: its document is read, whatever else somebody brings is refused with a word."""

import io
import zlib
from contextlib import suppress
from functools import cache
from random import Random

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import reverse
from pypdf import PdfReader, PdfWriter
from pypdf.generic import ArrayObject, DictionaryObject, NameObject, NumberObject, StreamObject, TextStringObject

from rulesets import systems
from rulesets.document import BYTES, read, read_tree
from sheets import separate_process
from sheets.export import pdf
from sheets.export.layouts import LAYOUTS
from sheets.models import Sheet
from sheets.separate_process import seconds_used
from sheets.validator.enclosed import NAME, read_attachment
from sheets.validator.pdf import LARGEST, NoDocument, document_in_pdf
from tests.largest import largest
from tests.support.everyday import everyday
from tests.support.guest import example
from tests.support.hostile_documents import (
    astray,
    broken_flate,
    chained,
    commented,
    keyed,
    parcelled,
    rootless,
    tabled,
)
from tests.support.sheets.printed import sheet, told

pytestmark = [pytest.mark.django_db, pytest.mark.alike]


def paper(document=b"", of=None):
    """A printed sheet with a document of these bytes."""
    return pdf.typeset(LAYOUTS["sheet"], told(sheet(of)), "", document)


def bring(guest, raw, **form):
    upload = SimpleUploadedFile("x.pdf", raw, "application/pdf")
    return guest.client.post(reverse("import"), {"file": upload, "do": "check", **form})


def test_a_printed_character_is_imported_again_and_read_by_the_validator(juan):
    raw = juan.client.get(f"/sheets/{juan.pk}/sheet.pdf").content
    assert bring(juan, raw, do="import").status_code == 302
    assert Sheet.objects.exclude(pk=juan.pk).get().data == juan.data
    assert read(document_in_pdf(raw)).seal() == read_tree(example()).seal()
    answer = juan.client.post(reverse("validator"), {"file": SimpleUploadedFile("x.pdf", raw)})
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


def named(writer, tree):
    writer.root_object[NameObject("/Names")] = DictionaryObject({NameObject("/EmbeddedFiles"): tree})


def circling(writer):
    """Its names lead in a circle."""
    tree = DictionaryObject()
    there = writer._add_object(tree)
    tree[NameObject("/Kids")] = ArrayObject([there])
    named(writer, there)


def branching(writer, levels=5, kids=30):
    """Its names branch out into millions, all the same."""
    node = writer._add_object(DictionaryObject({NameObject("/Names"): ArrayObject()}))
    for _level in range(levels):
        node = writer._add_object(DictionaryObject({NameObject("/Kids"): ArrayObject([node] * kids)}))
    named(writer, node)


def nested(writer):
    """Its names lie a thousand deep."""
    branching(writer, 1000, 1)


@pytest.mark.parametrize(("raw", "said"), [
    (b"%PDF-", "cannot be read"), (b"%PDF-1.7\n%%EOF", "cannot be read"),
    (b"%PDF-1.7\n" + b"<" * 100_000, "cannot be read"), (b"%PDF-1.7\n" + b"[" * 100_000 + b"\nstartxref\n9\n%%EOF",
                                                        "cannot be read"),
    (b"%PDF-1.7\n" + b"\0" * LARGEST, "is larger than"),
    (carrying("", b""), "contains no character"), (carrying("other.json", b"{}"), "contains no character"),
    (carrying(NAME, b""), "contains no character"), (carrying(NAME, b"{}", locked), "cannot be read"),
    (carrying(NAME, b"{}", circling), "this PDF"), (carrying(NAME, b"{}", nested), "this PDF"),
])
def test_a_hostile_pdf_is_refused_with_a_word_and_changes_nothing(juan, raw, said):
    answer = bring(juan, raw, do="import")
    assert (answer.status_code, Sheet.objects.count()) == (422, 1)
    assert said.casefold() in answer.text.casefold()
    page = juan.client.post(reverse("validator"), {"file": SimpleUploadedFile("x.pdf", raw)})
    assert said.casefold() in page.text.casefold()


def test_a_document_within_is_trusted_no_more_than_any_other(juan):
    for content in (b"{}", b"[" * 50_000, b"\xff\xfe", b"{" + b" " * (4 * BYTES) + b"}"):
        assert bring(juan, carrying(NAME, content), do="import").status_code == 422
    assert Sheet.objects.count() == 1


def test_a_document_that_is_too_long_is_cut_where_one_ends():
    assert len(document_in_pdf(paper(b" " * 8 * BYTES))) == BYTES + 1


def packed(data, filters, **parms):
    """Its document is these bytes under these filters."""
    def change(writer):
        document, = (one for one in writer._objects if isinstance(one, DictionaryObject)
                     and one.get("/Type") == "/EmbeddedFile")
        document._data = data
        document[NameObject("/Filter")] = ArrayObject(NameObject(one) for one in filters)
        if parms:
            document[NameObject("/DecodeParms")] = DictionaryObject(
                {NameObject(f"/{key}"): NumberObject(value) for key, value in parms.items()})
    return change


def crowded(writer):
    """Tens of thousands of names lead to one file."""
    names = writer.root_object["/Names"]["/EmbeddedFiles"]["/Names"]
    for number in range(20_000):
        names.extend([TextStringObject(f"{number}"), names[1]])


FLATE = "/FlateDecode"


@cache
def much():
    """Twenty million letters, packed."""
    return zlib.compress(b" " * 20_000_000)


@pytest.fixture
def read_elsewhere(monkeypatch):
    """Nothing that somebody brings is looked into by whoever serves."""
    monkeypatch.setattr(PdfReader, "__init__", lambda *_more, **_words: pytest.fail("it is read here"))


@pytest.mark.parametrize("made", everyday([
    lambda: tabled(1_000_000), parcelled, broken_flate, lambda: keyed(100_000), lambda: commented(900_000),
    lambda: carrying(NAME, b"x", packed(zlib.compress(b"\2\0" * 10_000_000), [FLATE], Predictor=15, Columns=1)),
    lambda: rootless(9_000), lambda: astray(3_000), lambda: chained(20_000), lambda: carrying(NAME, b"{}", crowded),
    lambda: carrying(NAME, b"{}", branching), lambda: carrying(NAME, b"x", packed(much(), [FLATE])),
    lambda: carrying(NAME, b"x", packed(zlib.compress(much()), [FLATE] * 2)),
    lambda: carrying(NAME, b"x", packed(zlib.compress(b"x"), [FLATE] * 200)),
    lambda: carrying(NAME, b"x", packed(b"\x81 " * 900_000, ["/RunLengthDecode"])),
    lambda: b"%PDF-1.7\n" + b"startxref\n9\n" * 170_000,
    lambda: b"%PDF-1.7\n1 0 obj\n<<>>\nendobj\nxref\n0 999999999\ntrailer\n<</Size 999999999>>\nstartxref\n32\n%%EOF",
], 6))
def test_a_pdf_that_unpacks_to_very_much_costs_no_more_than_it_may(made, read_elsewhere, monkeypatch, settings):
    monkeypatch.setattr(separate_process, "SECONDS", 1)
    settings.REQUEST_SECONDS = 240
    assert len(raw := made()) < LARGEST
    seconds_used()
    with suppress(NoDocument):
        assert document_in_pdf(raw)
    assert seconds_used() < 2


def test_one_that_costs_more_than_it_may_is_told_as_such(juan, monkeypatch, settings):
    monkeypatch.setattr(separate_process, "MEMORY", 8 * 2**20)
    answer = bring(juan, carrying(NAME, b"x", packed(much(), [FLATE])))
    assert answer.status_code == 422
    assert "takes far longer to read than those made here" in answer.text


@pytest.mark.parametrize("raw", [
    carrying(NAME, b"x", packed(b"x", ["/JBIG2Decode"])), carrying(NAME, b"x", packed(b"x", ["/Nonsense"])),
    carrying("Bogenschmiede.json", b"{}"), carrying("../bogenschmiede.json", b"{}"), carrying(f"{NAME}.exe", b"{}")])
def test_nothing_else_is_taken_for_the_document(raw):
    with pytest.raises(NoDocument):
        document_in_pdf(raw)


def test_of_many_attachments_the_document_is_found():
    def many(writer):
        for number in range(100):
            writer.add_attachment(f"{number}.json", b"x")
        writer.add_attachment(NAME, b"{}")

    assert document_in_pdf(carrying("", b"", many)) == b"{}"


def test_no_other_attachment_than_the_document_is_unpacked(monkeypatch):
    unpacked = []
    get_data = StreamObject.get_data
    monkeypatch.setattr(StreamObject, "get_data", lambda one: unpacked.append(one) or get_data(one))

    def many(writer):
        for _number in range(20):
            writer.add_attachment(NAME, b"{}" + bytes(10_000))
    assert read_attachment(carrying("", b"", many), 2) == b"{}"
    assert len(unpacked) == 1


@pytest.mark.parametrize("slug", systems())
def test_the_largest_paper_of_ours_is_within_what_its_reader_may_spend(slug):
    assert document_in_pdf(paper(b"{}", largest(slug))) == b"{}"


@pytest.fixture(scope="module")
def printed():
    return paper(b'{"x": 1}')


@pytest.mark.parametrize("seed", everyday(range(40), 8))
def test_a_damaged_pdf_is_read_or_refused(printed, seed):
    rng, raw = Random(seed), bytearray(printed)  # noqa: S311 - the same damage in every run
    for _time in range(rng.randrange(1, 60)):
        raw[rng.randrange(5, len(raw))] = rng.randrange(256)
    with suppress(NoDocument):
        assert document_in_pdf(bytes(raw[:rng.randrange(len(raw) // 2, len(raw) + 1)])) == b'{"x": 1}'

import io
import re
import unicodedata
from concurrent.futures import ThreadPoolExecutor
from copy import deepcopy

import pypdfium2
import pytest
import typst
from django.utils.timezone import now
from django.utils.translation import override
from hypothesis import given
from hypothesis import strategies as st
from pypdf import PdfReader

from rulesets import systems
from sheets.export import paper, pdf
from sheets.export.layouts import LAYOUTS
from sheets.models import Sheet
from tests.support.everyday import everyday
from tests.support.guest import Guest, example

EVERY = [(slug, which) for slug, ruleset in systems().items() for which in ruleset.examples]
MILLIMETRE = 72 / 25.4
MARGIN = 16 * MILLIMETRE
OVERHANG = 4
"""Points by which a J, or an italic, may swing out beyond its line."""


def sheet(document=None, *, name=None, notes="", **data):
    """A sheet that nobody stored: an example, changed by key."""
    document = deepcopy(document or example())
    return Sheet(ruleset=document["ruleset"], name=document["name"] if name is None else name, updated=now(),
                 data=document["data"] | data, notes=notes)


def attack(name="Faust", description=""):
    return {"name": name, "dice": 4, "range": 0, "description": description}


def told(one, lang="en", **more):
    """What stands on the paper, as data."""
    with override(lang):
        return paper.paper(one, **more)


def made(one, layout="sheet", lang="en", size=""):
    return pdf.typeset(LAYOUTS[layout], told(one, lang, pocket=layout == "pocket"), size)


def text_of(raw):
    """All that a PDF says, without spaces and without what hyphenation and breaking put in."""
    text = "".join(page.get_textpage().get_text_range() for page in pypdfium2.PdfDocument(raw))
    return squeezed(text)


def squeezed(text):
    return re.sub(r"[\s\u00ad\u200b\ufffe\u2010-]", "", unicodedata.normalize("NFC", text))


def claims_the_standard(raw):
    return b"pdfuaid:part>1<" in PdfReader(io.BytesIO(raw)).xmp_metadata.stream.get_data()


def fonts_of(raw):
    """(name, whether the font is in the file) of each font used."""
    for page in PdfReader(io.BytesIO(raw)).pages:
        for font in page["/Resources"]["/Font"].values():
            drawn = font["/DescendantFonts"][0]["/FontDescriptor"] if "/DescendantFonts" in font else font
            yield drawn["/FontName"], any(f"/FontFile{kind}" in drawn for kind in ("", "2", "3"))


def tags_of(raw):
    """Every kind of tag in the structure tree."""
    found, todo = set(), [PdfReader(io.BytesIO(raw)).root_object["/StructTreeRoot"]]
    while todo:
        node = todo.pop().get_object()
        if isinstance(node, list):
            todo += node
        elif isinstance(node, dict):
            found.add(node.get("/S"))
            todo += [node["/K"]] if "/K" in node else []
    return found


def outside(raw, margin=MARGIN, top_margin=10 * MILLIMETRE):
    """Characters that stand beyond the margins of their page."""
    for page in pypdfium2.PdfDocument(raw):
        width, height = page.get_size()
        said = page.get_textpage()
        for index in range(said.count_chars()):
            left, bottom, right, top = said.get_charbox(index)
            beside = left < margin - OVERHANG or right > width - margin + OVERHANG
            if beside or bottom < 8 * MILLIMETRE or top > height - top_margin:
                yield said.get_text_range(index, 1), (left, bottom, right, top)


@pytest.mark.parametrize("layout", ["sheet", "pencil"])
@pytest.mark.parametrize("lang", everyday(["de", "en"]))
@pytest.mark.parametrize(("slug", "which"), everyday(EVERY, each=4))
def test_every_example_is_a_tagged_pdf_with_title_language_and_fonts(slug, which, lang, layout):
    document = example(which, slug)
    raw = made(sheet(document), layout, lang)
    read = PdfReader(io.BytesIO(raw))
    assert claims_the_standard(raw)
    assert read.root_object["/MarkInfo"]["/Marked"]
    assert read.root_object["/Lang"] == lang
    assert document["name"] in read.metadata.title
    assert read.metadata.author is None
    assert {"/Document", "/H1", "/H2", "/P"} <= tags_of(raw)
    found = dict(fonts_of(raw))
    assert any("LibertinusSerif" in name for name in found)
    assert all(found.values())
    assert all(abs(page.mediabox.width - 210 * MILLIMETRE) < 1 for page in read.pages)
    assert list(outside(raw)) == []


@pytest.mark.parametrize(("slug", "which"), EVERY)
def test_a_sheet_says_all_that_its_outline_says(slug, which):
    one = sheet(example(which, slug))
    data = told(one)
    said = text_of(made(one))
    texts = [data["name"], data["status"].upper(), data["system"], data["date"], "Page 1 of 1"]
    texts += [text for tile in data["tiles"] for text in (tile["title"], tile["value"])]
    texts += [text for face in data["faces"] for text in (face["title"], f"×{face['copies']}", face["line"],
                                                          *(said for pair in face["texts"] for said in pair))]
    for section in data["sections"] if not data["faces"] else ():
        for entry in section["entries"]:
            texts += [entry["name"], entry["text"], entry["points"], *entry["prose"]]
            texts += [fact["value"] for fact in entry["facts"]]
    if data["ledger"]:
        texts += [line["title"] for line in data["ledger"]["lines"]] + [data["ledger"]["total"]]
    texts += [finding["text"] for finding in data["findings"]]
    assert [text for text in texts if squeezed(text) not in said] == []


def test_every_point_stands_in_the_ledger():
    ledger = told(sheet())["ledger"]
    assert sum(line["points"] for line in ledger["lines"]) + ledger["left"]["points"] == ledger["budget"] == 30


@pytest.mark.parametrize("layout", ["sheet", "pencil"])
@pytest.mark.parametrize("letter", everyday(["W", "x", "m", "i", "Ä", "-", "_"], 2))
def test_a_word_of_4000_letters_is_broken_and_nothing_is_cut_off(letter, layout):
    raw = made(sheet(name=letter * 200, notes=letter * 4000, attacks=[attack(letter * 200, letter * 4000)], abilities=[
        {"ability": "custom", "name": letter * 200, "cost": 8, "description": letter * 4000}]), layout)
    assert list(outside(raw)) == []
    if letter != "-":
        assert text_of(raw).count(letter) >= 200 + 4000 + 200 + 4000 + 200 + 4000


def test_long_texts_flow_over_pages_that_are_numbered():
    words = " ".join(f"Zöllner{number}" for number in range(350))
    raw = made(sheet(notes=words, attacks=[attack("Wort", words)]), lang="de")
    pages = len(PdfReader(io.BytesIO(raw)).pages)
    said = text_of(raw)
    assert pages > 1
    assert all(f"Zöllner{number}" in said for number in range(350))
    assert all(squeezed(f"{page} von {pages}") in said for page in range(1, pages + 1))


@pytest.mark.parametrize("layout", ["sheet", "pencil"])
@pytest.mark.parametrize("text", everyday([
    '#panic("x")', '#import "@preview/cetz:0.3.0"', "*fett* _schief_ `roh`", "$ sum_i x^2 $", "@nowhere <label>",
    "= Heading", "- one", "+ two", "/ term: text", "back\\slash \\u{41} \\", "// comment /* more */", "http://x.y",
    "#sys.inputs", "]}) #[", '#eval("1")', '#read("page.typ")', "''' \"\"\"", "~ -- --- ...", "{n} {name}",
], each=6))
def test_markup_in_a_text_is_a_text(text, layout):
    raw = made(sheet(name=text, notes=text, attacks=[attack(text, f"{text}!")]), layout)
    assert text_of(raw).count(squeezed(text)) >= 3
    assert claims_the_standard(raw)


@pytest.mark.parametrize("layout", ["sheet", "pencil"])
@pytest.mark.parametrize("text", everyday([
    "漢字", "שלום", "مرحبا", "🐉👩\u200d👩\u200d👧", "สวัสดี", "e\u0301\u0323", "\u202eabc", "a\x07b\x1b\ufeff\uffff",
    "\U000e0041", "\ue000", "\u200b", "a\r\nb\u2028c\x85d", "",
], each=4))
def test_a_text_in_any_script_is_set_whatever_the_fonts_have(text, layout):
    raw = made(sheet(name=text, notes=text * 20, attacks=[attack(text * 20, text * 200)]), layout)
    assert PdfReader(io.BytesIO(raw)).root_object["/MarkInfo"]["/Marked"]


@given(name=st.text(max_size=50), text=st.text(max_size=300), layout=st.sampled_from(("sheet", "pencil")))
def test_whatever_people_write_becomes_a_pdf(name, text, layout):
    assert made(sheet(name=name, notes=text, attacks=[attack(name, text)]), layout).startswith(b"%PDF-")


def test_umlauts_are_there():
    assert "GräfinÄÖÜßéſ" in text_of(made(sheet(name="Gräfin ÄÖÜßéſ")))


def test_a_chart_on_paper_is_strong_where_it_is_hoped_for():
    strong = {one["title"]: [hoped for _height, hoped in one["bars"]] for one in told(sheet())["rolls"]}
    assert strong["Mental defence"] == [True, False]
    assert strong["Einhornpiranhas"] == [False, True, True, True, True, True]
    assert strong["Healing"] == [True] * 6


@pytest.mark.slow
def test_threads_have_a_compiler_each():
    def work(number):
        return len(PdfReader(io.BytesIO(made(sheet(name=f"Juan {number}"), "pencil"))).pages)

    with ThreadPoolExecutor(4) as pool:
        assert set(pool.map(work, range(24))) == {1}


def test_the_accent_is_the_one_of_the_systems_stylesheet():
    assert paper.colour("condice.css", "accent") == "#0b6b72"
    assert paper.colour("", "accent") == paper.colour("nowhere.css", "accent") == "#0b6b72"
    assert paper.colour("condice.css", "deep") == "#0d4a50"
    assert paper.colour("", "deep") == ""


@pytest.mark.django_db
@pytest.mark.parametrize("address", ["sheet.pdf", "sheet.pdf?layout=pencil", "print/"])
def test_paper_is_for_whom_the_sheet_is(address):
    owner = Guest(example())
    answer = owner.client.get(f"/sheets/{owner.pk}/{address}")
    assert answer.status_code == 200
    assert {"private", "no-store"} <= set(answer["Cache-Control"].split(", "))
    assert Guest().client.get(f"/sheets/{owner.pk}/{address}").status_code == 404
    assert owner.client.post(f"/sheets/{owner.pk}/{address}").status_code == 405


@pytest.mark.django_db
def test_the_pdf_speaks_the_readers_language():
    guest = Guest(example())
    german = guest.client.get(f"/sheets/{guest.pk}/sheet.pdf", headers={"Accept-Language": "de"})
    assert german["Content-Type"] == "application/pdf"
    assert "Seite1von1" in text_of(german.content)


@pytest.mark.django_db
def test_an_unknown_layout_is_refused():
    guest = Guest(example())
    assert guest.client.get(f"/sheets/{guest.pk}/sheet.pdf?layout=cloud").status_code == 400


@pytest.mark.django_db
@pytest.mark.parametrize(("name", "file"), [
    ("Juan", 'inline; filename="juan.pdf"'),
    ("Gräfin Morana", "inline; filename*=utf-8''gr%C3%A4fin-morana.pdf"),
    ("", 'inline; filename="condice.pdf"'),
    ('a"; filename="x.html\r\nX-Evil: 1', 'inline; filename="a-filenamexhtml-x-evil-1.pdf"'),
    ("../../etc/passwd", 'inline; filename="etcpasswd.pdf"'),
    ("<script>alert(1)</script>", 'inline; filename="scriptalert1script.pdf"'),
])
def test_the_file_is_named_after_the_sheet_and_harms_nobody(name, file):
    guest = Guest(example())
    Sheet.objects.update(name=name)
    assert guest.client.get(f"/sheets/{guest.pk}/sheet.pdf")["Content-Disposition"] == file


@pytest.mark.django_db
def test_what_typst_cannot_set_is_said_in_words_and_recorded(monkeypatch, caplog):
    guest = Guest(example())
    monkeypatch.setattr(pdf, "_compiler", Broken)
    answer = guest.client.get(f"/sheets/{guest.pk}/sheet.pdf")
    assert answer.status_code == 500
    assert f"/sheets/{guest.pk}/export/" in answer.content.decode()
    assert "inner workings" not in answer.content.decode()
    assert "inner workings" in caplog.text


class Broken:
    def compile(self, **asked):
        raise typst.TypstError("inner workings")

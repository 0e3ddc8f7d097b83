import io
from concurrent.futures import ThreadPoolExecutor

import pytest
import typst
from hypothesis import given
from hypothesis import strategies as st
from pypdf import PdfReader

from sheets.export import paper, pdf
from sheets.models import Sheet
from tests.support.everyday import everyday
from tests.support.guest import Guest, example
from tests.support.sheets.printed import EVERY, claims_the_standard, made, outside, sheet, squeezed, text_of, told

pytestmark = pytest.mark.alike


def attack(name="Faust", description=""):
    return {"name": name, "dice": 4, "range": 0, "description": description}


@pytest.mark.parametrize(("slug", "which"), EVERY)
def test_a_sheet_says_all_that_its_outline_says(slug, which):
    one = sheet(example(which, slug))
    data, raw = told(one), made(one)
    said = text_of(raw)
    texts = [data["name"], data["status"].upper(), data["system"], data["date"], "Page 1 of 1"]
    texts += [text for tile in data["tiles"] for text in (tile["title"], tile["value"])]
    texts += [text for face in data["faces"] for text in (face["title"], f"×{face['copies']}", face["line"],
                                                          *(said for pair in face["texts"] for said in pair))]
    texts += [text for section in (data["sections"] if not data["faces"] else ()) for entry in section["entries"]
              for text in (entry["name"], entry["text"], entry["points"], *entry["prose"],
                           *(fact["value"] for fact in entry["facts"]))]
    if data["ledger"]:
        texts += [line["title"] for line in data["ledger"]["lines"]] + [data["ledger"]["total"]]
    texts += [finding["text"] for finding in data["findings"]]
    assert [text for text in texts if squeezed(text) not in said] == []
    assert list(outside(raw)) == []


def test_every_point_stands_in_the_ledger():
    ledger = told(sheet())["ledger"]
    assert sum(line["points"] for line in ledger["lines"]) + ledger["left"]["points"] == ledger["budget"] == 30


@pytest.mark.parametrize("layout", ["sheet", "pencil"])
@pytest.mark.parametrize("letter", everyday(["W", "x", "m", "i", "Ä", "_", "-"], 2))
def test_a_word_of_4000_letters_is_broken_and_nothing_is_cut_off(letter, layout):
    raw = made(sheet(name=letter * 200, notes=letter * 4000, attacks=[attack(letter * 200, letter * 4000)], abilities=[
        {"ability": "custom", "name": letter * 200, "cost": 8, "description": letter * 4000}]), layout)
    assert list(outside(raw)) == []
    assert text_of(raw).count(letter) >= 200 + 4000 + 200 + 4000 + 200 + 4000 or letter == "-"


def test_long_texts_flow_over_pages_that_are_numbered():
    words = " ".join(f"Zöllner{number}" for number in range(350))
    raw = made(sheet(notes=words, attacks=[attack("Wort", words)]), lang="de")
    pages, said = len(PdfReader(io.BytesIO(raw)).pages), text_of(raw)
    assert pages > 1
    assert all(f"Zöllner{number}" in said for number in range(350))
    assert all(squeezed(f"{page} von {pages}") in said for page in range(1, pages + 1))


MARKUP = (
    '#panic("x")', '#import "@preview/cetz:0.3.0"', "*fett* _schief_ `roh`", "$ sum_i x^2 $", "@nowhere <label>",
    "= Heading", "- one", "+ two", "/ term: text", "back\\slash \\u{41} \\", "// comment /* more */", "http://x.y",
    "#sys.inputs", "]}) #[", '#eval("1")', '#read("page.typ")', "''' \"\"\"", "~ -- --- ...", "{n} {name}",
    "Gräfin ÄÖÜßéſ",
)
SCRIPTS = (
    "漢字", "שלום", "مرحبا", "🐉👩\u200d👩\u200d👧", "สวัสดี", "e\u0301\u0323", "\u202eabc", "a\x07b\x1b\ufeff\uffff",
    "\U000e0041", "\ue000", "\u200b", "a\r\nb\u2028c\x85d", "",
)


@pytest.mark.parametrize("layout", ["sheet", "pencil"])
@pytest.mark.parametrize("name", everyday(MARKUP, each=7))
def test_markup_in_a_text_is_a_text(name, layout):
    raw = made(sheet(name=name, notes="\n".join(MARKUP), attacks=[attack(one, f"{one}!") for one in MARKUP]), layout)
    said = text_of(raw)
    assert [one for one in MARKUP if said.count(squeezed(one)) < 3 + (one == name)] == []
    assert claims_the_standard(raw)


@pytest.mark.parametrize("layout", ["sheet", "pencil"])
@pytest.mark.parametrize("name", everyday(SCRIPTS, each=6))
def test_a_text_in_any_script_is_set_whatever_the_fonts_have(name, layout):
    attacks = [attack(one * 20, one * 200) for one in SCRIPTS]
    raw = made(sheet(name=name, notes="\n".join(one * 20 for one in SCRIPTS), attacks=attacks), layout)
    assert PdfReader(io.BytesIO(raw)).root_object["/MarkInfo"]["/Marked"]


@given(name=st.text(max_size=50), text=st.text(max_size=300), layout=st.sampled_from(("sheet", "pencil")))
def test_whatever_people_write_becomes_a_pdf(name, text, layout):
    assert made(sheet(name=name, notes=text, attacks=[attack(name, text)]), layout).startswith(b"%PDF-")


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
        assert set(pool.map(work, range(12))) == {1}


def test_the_accent_is_the_one_of_the_systems_stylesheet():
    assert paper.colour("condice.css", "accent") == "#0b6b72"
    assert paper.colour("", "accent") == paper.colour("nowhere.css", "accent") == "#0b6b72"
    assert (paper.colour("condice.css", "deep"), paper.colour("", "deep")) == ("#0d4a50", "")


@pytest.mark.django_db
@pytest.mark.parametrize("address", ["sheet.pdf", "sheet.pdf?layout=pencil", "print/"])
def test_paper_is_for_whom_the_sheet_is(juan, address):
    url = f"/sheets/{juan.pk}/{address}"
    answer = juan.client.get(url)
    assert answer.status_code == 200
    assert {"private", "no-store"} <= set(answer["Cache-Control"].split(", "))
    assert (Guest().client.get(url).status_code, juan.client.post(url).status_code) == (404, 405)


@pytest.mark.django_db
def test_the_pdf_speaks_the_readers_language(juan):
    german = juan.client.get(f"/sheets/{juan.pk}/sheet.pdf", headers={"Accept-Language": "de"})
    assert german["Content-Type"] == "application/pdf"
    assert "Seite1von1" in text_of(german.content)


@pytest.mark.django_db
@pytest.mark.parametrize(("name", "file"), [
    ("Juan", 'inline; filename="juan.pdf"'),
    ("Gräfin Morana", "inline; filename*=utf-8''gr%C3%A4fin-morana.pdf"),
    ("", 'inline; filename="condice.pdf"'),
    ('a"; filename="x.html\r\nX-Evil: 1', 'inline; filename="a-filenamexhtml-x-evil-1.pdf"'),
    ("../../etc/passwd", 'inline; filename="etcpasswd.pdf"'),
    ("<script>alert(1)</script>", 'inline; filename="scriptalert1script.pdf"'),
])
def test_the_file_is_named_after_the_sheet_and_harms_nobody(juan, name, file):
    Sheet.objects.update(name=name)
    assert juan.client.get(f"/sheets/{juan.pk}/sheet.pdf")["Content-Disposition"] == file


@pytest.mark.django_db
def test_what_typst_cannot_set_is_said_in_words_and_recorded(juan, monkeypatch, caplog):
    monkeypatch.setattr(pdf, "_compiler", Broken)
    answer = juan.client.get(f"/sheets/{juan.pk}/sheet.pdf")
    assert answer.status_code == 500
    assert f"/sheets/{juan.pk}/export/" in answer.text
    assert "inner workings" not in answer.text
    assert "inner workings" in caplog.text


class Broken:
    def compile(self, **asked):
        raise typst.TypstError("inner workings")

"""The paper of an approved sheet: its check code as a QR code, footnotes for exceptions, reasons that do nothing."""

import io
import re

import pypdfium2
import pytest
from django.urls import reverse
from django.utils.translation import override
from pypdf import PdfReader

from rulesets import systems
from rulesets.kit import patched
from sheets.export import paper
from sheets.models import Sheet
from sheets.reviews import services as reviews
from tests.sheets.export.test_paper import claims_the_standard, outside, squeezed, tags_of, text_of
from tests.sheets.export.test_paper_inert import active
from tests.support.browser.payloads import PAYLOADS
from tests.support.party import SITE, Round, browser

pytestmark = pytest.mark.django_db


def pdf(round_, layout="sheet"):
    return browser(round_.player).get(reverse("pdf", args=[round_.sheet.pk]), {"layout": layout}).content


@pytest.mark.parametrize("layout", ["sheet", "pencil"])
@pytest.mark.parametrize("slug", systems())
@pytest.mark.slow
def test_an_approved_pdf_is_for_all_readers_with_the_code_as_a_picture_that_has_words(slug, layout):
    one = Round(slug)
    entry = one.approve()
    raw = pdf(one, layout)
    assert claims_the_standard(raw)
    assert "/Figure" in tags_of(raw)
    assert squeezed(f"{SITE}/verify/{entry.code[:5]}-{entry.code[5:]}/") in text_of(raw)
    assert list(outside(raw)) == []
    assert f"QR code of the address {SITE}/verify/" in "".join(alternatives(raw))
    assert active(raw) == {"/EmbeddedFile"}
    Sheet.objects.update(name="Neuer Name")
    asked = browser(one.player).get(reverse("pdf", args=[one.sheet.pk]), {"layout": layout, "of": "draft"}).content
    assert claims_the_standard(asked)
    assert "/Figure" not in tags_of(asked)
    # In its head, and at the foot of each page.
    assert text_of(asked).casefold().count("draft") >= 1 + len(PdfReader(io.BytesIO(asked)).pages)


def alternatives(raw):
    """The words that stand for pictures."""
    todo = [PdfReader(io.BytesIO(raw)).root_object["/StructTreeRoot"]]
    while todo:
        node = todo.pop().get_object()
        if isinstance(node, list):
            todo += node
        elif isinstance(node, dict):
            yield str(node.get("/Alt", ""))
            todo += [node["/K"]] if "/K" in node else []


def test_the_print_page_has_no_style_of_its_own(proven):
    proven.approve()
    found = browser(proven.player).get(reverse("print", args=[proven.sheet.pk])).text
    assert reverse("page-picture", args=[proven.sheet.pk, 1]) in found
    assert " style=" not in found
    assert "<style" not in found


@pytest.mark.parametrize("layout", ["sheet", "pencil"])
def test_the_foot_of_each_page_says_by_what_the_sheet_holds(proven, layout):
    entry = proven.approve("Der Zirkus lehrt es.")
    proven.sheet.notes = "Wort " * 790
    proven.sheet.save(update_fields=["notes"])
    pages = [squeezed(page.get_textpage().get_text_bounded()) for page in pypdfium2.PdfDocument(pdf(proven, layout))]
    assert len(pages) > 1
    for page in pages:
        assert squeezed(f"{entry.code[:5]}-{entry.code[5:]}") in page
        assert "1CD08" in page
        assert "DRAFT" not in page


def test_footnotes_stand_where_the_exceptions_are_and_at_the_end(proven):
    proven.approve("Der Zirkus lehrt es.")
    data = paper.paper(proven.sheet)
    attacks, abilities = data["sections"]
    assert [one["marks"] for one in abilities["entries"]] == ["1", ""]
    assert {one["marks"] for one in (*attacks["entries"], *data["tiles"], *data["facts"])} == {""}
    assert [one["marks"] for one in data["findings"]] == ["1"]
    assert [(one["mark"], one["reason"]) for one in data["footnotes"]] == [("1", "Der Zirkus lehrt es.")]
    assert data["verdict"] == "legal"
    said = browser(proven.player).get(reverse("file", args=[proven.sheet.pk, "md"])).text
    assert "**Zeit anhalten**¹" in said
    assert "¹ Exception to CD-08: Der Zirkus lehrt es." in said
    assert "**ConDice** · approved" in said


@pytest.mark.parametrize(("slug", "path", "value"), [
    ("daemmersturm", "melee.attack", 9), ("daemmersturm", "ranged.attack", -9),
])
def test_a_footnote_stands_at_the_value_that_it_excepts(slug, path, value):
    one = Round(slug)
    one.sheet.data = patched(one.sheet.data, {path: value})
    broken = reviews.check_content(one.sheet, {"name": "", "data": one.sheet.data, "house": {}}).findings
    one.party.house = one.sheet.house = {"policy": {found.rule: "ask" for found in broken}}
    one.party.save()
    one.sheet.save()
    granted = one.approve().said["exceptions"]
    data = paper.paper(one.sheet)
    assert granted
    assert [note["mark"] for note in data["footnotes"]] == [str(n) for n in range(1, len(granted) + 1)]
    marked = {mark for found in data["findings"] for mark in found["marks"].split(", ") if mark}
    assert marked == {note["mark"] for note in data["footnotes"]}
    at = path.split(".")[0]
    there = {str(n) for n, found in enumerate(granted, 1) if found["path"].split(".")[0] == at}
    shown = {mark for found in (*data["tiles"], *data["facts"]) for mark in found["marks"].split(", ") if mark}
    assert there
    assert there <= shown, (granted, data["tiles"], data["facts"])


@pytest.mark.parametrize("layout", ["sheet", "pencil"])
def test_whatever_stands_in_a_reason_does_nothing_and_is_whole(proven, layout):
    links = ("https://evil.example/", '#link("https://evil.example")[x]', "/JS (x(1))", '#panic("x")')
    reason = "\n".join((*links, *PAYLOADS))[:990] + " W" + "W" * 8
    proven.approve(reason)
    raw = pdf(proven, layout)
    assert active(raw) == {"/EmbeddedFile"}
    assert list(outside(raw)) == []
    assert squeezed("https://evil.example/") in text_of(raw)
    assert "WWWWWWWWW" in text_of(raw)
    page = browser(proven.player).get(reverse("print", args=[proven.sheet.pk])).text
    assert "<script>" not in page
    assert not re.search(r"<img (?!src=\"/sheets/)|<svg(?! )|onerror=x\(\d+\)>", page)
    for form in ("md", "bbcode"):
        said = browser(proven.player).get(reverse("file", args=[proven.sheet.pk, form])).text
        assert len(re.findall(r"://", said)) == 1
        assert not re.search(r"<(?!http|\u200b)", said)


def test_a_word_of_1000_letters_as_a_reason_is_broken(proven):
    proven.approve("W" * 1000)
    raw = pdf(proven)
    assert list(outside(raw)) == []
    assert text_of(raw).count("W") >= 1000


def test_once_the_gms_account_is_gone_the_footnote_stands_without_its_reason(proven):
    proven.approve("Geheimer Grund")
    proven.gm.delete()
    with override("en"):
        data = paper.paper(proven.sheet)
    assert [one["reason"] for one in data["footnotes"]] == ["The reason has been erased."]
    assert [one["marks"] for one in data["findings"]] == ["1"]

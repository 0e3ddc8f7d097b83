"""The paper of an approved sheet: its check code as a QR code, footnotes for exceptions, reasons that do nothing.

The codes that are printed are read as a telephone reads them, from the page as it is seen.
"""

import io
import re
from itertools import product

import pypdfium2
import pytest
import zxingcpp
from django.urls import reverse
from django.utils.translation import override
from pypdf import PdfReader

from rulesets import systems
from rulesets.kit import patched
from sheets.export import paper
from sheets.models import Sheet
from sheets.parties.paper import taking_url
from sheets.reviews import services as reviews
from tests.support.browser.payloads import PAYLOADS
from tests.support.everyday import everyday
from tests.support.party import SITE, Round, browser
from tests.support.sheets.printed import active, alternatives, claims_the_standard, outside, squeezed, tags_of, text_of

pytestmark = [pytest.mark.django_db, pytest.mark.alike]


def pdf(round_, layout="sheet", **asked):
    return browser(round_.player).get(reverse("pdf", args=[round_.sheet.pk]), {"layout": layout, **asked}).content


def codes(raw):
    """What the codes on each page say, from the page's picture at 150 dots an inch."""
    return [sorted(one.text for one in zxingcpp.read_barcodes(page.render(scale=150 / 72).to_pil()))
            for page in pypdfium2.PdfDocument(raw)]


@pytest.mark.parametrize(("slug", "layout", "size"), everyday(
    list(product(systems(), ["sheet", "pencil"], ["a4", "us-letter"])), each=3))
def test_an_approved_pdf_is_for_all_readers_and_its_code_leads_to_its_check(slug, layout, size):
    one = Round(slug)
    entry = one.approve()
    url = f"{SITE}/verify/{entry.code[:5]}-{entry.code[5:]}/"
    raw = pdf(one, layout, paper=size)
    assert claims_the_standard(raw)
    assert "/Figure" in tags_of(raw)
    assert squeezed(url) in text_of(raw)
    assert f"QR code of the address {SITE}/verify/" in alternatives(raw)
    assert list(outside(raw)) == []
    assert active(raw) == {"/EmbeddedFile"}
    *others, last = codes(raw)
    assert [found for page in others for found in page] == [url] * len(others)
    assert last == [url, url], "at the foot, and beside what is said of the approval"
    Sheet.objects.update(name="Neuer Name")
    asked = pdf(one, layout, paper=size, of="draft")
    assert claims_the_standard(asked)
    assert "/Figure" not in tags_of(asked)
    # In its head, and at the foot of each page.
    assert text_of(asked).casefold().count("draft") >= 1 + len(PdfReader(io.BytesIO(asked)).pages)


def test_the_card_for_the_pocket_has_the_code_at_its_foot_once_it_is_approved(round_):
    assert codes(pdf(round_)) == [[]]
    code = round_.approve().code
    assert codes(pdf(round_, "pocket")) == [[f"{SITE}/verify/{code[:5]}-{code[5:]}/"]]


def test_the_code_of_a_card_that_is_handed_out_takes_its_character(round_):
    round_.party.invitation = "i" * 22
    round_.party.save()
    round_.sheet.owner, round_.sheet.offered = round_.gm, True
    round_.sheet.save()
    raw = browser(round_.gm).get(reverse("party-pdf", args=[round_.party.pk, "handed", 1])).content
    assert codes(raw) == [[taking_url(round_.party, round_.sheet, SITE)]]


def test_the_print_page_has_no_style_of_its_own(proven):
    proven.approve()
    found = browser(proven.player).get(reverse("print", args=[proven.sheet.pk])).text
    assert reverse("page-picture", args=[proven.sheet.pk, 1]) in found
    assert re.findall(" style=|<style", found) == []


@pytest.mark.parametrize("layout", ["sheet", "pencil"])
def test_the_foot_of_each_page_says_by_what_the_sheet_holds(proven, layout):
    code = proven.approve("Der Zirkus lehrt es.").code
    proven.sheet.notes = "Wort " * 790
    proven.sheet.save(update_fields=["notes"])
    pages = [squeezed(page.get_textpage().get_text_bounded()) for page in pypdfium2.PdfDocument(pdf(proven, layout))]
    assert len(pages) > 1
    said = (squeezed(f"{code[:5]}-{code[5:]}"), "1CD08", "DRAFT")
    assert [[one in page for one in said] for page in pages] == [[True, True, False]] * len(pages)


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
    for text in ("**Zeit anhalten**¹", "¹ Exception to CD-08: Der Zirkus lehrt es.", "**ConDice** · approved"):
        assert text in said
    # Once the GM's account is gone they stand without their reasons.
    proven.gm.delete()
    with override("en"):
        data = paper.paper(proven.sheet)
    assert [one["reason"] for one in data["footnotes"]] == ["The reason has been erased."]
    assert [one["marks"] for one in data["findings"]] == ["1"]


@pytest.mark.parametrize(("path", "value"), [("melee.attack", 9), ("ranged.attack", -9)])
def test_a_footnote_stands_at_the_value_that_it_excepts(path, value):
    one, at = Round("daemmersturm"), path.split(".")[0]
    one.sheet.data = patched(one.sheet.data, {path: value})
    broken = reviews.check_content(one.sheet, {"name": "", "data": one.sheet.data, "house": {}}).findings
    one.party.house = one.sheet.house = {"policy": {found.rule: "ask" for found in broken}}
    one.party.save()
    one.sheet.save()
    granted = one.approve().said["exceptions"]
    data = paper.paper(one.sheet)
    numbers = [str(n) for n in range(1, len(granted) + 1)]
    assert [note["mark"] for note in data["footnotes"]] == numbers != []
    assert {mark for found in data["findings"] for mark in found["marks"].split(", ") if mark} == {*numbers}
    there = {n for n, found in zip(numbers, granted, strict=True) if found["path"].split(".")[0] == at}
    shown = {mark for found in (*data["tiles"], *data["facts"]) for mark in found["marks"].split(", ") if mark}
    assert there
    assert there <= shown, (granted, data["tiles"], data["facts"])


@pytest.mark.parametrize("layout", ["sheet", "pencil"])
def test_whatever_stands_in_a_reason_does_nothing_and_is_whole(proven, layout):
    links = ("https://evil.example/", '#link("https://evil.example")[x]', "/JS (x(1))", '#panic("x")')
    proven.approve("\n".join((*links, *PAYLOADS))[:990] + " W" + "W" * 8)
    raw, client = pdf(proven, layout), browser(proven.player)
    assert active(raw) == {"/EmbeddedFile"}
    assert list(outside(raw)) == []
    assert squeezed("https://evil.example/") in text_of(raw)
    assert "WWWWWWWWW" in text_of(raw)
    page = client.get(reverse("print", args=[proven.sheet.pk])).text
    assert not re.search(r"<script>|<img (?!src=\"/sheets/)|<svg(?! )|onerror=x\(\d+\)>", page)
    for form in ("md", "bbcode"):
        said = client.get(reverse("file", args=[proven.sheet.pk, form])).text
        assert len(re.findall(r"://", said)) == 1
        assert not re.search(r"<(?!http|\u200b)", said)


def test_a_word_of_1000_letters_as_a_reason_is_broken(proven):
    proven.approve("W" * 1000)
    raw = pdf(proven)
    assert list(outside(raw)) == []
    assert text_of(raw).count("W") >= 1000

"""Each layout of each system: on one page where that is promised, whole, in its system's own look."""

import io

import pypdfium2
import pytest
from django.utils.translation import override
from PIL import Image
from pypdf import PdfReader

from rulesets import systems
from rulesets.document import read, read_tree
from sheets.export.layouts import LAYOUTS, layouts_of
from sheets.export.paper import blank_paper
from sheets.export.pdf import typeset
from sheets.models import Sheet
from tests.support.everyday import everyday
from tests.support.guest import Guest, example
from tests.support.sheets.printed import (
    EVERY,
    MILLIMETRE,
    SYSTEMS,
    claims_the_standard,
    fonts_of,
    made,
    outside,
    sheet,
    squeezed,
    tags_of,
    text_of,
    told,
)

pytestmark = pytest.mark.alike
SIZES = {"a4": (210, 297), "us-letter": (215.9, 279.4), "a6": (105, 148)}
"""Millimetres."""
ONE_PAGE = [("sheet", "a4"), ("sheet", "us-letter"), ("pencil", "a4"), ("pencil", "us-letter"), ("pocket", "a6")]


def page_of(raw, size):
    """The only page, of the size that it should have, of a PDF for all readers on which all is within the margins."""
    page, = PdfReader(io.BytesIO(raw)).pages
    assert [round(float(one) / MILLIMETRE) for one in page.mediabox[2:]] == [round(one) for one in SIZES[size]]
    assert list(outside(raw, *((8 * MILLIMETRE, 6 * MILLIMETRE) if size == "a6" else ()))) == []
    assert claims_the_standard(raw)
    return page


@pytest.mark.parametrize(("layout", "size"), ONE_PAGE)
@pytest.mark.parametrize("lang", everyday(["de", "en"]))
@pytest.mark.parametrize(("slug", "which"), everyday(EVERY, SYSTEMS))
def test_every_example_is_one_tagged_page_with_title_language_and_fonts(slug, which, lang, layout, size):
    document = example(which, slug)
    raw = made(sheet(document), layout, lang, size)
    page_of(raw, size)
    read_again = PdfReader(io.BytesIO(raw))
    assert (read_again.root_object["/MarkInfo"]["/Marked"], read_again.root_object["/Lang"]) == (True, lang)
    assert document["name"] in read_again.metadata.title
    assert read_again.metadata.author is None
    assert {"/Document", "/H1", "/P", *(("/H2",) if layout != "pocket" else ())} <= tags_of(raw)
    assert any("LibertinusSerif" in name for name in fonts_of(raw))
    assert all(fonts_of(raw).values())


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("slug", systems())
def test_a_layout_is_offered_where_a_system_has_what_it_prints(slug, layout):
    offered = {one.slug for one in layouts_of(systems()[slug])}
    assert (layout in offered) == (layout != "cards" or slug == "battle-dice")


@pytest.mark.parametrize("which", everyday(systems()["battle-dice"].examples))
def test_a_deck_is_a_page_of_cards_and_a_page_of_backs(which):
    one = sheet(example(which, "battle-dice"))
    raw, faces = made(one, "cards"), told(one)["cards"]
    fronts, backs = (page.get_textpage().get_text_bounded() for page in pypdfium2.PdfDocument(raw))
    assert len(faces) == 8
    assert all(squeezed(said) in squeezed(fronts) for face in faces for _lead, said in face["texts"])
    assert not backs.strip()
    assert claims_the_standard(raw)


def test_a_card_with_more_to_say_than_it_has_room_for_says_it_on_a_page_of_its_own():
    words = " ".join(f"Wort{number}" for number in range(500))
    long = {"card": "custom", "copies": 3, "name": "Lang", "cost": 1, "keywords": [],
            "effects": [{"kind": "passive", "name": "Viel", "cost": None, "text": words}]}
    said = text_of(made(sheet(example("frost", "battle-dice"), cards=[long]), "cards"))
    assert all(f"Wort{number}" in said for number in range(500))
    assert said.count("Thetextisonthelastpage.") == 3


def test_a_pocket_card_compares_weaker_usual_and_stronger_opponents():
    piranhas, *_rest = told(sheet(), pocket=True)["pocket"]
    assert piranhas["title"] == "Einhornpiranhas"
    assert [(figure, said) for figure, said, _mean in piranhas["against"]] == [
        ("1", "77% hit"), ("3", "28% hit"), ("5", "3% hit")]


@pytest.mark.parametrize("layout", ["sheet", "pencil"])
@pytest.mark.parametrize("slug", systems())
def test_a_text_of_4000_letters_flows_on_in_every_system(slug, layout):
    """Whatever of a system's texts is long: nothing is cut, nothing stands beyond the margins."""
    words = " ".join(f"Wort{number}" for number in range(480))
    raw = made(sheet(next(iter(systems()[slug].examples.values())), name="W" * 200, notes=words), layout)
    said = text_of(raw)
    assert list(outside(raw)) == []
    assert all(f"Wort{number}" in said for number in range(480))
    assert said.count("W") >= 680


@pytest.mark.django_db
@pytest.mark.parametrize(("layout", "size"), ONE_PAGE)
def test_the_print_page_shows_the_pages_that_will_be_printed(juan, layout, size):
    asked = f"?layout={layout}&paper={size}"
    html = juan.client.get(f"/sheets/{juan.pk}/print/{asked}").text
    address = f"/sheets/{juan.pk}/print/1.png{asked}"
    assert address.replace("&", "&amp;") in html
    assert f"/sheets/{juan.pk}/sheet.pdf{asked}".replace("&", "&amp;") in html
    answer = juan.client.get(address)
    assert answer["Content-Type"] == "image/png"
    assert abs(Image.open(io.BytesIO(answer.content)).height - SIZES[size][1] / 25.4 * 90) < 2
    assert juan.client.get(f"/sheets/{juan.pk}/print/2.png{asked}").status_code == 404
    assert Guest().client.get(address).status_code == 404


@pytest.mark.django_db
@pytest.mark.parametrize("asked", ["layout=cards", "layout=x", "paper=a6", "paper=a3"])
def test_an_address_that_asks_for_what_there_is_not_is_refused(juan, asked):
    for page in ("sheet.pdf", "print/", "print/1.png"):
        assert juan.client.get(f"/sheets/{juan.pk}/{page}?{asked}").status_code == 400


@pytest.mark.django_db
def test_a_pdf_carries_its_document_and_a_shared_one_neither_notes_nor_where_it_comes_from(juan):
    Sheet.objects.update(share="x" * 22, notes="Geheim")
    for client, url in ((juan.client, f"/sheets/{juan.pk}/"), (Guest().client, f"/shared/{'x' * 22}/")):
        carried, = PdfReader(io.BytesIO(client.get(f"{url}sheet.pdf").content)).attachments["bogenschmiede.json"]
        assert read(carried).seal() == read_tree(example()).seal()
        assert [one in carried for one in (b"Geheim", str(juan.pk).encode())] == [client == juan.client] * 2
        assert (read(carried).origin == str(juan.pk)) == (client == juan.client)


@pytest.mark.django_db
@pytest.mark.parametrize("size", everyday(["a4", "us-letter"]))
@pytest.mark.parametrize("slug", systems())
def test_a_blank_sheet_is_one_page_with_nobody_on_it(client, slug, size):
    raw = client.get(f"/rules/{slug}/blank.pdf?paper={size}", headers={"Accept-Language": "en"}).content
    page_of(raw, size)
    said = text_of(raw)
    assert squeezed(str(systems()[slug].title)) in said
    assert "Withoutaname" not in said
    assert not PdfReader(io.BytesIO(raw)).attachments


@pytest.mark.django_db
@pytest.mark.parametrize(("asked", "code"), [("nowhere/blank.pdf", 404), ("condice/blank.pdf?paper=a3", 400)])
def test_no_blank_sheet_of_an_unknown_system_or_size(client, asked, code):
    assert client.get(f"/rules/{asked}").status_code == code


def test_a_text_that_says_nothing_has_no_label_but_on_a_blank_sheet(monkeypatch):
    ruleset = systems()["augen-des-zwielichts"]
    monkeypatch.setitem(vars(ruleset), "paper_file", "")
    found = [made(sheet(example(which, ruleset.slug))) for which in ("monk", "ferrywoman")]
    with override("en"):
        found.append(typeset(LAYOUTS["pencil"], blank_paper(ruleset)))
    assert ["Fears" in text_of(one) for one in found] == [False, True, True]

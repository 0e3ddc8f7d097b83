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
from tests.sheets.export.test_paper import (
    EVERY,
    MILLIMETRE,
    claims_the_standard,
    made,
    outside,
    sheet,
    squeezed,
    text_of,
    told,
)
from tests.support.everyday import everyday
from tests.support.guest import Guest, example

HEIGHTS = {"a4": 297, "us-letter": 279.4, "a6": 148}
ONE_PAGE = [("sheet", "a4"), ("sheet", "us-letter"), ("pencil", "a4"), ("pencil", "us-letter"), ("pocket", "a6")]


@pytest.mark.parametrize(("layout", "size"), ONE_PAGE)
@pytest.mark.parametrize("lang", everyday(["de", "en"]))
@pytest.mark.parametrize(("slug", "which"), everyday(EVERY, each=6))
def test_every_example_has_room_on_one_page(slug, which, lang, layout, size):
    raw = made(sheet(example(which, slug)), layout, lang, size)
    page, = PdfReader(io.BytesIO(raw)).pages
    assert abs(page.mediabox.height - HEIGHTS[size] * MILLIMETRE) < 1
    margins = (8 * MILLIMETRE, 6 * MILLIMETRE) if size == "a6" else ()
    assert list(outside(raw, *margins)) == []
    assert claims_the_standard(raw)


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("slug", systems())
def test_a_layout_is_offered_where_a_system_has_what_it_prints(slug, layout):
    offered = {one.slug for one in layouts_of(systems()[slug])}
    assert (layout in offered) == (layout != "cards" or slug == "battle-dice")


@pytest.mark.parametrize("which", everyday(systems()["battle-dice"].examples))
def test_a_deck_is_a_page_of_cards_and_a_page_of_backs(which):
    raw = made(sheet(example(which, "battle-dice")), "cards")
    fronts, backs = (page.get_textpage().get_text_bounded() for page in pypdfium2.PdfDocument(raw))
    faces = told(sheet(example(which, "battle-dice")))["cards"]
    assert len(faces) == 8
    assert all(squeezed(said) in squeezed(fronts) for face in faces for _lead, said in face["texts"])
    assert not backs.strip()
    assert claims_the_standard(raw)


def test_a_card_with_more_to_say_than_it_has_room_for_says_it_on_a_page_of_its_own():
    words = " ".join(f"Wort{number}" for number in range(500))
    long = {"card": "custom", "copies": 3, "name": "Lang", "cost": 1, "keywords": [],
            "effects": [{"kind": "passive", "name": "Viel", "cost": None, "text": words}]}
    raw = made(sheet(example("frost", "battle-dice"), cards=[long]), "cards")
    said = text_of(raw)
    assert all(f"Wort{number}" in said for number in range(500))
    assert said.count("Thetextstandsonthelastpage.") == 3


def test_a_pocket_card_compares_weaker_usual_and_stronger_opponents():
    piranhas, *_rest = told(sheet(), pocket=True)["pocket"]
    assert piranhas["title"] == "Einhornpiranhas"
    assert [(figure, said) for figure, said, _mean in piranhas["against"]] == [
        ("1", "77\u00a0% hit"), ("3", "28\u00a0% hit"), ("5", "3\u00a0% hit")]


@pytest.mark.parametrize("layout", ["sheet", "pencil"])
@pytest.mark.parametrize("slug", systems())
def test_a_text_of_4000_letters_flows_on_in_every_system(slug, layout):
    """Whatever of a system's texts is long: nothing is cut, nothing stands beyond the margins."""
    document = next(iter(systems()[slug].examples.values()))
    words = " ".join(f"Wort{number}" for number in range(480))
    raw = made(sheet(document, name="W" * 200, notes=words), layout)
    assert list(outside(raw)) == []
    said = text_of(raw)
    assert all(f"Wort{number}" in said for number in range(480))
    assert said.count("W") >= 680


@pytest.mark.django_db
@pytest.mark.parametrize("size", ["a4", "us-letter"])
@pytest.mark.parametrize("layout", ["sheet", "pencil", "pocket"])
def test_the_print_page_shows_the_pages_that_will_be_printed(layout, size):
    guest = Guest(example())
    asked = f"?layout={layout}&paper={size if layout != 'pocket' else 'a6'}"
    html = guest.client.get(f"/sheets/{guest.pk}/print/{asked}").text
    address = f"/sheets/{guest.pk}/print/1.png{asked}"
    assert address.replace("&", "&amp;") in html
    assert f"/sheets/{guest.pk}/sheet.pdf{asked}".replace("&", "&amp;") in html
    answer = guest.client.get(address)
    assert answer["Content-Type"] == "image/png"
    picture = Image.open(io.BytesIO(answer.content))
    height = HEIGHTS["a6" if layout == "pocket" else size]
    assert abs(picture.height - height / 25.4 * 90) < 2
    assert guest.client.get(f"/sheets/{guest.pk}/print/2.png{asked}").status_code == 404
    assert Guest().client.get(address).status_code == 404


@pytest.mark.django_db
@pytest.mark.parametrize("asked", ["layout=cards", "layout=x", "paper=a6", "paper=a3"])
def test_an_address_that_asks_for_what_there_is_not_is_refused(asked):
    guest = Guest(example())
    for page in ("sheet.pdf", "print/", "print/1.png"):
        assert guest.client.get(f"/sheets/{guest.pk}/{page}?{asked}").status_code == 400


@pytest.mark.django_db
def test_a_pdf_carries_its_document_with_an_equal_seal():
    guest = Guest(example())
    raw = guest.client.get(f"/sheets/{guest.pk}/sheet.pdf").content
    carried, = PdfReader(io.BytesIO(raw)).attachments["bogenschmiede.json"]
    assert read(carried).seal() == read_tree(example()).seal()
    assert read(carried).origin == str(guest.pk)


@pytest.mark.django_db
def test_a_shared_pdf_carries_neither_notes_nor_where_it_comes_from():
    guest = Guest(example())
    Sheet.objects.update(share="x" * 22, notes="Geheim")
    raw = Guest().client.get(f"/shared/{'x' * 22}/sheet.pdf").content
    carried, = PdfReader(io.BytesIO(raw)).attachments["bogenschmiede.json"]
    assert b"Geheim" not in carried
    assert str(guest.pk).encode() not in carried
    assert read(carried).seal() == read_tree(example()).seal()


@pytest.mark.django_db
@pytest.mark.parametrize("size", ["a4", "us-letter"])
@pytest.mark.parametrize("slug", systems())
def test_a_blank_sheet_is_one_page_with_nobody_on_it(slug, size):
    answer = Guest().client.get(f"/rules/{slug}/blank.pdf?paper={size}")
    raw = answer.content
    page, = PdfReader(io.BytesIO(raw)).pages
    assert abs(page.mediabox.height - HEIGHTS[size] * MILLIMETRE) < 1
    assert claims_the_standard(raw)
    assert list(outside(raw)) == []
    said = text_of(raw)
    assert squeezed(str(systems()[slug].title)) in said
    assert "Withoutaname" not in said
    assert not PdfReader(io.BytesIO(raw)).attachments


@pytest.mark.django_db
def test_no_blank_sheet_of_an_unknown_system():
    assert Guest().client.get("/rules/nowhere/blank.pdf").status_code == 404
    assert Guest().client.get("/rules/condice/blank.pdf?paper=a3").status_code == 400


def test_a_text_that_says_nothing_has_no_label_but_on_a_blank_sheet(monkeypatch):
    ruleset = systems()["augen-des-zwielichts"]
    monkeypatch.setitem(vars(ruleset), "paper_file", "")
    found = [made(sheet(example(which, ruleset.slug))) for which in ("monk", "ferrywoman")]
    with override("en"):
        found.append(typeset(LAYOUTS["pencil"], blank_paper(ruleset)))
    assert ["Fears" in text_of(one) for one in found] == [False, True, True]

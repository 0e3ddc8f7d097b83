"""What people wrote does nothing in a PDF, and boxes for uses stand only where something is used up."""

import io

import pytest
import typst
from pypdf import PdfReader

from rulesets import systems
from sheets.character import Character
from tests.sheets.export.test_paper import made, sheet, squeezed, text_of, told
from tests.support.browser.payloads import PAYLOADS


@pytest.mark.parametrize("slug", ["dice-rumble", "daemmersturm", "condice"])
def test_boxes_for_uses_stand_beside_nothing_that_is_rolled(slug):
    for document in systems()[slug].examples.values():
        seen = told(sheet(document))
        offers = Character(sheet(document)).rolls()
        lists = {part["key"] for part in seen["sections"]}
        rolled = {".".join(offer.key.split(".")[:2]) for offer in offers if offer.key.split(".")[0] in lists}
        assert rolled or slug == "daemmersturm"
        assert sum(one["rolled"] for part in seen["sections"] for one in part["entries"]) == len(rolled)
    talents = told(sheet(next(iter(systems()["dice-rumble"].examples.values()))))["sections"][0]["entries"]
    assert talents
    assert all(one["rolled"] for one in talents)


def test_uses_are_ticked_for_an_ability_and_not_for_a_talent():
    assert squeezed("Uses") in text_of(made(sheet(), "pencil"))
    talented = sheet(next(iter(systems()["dice-rumble"].examples.values())))
    assert squeezed("Uses") not in text_of(made(talented, "pencil"))


ACTIVE = {"/URI", "/JS", "/JavaScript", "/Launch", "/AA", "/OpenAction", "/SubmitForm", "/GoToR", "/EmbeddedFile"}


def active(raw):
    """Whatever in a PDF does more than be read."""
    reader, found = PdfReader(io.BytesIO(raw)), set()

    def walk(node):
        if isinstance(node, dict):
            found.update(ACTIVE & ({*node} | {str(value) for value in node.values() if isinstance(value, str)}))
            for key, value in node.items():
                if key not in ("/Parent", "/P", "/Pg"):
                    walk(value)
        elif isinstance(node, list):
            for value in node:
                walk(value)

    for number in range(1, len(reader.xref[0]) + 1 if 0 in reader.xref else 1):
        walk(reader.get_object(number))
    for kept in reader.xref_objStm:
        walk(reader.get_object(kept))
    return found


@pytest.mark.parametrize("layout", ["sheet", "pencil"])
@pytest.mark.parametrize("slug", systems())
@pytest.mark.slow
def test_no_text_that_people_wrote_does_anything_in_a_pdf(slug, layout):
    links = ("https://evil.example/", "mailto:x@evil.example", '#link("https://evil.example")[x]', "/JS (x(1))")
    for begin in range(0, len(PAYLOADS), 15):
        words = "\n".join((*PAYLOADS[begin:begin + 15], *links))
        document = next(iter(systems()[slug].examples.values()))
        raw = made(sheet(document, name=words[:200], notes=words), layout)
        assert active(raw) == set()
        assert squeezed("https://evil.example/") in text_of(raw)


def test_a_link_in_a_pdf_would_be_found():
    linked = typst.compile(b'#link("https://evil.example")[x]', format="pdf")
    assert active(linked) == {"/URI"}

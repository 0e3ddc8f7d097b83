"""Sheets as PDFs: how one is made without a page, and all that a PDF says, shows, is tagged with and does."""

import io
import re
import unicodedata
from copy import deepcopy

import pypdfium2
from django.utils.timezone import now
from django.utils.translation import override
from pypdf import PdfReader

from rulesets import systems
from sheets.export import paper, pdf
from sheets.export.layouts import LAYOUTS
from sheets.models import Sheet
from tests.support.guest import example

EVERY = sorted(((slug, which) for slug, ruleset in systems().items() for which in ruleset.examples),
               key=lambda one: one[1] != next(iter(systems()[one[0]].examples)))
"""(system, example), beginning with the first one of each system."""
SYSTEMS = len(systems())
MILLIMETRE = 72 / 25.4
MARGIN = 16 * MILLIMETRE
OVERHANG = 4
"""Points by which a J, or an italic, may swing out beyond its line."""
ACTIVE = {"/URI", "/JS", "/JavaScript", "/Launch", "/AA", "/OpenAction", "/SubmitForm", "/GoToR", "/EmbeddedFile"}


def sheet(document=None, *, name=None, notes="", **data):
    """A sheet that nobody stored: an example, changed by key."""
    document = deepcopy(document or example())
    return Sheet(ruleset=document["ruleset"], name=document["name"] if name is None else name, updated=now(),
                 data=document["data"] | data, notes=notes)


def told(one, lang="en", **more):
    """What stands on the paper, as data."""
    with override(lang):
        return paper.paper(one, **more)


def made(one, layout="sheet", lang="en", size=""):
    return pdf.typeset(LAYOUTS[layout], told(one, lang, pocket=layout == "pocket"), size)


def text_of(raw):
    """All that a PDF says, without spaces and without what hyphenation and breaking put in."""
    return squeezed("".join(page.get_textpage().get_text_range() for page in pypdfium2.PdfDocument(raw)))


def squeezed(text):
    return re.sub(r"[\s\u00ad\u200b\ufffe\u2010-]", "", unicodedata.normalize("NFC", text))


def claims_the_standard(raw):
    return b"pdfuaid:part>1<" in PdfReader(io.BytesIO(raw)).xmp_metadata.stream.get_data()


def fonts_of(raw):
    """{name: whether the font is in the file} of each font used."""
    fonts = (font for page in PdfReader(io.BytesIO(raw)).pages for font in page["/Resources"]["/Font"].values())
    drawn = [font["/DescendantFonts"][0]["/FontDescriptor"] if "/DescendantFonts" in font else font for font in fonts]
    return {one["/FontName"]: any(f"/FontFile{kind}" in one for kind in ("", "2", "3")) for one in drawn}


def _tagged(raw):
    """Every node of the structure tree."""
    todo = [PdfReader(io.BytesIO(raw)).root_object["/StructTreeRoot"]]
    while todo:
        node = todo.pop().get_object()
        if isinstance(node, dict):
            yield node
            node = [node["/K"]] if "/K" in node else []
        todo += node if isinstance(node, list) else []


def tags_of(raw):
    """Every kind of tag in the structure tree."""
    return {node.get("/S") for node in _tagged(raw)}


def alternatives(raw):
    """The words that stand for pictures."""
    return "".join(str(node.get("/Alt", "")) for node in _tagged(raw))


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


def active(raw):
    """Whatever in a PDF does more than be read."""
    reader, found = PdfReader(io.BytesIO(raw)), set()

    def walk(node):
        if isinstance(node, dict):
            found.update(ACTIVE & ({*node} | {str(value) for value in node.values() if isinstance(value, str)}))
        inner = node.items() if isinstance(node, dict) else enumerate(node) if isinstance(node, list) else ()
        for key, value in inner:
            if key not in ("/Parent", "/P", "/Pg"):
                walk(value)

    for number in (*range(1, len(reader.xref[0]) + 1 if 0 in reader.xref else 1), *reader.xref_objStm):
        walk(reader.get_object(number))
    return found

"""The look at a page's width itself: it finds what is too wide with one font, and says so of no other."""

import pytest

from tests.support.browser.looks import beyond
from tests.support.browser.machine import FAMILIES, FILES

pytestmark = pytest.mark.browser

# Some 300 px with the usual font, and an edge of 16 px on either side.
PAGE = """<!doctype html><html lang="de"><body style="margin: 0 16px; font: 16px {font}">
<p style="white-space: nowrap"><span>Verteidigungswurf gegen die Erschöpfung</span></p></body></html>"""
STACKS = ["system-ui, sans-serif", "'Iowan Old Style', Palatino, Georgia, serif", "ui-monospace, Menlo, monospace"]


@pytest.fixture
def planted(browsers):
    """Open a page of a line that does not wrap, in a font's own browser, at the width of a small phone."""
    contexts = []

    def page(font, stack=STACKS[0]):
        contexts.append(browsers(font).new_context(viewport={"width": 320, "height": 800}))
        page = contexts[-1].new_page()
        page.set_content(PAGE.format(font=stack))
        return page

    yield page
    for context in contexts:
        context.close()


def test_what_is_too_wide_with_the_widest_font_alone_is_found(planted):
    found = {font: beyond(planted(font)) for font in FILES}
    assert found["usual"] == found["narrow"] == []
    assert any("Verteidigungswurf" in line for line in found["wide"])


@pytest.mark.parametrize("font", FILES)
def test_a_page_is_shown_in_the_font_that_it_is_tried_with(planted, font):
    for stack in STACKS:
        used = families(planted(font, stack))
        assert used
        assert all(family.startswith(FAMILIES[font]) for family in used), used


def families(page):
    """The fonts that a page's line is really drawn with."""
    session = page.context.new_cdp_session(page)
    for domain in ("DOM", "CSS"):
        session.send(f"{domain}.enable")
    root = session.send("DOM.getDocument")["root"]["nodeId"]
    line = session.send("DOM.querySelector", {"nodeId": root, "selector": "span"})["nodeId"]
    return [one["familyName"] for one in session.send("CSS.getPlatformFontsForNode", {"nodeId": line})["fonts"]]


def test_the_three_fonts_differ_in_width(planted):
    narrow, usual, wide = (
        planted(font).evaluate("document.querySelector('span').offsetWidth") for font in ("narrow", "usual", "wide"))
    assert narrow < usual < wide


def test_what_scrolls_within_the_page_does_not_count(planted):
    page = planted("wide")
    page.evaluate("document.querySelector('p').style.overflowX = 'auto'")
    assert beyond(page) == []

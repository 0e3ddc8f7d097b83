"""Pages have room for a language whose texts are 40% longer than in English, on a phone and on a wide screen."""

import pytest

from rulesets import systems
from tests.browser.test_layout import NEITHER, populated
from tests.support.browser.layout import faults
from tests.support.browser.looks import WIDE
from tests.support.browser.pages import pages
from tests.support.everyday import everyday
from tests.support.third_language import LANGUAGE, offer, write_catalogue

pytestmark = pytest.mark.browser
WIDTHS = (WIDE, 390)
HYPHEN = "is broken without a hyphen"
"""Its words are nobody's, so that no browser knows where they may be broken."""


@pytest.fixture
def font():
    """The widest: what fits with it fits."""
    return "wide"


@pytest.fixture
def third(settings, tmp_path):
    write_catalogue(tmp_path)
    offer(settings, tmp_path)


@pytest.mark.parametrize("slug", everyday([next(iter(systems())), NEITHER, *list(systems())[1:]]))
def test_pages_have_room_for_texts_that_are_longer(visit, settings, third, slug):
    visit.expect("the server responded with a status of")
    browsers, opened, wrong = populated(slug, settings), {}, {}
    for who, address in pages(slug):
        page = opened.get(who) or opened.setdefault(who, visit(client=browsers[who], locale="en-XA"))
        page.goto(address)
        for width in WIDTHS:
            found = [one for one in faults(page, width) if HYPHEN not in one]
            if found:
                wrong[who, address, width] = found
    assert page.locator(f"html[lang={LANGUAGE}]").count()
    assert wrong == {}, "\n".join(f"{key}\n  " + "\n  ".join(found) for key, found in wrong.items())

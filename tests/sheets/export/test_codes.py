"""The codes that are printed are read as a telephone reads them, from the page as it is seen."""

import pypdfium2
import pytest
import zxingcpp
from django.urls import reverse

from rulesets import systems
from sheets.parties.paper import taking_url
from tests.support.everyday import everyday
from tests.support.party import SITE, Round, browser

pytestmark = pytest.mark.django_db


def codes(raw):
    """What the codes on each page say, from the page's picture at 150 dots an inch."""
    return [sorted(one.text for one in zxingcpp.read_barcodes(page.render(scale=150 / 72).to_pil()))
            for page in pypdfium2.PdfDocument(raw)]


@pytest.mark.parametrize("size", ["a4", "us-letter"])
@pytest.mark.parametrize("layout", ["sheet", "pencil"])
@pytest.mark.parametrize("slug", everyday(systems(), 2))
def test_the_code_of_an_approval_leads_to_its_check(slug, layout, size):
    one = Round(slug)
    entry = one.approve()
    url = f"{SITE}/verify/{entry.code[:5]}-{entry.code[5:]}/"
    raw = browser(one.player).get(reverse("pdf", args=[one.sheet.pk]), {"layout": layout, "paper": size}).content
    *others, last = codes(raw)
    assert [found for page in others for found in page] == [url] * len(others)
    assert last == [url, url], "at the foot, and beside what is said of the approval"


def test_the_card_for_the_pocket_has_the_code_at_its_foot():
    one = Round()
    entry = one.approve()
    raw = browser(one.player).get(reverse("pdf", args=[one.sheet.pk]), {"layout": "pocket"}).content
    assert codes(raw) == [[f"{SITE}/verify/{entry.code[:5]}-{entry.code[5:]}/"]]


def test_what_is_not_approved_has_no_code():
    one = Round()
    assert codes(browser(one.player).get(reverse("pdf", args=[one.sheet.pk])).content) == [[]]


def test_the_code_of_a_card_that_is_handed_out_takes_its_character():
    one = Round()
    one.party.invitation = "i" * 22
    one.party.save()
    one.sheet.owner, one.sheet.offered = one.gm, True
    one.sheet.save()
    raw = browser(one.gm).get(reverse("party-pdf", args=[one.party.pk, "handed", 1])).content
    assert codes(raw) == [[taking_url(one.party, one.sheet, SITE)]]

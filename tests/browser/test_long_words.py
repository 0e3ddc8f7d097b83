"""Long German words in names of sheets, parties and rows widen no page, whatever it is looked at on."""

import copy

import pytest
from django.contrib.auth import get_user_model
from django.test import Client

from rulesets import systems
from sheets.models import Member, Sheet
from sheets.parties import services as parties

pytestmark = pytest.mark.browser
WIDTHS = (320, 360, 768, 900, 1280)
LONG = "Donnerstagsrundengemeinschaft Grenzlandwächterhauptfrauanwärter"
"""Words of 29 and 33 letters."""
PAGES = ("/", "/sheets/?sort=called&q=o", "/parties/", "/parties/{party}/", "/parties/{party}/table/",
         "/parties/{party}/opponents/", "/parties/{party}/handouts/", "/parties/{party}/scenes/",
         "/parties/{party}/ready/", "/parties/{party}/house/", "/sheets/{sheet}/", "/sheets/{sheet}/history/",
         "/sheets/{sheet}/print/", "/drafts/{sheet}/figure/", "/drafts/{sheet}/attacks/", "/drafts/{sheet}/finish/",
         "/notifications/", "/account/")
WIDER = """() => [...document.querySelectorAll("body *")].filter((one) => {
  const { right, width } = one.getBoundingClientRect();
  return width && right > document.documentElement.clientWidth + 1 && !one.closest(".hidden");
}).slice(0, 9).map((one) => `${one.tagName}.${one.className} ${one.textContent.trim().slice(0, 40)}`)"""


@pytest.fixture
def font():
    """The widest: what fits with it fits."""
    return "wide"


@pytest.fixture
def browser_and_places():
    """A GM and all places that long names stand in."""
    gm, player = (get_user_model().objects.create_user(name) for name in ("grenzlandwächterhauptfrau", "paul"))
    ruleset = systems()["condice"]
    party = parties.found_party(gm, LONG, ruleset)
    Member.objects.create(party=party, user=player)
    data = copy.deepcopy(ruleset.examples["juan"]["data"])
    for row in data["attacks"]:
        row["name"] = LONG
    for owner, opponent in ((gm, False), (player, False), (gm, True)):
        sheet = Sheet.objects.create(owner=owner, party=party, ruleset="condice", name=LONG, data=data, seen_by="party",
                                     opponent=opponent)
    own = Sheet.objects.filter(owner=gm, opponent=False).get()
    client = Client()
    client.force_login(gm)
    return client, {"party": party.pk, "sheet": own.pk, "other": sheet.pk}


def test_no_page_with_long_words_scrolls_sideways(browser_and_places, visit, live_server):
    client, places = browser_and_places
    visit.expect("the server responded with a status of")
    page, wrong = visit(client=client, locale="de-DE"), {}
    for address in PAGES:
        page.goto(live_server.url + address.format(**places))
        for width in WIDTHS:
            page.set_viewport_size({"width": width, "height": 800})
            if page.evaluate("document.documentElement.scrollWidth > document.documentElement.clientWidth"):
                wrong[address, width] = page.evaluate(WIDER)
    assert wrong == {}, "\n".join(f"{key}: {found}" for key, found in wrong.items())

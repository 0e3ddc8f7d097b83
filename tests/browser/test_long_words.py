"""Long German words in names of sheets, parties, rows strain no page: a sample of them, and at full counts all."""

import pytest

from rulesets import systems
from tests.browser.test_layout import NEITHER, crawl, populated, starts
from tests.support.browser.long_words import LONG, all_named, name_all_long, strained
from tests.support.everyday import slow

pytestmark = pytest.mark.browser
PAGES = ("/", "/sheets/?sort=called&q=o", "/sheets/?state=archived", "/parties/", "/parties/{party}/",
         "/parties/{party}/settings/", "/parties/{party}/table/", "/parties/{party}/opponents/",
         "/parties/{party}/handouts/", "/parties/{party}/scenes/", "/parties/{party}/ready/",
         "/parties/{party}/house/", "/parties/{party}/print/", "/opponents/?system=condice",
         "/opponents/encounters/{encounter}/", "/sheets/{sheet}/", "/sheets/{sheet}/history/", "/sheets/{sheet}/print/",
         "/sheets/{sheet}/review/", "/drafts/{sheet}/figure/", "/drafts/{sheet}/attacks/", "/drafts/{sheet}/finish/",
         "/reviews/", "/compare/condice/?a={sheet}&b={other}", "/sheets/trash/", "/notifications/", "/account/")


@pytest.fixture
def font():
    """The widest: what fits with it fits."""
    return "wide"


def told(wrong):
    """Faults, each under the page where it is."""
    return "\n".join(f"{' '.join(map(str, key))}\n  " + "\n  ".join(sentences) for key, sentences in wrong.items())


def test_no_page_is_strained_by_long_words(transactional_db, visit, live_server):
    client, places = all_named(LONG)
    visit.expect("the server responded with a status of")
    page, wrong = visit(client=client, locale="de-DE"), {}
    for address in PAGES:
        answer = page.goto(live_server.url + address.format(**places))
        assert answer.ok, address
        wrong |= {(address, *width): sentences for width, sentences in strained(page).items()}
    assert wrong == {}, told(wrong)


@pytest.mark.parametrize("slug", [slow(slug) for slug in (NEITHER, *systems())])
def test_no_page_that_anybody_reaches_is_strained_by_long_words(visit, settings, slug):
    visit.expect("the server responded with a status of")
    browsers, wrong, seen = populated(slug, settings), {}, set()
    waiting = {who: starts(slug, who) for who in browsers}
    name_all_long()
    for who, client in browsers.items():
        page = visit(client=client, locale="de-DE")
        done = set()
        wrong |= {(who, *key): sentences for key, sentences in crawl(
            page, slug, waiting[who], seen, done, strained).items()}
        assert len(done) > 5
        page.context.close()
    assert wrong == {}, told(wrong)

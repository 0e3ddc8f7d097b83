"""Everything goes by the keyboard alone: in the order of the page, in view, and out again."""

import pytest
from playwright.sync_api import expect

from rulesets import systems
from tests.browser.test_layout import populated
from tests.support.browser.pages import pages
from tests.support.everyday import everyday

pytestmark = pytest.mark.browser
MOST = 400
"""The most stops of a page."""

STOP = """(before) => {
  const one = document.activeElement;
  if (one === document.body) return null;
  const {left, top, right, bottom} = one.getBoundingClientRect();
  const last = document.querySelector("[data-stop]");
  const after = !last || !!(last.compareDocumentPosition(one) & Node.DOCUMENT_POSITION_FOLLOWING);
  last?.removeAttribute("data-stop");
  one.setAttribute("data-stop", "");
  // What lies over it there hides it whole, but for what belongs to it.
  const hit = document.elementFromPoint((left + right) / 2, (Math.max(top, 0) + Math.min(bottom, innerHeight)) / 2);
  const seen = bottom > 0 && top < innerHeight && hit
    && (one.contains(hit) || hit.contains(one) || !!one.closest("label, form")?.contains(hit));
  return {name: one.outerHTML.slice(0, 100), after, seen, first: one.matches(".skip")};
}"""


def stops(page):
    """Yield each stop of the focus, until it has gone round."""
    for _press in range(MOST):
        page.keyboard.press("Tab")
        stop = page.evaluate(STOP)
        if stop is None or (stop["first"] and not stop["after"]):
            return
        yield stop
    pytest.fail(f"{page.url}: the focus does not come round")


@pytest.mark.parametrize("slug", everyday(list(systems()), 1))
def test_the_focus_goes_through_builder_sheet_table_and_review_in_their_order_and_is_always_seen(visit, settings, slug):
    visit.expect("the server responded with a status of")
    browsers, opened, wrong = populated(slug, settings), {}, {}
    looked_at = [one for one in pages(slug) if one[1].startswith("/drafts/")][1:2] + [
        one for one in pages(slug) if "table/?" in one[1] or one[1].endswith("/review/")] + [
        one for one in pages(slug) if one[1].startswith("/sheets/")][:1]
    for who, address in looked_at:
        page = opened.get(who) or opened.setdefault(who, visit(client=browsers[who]))
        page.goto(address)
        reached = [*stops(page)]
        assert len(reached) > 20, address
        found = [stop for stop in reached if not (stop["after"] and stop["seen"])]
        if found:
            wrong[address] = found
    assert len(looked_at) == 4
    assert wrong == {}


def test_the_question_mark_shows_the_keys_and_escape_leads_back(visit):
    page = visit("/parties/", locale="en-GB")
    link = page.get_by_role("link", name="Parties")
    link.focus()
    page.keyboard.press("?")
    keys = page.get_by_role("dialog", name="Keyboard shortcuts")
    expect(keys).to_be_focused()
    page.keyboard.press("Escape")
    expect(keys).to_be_hidden()
    expect(link).to_be_focused()

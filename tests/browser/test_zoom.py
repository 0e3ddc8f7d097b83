"""A page that is zoomed to 400%: a window of 1280 × 1024 has room for 320 × 256 of a page's pixels then."""

import pytest

from rulesets import systems
from tests.browser.test_layout import NEITHER, populated
from tests.support.browser.looks import beyond
from tests.support.browser.pages import pages
from tests.support.everyday import everyday

pytestmark = pytest.mark.browser
WIDE, ZOOMED = {"width": 1280, "height": 1024}, {"width": 320, "height": 256}

PINNED = """() => {
  scrollTo(0, document.documentElement.scrollHeight / 2);
  const held = [...document.body.querySelectorAll("*")].filter((one) => {
    if (!/sticky|fixed/.test(getComputedStyle(one).position) || !one.checkVisibility()) return false;
    const {top, bottom, width} = one.getBoundingClientRect();
    return width > innerWidth / 2 && bottom > 0 && top < innerHeight;
  });
  const covered = held.reduce((sum, one) => sum + Math.min(one.getBoundingClientRect().bottom, innerHeight)
    - Math.max(one.getBoundingClientRect().top, 0), 0);
  scrollTo(0, 0);
  return covered > innerHeight / 3 ? held.map((one) => `${one.localName}.${one.className} covers the page`) : [];
}"""
"""The parts that stay in view while one scrolls, if they take more than a third of the window."""
OFFERED = """() => {
  for (const one of document.querySelectorAll("details")) one.open = true;
  const words = (one) => (one.getAttribute("aria-label") || one.textContent).replace(/\\s+/g, " ").trim();
  const name = (one) => one.localName === "a" ? one.pathname : one.name || words(one);
  const found = new Set(), gather = () => {
    const used = "a[href], button, input:not([type=hidden]), select, textarea, h1, h2, h3";
    for (const one of document.querySelectorAll(used))
      // The list of all steps is above them, whatever width there is.
      // What is unfolded may be asked for just then, and stands in place of a link.
      if (one.checkVisibility({visibilityProperty: true}) && !one.matches(".onward .before, details[hx-get] *"))
        found.add(`${one.localName} ${name(one)} ${one.localName === "button" ? one.value || words(one) : ""}`);
  };
  gather();
  for (const one of document.querySelectorAll(".menu[popover]")) {
    one.showPopover();
    gather();
    one.hidePopover();
  }
  return [...found];
}"""
"""Headings and whatever one presses or fills in that is there to be seen, with all that is folded unfolded."""


def offered(page):
    """Return what a page offers, behind each of its tabs where it has some."""
    found = set()
    for tab in ["", *page.evaluate("[...document.querySelectorAll('.tabs a')].map((one) => one.hash)")]:
        page.evaluate("tab => { location.hash = tab; }", tab)
        found |= set(page.evaluate(OFFERED))
    return found


@pytest.mark.parametrize("slug", everyday([next(iter(systems())), NEITHER, *list(systems())[1:]]))
def test_at_four_times_its_size_nothing_of_a_page_is_lost_covered_or_beyond_its_edge(visit, settings, slug):
    visit.expect("the server responded with a status of")
    browsers, wrong = populated(slug, settings), {}
    opened = {}
    for who, address in pages(slug):
        page = opened.get(who) or opened.setdefault(who, visit(client=browsers[who]))
        page.set_viewport_size(WIDE)
        page.goto(address)
        there = offered(page)
        page.set_viewport_size(ZOOMED)
        found = [f"lost: {one}" for one in sorted(there - offered(page))]
        found += beyond(page) + page.evaluate(PINNED)
        if found:
            wrong[who, address] = found
    assert wrong == {}, "\n".join(f"{' '.join(key)}\n  " + "\n  ".join(found) for key, found in wrong.items())

"""Whoever sees with a few colours of their own, as Windows offers them, sees what is chosen and where the focus is."""

import pytest

from tests.browser.test_layout import populated
from tests.support.browser.pages import pages
from tests.support.everyday import everyday

pytestmark = pytest.mark.browser

MARKED = """() => {
  const ground = (one) => {
    for (let up = one; up; up = up.parentElement) {
      const {backgroundColor} = getComputedStyle(up);
      if (!/, 0\\)$|transparent/.test(backgroundColor)) return backgroundColor;
    }
    return "";
  };
  const chosen = "main [aria-current], main [aria-pressed=true], :is(.segments, .moves) label:has(:checked)";
  return [...document.querySelectorAll(chosen)].filter((one) => one.checkVisibility())
    .map((one) => [one.outerHTML.slice(0, 80),
                   ground(one) !== ground(one.parentElement) || getComputedStyle(one).outlineStyle === "solid"]);
}"""
"""[markup, whether it stands out from what is around it] of whatever is chosen."""


@pytest.mark.parametrize("scheme", everyday(["dark", "light"]))
def test_what_is_chosen_and_where_the_focus_is_stands_out_in_forced_colours(visit, settings, scheme):
    """In the dark, in `make prove` by daylight too."""
    visit.expect("the server responded with a status of")
    # Its builder has words to choose from, its table turns, its sheet dice.
    browsers, marked = populated("augen-des-zwielichts", settings), {}
    opened = {who: visit(client=browsers[who], scheme=scheme) for who in ("gm", "player")}
    for who, address in pages("augen-des-zwielichts"):
        if "/drafts/" in address or "table/?" in address or address.endswith("/print/"):
            page = opened[who]
            page.emulate_media(forced_colors="active")
            page.goto(address)
            marked |= dict(page.evaluate(MARKED))
            page.keyboard.press("Tab")
            outline = page.evaluate("getComputedStyle(document.activeElement).outlineStyle")
            assert outline == "solid", address
    assert len(marked) > 5
    assert [one for one, stands_out in marked.items() if not stands_out] == []

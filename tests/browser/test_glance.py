"""What of a sheet is seen at a glance, how long its page is, and how few presses lead to each roll and back."""

from statistics import median

import pytest
from playwright.sync_api import expect

from rulesets import systems
from sheets.models import Sheet
from tests.support.browser.sheet_actions import TAKE_BACK, lines
from tests.support.browser.wizard_actions import seated
from tests.support.everyday import everyday

pytestmark = pytest.mark.browser

SIZES = {1280: (800, 2_000), 360: (780, 3_600)}
"""{width: (height of the window, how high a page is at most in the middle of all)}."""

GLANCE = """() => {
  const seen = (one) => {
    const box = one.getBoundingClientRect();
    return one.checkVisibility() && box.top >= 0 && box.bottom <= innerHeight
      && one.contains(document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2));
  };
  const presses = (one) => {
    let folds = 1;
    for (let at = one; at; at = at.parentElement) folds += at.matches("details:not([open])");
    return folds + (one.closest(".pane") && !one.closest(".pane").checkVisibility());
  };
  const rolls = [...document.querySelectorAll("button.roll")];
  return {
    height: document.documentElement.scrollHeight,
    gauge: seen(document.querySelector("#values-now .gauge")),
    // Where a game leads on by a button of its board, that is the first to throw.
    first: [...document.querySelectorAll("#board .leading button, button.roll")].some(seen),
    rolls: rolls.length, presses: Math.max(...rolls.map(presses)),
  };
}"""


def sheets_of(page, ruleset):
    """Each example of a system in its turn, as the page shows it that a guest has of the first."""
    sheet = Sheet.objects.get(pk=page.url.split("/sheets/")[1].split("/")[0])
    for key, document in ruleset.examples.items():
        Sheet.objects.filter(pk=sheet.pk).update(name=document["name"], data=document["data"])
        page.reload()
        yield key


def test_a_sheet_is_seen_at_a_glance_its_page_is_short_and_each_roll_at_most_two_presses_away(visit):
    found = {}
    for slug, ruleset in systems().items():
        page = seated(visit, next(iter(ruleset.examples.values())))
        for key in sheets_of(page, ruleset):
            for width, (height, _most) in SIZES.items():
                page.set_viewport_size({"width": width, "height": height})
                found[slug, key, width] = page.evaluate(GLANCE)
    out_of_view = {one: told for one, told in found.items() if not (told["gauge"] and told["first"])}
    assert out_of_view == {}
    assert {one: told for one, told in found.items() if not told["rolls"] or told["presses"] > 2} == {}
    for width, (_height, most) in SIZES.items():
        heights = {one: told["height"] for one, told in found.items() if one[2] == width}
        assert median(heights.values()) <= most, heights


@pytest.mark.parametrize("slug", everyday([*systems()], each=2))
def test_what_was_done_is_taken_back_by_one_press_in_view(visit, slug):
    page = seated(visit, next(iter(systems()[slug].examples.values())))
    for number, width in enumerate(sorted(SIZES), 1):
        page.set_viewport_size({"width": width, "height": SIZES[width][0]})
        page.locator(".nudge button:visible, #board .felt .leading button:visible").first.click()
        expect(lines(page)).to_have_count(number)
        assert page.locator(TAKE_BACK).first.evaluate("""(one) => {
          const box = one.getBoundingClientRect();
          return box.top >= 0 && box.bottom <= innerHeight
            && one.contains(document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2));
        }"""), width

"""Rules are broken and mended at their fields, on a phone and at a desk, and nobody needs the side column for it."""

import pytest
from django.utils.translation import override
from playwright.sync_api import expect

from builder.wizard.steps import step_of, steps
from rulesets import systems
from rulesets.document import read_tree
from tests.support.browser.wizard_actions import saved, seated
from tests.support.everyday import everyday
from tests.support.guest import example
from tests.support.rulesets.contract import SYSTEMS

pytestmark = pytest.mark.browser

WIDTHS = (390, 1280)
BROKEN = [
    ("daemmersturm", "DS-01", "skills", "#f-melee-attack", "error"),
    ("dice-rumble", "DR-01", "attributes", "#f-attributes", "error"),
    ("battle-dice", "BD-02", "deck", "#f-cards-0", "error"),
    ("augen-des-zwielichts", "SZ-02", "fields", "#f-fields", "error"),
    ("condice", "CD-10", "values", "#f-movement", "open"),
    ("dice-rumble", "DR-18", "weapons", "#f-weapons-0-talent", "hint"),
]


@pytest.mark.parametrize(("system", "rule", "step", "place", "look", "width"), everyday(
    [(*one, WIDTHS[(at + other) % 2]) for at, one in enumerate(BROKEN) for other in range(2)], each=2))
def test_what_breaks_a_rule_is_seen_at_its_field(visit, width, system, rule, step, place, look):
    """Each rule at one of the widths, every other one at the other; in `make prove` at both."""
    page = seated(visit, systems()[system].offenders[rule], width=width, locale="en")
    page.goto(page.url.replace("/sheets/", "/drafts/") + f"{step}/")
    mark = page.locator(f"{place}--told .mark.{look}")
    expect(mark).to_be_visible()
    mark.scroll_into_view_if_needed()
    expect(mark).to_be_in_viewport(ratio=0.9)
    box = mark.bounding_box()
    assert box["x"] >= 0
    assert box["x"] + box["width"] <= width


@pytest.mark.parametrize("width", everyday(WIDTHS))
def test_three_rules_are_broken_and_mended_without_the_side_column(visit, width):
    page = seated(visit, example(), width=width, locale="en")
    page.goto(page.url.replace("/sheets/", "/drafts/") + "attacks/")
    for field, text in (("name", ""), ("dice", "29")):
        page.locator(f"#f-attacks-0-{field}").fill(text)
    saved(page)
    unnamed = page.locator("#f-attacks-0-name--told .mark")
    expect(unnamed).to_have_count(1)
    expect(page.locator("#whole--told .mark.error")).to_have_count(1)
    page.locator("#f-attacks-0-name").fill("Sting")
    expect(unnamed).to_have_count(0)
    page.locator("#whole--told .mend button").first.click()
    expect(page.locator("#whole--told .mark.error")).to_have_count(0)
    undo = page.locator("#whole--told .did button")
    expect(undo).to_be_visible()
    undo.click()
    expect(page.locator("#whole--told .mark.error")).to_have_count(1)
    page.locator("#f-attacks-0-dice").fill("1")
    expect(page.locator("#whole--told .mark")).to_have_count(0)


def test_the_side_column_has_no_bar_of_its_own_and_its_end_can_be_read(visit):
    page = seated(visit, next(iter(systems()["battle-dice"].examples.values())))
    page.set_viewport_size({"width": 1280, "height": 600})
    page.goto(page.url.replace("/sheets/", "/drafts/") + "deck/")
    saved(page)
    side = page.locator("#sidebar")
    assert side.evaluate("one => getComputedStyle(one).overflowY") == "visible"
    page.evaluate("scrollTo(0, document.body.scrollHeight / 2)")
    expect(side.locator("a").last).to_be_in_viewport(ratio=1)


@pytest.mark.parametrize("ruleset", everyday(SYSTEMS, each=3), ids=lambda ruleset: ruleset.slug)
def test_somebody_with_fresh_eyes_mends_three_rules_where_they_are_broken(visit, ruleset):
    with override("en"):
        broken = [(document, found) for document in ruleset.offenders.values()
                  for found in read_tree(document).check().findings if found.fixes][:3]
    for document, found in broken:
        page = seated(visit, document, width=390, locale="en")
        draft = page.url.replace("/sheets/", "/drafts/")
        step = step_of(ruleset, found.path) if found.path else next(
            slug for slug, (_step, keys) in steps(ruleset).items()
            if any(found.fixes[0].data[key] != document["data"][key] for key in keys))
        # What is only open has its mends once somebody was there.
        for slug in (step, "figure", step):
            page.goto(f"{draft}{slug}/")
        mark = page.locator(".mark:visible", has=page.locator(".mend")).first
        words = mark.locator("p").first.inner_text()
        if mark.locator("details summary").count():
            mark.locator("details summary").first.click()
        mark.locator(".mend button").first.click()
        expect(page.locator(".mark", has_text=words)).to_have_count(0)
        expect(page.locator("#step .did").first).to_be_in_viewport()
        page.close()


@pytest.mark.parametrize("width", WIDTHS)
def test_what_a_press_breaks_far_from_where_one_pressed_is_said_in_the_lowest_line(visit, width):
    page = seated(visit, systems()["battle-dice"].examples["quick"], width=width, locale="en")
    page.goto(page.url.replace("/sheets/", "/drafts/") + "deck/")
    far = page.locator("#out_of_view")
    expect(far).to_be_hidden()
    page.locator("#catalogues button:enabled", has_text="+").last.click()
    expect(far).to_be_in_viewport(ratio=1)
    expect(far).to_contain_text("9 cards are in the deck")
    far.click()
    expect(page.locator(".mark.error")).to_be_in_viewport(ratio=1)
    expect(far).to_be_hidden()
    page.locator(".mark.error .mend button").first.click()
    saved(page)
    expect(page.locator(".mark.error")).to_have_count(0)
    expect(far).to_be_hidden()

"""A character made from nothing through the wizard, then printed, carried out and in again."""

import re

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect

from rulesets import systems
from rulesets.kit import blank, join, slots
from sheets.forms.inputs import element_id
from sheets.models import Sheet
from tests.support.browser.sheet_actions import carried
from tests.support.browser.waits import quiet
from tests.support.browser.wizard_actions import press
from tests.support.everyday import everyday

pytestmark = pytest.mark.browser
WHOLE = [("dice-rumble", "burglar", True), ("daemmersturm", "knight", False), ("dice-rumble", "burglar", False),
         ("daemmersturm", "knight", True)]
"""Examples with parts, lists, choices and numbers to deal out, with scripts and without."""


def go(page, slug, *, javascript):
    press(page, f"go:{slug}")
    expect(page).to_have_url(re.compile(f"/{slug}/"))
    checked(page, javascript=javascript)


def checked(page, *, javascript):
    quiet(page)
    # Axe is a script itself and would wait for ever where none runs; both browsers are sent the same page.
    if javascript:
        assert Axe().run(page).response["violations"] == []


def entered(page, part, data, prefix="", keys=None):
    """Type, choose, deal and add whatever the data has, of the fields named by `keys` if there are any."""
    empty = blank(part)
    for key, slot in slots(part).items():
        path, value = join(prefix, key), data[key]
        if (keys and key not in keys) or value == empty[key]:
            continue
        where = page.locator(f"[id='{element_id(path)}']")
        if slot.kind == "rows":
            for index, row in enumerate(value):
                added(page, path, page.locator(f"[id='{element_id(join(path, index))}']"))
                entered(page, slot.parts[0], row, join(path, index))
        elif slot.ask.deal:
            dealt(page, path, value)
        elif slot.kind == "part":
            if slot.nullable:
                added(page, path, where.locator("input").first)
            entered(page, slot.parts[0], value, path)
        elif slot.kind == "choice" and not where.locator("option").count():
            where.locator(f"[value='{value}']").check(force=True)
        elif slot.kind == "choice":
            where.select_option(str(value))
        else:
            where.fill(str(value))


def added(page, path, shown):
    press(page, f"add:{path}")
    expect(shown).to_be_visible()
    quiet(page)


def dealt(page, path, numbers):
    for key, number in numbers.items():
        press(page, f"deal:{path}.{key}:{number}")
        expect(page.locator(f"[id='{element_id(join(path, key))}'][aria-pressed=true]")).to_be_visible()
        quiet(page)


@pytest.mark.parametrize(("slug", "key", "javascript"), everyday(WHOLE, 2))
def test_from_the_front_page_to_an_equal_seal(visit, slug, key, javascript, tmp_path):
    ruleset = systems()[slug]
    example = ruleset.examples[key]
    page = visit("/", javascript=javascript, locale="en")
    page.locator(f"[data-system={slug}] button:not([value])").click()
    page.locator("#f-_name").fill(example["name"])
    steps: dict[str, list[str]] = {}
    for field, slot in slots(ruleset.sheet).items():
        steps.setdefault(slot.ask.step.slug, []).append(field)
    for step, keys in steps.items():
        go(page, step, javascript=javascript)
        entered(page, ruleset.sheet, example["data"], keys=keys)
    go(page, "finish", javascript=javascript)
    press(page, "finish")
    expect(page).to_have_url(re.compile("/sheets/"))
    expect(page.get_by_role("heading", level=1)).to_have_text(example["name"])
    made = Sheet.objects.get(pk=page.url.split("/")[4])
    assert made.finished
    assert made.data == example["data"]
    checked(page, javascript=javascript)
    copy = carried(page, tmp_path, javascript=javascript)
    assert copy.data == example["data"]

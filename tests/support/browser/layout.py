"""How a page is laid out, measured: a plain sentence for whatever a reader or a finger would stumble over.

One script, `layout.js`, looks at the page as it stands, at the width that it has.
"""

from pathlib import Path

from tests.support.browser.looks import NARROW, PHONE, WIDE, beyond, violations
from tests.support.browser.waits import unfold_all
from tests.support.plugin import PROVING

WIDTHS = (PHONE, 480, 768, 1024, WIDE, 1920) if PROVING else (PHONE, WIDE)
"""Where pages are measured; that nothing scrolls sideways is seen on a narrower phone too."""
LEAST = 44
"""Pixels that whatever is pressed on a phone has either way."""

PROBE = Path(__file__).with_suffix(".js").read_text()

PLACES = """() => [...document.body.querySelectorAll("*")].map((one) => {
  const box = one.getBoundingClientRect();
  return [box.x + scrollX, box.y + scrollY, box.width, box.height].map((number) => Math.round(number * 4)).join(" ");
}).join()"""

POPPED = "() => { for (const one of document.querySelectorAll('[popover]')) one.showPopover(); }"


def faults(page, width, *, covered=True):
    """What is wrong with the page at a width, each in a sentence with what it is about; nothing where it is well."""
    if page.viewport_size["width"] != width:
        page.set_viewport_size({"width": width, "height": 800})
    return page.evaluate(PROBE, {"least": LEAST if width == PHONE else 0, "covered": covered})


def looked_over(page, widths=WIDTHS):
    """{(width, how): sentences} of a page at each width, light and dark, and with all that is folded unfolded.

    By night only colours are others (tests/test_schemes.py); at full counts a page is measured anew in the dark where
    it is laid out otherwise, and axe looks at it too.
    """
    page.set_viewport_size({"width": NARROW, "height": 800})
    found = {(NARROW, "light"): beyond(page)}
    if PROVING:
        found[NARROW, "axe"] = violations(page)
        page.emulate_media(color_scheme="light")
    # The phone comes last: it is looked at unfolded next, and each change of width lays the page out anew.
    for width in sorted(widths, reverse=True):
        found[width, "light"] = faults(page, width)
        if PROVING:
            light = page.evaluate(PLACES)
            page.emulate_media(color_scheme="dark")
            if page.evaluate(PLACES) != light:
                found[width, "dark"] = faults(page, width)
            page.emulate_media(color_scheme="light")
    # Menus that lie open all at once would cover each other.
    folded = page.locator("details:not([open])").count()
    unfold_all(page, "body")
    page.evaluate(POPPED)
    if folded:
        found[PHONE, "unfolded"] = faults(page, PHONE, covered=False)
    return {how: sentences for how, sentences in found.items() if sentences}

"""How a page looks to whoever reads it: whether it keeps to the width that there is, and what axe says of it."""

from axe_playwright_python.sync_playwright import Axe

from tests.support.browser.machine import font_of
from tests.support.browser.waits import quiet
from tests.support.plugin import PROVING

NARROW, PHONE, WIDE = 320, 360, 1280
SCHEMES = ("light", "dark")

# What scrolls by itself, or is hidden from the eye, may be as wide as it likes.
BEYOND = """() => {
  const edge = document.documentElement.clientWidth;
  if (document.documentElement.scrollWidth <= edge) return [];
  const contained = (one) => {
    for (let up = one.parentElement; up && up !== document.body; up = up.parentElement)
      if (getComputedStyle(up).overflowX !== "visible") return true;
    return false;
  };
  const wide = [...document.body.querySelectorAll("*")]
    .filter((one) => one.getBoundingClientRect().right > edge + 0.5 && !contained(one))
    .map((one) => `${Math.ceil(one.getBoundingClientRect().right)} px: ${one.outerHTML.slice(0, 120)}`);
  return [`${document.documentElement.scrollWidth} px wide, of ${edge}`, ...wide.slice(-6)];
}"""


def beyond(page):
    """What of the page lies beyond its right edge, so that it scrolls sideways: texts, the innermost last."""
    quiet(page)  # a press waits for the answer, not for its styles
    return page.evaluate(BEYOND)


def fits(page, *widths):
    """Check that the page scrolls sideways at none of these widths (as it is, if none is stated)."""
    for width in widths or [page.viewport_size["width"]]:
        page.set_viewport_size({"width": width, "height": 800})
        found = beyond(page)
        assert not found, "\n".join((f"{page.url} with the {font_of(page)} font", *found))


def violations(page, schemes=SCHEMES):
    """Return what axe finds in each of these schemes, in sentences."""
    axe, found = Axe(), []
    for scheme in schemes:
        page.emulate_media(color_scheme=scheme)
        report = axe.run(page)
        axe.axe_script = ""  # the page has it now
        found += [f"{page.url}, {scheme}: {report.generate_report()}"] * bool(report.violations_count)
    return found


def accessible(page, schemes=SCHEMES):
    """Check that axe finds nothing; it looks with the usual font only, as no rule of its hangs on a font."""
    if font_of(page) == "usual":
        assert not (found := violations(page, schemes)), "\n".join(found)


def sound(page, widths=(NARROW, PHONE, WIDE), schemes=SCHEMES):
    """Check both at each width; axe sees the first scheme where it is widest, the last where it is narrowest.

    At full counts it sees each scheme at each width.
    """
    last = {max(widths): schemes[:1], min(widths): schemes[-1:]}
    for width in widths:
        fits(page, width)
        accessible(page, schemes if PROVING else last.get(width, ()))

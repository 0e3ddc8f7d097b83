"""How a test waits in the browser: for a fact and never for a time, since nobody knows how busy the machine is.

What never comes ends a wait after a minute, in which nothing that works is late.
"""

import time

from playwright.sync_api import expect

LONGEST = 60_000
"""Milliseconds after which a wait fails."""
BUSY = ".htmx-request, .htmx-swapping, .htmx-settling"
"""Whatever htmx is still at work on."""

DRAWN = "() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done())))"
"""A frame goes by, and with it all that scripts do when a page was scrolled or drawn anew."""

UNFOLD = """async (within) => {
  const folds = [...document.querySelectorAll(`${within} details:not([open])`)];
  await Promise.all(folds.map((one) => new Promise((done) => {
    one.addEventListener("toggle", done, {once: true});
    one.open = true;
  })));
}"""


def quiet(page) -> None:
    """Wait until the page is loaded, with its scripts, and has been answered all that it asked for."""
    page.wait_for_load_state()
    expect(page.locator(BUSY)).to_have_count(0)


def drawn(page) -> None:
    """Wait until the page is quiet and stands as it is drawn."""
    quiet(page)
    page.evaluate(DRAWN)


def unfold_all(page, within="main") -> None:
    """Open all that is folded there, and wait for what it asks for then."""
    page.evaluate(UNFOLD, within)
    quiet(page)


def until(page, so) -> None:
    """Wait until something is so that no locator tells, while the page goes on."""
    end = time.monotonic() + LONGEST / 1000
    while not so():
        assert time.monotonic() < end, f"after {LONGEST / 1000:.0f} s it is not so"
        page.wait_for_timeout(20)


class Held:
    """Answers to what is asked for at such addresses, made by the server at once and given when they are let go."""

    def __init__(self, page, address):
        self.page, self.held, self.over = page, [], False
        page.route(address, self.hold)

    def hold(self, route):
        """The server has answered, the page does not hear of it yet."""
        if self.over:
            route.continue_()
        else:
            self.held.append((route, route.fetch()))

    def wait(self, number=1):
        """Until so many are held."""
        until(self.page, lambda: len(self.held) >= number)

    def let_go(self):
        """All that are held, and whatever is asked for from now on."""
        self.over = True
        for route, answer in self.held:
            route.fulfill(response=answer)


def stopped(page) -> None:
    """Load the page anew with a clock that stands still: its timers go off as `page.clock.run_for` is told to."""
    page.clock.install()
    page.reload()
    page.clock.pause_at(time.time() + 3600)
    quiet(page)

"""What the browser says of presses on a sheet, where things move and scripts have set styles: nothing."""

import pytest
from playwright.sync_api import expect

from rulesets import systems
from tests.support.browser.kinds import every_system
from tests.support.browser.sheet_actions import lines, unfold
from tests.support.browser.waits import quiet
from tests.support.browser.wizard_actions import seated

pytestmark = pytest.mark.browser
LAST = "That was all."


@every_system
def test_presses_leave_the_console_empty(visit, slug):
    page, said = seated(visit, next(iter(systems()[slug].examples.values()))), []
    page.emulate_media(reduced_motion="no-preference")
    page.reload()
    page.on("console", lambda message: said.append(message.text))
    for press in (1, 2):
        row = page.locator("article.roll-row").first
        unfold(page, row)
        # htmx would carry a style over to what it puts in place of this, as an attribute, which the policy forbids.
        page.evaluate("for (const one of document.querySelectorAll('#table [id]')) one.style.setProperty('--set', '1')")
        row.locator("button.roll").click()
        expect(lines(page)).to_have_count(press)
    quiet(page)
    page.evaluate("() => Promise.all(document.getAnimations().map(({finished}) => finished))")
    # What was said before is heard before this.
    with page.expect_console_message(lambda message: message.text == LAST):
        page.evaluate("(last) => console.debug(last)", LAST)
    assert said == [LAST]

"""A game of two on the one page of their table, for several turns: neither needs the own sheet."""

import pytest
from playwright.sync_api import expect

from sheets.models import PendingEffect
from tests.browser.test_duel import LEADS as ON_SHEETS
from tests.browser.test_duel import Seats, answers  # noqa: F401 - a fixture
from tests.support.browser.looks import sound
from tests.support.browser.waits import until
from tests.support.everyday import everyday

pytestmark = pytest.mark.browser
DESK, PHONE = (1280, 800), (390, 844)

IN_VIEW = """one => { const box = one.getBoundingClientRect();
  return box.top >= 0 && box.left >= 0 && box.bottom <= innerHeight && box.right <= document.documentElement.clientWidth
    && one.contains(document.elementFromPoint(box.left + box.width / 2, box.top + box.height / 2)); }"""
CUT = """() => [...document.querySelectorAll("#board .face, #board .face *")].filter((one) =>
  one.checkVisibility() && !one.closest("svg, .hidden, .art") && one.scrollHeight > one.clientHeight + 2
  && getComputedStyle(one).overflowY !== "visible").map((one) => one.outerHTML.slice(0, 120))"""
LEADS = {**ON_SHEETS, "chaos": "board-act-put-away-hand-0-lead-"}
LAID_ON = """() => [...document.querySelectorAll("#tray .whose")].filter((one) => {
  const range = document.createRange();
  range.selectNodeContents(one);
  const label = range.getBoundingClientRect();
  return [...document.querySelectorAll("#tray > :is(.tray-outcome, .tray-why, .tray-title)")].some((text) => {
    const box = text.getBoundingClientRect();
    return box.left < label.right && label.left < box.right && box.top < label.bottom - 1 && label.top < box.bottom - 1;
  });
}).length"""


class AtTable(Seats):
    """Both at the page of their table."""

    def sheet_url(self, who):
        return f"{self.address}?{self.seats(who, None)}"


@pytest.mark.rule("BD-10", "BD-11", "BD-14", "BD-16")
@pytest.mark.parametrize(("size", "javascript"), everyday(
    [(DESK, True), (PHONE, False), (PHONE, True), (DESK, False)]))
def test_two_play_several_turns_on_the_page_of_their_table(visit, transactional_db, answers, size, javascript):  # noqa: F811
    game = AtTable(visit, answers, javascript=javascript)
    for who, page in game.pages.items():
        page.set_viewport_size(dict(zip(("width", "height"), size, strict=True)))
        page.goto(game.sheet_url(who))
    challenge = game.pages["anna"].locator("[id^=board-act-challenge-]").first
    assert challenge.evaluate(IN_VIEW)
    challenge.click()
    until(game.pages["anna"], PendingEffect.objects.exists)
    if not javascript:
        game.pages["ben"].goto(game.sheet_url("ben"))
    game.pages["ben"].locator(".landed [id^=apply-]").click()
    for who, page in game.pages.items():
        if not javascript:
            page.goto(game.sheet_url(who))
        expect(page.locator("#foe")).to_be_visible()
    fallen = 0
    for _time in range(14):
        until(game.pages["anna"], lambda: {game.state(one).phase for one in game.pages} & {*LEADS})
        who, phase = next((one, game.state(one).phase) for one in ("anna", "ben") if game.state(one).phase in LEADS)
        page, button = game.pages[who], f"[id^='{LEADS[phase]}']"
        if not javascript:
            page.goto(game.sheet_url(who))
        expect(page.locator(button).first).to_be_visible()
        assert page.locator(button).first.evaluate(IN_VIEW), (who, phase)
        assert page.evaluate(CUT) == []
        game.click(who, button)
        if phase == "enemy":
            fallen += 1
            for one, there in game.pages.items():
                if not javascript:
                    there.goto(game.sheet_url(one))
                expect(there.locator("#tray .whose")).to_have_text(["AD", "DD"])
                expect(there.locator("#tray .tray-outcome")).to_contain_text("Schaden")
                assert there.evaluate(LAID_ON) == 0
    assert fallen >= 2


@pytest.mark.layout
def test_axe_finds_nothing_at_the_table_of_two(visit, transactional_db):
    game = AtTable(visit)
    game.attacked()
    for who, page in game.pages.items():
        page.goto(game.sheet_url(who))
        sound(page)

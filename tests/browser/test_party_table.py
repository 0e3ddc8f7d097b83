"""A party at one table in three browsers: rolls as they fall, the order, counters."""

import re
from itertools import product

import pytest
from django.contrib.auth.models import User
from playwright.sync_api import expect

from rulesets import systems
from rulesets.kit import Count, Table, field
from tests.support.browser.kinds import either_way, every_system, every_system_either_way
from tests.support.browser.looks import sound
from tests.support.browser.sheet_actions import unfold
from tests.support.browser.waits import Held, quiet, stopped
from tests.support.sheets.table_people import RoundTable

pytestmark = pytest.mark.browser

PUT_OFF = """() => addEventListener("htmx:beforeRequest", (event) => {
  if (event.defaultPrevented) document.documentElement.dataset.putOff = true;
})"""



class Counted(Table):
    """A counter for all and one for the GMs, of no game."""

    clues: Count = field("Hinweise", 0)
    doom: Count = field("Unheil", 0)
    secret = frozenset({"doom"})


@pytest.fixture
def sit(visit, transactional_db):
    """Open a party's table in a browser for each of these people."""
    def opened(slug="condice", people=("gm", "anna", "ben"), **how):
        table = RoundTable(User.objects, slug)
        return table, *(visit(table.address, client=table.browsers[who], **how) for who in people)
    return opened


def lines(page):
    return page.locator(".event-list > li:not(.muted)")


def looked(page, javascript):
    """Whoever has no scripts asks anew."""
    if not javascript:
        page.locator(".reload").click()


def throws(page):
    """Unfold the GM's dice."""
    quiet(page)
    if not page.locator("#gm-rolls .acts").is_visible():
        page.locator("#gm-rolls summary").click()
        if page.locator(".reload").is_visible():
            page.locator("#gm-rolls a").click()
        expect(page.locator("#gm-rolls .acts")).to_be_visible()


@every_system_either_way
def test_what_falls_on_a_sheet_is_seen_by_the_others_within_five_seconds(sit, slug, javascript):
    table, gm, anna, ben = sit(slug, javascript=javascript)
    assert lines(ben).count() == 0
    anna.goto(f"/sheets/{table.sheets['anna'].pk}/")
    row = anna.locator("article.roll-row").first
    unfold(anna, row)
    row.locator("button.roll").click()
    expect(anna.locator("#tray .tray-dice")).to_be_visible()
    for page in (gm, ben):
        looked(page, javascript)
        expect(lines(page)).to_have_count(1)
        expect(lines(page).first.locator(".told")).to_contain_text(":")
        expect(lines(page).first).to_contain_text("Anna")
        if javascript:
            assert int(page.locator("#table-live").get_attribute("data-every")) <= 5
            expect(page.locator("#announcement")).to_have_text(page.locator("#newest").get_attribute("data-said"))


@either_way
def test_the_gm_moves_somebody_by_buttons_or_by_dragging_and_what_is_unfolded_stays_so(sit, javascript):
    table, gm, anna = sit(people=("gm", "anna"), javascript=javascript)
    rows = gm.locator("#order li > span")
    gm.locator("#turn-menu summary").click()
    gm.locator(f"#down-{table.sheets['anna'].pk}").click()
    expect(rows).to_have_text(["Ben", "Anna"])
    expect(rows.first).to_be_visible()
    if javascript:
        expect(gm.locator(f"#down-{table.sheets['anna'].pk}")).to_be_focused()
        rows.last.drag_to(rows.first)
        expect(rows).to_have_text(["Anna", "Ben"])
    gm.locator(f"#up-{table.sheets['ben'].pk}").click()
    expect(rows).to_have_text(["Ben", "Anna"])
    looked(anna, javascript)
    expect(anna.locator(".participant h3")).to_have_text(["Ben", "Anna"])
    assert anna.locator("#order").count() == 0


@either_way
def test_what_is_counted_is_seen_by_those_whom_it_is_for(sit, monkeypatch, javascript):
    monkeypatch.setitem(vars(systems()["condice"]), "table", Counted)
    _table, gm, anna = sit(people=("gm", "anna"), javascript=javascript)
    for clues in ("1", "2"):
        gm.locator("#more-clues").click()
        expect(gm.locator("form:has(#more-clues) .figure")).to_have_text(clues)
    gm.locator("#more-doom").click()
    expect(gm.locator("form:has(#more-doom) .figure")).to_have_text("1")
    looked(anna, javascript)
    expect(anna.locator(".counters .figure")).to_have_text("2")
    assert "Unheil" not in anna.content()


def test_a_new_line_is_spoken_once_and_takes_neither_focus_nor_what_is_typed(sit):
    table, gm, _anna = sit(people=("gm", "anna"))
    throws(gm)
    gm.locator("#gm-w-roll-success [name=dice]").fill("7")
    gm.locator(".participant summary").last.focus()
    focused = gm.evaluate("document.activeElement.id")
    table.play("anna", "act-damage", against="nothing", points=3)
    expect(lines(gm)).to_have_count(1)
    assert gm.evaluate("document.activeElement.id") == focused
    assert gm.locator("#gm-w-roll-success [name=dice]").input_value() == "7"
    assert gm.locator("#gm-rolls").get_attribute("open") is not None
    spoken = gm.locator("#announcement")
    expect(spoken).to_contain_text("Anna")
    gm.evaluate("document.getElementById('announcement').textContent = 'gesagt'")
    table.do(f"place:{table.sheets['ben'].pk}:0")
    expect(gm.locator(".participant h3").first).to_have_text("Ben")
    expect(spoken).to_have_text("gesagt")


def test_a_page_that_is_not_in_view_asks_nothing_and_looks_as_soon_as_it_is(sit):
    table, gm = sit(people=("gm",))
    stopped(gm)
    asked = []
    gm.on("request", lambda request: asked.append(request.url) if "since=" in request.url else None)
    gm.evaluate("Object.defineProperty(document, 'hidden', {get: () => window.unseen ?? false, configurable: true})")
    with gm.expect_request(re.compile(r"/table/\?since=")):
        gm.clock.run_for(10_000)
    gm.evaluate("window.unseen = true")
    quiet(gm)
    asked.clear()
    table.play("anna", "act-damage", against="nothing", points=3)
    gm.clock.run_for(120_000)
    # Whatever was asked for before this answer is known of by then.
    assert gm.evaluate("fetch('/health/').then(({ok}) => ok)")
    assert asked == []
    gm.evaluate("window.unseen = false; document.dispatchEvent(new Event('visibilitychange'))")
    expect(lines(gm)).to_have_count(1)


def test_a_table_that_cannot_be_reached_says_so_and_goes_on_by_itself(sit, visit):
    visit.expect("ERR_INTERNET_DISCONNECTED", "htmx:sendError", "htmx:afterRequest")
    table, gm = sit(people=("gm",))
    gm.context.set_offline(True)
    expect(gm.locator("#stale")).to_be_visible()
    gm.context.set_offline(False)
    expect(gm.locator("#stale")).to_be_hidden()
    table.play("anna", "act-damage", against="nothing", points=3)
    expect(lines(gm)).to_have_count(1)


@pytest.mark.layout
@every_system
def test_axe_finds_nothing_and_nothing_scrolls_sideways(sit, visit, monkeypatch, slug):
    monkeypatch.setitem(vars(systems()[slug]), "table", type("Both", (Counted, systems()[slug].table), {}))
    table, gm, anna = sit(slug, people=("gm", "anna"))
    throws(gm)
    gm.locator("#gm-rolls button[value='throw:hidden']").first.click()
    expect(lines(gm)).to_have_count(1)
    if gm.locator("[id^=round-]").count():
        gm.locator(".asked-first summary").first.click()
        gm.locator("[id^=round-]").first.click()
        expect(lines(gm)).not_to_have_count(1)
    for page, locale in product((gm, anna), ("de", "en")):
        page.context.add_cookies([{"name": "django_language", "value": locale, "url": visit.url}])
        page.goto(table.address)
        if page == gm:
            throws(page)
        sound(page)


def test_odds_that_a_press_puts_off_put_off_no_look_at_what_others_do(sit):
    table, anna = sit(people=("anna",))
    press = Held(anna, re.compile("/table/play/"))
    row = anna.locator("#w-roll-attack-attacks-0")
    row.locator("button.roll").click()
    press.wait()
    anna.evaluate(PUT_OFF)
    row.locator("summary").click()
    expect(anna.locator("html[data-put-off]")).to_have_count(1)
    press.let_go()
    expect(row.locator(".odds")).to_be_visible()
    table.play("ben", "act-damage", against="nothing", points=3)
    expect(lines(anna)).to_have_count(2)

"""One's own page hears of what is done elsewhere, and asks the server for nothing that it did itself."""

import re

import pytest
from django.contrib.auth.models import User
from playwright.sync_api import expect

from sheets.models import Sheet
from tests.support.browser.sheet_actions import act, lines, unfold
from tests.support.browser.waits import quiet, stopped, until
from tests.support.browser.wizard_actions import seated
from tests.support.everyday import everyday
from tests.support.guest import Guest, example
from tests.support.sheets.fight import ATTACK, Fight

pytestmark = pytest.mark.browser
HEARS = """window.words = [];
for (const kind of ["news", "pieces"]) {
  document.addEventListener(kind, ({detail}) => window.words.push(detail?.word ?? detail));
}"""
"""What the page hears is written down, behind whatever it does about it."""
STALE = "document.querySelector('#watched, #newest').dataset.word !== window.words.at(-1)"


@pytest.fixture
def fight(transactional_db, settings, streams):
    """A party with two sheets, which hear of news."""
    settings.LIVE_PORT = streams
    return Fight(User.objects)


def hears(page):
    """Wait until a page hears of news, and note what it hears."""
    expect(page.locator("html")).to_have_attribute("data-live", "true")
    page.evaluate(HEARS)


class Asked:
    """What a page asks of the server from now on."""

    def __init__(self, page):
        self.page, self.found = page, []
        page.on("request", lambda one: one.resource_type != "eventsource" and self.found.append(
            f"{one.method} {one.url.partition('?')[0].rpartition('/')[0].rpartition('/')[2]}"))


def life(page):
    return page.locator("#figure-life .figure").first


def typed_on(page):
    """Something half typed in what is unfolded, with the focus in it, where it stands in view."""
    page.locator("#fold-act-add-item > summary").click()
    field = page.locator("#act-add-item-name")
    field.press_sequentially("Seil, 20 m")
    field.press("ArrowLeft")
    return field


def stays(field, top):
    """Whether all that is as it was."""
    expect(field).to_have_value("Seil, 20 m")
    expect(field).to_be_focused()
    assert field.evaluate("one => one.selectionStart") == len("Seil, 20 m") - 1
    assert abs(field.bounding_box()["y"] - top) < 2


def by_phone(fight):
    fight.play("anna", "act-damage", points=2, against="nothing")


def by_the_gm(fight):
    assert fight.press("act-damage", who="gm", at=None, points=2, against="nothing").status_code == 302


@pytest.mark.parametrize("elsewhere", [by_phone, by_the_gm])
def test_what_is_done_elsewhere_is_seen_on_the_own_open_sheet_and_nothing_typed_is_lost(fight, visit, elsewhere):
    page = visit(f"/sheets/{fight.sheets['anna'].pk}/", client=fight.browsers["anna"], locale="en")
    hears(page)
    full = int(life(page).inner_text())
    field = typed_on(page)
    top = field.bounding_box()["y"]
    elsewhere(fight)
    expect(life(page)).to_have_text(str(full - 2))
    stays(field, top)
    expect(page.locator("#fold-act-add-item")).to_have_attribute("open", "")
    page.locator("#less-life").click()
    expect(life(page)).to_have_text(str(full - 3))
    assert fight.life("anna") == full - 3
    expect(field).to_have_value("Seil, 20 m")


def test_a_guest_s_second_device_hears_of_the_first(visit, settings, streams):
    settings.LIVE_PORT = streams
    phone = seated(visit, example(), locale="en")
    laptop = phone.context.new_page()
    laptop.goto(phone.url)
    hears(phone)
    laptop.locator("#less-life").click()
    expect(lines(laptop)).to_have_count(1)
    expect(lines(phone)).to_have_count(1)
    expect(life(phone)).to_have_text(life(laptop).inner_text())


def on_two_devices(visit, settings, streams):
    """A sheet with a board to pick from, open on two devices of its guest, the first of which hears of news."""
    settings.LIVE_PORT = streams
    phone = seated(visit, example("ferrywoman", "augen-des-zwielichts"), locale="en")
    laptop = phone.context.new_page()
    laptop.goto(phone.url)
    hears(phone)
    return phone, laptop


def test_what_is_picked_on_a_board_stays_with_its_odds_when_the_sheet_is_changed_elsewhere(visit, settings, streams):
    phone, laptop = on_two_devices(visit, settings, streams)
    drawn = phone.locator("#board-odds").inner_text()
    phone.locator(".moves label", has_text="Take a risk").click()
    phone.locator(".word-tiles label:visible", has_text="Feilscht gern").click()
    expect(phone.locator("#board-odds")).not_to_have_text(drawn, use_inner_text=True)
    quiet(phone)
    odds = phone.locator("#board-odds").inner_text()
    act(laptop, "change-counts", what="bonus_dice")
    expect(phone.locator("#board-move [name=bonus]")).to_be_attached()
    quiet(phone)
    expect(phone.locator(".moves input[value=roll-move-risk]")).to_be_checked()
    expect(phone.locator(".word-tiles label:visible", has_text="Feilscht gern").locator("input")).to_be_checked()
    expect(phone.locator("#board-odds")).to_have_text(odds, use_inner_text=True)


def test_a_press_that_draws_the_board_anew_is_one_request(visit, settings, streams):
    page, _laptop = on_two_devices(visit, settings, streams)
    form = page.locator("#w-act-change-counts")
    unfold(page, form)
    form.locator("[name=what]").select_option("bonus_dice")
    before = heard(page, live=True)

    def done():
        expect(page.locator("#board-move [name=bonus]")).to_be_attached()
        after(page, True, before)
    assert press_once(page, "#press-button-act-change-counts", done) == ["POST play"]
    assert page.locator("#board-odds tbody tr").count() > 1


def press_once(page, button, done):
    """A press, with all that the page asks of the server until it has heard what came of it."""
    quiet(page)
    asked = Asked(page)
    page.locator(button).first.click()
    done()
    quiet(page)
    return asked.found


@pytest.mark.parametrize("live", [True, False], ids=["live", "alone"])
def test_one_press_on_the_sheet_is_one_request(fight, visit, settings, live):
    settings.LIVE_PORT = settings.LIVE_PORT if live else 1
    visit.expect("502", "404", "ERR_")
    page = visit(f"/sheets/{fight.sheets['anna'].pk}/", client=fight.browsers["anna"], locale="en")
    ready(page, live)
    for number, button in enumerate((f"#press-button-{ATTACK}", "#less-life", f"#press-button-{ATTACK}",
                                     "#tray-take-back, #take-back"), 1):
        before = heard(page, live)

        def done(number=number, before=before):
            expect(lines(page)).to_have_count(min(number, 3))
            after(page, live, before)
        assert press_once(page, button, done) == ["POST play"], button


@pytest.mark.parametrize(("who", "live"), everyday([("anna", True), ("gm", False), ("gm", True), ("anna", False)], 2))
def test_one_press_at_the_table_is_one_request(fight, visit, settings, live, who):
    settings.LIVE_PORT = settings.LIVE_PORT if live else 1
    visit.expect("502", "404", "ERR_")
    page = visit(f"{fight.address}?{fight.seats()}", client=fight.browsers[who], locale="en")
    ready(page, live)
    size = "#press-button-act-change-size"
    unfold(page, page.locator(size))
    for number, button in enumerate((f"#press-button-{ATTACK}", size, f"#press-button-{ATTACK}"), 1):
        before = heard(page, live)

        def done(number=number, before=before):
            expect(page.locator("#table-lines > li:not(.muted)")).to_have_count(number)
            after(page, live, before)
        assert press_once(page, button, done) == ["POST play"], button
    assert int(page.locator("#newest").get_attribute("data-newest")) == fight.party.events.latest("pk").pk


def ready(page, live):
    """The page hears of news, or has nothing but its own clock, which stands still."""
    if live:
        hears(page)
    else:
        stopped(page)


def heard(page, live):
    """How often the page has heard of news."""
    return page.evaluate("window.words.length") if live else 0


def after(page, live, before):
    """Wait until it has heard of news again, which are none for it."""
    if live:
        until(page, lambda: page.evaluate(f"window.words.length > {before} && !({STALE})"))


def test_a_draft_that_is_changed_in_another_tab_is_drawn_anew_and_what_one_saves_oneself_is_no_news(
        visit, settings, streams):
    settings.LIVE_PORT = streams
    guest = Guest(example())
    first = visit(f"/drafts/{guest.pk}/values/", client=guest.client, locale="en")
    hears(first)
    field, version = first.locator("[name=life]"), Sheet.objects.get(pk=guest.pk).version
    field.focus()
    guest.client.post(f"/drafts/{guest.pk}/values/", {"_version": version, "life": "7"})
    expect(field).to_have_value("7")
    expect(field).to_be_focused()
    asked, before = Asked(first), heard(first, live=True)
    field.fill("6")
    expect(first.locator("#saved")).to_have_attribute("data-version", str(version + 2))
    after(first, True, before)
    quiet(first)
    assert asked.found == ["POST values"]
    assert Sheet.objects.get(pk=guest.pk).data["life"] == 6


def test_what_others_do_comes_with_the_stream_and_asks_for_the_page_only_where_it_concerns_who_acts(fight, visit):
    fight.have("ben", **fight.sheets["anna"].data)
    page = visit(f"{fight.address}?{fight.seats('ben', None)}", client=fight.browsers["ben"], locale="en")
    hears(page)
    asked, table_lines = Asked(page), page.locator("#table-lines > li:not(.muted)")
    fight.play("anna", ATTACK)
    expect(table_lines).to_have_count(1)
    expect(page.locator("#announcement")).to_contain_text("Anna")
    fight.play("anna", "act-damage", points=1, against="nothing")
    expect(table_lines).to_have_count(2)
    expect(page.locator(f"#gauges-{fight.sheets['anna'].pk}")).to_contain_text(str(fight.life("anna")))
    assert asked.found == []
    # A page that aims at her knows by its rolls what they meet.
    page.locator(f"#at-{fight.sheets['anna'].pk}").click()
    expect(page.locator(f"#seat-{fight.sheets['anna'].pk}")).to_have_class(re.compile("aimed-at"))
    fight.play("anna", "act-damage", points=1, against="nothing")
    expect(table_lines).to_have_count(3)
    expect(page.locator(f"#seat-{fight.sheets['anna'].pk}")).to_have_class(re.compile("aimed-at"))
    until(page, lambda: not page.evaluate(f"window.words.length < 3 || {STALE}"))
    assert set(asked.found) == {"GET table"}
    assert len(asked.found) == 2

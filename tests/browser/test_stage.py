"""The stage of a table in a browser: what is in view at once, and how far the first roll is by keyboard."""

import pytest
from django.contrib.auth.models import User
from playwright.sync_api import expect

from sheets.models import Sheet
from tests.support.browser.looks import accessible
from tests.support.sheets.fight import CLUB, Fight

pytestmark = pytest.mark.browser
FIRST = "#w-roll-attack-attacks-0 button.roll"


@pytest.fixture
def fight(transactional_db, dice):
    """A fight of four in ConDice in which the heroes are on, Anna aimed at a troll; something has happened."""
    table = Fight(User.objects)
    for one in ("anna", "ben"):
        table.have(one, attacks=CLUB)
    table.make(_count="2")
    table.sheets["troll"] = Sheet.objects.filter(opponent=True).first()
    table.settle("turn", "gm", "begin")
    for _time in range(9):
        dice += [1] * 4
        table.press(at="troll")
    return table


def foot(page, selector):
    """Return how far below the top of the page something ends."""
    return page.locator(selector).first.evaluate("one => one.getBoundingClientRect().bottom + scrollY")


def test_what_was_rolled_leads_no_longer_once_the_action_is_used(fight, visit, dice):
    page = visit(f"{fight.address}?{fight.seats('ben', 'troll')}", client=fight.browsers["ben"], width=390)
    first, second = page.locator(".stage button.roll").first, page.locator(".stage button.roll").nth(1)
    colour = "one => getComputedStyle(one).backgroundColor"
    assert first.evaluate(colour) != second.evaluate(colour)
    dice += [1] * 4
    first.click()
    expect(page.locator("#turn-notices .note")).to_be_visible()
    page.wait_for_function("""() => {
        const [one, other] = document.querySelectorAll(".stage button.roll");
        return getComputedStyle(one).backgroundColor === getComputedStyle(other).backgroundColor;
    }""")


@pytest.mark.parametrize("who", ["gm", "anna"])
def test_all_that_matters_is_in_view_at_a_desk(fight, visit, who):
    page = visit(f"{fight.address}?{fight.seats('troll' if who == 'gm' else 'anna', 'ben')}",
                 client=fight.browsers[who])
    for part in (".turn-order", "#aim-title", "#targets [aria-current]", FIRST, "#tray",
                 ".participants > li:last-child", "#table-lines > li:nth-child(3)"):
        assert foot(page, part) <= 800, part
    assert page.evaluate("document.documentElement.scrollHeight") < 1000


def test_a_table_of_twelve_is_not_much_longer(fight, visit):
    fight.make(_name="Ratte", _count="8")
    page = visit(f"{fight.address}?{fight.seats('anna', 'troll')}", client=fight.browsers["gm"])
    expect(page.locator(".participant")).to_have_count(12)
    assert page.evaluate("document.documentElement.scrollHeight") < 1500


def test_on_a_phone_ones_turn_and_what_waits_stand_above_the_first_two_rolls_in_the_first_screen(fight, visit, dice):
    dice += [6] * 6
    fight.press(who="gm", by="troll", at="anna")
    page = visit(f"{fight.address}?{fight.seats('anna', 'troll')}", client=fight.browsers["anna"], width=390)
    second = "#aim .roll-row ~ .roll-row, #aim .roll-group ~ .roll-group .roll-row"
    feet = [foot(page, one) for one in (".your-turn", "#landed-rows", FIRST, second)]
    assert feet == sorted(feet)
    assert feet[-1] <= 844


FILLED = """() => {
  const accent = getComputedStyle(document.querySelector(".stage")).borderTopColor;
  const filled = (one) => one.checkVisibility() && getComputedStyle(one).backgroundColor === accent;
  const found = [...document.querySelectorAll("main .button")].filter(filled).map((one) => one.id.replace(/\\d+$/, ""));
  return document.querySelector(".tray .leads") ? ["tray", ...found] : found;
}"""


def test_one_button_leads_what_waits_or_what_fell_or_a_roll_or_the_end_of_the_turn(fight, visit, dice):
    def leads(by):
        page.goto(f"{fight.address}?{fight.seats(by, 'anna' if by != 'anna' else 'ben')}")
        return page.evaluate(FILLED)

    page = visit(client=fight.browsers["gm"])
    assert leads("anna") == ["turn-next"], "she has used her turn"
    fight.settle("turn", "gm", "next")
    on = next(who for who in ("ben", "troll") if str(fight.sheets[who].pk) in fight.party.scene.on)
    assert leads(on) == ["press-button-roll-attack-attacks-"]
    assert leads("anna") == ["turn-next"], "what uses up a turn went with it"
    dice += [6] * 6
    fight.press(who="gm", by="troll", at="ben")
    assert leads("troll") == ["apply-"]


def test_axe_finds_nothing_on_a_phone_in_a_fight_in_which_something_waits(fight, visit, dice):
    dice += [6] * 6
    fight.press(who="gm", by="troll", at="anna")
    for who, by in (("anna", "anna"), ("gm", "troll")):
        accessible(visit(f"{fight.address}?{fight.seats(by, 'ben')}", client=fight.browsers[who], width=390))


def test_what_arrives_on_a_phone_scrolls_nothing_away(fight, visit, dice):
    page = visit(f"{fight.address}?{fight.seats('anna', 'troll')}", client=fight.browsers["anna"], width=390)
    page.locator(".participants").evaluate("one => one.scrollIntoView()")
    before = page.locator(".participants").evaluate("one => one.getBoundingClientRect().top")
    dice += [6] * 6
    fight.press(who="gm", by="troll", at="anna")
    expect(page.locator("#landed-rows > li")).to_have_count(1)
    after = page.locator(".participants").evaluate("one => one.getBoundingClientRect().top")
    assert after == pytest.approx(before, abs=1)


def test_a_long_log_covers_nothing_below_it_on_a_phone(fight, visit):
    page = visit(fight.address, client=fight.browsers["ben"], width=390)
    lines = page.locator("#table-lines")
    assert lines.locator("> li").count() > 4
    assert lines.evaluate("one => one.scrollHeight - one.clientHeight") <= 1


def test_the_first_roll_is_reached_within_twelve_tabs(fight, visit):
    page = visit(f"{fight.address}?{fight.seats('anna', 'troll')}", client=fight.browsers["anna"])
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    tabs = 1
    while not page.locator(FIRST).evaluate("one => one === document.activeElement"):
        page.keyboard.press("Tab")
        tabs += 1
        assert tabs <= 12


def test_what_concerns_one_stands_in_the_title_and_is_heard_by_who_wants_that(fight, visit, dice):
    page = visit(f"{fight.address}?{fight.seats('ben', None)}", client=fight.browsers["ben"])
    name = "Die Runde: der Tisch · Bogenschmiede"
    expect(page).to_have_title(f"Du bist dran · {name}")
    page.evaluate("""() => {
        window.heard = 0;
        const made = AudioContext.prototype.createOscillator;
        AudioContext.prototype.createOscillator = function () { heard += 1; return made.call(this); };
    }""")
    fight.settle("turn", "ben", "next")
    expect(page).to_have_title(name)
    page.get_by_label("Ton").check()
    dice += [6] * 6
    fight.press(who="gm", by="troll", at="ben")
    expect(page).to_have_title(f"(1) {name}")
    assert page.evaluate("heard") == 2

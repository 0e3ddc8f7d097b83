"""A press with scripts: what is not changed by it stays as it is, focus and all that is typed included."""

import re

import pytest
from playwright.sync_api import expect

from rulesets.condice.examples import EXAMPLES
from rulesets.dice_rumble.examples import EXAMPLES as RUMBLERS
from sheets.models import Event
from tests.support.browser.sheet_actions import act, chart, figures, lines, stored, undo
from tests.support.browser.waits import DRAWN, Held, drawn, quiet
from tests.support.browser.wizard_actions import focused, seated

pytestmark = pytest.mark.browser

FIRST, SECOND = "roll-attack-attacks-0", "roll-attack-attacks-1"
DEFENCE = "[id='against.defence']"
KEYED = "(key) => { for (const one of document.querySelectorAll('[name=_press]')) one.value = key; }"
"""All forms of the page get this key."""
PLAY = re.compile(r"/sheets/[^/]+/play/")


@pytest.fixture
def page(visit):
    return seated(visit, EXAMPLES["juan"], locale="en")


def rolled(page, number):
    expect(lines(page)).to_have_count(number)


def test_focus_and_what_is_typed_elsewhere_stay_and_the_roll_is_said_once(page):
    page.locator("#fold-act-add-item > summary").click()
    page.locator("#act-add-item-name").fill("Seil")
    page.locator(DEFENCE).fill("7")
    button = page.locator(f"#press-button-{FIRST}")
    button.focus()
    for number in (1, 2, 3):
        page.keyboard.press("Enter")
        rolled(page, number)
        assert focused(page) == f"press-button-{FIRST}"
    assert page.locator(DEFENCE).input_value() == "7"
    assert page.locator("#act-add-item-name").input_value() == "Seil"
    said = page.locator("#messages[role=status]")
    expect(said).to_have_count(1)
    assert said.inner_text().strip().startswith(f"{stored(page).events.latest('pk').title}: ")
    assert not page.locator("#log-entries > .muted").is_visible()


def lost(route):
    """Done, and its answer does not come."""
    route.fetch()
    route.abort()


@pytest.mark.parametrize("how", [lambda route: route.fulfill(status=503, body="away"), lost], ids=["away", "lost"])
def test_a_press_that_nobody_answers_is_said_and_pressed_again_it_is_done_once(page, visit, how):
    visit.expect("503", "htmx:", "ERR_FAILED")
    button, said = page.locator(f"#press-button-{FIRST}"), page.locator("#away")
    expect(said).to_be_hidden()
    page.route(PLAY, how)
    button.click()
    expect(said).to_be_visible()
    expect(said).to_contain_text("try again in a moment")
    page.unroute(PLAY)
    button.click()
    rolled(page, 1)
    expect(said).to_be_hidden()
    assert Event.objects.count() == 1


def test_what_unfolds_at_a_figure_closes_once_it_is_done_and_the_focus_goes_to_what_came_of_it(page):
    before = figures(page)["Life points"]
    page.locator(DEFENCE).fill("7")
    page.locator("#about-life > summary").click()
    page.locator("#act-damage-points").fill("3")
    page.locator("#act-damage-against").select_option("nothing")
    page.locator("#press-button-act-damage").focus()
    page.keyboard.press("Enter")
    rolled(page, 1)
    assert int(figures(page)["Life points"]) == int(before) - 3
    expect(page.locator("#about-life")).not_to_have_attribute("open", "")
    assert focused(page) == "tray"
    assert page.locator("#act-damage-points").input_value() == "0"
    assert page.locator(DEFENCE).input_value() == "7"
    undo(page)
    assert figures(page)["Life points"] == before


def test_what_unfolds_at_a_figure_stays_while_something_is_wrong_with_it(page):
    page.locator("#about-life > summary").click()
    page.locator("#act-damage-points").fill("x")
    page.locator("#press-button-act-damage").click()
    expect(page.locator("#about-life .fault")).to_be_visible()
    assert not Event.objects.exists()


def test_every_form_is_pressed_again_and_again_and_each_press_counts_once(page):
    for number, which in enumerate((FIRST, SECOND, FIRST, SECOND), 1):
        page.locator(f"#press-button-{which}").click()
        rolled(page, number)
    act(page, "damage", points="1")
    act(page, "damage", points="1")
    page.locator(f"#press-button-{FIRST}").dblclick()
    rolled(page, 7)
    quiet(page)
    assert Event.objects.count() == 7
    page.go_back()
    page.go_forward()
    page.reload()
    assert Event.objects.count() == 7


def test_two_tabs_show_each_others_presses_with_their_own_next_one(visit, page):
    other = visit.tab(page.context, page.url)
    act(other, "damage", points="3")
    page.locator(f"#press-button-{FIRST}").click()
    rolled(page, 2)
    assert figures(page)["Life points"] == figures(other)["Life points"]
    other.locator(f"#press-button-{SECOND}").click()
    rolled(other, 3)
    assert Event.objects.count() == 3


def test_a_fault_is_shown_and_gone_after_the_next_press(page):
    field = page.locator(DEFENCE)
    field.fill("x")
    page.locator(f"#press-button-{FIRST}").click()
    expect(field).to_have_attribute("aria-invalid", "true")
    assert not Event.objects.exists()
    field.fill("2")
    page.locator(f"#press-button-{FIRST}").click()
    rolled(page, 1)
    expect(page.locator(".fault")).to_have_count(page.locator("form.act .fault").count())
    assert stored(page).events.get().given["defence"] == 2


def test_odds_follow_what_is_typed_after_a_roll_too(page):
    page.locator(f"#press-button-{FIRST}").click()
    rolled(page, 1)
    page.locator(DEFENCE).fill("9")
    expect(page.locator(f"#promise-{FIRST}")).not_to_contain_text("28%")
    assert not page.locator(f"#promise-{FIRST} .fell").count()
    assert not chart(page, FIRST).locator(".rolled").count()
    page.locator(DEFENCE).fill("3")
    expect(page.locator(f"#promise-{FIRST}")).to_contain_text("28%")


def test_each_of_five_quick_presses_at_a_gauge_counts(page):
    act(page, "damage", points="3", against="nothing")
    for _time in range(5):
        page.locator("#less-life").click(no_wait_after=True)
    rolled(page, 6)
    assert figures(page)["Life points"] == "2"
    assert focused(page) == "less-life"


def held_down(page, figure, which):
    """Open what stands behind a figure and press a button there with the mouse, which stays where it came down."""
    page.locator(f"#about-{figure} > summary").click()
    # What was pressed before is answered, and what opened stands where it is drawn.
    drawn(page)
    button = page.locator(f"#press-button-act-{which}")
    box = button.bounding_box()
    middle = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    lies_there = page.evaluate("([x, y]) => document.elementFromPoint(x, y)?.closest('[id]').id", middle)
    assert lies_there == f"press-button-act-{which}"
    page.mouse.move(*middle)
    page.mouse.down()
    assert button.bounding_box() == box
    with page.expect_request(lambda one: one.method == "POST"):
        page.mouse.up()


@pytest.mark.parametrize(("width", "faces"), [(1280, (1, 10, 9)), (360, (10, 1, 6))])
def test_room_that_the_tray_was_given_moves_no_button_elsewhere_while_it_is_pressed(visit, dice, width, faces):
    page = seated(visit, next(iter(RUMBLERS.values())), width=width)
    dice[:] = faces
    page.locator("#press-button-roll-duel-damage").click()
    rolled(page, 1)
    page.locator("#tray-press-act-repeat").click()
    rolled(page, 2)
    expect(page.locator("#main[data-held=tray][style*='--room']")).to_have_count(1)
    page.keyboard.press("Escape")
    held_down(page, "fate_points", "turn-fate")
    rolled(page, 3)


def test_room_that_was_given_at_one_figure_moves_no_button_at_another_while_it_is_pressed(visit):
    page = seated(visit, next(iter(RUMBLERS.values())), width=360)
    act(page, "damage", points="2")
    page.keyboard.press("Escape")
    page.locator("#about-life > summary").click()
    for which in ("heal", "damage"):
        page.locator(f"#act-{which}-points").fill("x")
        page.locator(f"#press-button-act-{which}").click()
        expect(page.locator(f"#w-act-{which} .fault")).to_be_visible()
    expect(page.locator("#main[data-held=pop][style*='--room']")).to_have_count(1)
    # Not at a name there, whose rule would open beside it.
    page.locator("h1").click()
    expect(page.locator("#main[data-held]")).to_have_count(0)
    held_down(page, "fate_points", "turn-fate")
    rolled(page, 2)


def test_what_is_answered_while_a_button_is_held_down_is_drawn_after_that_and_both_presses_count(page):
    asked = Held(page, PLAY)
    page.locator(f"#press-button-{FIRST}").click()
    asked.wait()
    page.locator(f"#press-button-{SECOND}").hover()
    page.mouse.down()
    with page.expect_request_finished(lambda request: PLAY.search(request.url)):
        asked.let_go()
    page.evaluate(DRAWN)
    rolled(page, 0)
    page.mouse.up()
    rolled(page, 2)
    assert [one.widget for one in Event.objects.order_by("pk")] == [FIRST, SECOND]


def test_a_page_whose_keys_are_spent_makes_a_press_of_its_own_of_each(page):
    spent = page.locator(f"#w-{FIRST} [name=_press]").input_value()
    page.locator(f"#press-button-{FIRST}").click()
    rolled(page, 1)
    # As a browser restores it that was away.
    page.evaluate(KEYED, spent)
    page.locator(f"#press-button-{SECOND}").click()
    rolled(page, 2)
    assert len({one.key for one in Event.objects.all()}) == 2


def test_a_press_whose_answer_never_came_is_no_second_one_when_it_is_pressed_again(page, visit):
    visit.expect("ERR_FAILED", "htmx:sendError", "htmx:afterRequest")
    lost = []

    def lose(route):
        lost.append(route.fetch())
        route.abort()
    page.route(PLAY, lose, times=1)
    page.locator(f"#press-button-{FIRST}").click()
    expect(page.locator("#away")).to_be_visible()
    page.locator(f"#press-button-{FIRST}").click()
    expect(page.locator("#messages")).to_contain_text("was already done")
    rolled(page, 1)
    assert (Event.objects.count(), len(lost)) == (1, 1)
    page.locator(f"#press-button-{FIRST}").click()
    rolled(page, 2)


def test_a_sheet_to_which_one_goes_back_is_as_it_is_by_now(page):
    elsewhere = page.context.new_page()
    elsewhere.goto(page.url)
    act(elsewhere, "damage", points="3", against="nothing")
    page.evaluate("window.dispatchEvent(new PageTransitionEvent('pageshow', {persisted: true}))")
    rolled(page, 1)
    page.locator("#less-life").click()
    rolled(page, 2)
    assert int(figures(page)["Life points"]) == int(figures(elsewhere)["Life points"]) - 1

"""What is typed is never lost: slow and broken lines, closed tabs, two tabs at once."""

import re
import time

import pytest
from playwright.sync_api import expect

from sheets.models import Sheet
from tests.support.browser.waits import Held, quiet, stopped, until
from tests.support.browser.wizard_actions import (
    UNSAVED,
    address,
    asked_before_closing,
    begin,
    caret,
    drafted,
    focused,
    saved,
    slow,
    stored,
)

pytestmark = pytest.mark.browser

TEXT = "Der Zorn der sieben Einhornpiranhas, rosa und geflügelt, kommt über alle, die zu langsam tippen."


def test_fast_typing_on_a_slow_line_keeps_every_character_and_the_caret(visit):
    page = visit("/")
    page.goto(drafted(page) + "attacks/")
    slow(page)
    page.locator("#f-attacks-0-description").fill("")
    field = page.locator("#f-attacks-0-description")
    field.focus()
    first = stored(page).version
    for index, letter in enumerate(TEXT):
        if index % 9 < 8:
            page.keyboard.type(letter)
        else:
            with page.expect_request("**/drafts/**"):  # a save, which the next letters overtake
                page.keyboard.type(letter)
            assert field.input_value() == TEXT[: index + 1]
            assert caret(page) == [index + 1, index + 1]
    assert focused(page) == "f-attacks-0-description"
    saved(page)
    assert field.input_value() == stored(page).data["attacks"][0]["description"] == TEXT
    assert stored(page).version > first + 5


def test_a_caret_in_the_middle_and_a_selection_stay_where_they_are(visit):
    page = visit("/")
    page.goto(drafted(page) + "figure/")
    slow(page)
    field = page.locator("#f-_name")
    field.focus()
    page.keyboard.press("Home")
    page.keyboard.press("ArrowRight")
    page.keyboard.type("X")
    saved(page)
    assert (caret(page), focused(page)) == ([2, 2], "f-_name")
    page.keyboard.type("Y")
    page.keyboard.press("Shift+End")
    saved(page)
    assert (caret(page), field.input_value()) == ([3, 6], "JXYuan")


def test_typing_on_without_a_pause_is_saved_on_the_way(visit):
    page = visit("/")
    begin(page)
    stopped(page)
    page.locator("#f-_name").focus()
    for _letter in range(30):
        page.keyboard.type("a")
        page.clock.run_for(100)
        quiet(page)
    assert stored(page).version > 2
    page.clock.run_for(1_000)
    saved(page)
    assert stored(page).name == "a" * 30


def test_a_change_is_sent_by_itself_after_less_than_half_a_second_and_its_answer_says_that_it_is_saved(visit):
    page = visit("/")
    page.goto(drafted(page) + "values/")
    stopped(page)
    for number in range(7):
        page.locator("#f-life").fill(str(number + 20))
        page.clock.run_for(400)
        expect(page.locator("#saved")).to_have_attribute("data-version", str(number + 2))
        saved(page)


def test_the_page_never_says_saved_while_something_is_not(visit):
    page = visit("/")
    begin(page)
    slow(page)
    page.evaluate("""() => {
      window.lies = [];
      new MutationObserver(() => {
        const said = document.getElementById("saved").textContent;
        if (said.startsWith("Gespeichert")) window.lies.push([document.getElementById("f-_name").value, said]);
      }).observe(document.getElementById("workspace"), { childList: true, subtree: true, characterData: true });
    }""")
    page.locator("#f-_name").focus()
    for letter in "abcdefghijkl":
        if letter in "cfi":
            page.keyboard.type(letter)
        else:
            with page.expect_request("**/drafts/**"):
                page.keyboard.type(letter)
    saved(page)
    said = page.evaluate("window.lies")
    kept = dict(stored(page).changes.values_list("version", "name")) | {stored(page).version: stored(page).name}
    assert said
    for shown, line in said:
        version = int(re.search(r"(\d+)$", line)[1])
        assert kept.get(version, shown) == shown


def test_text_typed_while_a_row_is_being_added_is_kept(visit):
    page = visit("/")
    page.goto(drafted(page) + "attacks/")
    answer = Held(page, "**/drafts/**")
    page.locator("button[value='add:attacks']").click()
    page.locator("#f-attacks-0-name").focus()
    page.keyboard.press("End")
    page.keyboard.type(" und")
    answer.wait()
    answer.let_go()
    expect(page.locator("#f-attacks-2-name")).to_be_visible()
    page.keyboard.type(" mehr")
    saved(page)
    assert [one["name"] for one in stored(page).data["attacks"]] == ["Einhornpiranhas und mehr", "Faustschlag", ""]


def test_text_typed_before_the_scripts_have_come_is_saved(visit):
    page = visit("/")
    where = begin(page)
    held = []
    page.route("**/wizard.js", lambda route: held.append(route))  # noqa: PLW0108 - it must be a function
    page.goto(where + "figure/", wait_until="commit")
    page.locator("#f-_name").fill("Schneller als das Netz")
    until(page, lambda: held)
    held[-1].continue_()
    saved(page)
    expect(page.locator("#saved")).to_have_attribute("data-version", "2")
    assert stored(page).name == "Schneller als das Netz"


def test_a_button_pressed_during_a_save_is_not_forgotten(visit):
    page = visit("/")
    page.goto(drafted(page) + "attacks/")
    answer = Held(page, "**/drafts/**")
    page.locator("#f-attacks-0-name").fill("Eins")
    answer.wait()
    expect(page.locator("#saved")).to_have_text("Wird gespeichert …")
    page.locator("button[value='add:attacks']").click()
    page.locator("#f-attacks-0-name").fill("Zwei")
    answer.let_go()
    expect(page.locator("#f-attacks-2-name")).to_be_visible()
    saved(page)
    assert [one["name"] for one in stored(page).data["attacks"]] == ["Zwei", "Faustschlag", ""]


def test_a_value_that_cannot_be_read_stays_and_all_else_is_saved(visit):
    page = visit("/")
    page.goto(drafted(page) + "values/")
    field, fault = page.locator("#f-defence"), page.locator("#f-defence--fault")
    field.fill("3x")
    page.locator("#f-movement").fill("2")
    expect(fault).to_have_text("„3x“ ist keine ganze Zahl.")
    saved(page)
    sheet = stored(page)
    assert (sheet.typed, sheet.data["defence"], sheet.data["movement"]) == ({"defence": "3x"}, 4, 2)
    expect(field).to_have_attribute("aria-invalid", "true")
    assert "f-defence--fault" in field.get_attribute("aria-describedby")
    page.reload()
    expect(field).to_have_value("3x")
    expect(field).to_have_attribute("aria-invalid", "true")
    page.locator("#findings a", has_text="Verteidigung").click()
    expect(field).to_be_focused()
    field.fill("3")
    expect(fault).to_be_empty()
    expect(field).not_to_have_attribute("aria-invalid", "true")
    assert (stored(page).typed, stored(page).data["defence"]) == ({}, 3)


@pytest.mark.parametrize("by", ["the button", "itself"])
def test_a_save_that_fails_keeps_all_says_so_and_recovers(visit, by):
    visit.expect("ERR_INTERNET_DISCONNECTED", "ERR_CONNECTION_REFUSED", "htmx:sendError", "htmx:afterRequest")
    page = visit("/")
    page.goto(drafted(page) + "attacks/")
    if by == "itself":
        page.context.set_offline(True)
    else:
        stopped(page)  # it would try again by itself
        page.route("**/drafts/**", lambda route: route.abort("connectionrefused"))
    page.locator("#f-attacks-0-name").fill("Gut")
    page.locator("#f-attacks-1-dice").fill("drei")
    if by == "the button":
        page.clock.run_for(400)
    expect(page.locator("#saved")).to_have_text(UNSAVED)
    expect(page.locator("#announcement")).to_have_text(UNSAVED)
    page.locator("#f-attacks-0-name").press("End")
    page.keyboard.type("es")
    page.locator("#f-attacks-1-description").fill("Bleibt stehen.")
    if by == "the button":
        page.clock.run_for(400)
        expect(page.get_by_role("button", name="Noch einmal versuchen")).to_be_visible()
    expect(page.locator("#saved")).to_have_text(UNSAVED)
    assert asked_before_closing(page) == ["beforeunload"]
    assert page.locator("#f-attacks-0-name").input_value() == "Gutes"
    if by == "itself":
        page.context.set_offline(False)
    else:
        page.unroute("**/drafts/**")
        page.get_by_role("button", name="Noch einmal versuchen").click()
    saved(page)
    sheet = stored(page)
    assert (sheet.data["attacks"][0]["name"], sheet.data["attacks"][1]["description"]) == ("Gutes", "Bleibt stehen.")
    assert sheet.typed == {"attacks.1.dice": "drei"}


def test_a_server_that_answers_nonsense_is_asked_again(visit):
    visit.expect("status of 502", "Response Status Error Code 502")
    page = visit("/")
    begin(page)
    stopped(page)
    answers = iter([502, 502])

    def answer(route):
        status = next(answers, None)
        route.fulfill(status=status, body="Bad Gateway") if status else route.continue_()

    page.route("**/drafts/**", answer)
    page.locator("#f-_name").fill("Hartnäckig")
    page.clock.run_for(400)
    again = page.get_by_role("button", name="Noch einmal versuchen")
    expect(again).to_be_visible()
    # Asked again every few seconds, until the server has its wits back.
    page.clock.run_for(5_100)
    quiet(page)
    expect(again).to_be_visible()
    page.clock.run_for(5_100)
    saved(page)
    assert next(answers, None) is None
    assert stored(page).name == "Hartnäckig"


def test_going_on_to_another_step_waits_for_the_save(visit):
    page = visit("/")
    begin(page)
    slow(page)
    page.locator("#f-_name").focus()
    page.keyboard.type("Eilig")
    page.locator("#steps a", has_text="Werte").click()
    page.wait_for_url("**/values/")
    assert stored(page).name == "Eilig"
    page.locator("#f-life").fill("7")
    page.get_by_role("button", name="English").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Values")
    assert stored(page).data["life"] == 7
    expect(page.locator("#f-life")).to_have_value("7")


def test_tabs_killed_right_after_saved_lose_nothing(visit, full):
    page = visit("/")
    drafts, wanted = [drafted(page)], {}
    for _draft in range(9 if full else 2):
        page.goto("/")
        drafts.append(drafted(page))
    started, lost, rounds = time.monotonic(), 0, 10 if full else 2
    for batch in range(rounds):
        pages = []
        for number, where in enumerate(drafts):
            tab = visit.tab(page.context, where + "values/")
            tab.locator("#f-life").fill(str(10 * batch + number + 1))
            pages.append(tab)
        for number, tab in enumerate(pages):
            saved(tab)
            wanted[tab.url] = 10 * batch + number + 1
            sheet_of = address(tab).split("/")[-2]
            tab.close(run_before_unload=False)
            lost += Sheet.objects.get(pk=sheet_of).data["life"] != wanted[tab.url]
    print(f"{rounds * len(drafts)} tabs killed after “saved”: {lost} lost ({time.monotonic() - started:.1f} s)")  # noqa: T201
    assert lost == 0

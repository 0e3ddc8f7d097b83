"""Working on a draft without typing: back and forth, mends, the catalogue, rows."""

import pytest
from playwright.sync_api import expect

from tests.support.browser.kinds import either_way
from tests.support.browser.waits import Held, quiet, stopped
from tests.support.browser.wizard_actions import document, drafted, press, saved, stored

pytestmark = pytest.mark.browser


def test_changes_are_undone_and_redone(visit):
    page = visit("/")
    page.goto(drafted(page, "explosion") + "values/")
    states = [document(page)]
    for version, key in enumerate(("defence", "life", "mental_resistance"), 2):
        page.locator(f"#f-{key}").fill(str(version + 10))
        expect(page.locator("#saved")).to_have_attribute("data-version", str(version))
        states.append(document(page))
    for version, state in enumerate(states[-2::-1], 5):
        press(page, "undo:")
        expect(page.locator("#saved")).to_have_attribute("data-version", str(version))
        assert document(page) == state
    expect(page.locator("button[value='undo:']")).to_be_disabled()
    page.locator("button[value='redo:']").focus()
    for version, state in enumerate(states[1:], 8):
        page.keyboard.press("Enter")
        expect(page.locator("#saved")).to_have_attribute("data-version", str(version))
        assert document(page) == state
        focus = page.locator("button[value='redo:']:focus" if version < 10 else "h1:focus")
        expect(focus).to_have_count(1)
    expect(page.locator("button[value='redo:']")).to_be_disabled()
    expect(page.locator("#f-mental_resistance")).to_have_value("14")


@either_way
def test_plus_and_minus_count_by_one_however_slowly_they_are_pressed(visit, javascript):
    page = visit("/", javascript=javascript)
    page.goto(drafted(page) + "values/")
    if javascript:
        stopped(page)
    for value in (6, 7, 8, 7):
        press(page, "more:life" if value != 7 or page.locator("#f-life").input_value() == "6" else "less:life")
        expect(page.locator("#f-life")).to_have_value(str(value))
        for _time in range(2 * javascript):
            page.clock.run_for(1_000)
            saved(page)
            quiet(page)
        saved(page)
        expect(page.locator("#f-life")).to_have_value(str(value))
    assert stored(page).data["life"] == 7
    page.locator("#f-movement").fill("0")
    # The button says that it goes no further, and is no less pressed.
    page.locator("button[value='less:movement']").click(force=True)
    expect(page.locator("#f-movement")).to_have_value("0")


@either_way
def test_a_mend_says_what_it_changes_and_does_it(visit, javascript):
    page = visit("/", javascript=javascript)
    page.goto(drafted(page, life=9) + "values/")
    note = page.locator("#whole--told .mark", has_text="34 Punkte sind ausgegeben")
    expect(note).to_be_in_viewport()
    note.locator("button", has_text="Leben von 9 auf 5 senken").click()
    expect(page.locator("#f-life")).to_have_value("5")
    expect(page.locator("#whole--told .mark")).to_have_count(0)
    expect(page.locator("#findings > li")).to_have_count(0)
    press(page, "undo:")
    expect(page.locator("#f-life")).to_have_value("9")


@either_way
def test_the_catalogue_is_searched_by_title_and_words(visit, javascript):
    page = visit("/", javascript=javascript)
    page.goto(drafted(page, abilities=[]) + "abilities/")
    entries = page.locator(".entries > li")
    everything = entries.count()
    assert everything > 17
    search = page.locator("input[type=search]")
    for query, found in [("aura", ["Aura"]), ("massive wand", ["Durch Wände gehen"]), ("gibtesnicht", [])]:
        search.fill(query)
        if not javascript:
            search.press("Enter")
        expect(entries.locator("h3")).to_have_text(found)
    expect(entries).to_have_text("Nichts gefunden.")
    search.fill("fliegen")
    search.press("Enter")
    expect(entries.locator("h3")).to_have_text(["Fliegen"])
    expect(entries.first).to_contain_text("4 Punkte")
    press(page, "add:abilities:fliegen")
    expect(page.locator("#f-abilities-0 h2")).to_have_text("Fliegen")
    search.fill("")
    search.press("Enter")
    expect(page.locator(".entries > li", has_text="Boost").first).to_contain_text("fehlen")


def test_rows_are_copied_moved_and_removed_with_their_broken_texts(visit):
    page = visit("/")
    page.goto(drafted(page) + "attacks/")
    page.locator("#f-attacks-1-dice").fill("viele")
    press(page, "copy:attacks.1")
    expect(page.locator("#f-attacks-2-name")).to_be_focused()
    press(page, "up:attacks.1")
    expect(page.locator("#f-attacks-0-dice")).to_have_value("viele")
    expect(page.locator("#f-attacks-0-name")).to_have_value("Faustschlag")
    press(page, "drop:attacks.1")
    expect(page.locator(".row")).to_have_count(2)
    expect(page.locator("#f-attacks-1-name")).to_be_focused()
    assert ([one["name"] for one in stored(page).data["attacks"]], stored(page).typed) == (
        ["Faustschlag", "Faustschlag"], {"attacks.0.dice": "viele"})


def test_nothing_is_typed_into_rows_that_are_about_to_move(visit):
    page = visit("/")
    page.goto(drafted(page) + "attacks/")
    answer = Held(page, "**/drafts/**")
    press(page, "drop:attacks.0")
    expect(page.locator("#step")).to_have_attribute("inert", "")
    answer.wait()
    answer.let_go()
    expect(page.locator("#f-attacks-0-name")).to_have_value("Faustschlag")
    expect(page.locator("#step")).not_to_have_attribute("inert", "")
    assert [one["name"] for one in stored(page).data["attacks"]] == ["Faustschlag"]


def test_what_is_pressed_while_a_button_is_answered_comes_next_in_the_form_as_it_is_then(visit):
    page = visit("/")
    page.goto(drafted(page) + "attacks/")
    rows = len(stored(page).data["attacks"])
    answer = Held(page, "**/drafts/**")
    for _time in range(2):
        press(page, "add:attacks")
    press(page, "go:abilities")
    answer.wait()
    answer.let_go()
    page.wait_for_url("**/abilities/")
    assert len(stored(page).data["attacks"]) == rows + 2


def test_what_a_point_more_would_do_follows_what_is_typed(visit):
    page = visit("/")
    page.goto(drafted(page) + "attacks/")
    hint = page.locator("#f-attacks-0--hint")
    expect(hint).to_contain_text("28,0 %")
    expect(hint).to_contain_text("44,2 %")
    page.locator("#f-attacks-0-dice").fill("5")
    expect(hint).not_to_contain_text("28,0 %")
    expect(hint).to_contain_text("44,2 %")
    expect(page.locator("#steps [aria-current] .state")).to_contain_text("12")


def test_the_finish_leads_to_each_field_that_is_in_the_way(visit):
    page = visit("/")
    where = drafted(page, typed={"defence": "drei"}, abilities=[
        {"ability": "teleportieren", "fields": 0, "range": 0}])
    page.goto(where + "finish/")
    press(page, "finish")
    expect(page.locator("#in-the-way")).to_be_focused()
    expect(page.locator(".note.warning").first).to_contain_text("Der Bogen ist noch nicht fertig")
    ways = page.locator("#findings a[href*='#f-']")
    expect(ways).to_have_count(2)
    for index, field in enumerate(["f-defence", "f-abilities-0-fields"]):
        page.goto(where + "finish/")
        ways.nth(index).click()
        page.wait_for_url(f"**#{field}")
        expect(page.locator(f"#{field}")).to_be_in_viewport()

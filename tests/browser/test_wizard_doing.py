"""What one can do with a draft besides typing: back and forth, dice, mends, the catalogue, copies, the bin."""

import pytest
from playwright.sync_api import expect

from rulesets.condice import RULESET
from tests.support.browser.wizard_actions import address, begin, document, drafted, saved, slow, stored

pytestmark = pytest.mark.browser


def press(page, word):
    page.locator(f"button[value='{word}']").first.click()


def verdict(page):
    sheet = stored(page)
    return RULESET.check(RULESET.sheet.model_validate(sheet.data), name=sheet.name).verdict


def test_twenty_changes_are_undone_and_redone(visit):
    page = visit("/")
    page.goto(drafted(page, "explosion") + "values/")
    states = [document(page)]
    for number in range(22):
        key = ("defence", "life", "mental_resistance", "movement")[number % 4]
        page.locator(f"#f-{key}").fill(str(number + 10))
        expect(page.locator("#saved")).to_have_attribute("data-version", str(number + 2))
        states.append(document(page))
    version = 23
    for state in states[-2:1:-1]:
        press(page, "undo:")
        version += 1
        expect(page.locator("#saved")).to_have_attribute("data-version", str(version))
        assert document(page) == state
    expect(page.locator("button[value='undo:']")).to_be_disabled()
    page.locator("button[value='redo:']").focus()
    for state in states[3:]:
        page.keyboard.press("Enter")
        version += 1
        expect(page.locator("#saved")).to_have_attribute("data-version", str(version))
        assert document(page) == state
        focus = page.locator("button[value='redo:']:focus" if version < 63 else "h1:focus")
        expect(focus).to_have_count(1)
    expect(page.locator("button[value='redo:']")).to_be_disabled()
    expect(page.locator("#f-movement")).to_have_value("29")


def test_one_text_typed_in_one_go_is_one_change(visit):
    page = visit("/")
    begin(page)
    page.locator("#f-_name").focus()
    for part in ("Ein", "horn", "piranha"):
        page.keyboard.type(part)
        saved(page)
    press(page, "undo:")
    expect(page.locator("#f-_name")).to_have_value("")
    press(page, "redo:")
    expect(page.locator("#f-_name")).to_have_value("Einhornpiranha")


@pytest.mark.parametrize("javascript", [True, False])
def test_plus_and_minus_count_by_one_however_slowly_they_are_pressed(visit, javascript):
    page = visit("/", javascript=javascript)
    page.goto(drafted(page) + "values/")
    for value in (6, 7, 8, 7):
        press(page, "more:life" if value != 7 or page.locator("#f-life").input_value() == "6" else "less:life")
        expect(page.locator("#f-life")).to_have_value(str(value))
        saved(page)
        page.wait_for_timeout(450 if javascript else 0)
        expect(page.locator("#f-life")).to_have_value(str(value))
    assert stored(page).data["life"] == 7
    page.locator("#f-movement").fill("0")
    # The button says that it goes no further, and is no less pressed.
    page.locator("button[value='less:movement']").click(force=True)
    expect(page.locator("#f-movement")).to_have_value("0")


def test_a_broken_number_is_left_alone_by_its_buttons(visit):
    page = visit("/")
    page.goto(drafted(page) + "values/")
    page.locator("#f-life").fill("vier")
    press(page, "more:life")
    expect(page.locator("#f-life")).to_have_value("vier")
    saved(page)
    assert stored(page).typed == {"life": "vier"}


@pytest.mark.parametrize("javascript", [True, False])
def test_dice_and_filling_up_make_legal_characters(visit, javascript):
    page = visit("/", javascript=javascript)
    begin(page, "random")
    first = document(page)
    assert verdict(page) == "legal"
    with page.expect_navigation():
        press(page, "another")
    assert document(page) != first
    assert verdict(page) == "legal"
    page.goto("/")
    begin(page)
    page.locator("#f-_name").fill("Kalle")
    press(page, "fill:")
    expect(page.locator("#sidebar .figure")).to_have_text("0")
    assert (stored(page).name, verdict(page)) == ("Kalle", "legal")


@pytest.mark.parametrize("javascript", [True, False])
def test_copies_and_the_bin_with_its_way_back(visit, javascript):
    page = visit("/", javascript=javascript)
    where = drafted(page)
    page.goto(where + "figure/")
    name = "Juan der Zweite"
    page.locator("#f-_name").fill(name)
    press(page, "go:values")
    expect(page).to_have_url(where + "values/")
    page.goto(where + "finish/")
    press(page, "copy")
    expect(page.locator("#f-_name")).to_have_value(f"{name} (Kopie)")
    assert where not in page.url
    page.goto(address(page) + "finish/")
    press(page, "delete")
    expect(page.locator(".sheets h2")).to_have_text([f"{name} (Kopie)"])
    page.goto("/")
    expect(page.locator(".lately > li")).to_have_count(1)
    page.locator("a[href='/sheets/trash/']").click()
    page.locator("button[value^='restore:']").click()
    expect(page.locator("#f-_name")).to_have_value(f"{name} (Kopie)")


@pytest.mark.parametrize("javascript", [True, False])
def test_a_mend_says_what_it_changes_and_does_it(visit, javascript):
    page = visit("/", javascript=javascript)
    page.goto(drafted(page, life=9) + "values/")
    note = page.locator("#findings > li", has_text="34 Punkte sind ausgegeben")
    way = note.locator(".mend", has_text="Leben von 9 auf 5 senken")
    way.locator("summary").click()
    expect(way.locator("li")).to_have_text("Leben: 9 → 5")
    way.locator("button").click()
    expect(page.locator("#f-life")).to_have_value("5")
    expect(page.locator("#findings > li")).to_have_count(0)
    press(page, "undo:")
    expect(page.locator("#f-life")).to_have_value("9")


def test_a_mend_keeps_what_was_typed_just_before(visit):
    page = visit("/")
    page.goto(drafted(page, life=9) + "values/")
    page.locator("#f-defence").fill("vier")
    page.locator("#findings .mend button", has_text="Leben").first.click()
    expect(page.locator("#f-life")).to_have_value("5")
    expect(page.locator("#f-defence")).to_have_value("vier")
    assert stored(page).typed == {"defence": "vier"}


@pytest.mark.parametrize("javascript", [True, False])
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
    slow(page, 600)
    press(page, "drop:attacks.0")
    expect(page.locator("#step")).to_have_attribute("inert", "")
    expect(page.locator("#f-attacks-0-name")).to_have_value("Faustschlag")
    expect(page.locator("#step")).not_to_have_attribute("inert", "")
    assert [one["name"] for one in stored(page).data["attacks"]] == ["Faustschlag"]


@pytest.mark.parametrize("javascript", [True, False])
def test_the_language_changes_midway_and_the_draft_stays(visit, javascript):
    page = visit("/", javascript=javascript)
    page.goto(drafted(page, typed={"life": "fünf"}) + "values/")
    before = document(page)
    page.get_by_role("button", name="English").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Values")
    expect(page.locator("#f-life--fault")).to_have_text("“fünf” is no whole number.")
    expect(page.locator("#f-defence")).to_have_value("4")
    assert page.url.endswith("/values/")
    assert document(page) == before
    page.get_by_role("button", name="Deutsch").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Werte")


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
    expect(page.locator(".note.warning").first).to_contain_text("Fertig ist es noch nicht")
    ways = page.locator("#findings a[href*='#f-']")
    expect(ways).to_have_count(2)
    for index, field in enumerate(["f-defence", "f-abilities-0-fields"]):
        page.goto(where + "finish/")
        ways.nth(index).click()
        page.wait_for_url(f"**#{field}")
        expect(page.locator(f"#{field}")).to_be_in_viewport()


def test_a_long_list_is_filled_page_by_page_and_what_was_typed_is_saved_on_the_way(visit):
    page = visit("/")
    rows = [{"name": f"a{n}", "dice": 1, "range": 0, "description": ""} for n in range(48)]
    where = drafted(page, attacks=rows) + "attacks/"
    page.goto(where)
    page.locator("#f-attacks-3-name").fill("Erster")
    page.locator(".row-pages button", has_text="25–48").first.click()
    page.wait_for_url(f"{where}?rows=2")
    page.locator("#f-attacks-30-name").fill("Zweiter")
    press(page, "add:attacks")
    expect(page.locator("#f-attacks-48-name")).to_be_focused()
    assert page.url == f"{where}?rows=3"
    page.keyboard.type("Dritter")
    saved(page)
    names = [row["name"] for row in stored(page).data["attacks"]]
    assert names == [{3: "Erster", 30: "Zweiter", 48: "Dritter"}.get(n, f"a{n}") for n in range(49)]
    page.reload()
    expect(page.locator("#f-attacks-48-name")).to_have_value("Dritter")

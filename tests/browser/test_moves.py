"""A character of coloured words: made from nothing, through a dark section and a level gained, and back again."""

import re

import pytest
from playwright.sync_api import expect

from rulesets.augen_des_zwielichts.examples import EXAMPLES
from tests.support.browser.kinds import either_way
from tests.support.browser.sheet_actions import act, carried, lines, stored, undo, undo_all, unfold
from tests.support.browser.wizard_actions import address, seated
from tests.support.browser.wizard_actions import stored as drafted

pytestmark = pytest.mark.browser

WORDS = {"demon": "Funkenschweif", "origin_1": "Zäh", "origin_2": "Riecht Gefahr", "item": "Holzfälleraxt"}


def press(page, word):
    """Press a button of the wizard; what leads to another step is waited for."""
    page.locator(f"button[value='{word}']").first.click()
    if word.startswith("go:"):
        page.wait_for_url(re.compile(f"/{word.removeprefix('go:')}/"))


def fill(page, **answers):
    for path, text in answers.items():
        page.locator(f"[name='{path.replace('__', '.')}']").fill(text)


def built(visit, **how):
    """Goro, built step by step; answers the page of the sheet."""
    page = visit("/", **how)
    page.locator("[data-system=augen-des-zwielichts] button:not([value])").click()
    fill(page, _name="Goro Aschehand")
    press(page, "go:demon")
    fill(page, demon__name="Rußkatze", demon__mark="Graue Schlieren", origin="Köhlerdorf",
         fears="Tiefes Wasser\nStille")
    press(page, "go:fields")
    for key, word in WORDS.items():
        fill(page, **{f"fields__{key}__word": word})
    page.locator("[name='fields.item.colour'][value=black]").check(force=True)
    page.locator("[name='fields.item.combat'][type=checkbox]").check()
    press(page, "go:abilities")
    for index, name in enumerate(("Durch Rauch gehen", "Gerüche lesen", "Wunden schließen")):
        field = page.locator(f"[name='abilities.{index}.name']")
        expect(field).to_be_visible()
        field.fill(name)
    press(page, "only:abilities.0.demon")
    press(page, "go:finish")
    expect(page.locator("#verdict + .badge")).to_have_text(re.compile("gültig|legal", re.I))
    assert not drafted(page).typed
    where = address(page)
    press(page, "finish")
    page.wait_for_url(re.compile("/sheets/"))
    assert page.url.split("#")[0] == where.replace("/drafts/", "/sheets/")
    return page


def choose(page, key, name, value):
    form = page.locator(f"#w-act-{key}")
    unfold(page, form)
    form.locator(f"[name={name}]").select_option(value)


def dark_section(page):
    """Six conditions, and the change that they lead to."""
    for word in ("Müde", "Zornig", "Verletzt", "Traurig", "Verloren"):
        act(page, "note-condition", word=word)
    assert page.locator("#values-now > .note").get_by_text("SZ-37").count()
    assert not page.locator("#w-roll-move-risk").count()
    act(page, "dark-section")
    # The step at hand is asked on the board, and nothing else is offered there.
    assert page.locator("#board form.act").count() == 1
    assert page.locator("#board #w-act-turn-black").is_visible()
    choose(page, "turn-black", "key", "demon")
    act(page, "turn-black")
    act(page, "exchange-ability-abilities-1", name="Schattenschritt")
    act(page, "gain-ability", name="Glut tragen")


def level_gained(page):
    """Five section points, and the level that they are enough for."""
    for _session in range(2):
        choose(page, "end-session", "chosen", "3")
        act(page, "end-session")
    act(page, "gain-level-level-1")
    act(page, "drop-fear-fears-0")
    choose(page, "change-field", "key", "origin_1")
    act(page, "change-field", word="Sternenlicht")
    act(page, "leave-out")
    choose(page, "turn-white", "key", "item")
    act(page, "turn-white")
    act(page, "gain-ability", name="Funken zählen")


@pytest.mark.more
@either_way
def test_from_nothing_through_a_dark_section_and_a_level_and_all_the_way_back(visit, javascript, tmp_path):
    page = built(visit, javascript=javascript, locale="en")
    start = stored(page)
    assert start.finished
    assert start.data["fears"] == ["Tiefes Wasser", "Stille"]
    dark_section(page)
    dark = stored(page)
    assert (dark.data["section"], dark.data["shade"]) == (2, "dark")
    assert dark.play == {"corruption": 1}
    assert {key for key, one in dark.data["fields"].items() if one["colour"] == "black"} == {"item", "demon"}
    assert dark.version > start.version
    level_gained(page)
    light = stored(page)
    assert (light.data["section"], light.data["shade"], light.data["fears"]) == (3, "light", ["Stille"])
    assert [one["name"] for one in light.data["abilities"]] == [
        "Durch Rauch gehen", "Schattenschritt", "Wunden schließen", "Glut tragen", "Funken zählen"]
    assert {key for key, one in light.data["fields"].items() if one["colour"] == "black"} == {"demon"}

    where = page.url.split("#")[0]
    copy = carried(page, tmp_path, javascript=javascript)
    assert (copy.data, copy.play) == (light.data, light.play)
    page.goto(where)
    undo_all(page)
    after = stored(page)
    assert (after.play, after.data) == ({}, start.data)
    assert lines(page).count() == after.events.count()
    assert not after.events.filter(undone=False).exists()


@either_way
def test_a_pasted_table_is_rolled_on_while_building_and_taken_back(visit, javascript):
    page = seated(visit, EXAMPLES["ferrywoman"], javascript=javascript, locale="en")
    page.goto(page.url.replace("/sheets/", "/drafts/") + "demon/")
    page.get_by_role("link", name="Go to the sheet and play").click()
    choose(page, "paste-table", "into", "origin")
    act(page, "paste-table", entries="Wüste\nWüste\n\nWüste")
    act(page, "draw-entry-tables-0")
    assert stored(page).data["origin"] == "Wüste"
    assert stored(page).events.latest("pk").given == {"entries": 3}
    undo(page)
    assert stored(page).data["origin"] == EXAMPLES["ferrywoman"]["data"]["origin"]

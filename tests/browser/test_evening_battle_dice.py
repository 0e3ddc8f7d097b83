"""An evening of Battle Dice with presses on the felt alone: what lies folded beside it is not touched."""

import pytest
from playwright.sync_api import expect

from rulesets.battle_dice.examples import EXAMPLES
from tests.browser.sheet_actions import stored
from tests.browser.wizard_actions import seated

pytestmark = pytest.mark.browser



def press(page, button):
    """Press what is seen on the felt, and wait for its line in the log."""
    seen = page.locator("#seen").input_value()
    button.click()
    expect(page.locator("#seen")).not_to_have_value(seen)
    expect(page.locator(".htmx-swapping, .htmx-settling")).to_have_count(0)


def there(page, *slugs):
    """The first button on the felt that does one of these acts, None where none is offered."""
    for slug in slugs:
        found = page.locator("#board .felt form").filter(
            has=page.locator(f"input[name=w][value^='act-{slug}']")).locator("button:visible")
        if found.count():
            return found.first
    return None


def damaged(page, points):
    """The enemy's attack, entered on the felt."""
    fold = page.locator("#board [id^=fold-act-damage]")
    fold.locator("summary").click()
    fold.locator("[name=points]").fill(str(points))
    press(page, fold.locator("button.button"))


def own_turn(page):
    """The four phases as the felt leads; answers the damage that was rolled."""
    press(page, there(page, "put-away"))
    press(page, there(page, "focus"))
    if summon := there(page, "summon-0", "summon-1"):
        press(page, summon)
    press(page, there(page, "to-battle"))
    press(page, there(page, "attack"))
    return stored(page).events.filter(act="attack").latest("pk").outcome


def enemy_turn(page, damage):
    """Damage blocked by who can block, what is left taken, and on to the next turn."""
    damaged(page, damage)
    while stored(page).play["phase"] not in ("chaos", "lost"):
        press(page, there(page, "block", "take-rest", "roll-heilung", "settle", "next-turn"))


@pytest.mark.rule("BD-10", "BD-11", "BD-12", "BD-13", "BD-14", "BD-16")
@pytest.mark.parametrize("javascript", [True, False], ids=["javascript", "plain"])
def test_a_whole_game_is_played_on_the_felt_alone(visit, javascript):
    anna, ben = (seated(visit, EXAMPLES[key], javascript=javascript) for key in ("attack", "quick"))
    press(anna, anna.locator("#board .turn button").first)
    press(ben, ben.locator("#board .turn button").nth(1))
    for page in (anna, ben):
        sheet = stored(page)
        sheet.play |= {"life": 2}  # so that the game is not too long
        sheet.save(update_fields=["play"])
        page.reload()
    sides = [anna, ben]
    for turn in range(60):
        mine, theirs = sides[turn % 2], sides[1 - turn % 2]
        enemy_turn(theirs, own_turn(mine))
        if stored(theirs).play["phase"] == "lost":
            break
    press(mine, there(mine, "win"))
    assert (stored(mine).play["phase"], stored(theirs).play["life"]) == ("won", 0)
    for page in sides:
        press(page, there(page, "end-game"))
        assert stored(page).play == {}
        assert there(page, "start-game")


def test_what_was_done_on_the_felt_is_taken_back_in_the_tray_on_it(visit):
    page = seated(visit, EXAMPLES["attack"])
    press(page, there(page, "start-game"))
    expect(page.locator("#board #tray .drawn")).to_have_count(2)
    expect(page.locator("#tray .tray-outcome")).to_be_in_viewport()
    press(page, page.locator("#board #tray-take-back"))
    assert stored(page).play == {}

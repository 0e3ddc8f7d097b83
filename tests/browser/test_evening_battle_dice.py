"""An evening of Battle Dice with presses on the felt alone: what lies folded beside it is not touched."""

import pytest
from playwright.sync_api import expect

from rulesets.battle_dice.examples import EXAMPLES
from tests.support.browser.kinds import either_way
from tests.support.browser.sheet_actions import stored
from tests.support.browser.waits import quiet
from tests.support.browser.wizard_actions import seated

pytestmark = pytest.mark.browser


@pytest.fixture
def felt(visit, dice):
    """Sit a deck down at its felt: `felt("attack", javascript=False)`."""
    return lambda key, **how: Felt(seated(visit, EXAMPLES[key], **how), dice)


class Felt:
    """A deck's page of which only the felt is pressed; an attack shows one 6, whatever else falls is a 1."""

    def __init__(self, page, dice):
        self.page, self.dice = page, dice

    def press(self, *slugs, number=0, at="#board .felt"):
        """Press what does the first of these acts that is offered in view, and wait for what comes of it."""
        for slug in slugs:
            form = self.page.locator(f"{at} form").filter(has=self.page.locator(f"[name=w][value^='{slug}']"))
            if form.locator("button:visible").count():
                break
        self.dice[:] = [6 if slug == "act-attack" else 1, *[1] * 20]
        seen = self.page.locator("#seen").input_value()
        form.locator("button:visible").nth(number).click()
        expect(self.page.locator("#seen")).not_to_have_value(seen)
        quiet(self.page)

    def own_turn(self):
        """The four phases as the felt leads through them; answers the damage that was rolled."""
        for slug in ("act-put-away", "act-focus", "act-summon-hand-0", "act-to-battle", "act-attack"):
            self.press(slug)
        return stored(self.page).events.filter(act="attack").latest("pk").outcome

    def enemy_turn(self, damage, *answers):
        """The damage is entered, and answered as long as there is something to be done."""
        fold = self.page.locator("#board [id^=fold-act-damage]")
        fold.locator("summary").click()
        fold.locator("[name=points]").fill(str(damage))
        self.press("act-damage")
        while self.play["phase"] not in ("chaos", "lost"):
            self.press(*answers, "act-roll-heilung", "act-settle", "act-next-turn")

    @property
    def play(self):
        return stored(self.page).play


@pytest.mark.rule("BD-10", "BD-11", "BD-12", "BD-13", "BD-14", "BD-16")
@either_way
def test_a_whole_game_is_played_on_the_felt_alone(felt, javascript):
    anna, ben = (felt(key, javascript=javascript) for key in ("attack", "quick"))
    anna.press("act-start-game")
    ben.press("act-start-game", number=1)
    sheet = stored(ben.page)
    sheet.play |= {"life": 2}  # so that the game is not too long
    sheet.save(update_fields=["play"])
    ben.page.reload()
    ben.enemy_turn(anna.own_turn(), "act-take-rest")
    assert ben.play["life"] == 1
    anna.enemy_turn(ben.own_turn(), "act-block")
    assert anna.play.get("life", 15) == 15
    ben.enemy_turn(anna.own_turn(), "act-take-rest")
    anna.press("act-win")
    assert (anna.play["phase"], ben.play["life"]) == ("won", 0)
    for side in (anna, ben):
        side.press("act-end-game")
        assert side.play == {}


def test_what_was_done_on_the_felt_is_taken_back_in_the_tray_on_it(felt):
    anna = felt("attack")
    anna.press("act-start-game")
    expect(anna.page.locator("#board #tray .drawn")).to_have_count(2)
    expect(anna.page.locator("#tray .tray-outcome")).to_be_in_viewport()
    anna.press("undo", at="#board #tray")
    assert anna.play == {}


MIDDLE = {"phase": "enemy", "life": 11, "mana": 6, "hand": ["The Biggest Fan", "Snowbuddies"],
          "deck": ["The Corona Look", "The Corona Look", "The Biggest Fan"], "discard": ["Snowbuddies"],
          "avatars": [{"card": "The Corona Look"}, {"card": "Snowbuddies"}]}
SEEN = """(one) => {
  const box = one.getBoundingClientRect();
  return box.top >= 0 && box.bottom <= innerHeight
    && one.contains(document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2));
}"""


@pytest.fixture
def midgame(felt):
    """A deck in the middle of a game, with two cards in hand and two avatars, of a window of this size."""
    def sat(width, height):
        side = felt("frost", width=width)
        side.page.set_viewport_size({"width": width, "height": height})
        side.press("act-start-game")
        sheet = stored(side.page)
        sheet.play |= MIDDLE
        sheet.save(update_fields=["play"])
        side.page.reload()
        return side.page
    return sat


def test_hand_avatars_and_what_fell_are_seen_whole_and_each_card_says_what_it_does(midgame):
    page = midgame(1280, 800)
    cards = page.locator("#board .laid > .face")
    expect(cards).to_have_count(4)
    assert all(one.evaluate(SEEN) for one in (*cards.all(), page.locator("#tray")))
    tray, content = (page.locator(one).last.bounding_box() for one in ("#tray", "#tray > *"))
    assert tray["y"] + tray["height"] - content["y"] - content["height"] < 24, "no taller than what lies in it"
    effect = cards.nth(1).locator(".effect").nth(2)
    expect(effect).to_contain_text("Schneeballschlacht (Active, 1 mana) " if page.locator("html[lang=en]").count() else
                                   "Schneeballschlacht (Aktiv, 1 Zeitmana) ")
    folded = effect.bounding_box()["height"]
    effect.locator("summary").click()
    assert effect.bounding_box()["height"] > folded


def test_on_a_phone_what_fell_covers_nothing_and_cards_that_were_drawn_are_no_dice_in_the_log(midgame):
    page = midgame(360, 780)
    assert page.locator("#tray").evaluate("one => getComputedStyle(one).position") == "static"
    assert page.locator("#tray-take-back").evaluate(SEEN)
    assert page.locator("#log-entries > li > span:last-child").first.text_content() == ""

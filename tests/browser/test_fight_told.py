"""A fight of Augen des Zwielichts at one table in five browsers: dice of all against one danger level, told in rounds.

What each reads is asked of the raw answers; no dice fall but those that a press is told.
"""

import re

import pytest
from playwright.sync_api import expect

from tests.support.browser.fighters import SOON, Browsers

pytestmark = pytest.mark.browser


@pytest.fixture
def fight(visit, transactional_db, dice):
    return Browsers(visit, dice, "augen-des-zwielichts", {}, {})


def counted(fight, who, key):
    """What somebody reads of a counter of the party."""
    return fight.pages[who].locator(".counters dl > div").nth(list(type(fight.ruleset.table()).model_fields).index(key)
                                                              ).locator(".figure")


def all_do(fight, what, dice=(), **answers):
    """The GM has all do something at once."""
    gm = fight.pages["gm"]
    for name, value in answers.items():
        gm.locator(f"#gm-w-{what} [name={name}]").fill(value)
    gm.locator(f"#ask-{what} summary").click()
    fight.click("gm", f"#round-{what}", dice)


def all_take_back(fight):
    fight.click("gm", f"#{fight.pages['gm'].locator('[id^=all-back-]').first.get_attribute('id')}")


def test_a_fight_told_in_rounds_by_five_browsers(fight):
    others_find_nothing(fight)
    a_fight_begins(fight)
    one_is_helped(fight)
    a_weak_point_is_handed_on_and_back(fight)
    a_round_is_fought_and_told(fight)
    the_fight_is_won(fight)


def others_find_nothing(fight):
    """Whoever is not of the party finds nothing; what is private is the owner's and the GMs'."""
    stranger, raw, troll = fight.browsers["stranger"], fight.raw, f"/sheets/{fight.sheets['troll'].pk}/"
    assert stranger.get(fight.address).status_code == 404
    assert stranger.post(f"{fight.address}play/", {"do": "turn:begin"}).status_code == 404
    assert "Cleopatra" in raw("cleo")
    assert "Cleopatra" not in raw("anna") + raw("ben")
    assert troll in raw("gm")
    assert troll not in raw("anna") + raw("ben") + raw("cleo")


def a_fight_begins(fight):
    """Each has a weak point, enemies have none; the lowest is the first to throw, and all see the danger level."""
    all_do(fight, "act-begin-fight", [2, 6, 3, 4, 5, 5], danger_level="12")
    points = {who: fight.sheet(who).play.get("weak_point") for who in ("anna", "ben", "cleo", "troll")}
    assert points == {"anna": 2, "ben": 3, "cleo": 5, "troll": None}
    fight.click("gm", "#turn-begin")
    assert order(fight, "gm") == ["Anna", "Ben", "Cleopatra", "Troll"]
    expect(fight.pages["anna"].locator(".your-turn")).to_be_visible(timeout=SOON)
    assert order(fight, "ben") == ["Anna", "Ben", "Troll"]
    for who in ("anna", "ben", "cleo"):
        expect(counted(fight, who, "danger_level")).to_have_text("12", timeout=SOON)
    fight.click("anna", "#turn-next")
    expect(fight.pages["ben"].locator(".your-turn")).to_be_visible(timeout=SOON)
    assert fight.pages["anna"].locator("#turn-next").count() == 0


def order(fight, who):
    return re.findall(r"<li[^>]*>([^<]+)</li>", fight.raw(who).partition('class="turn-order"')[2].partition("</ol>")[0])


def one_is_helped(fight):
    """Help meets the dice that lie there; whom it is for changes one and dismisses one, and what it brings is all's."""
    ben, anna = fight.pages["ben"], fight.pages["anna"]
    ben.locator("#fold-roll-move-investigate summary").click()
    ben.locator("#w-roll-move-investigate [name=attribute]").select_option("black")
    fight.click("ben", "#press-button-roll-move-investigate", [2, 4])
    fight.pressed.clear()
    fight.attack("anna", "anna", "ben", [])
    assert anna.locator("#w-roll-help [name=helped_black]").count() == 0
    # What it meets is what lies there now.
    fight.click("anna", "#press-button-roll-help", [4])
    assert "du bekommst einen Zustand" in anna.locator("#tray").inner_text()
    helped = fight.landed().pk
    fight.attack("cleo", "cleo", "ben", [("#press-button-roll-help", [1])])
    refused = fight.landed().pk
    expect(ben.locator(f"#landed-{refused}")).to_be_visible(timeout=SOON)
    assert "Cleopatra" not in fight.raw("anna")
    fight.click("ben", f"#dismiss-{refused}")
    ben.locator(f"#change-{helped} summary").click()
    ben.locator(f"#change-{helped} [name=face]").fill("6")
    fight.click("ben", f"#changed-{helped}")
    assert fight.sheet("ben").play["help_white"] == "6"
    assert "Cleopatra" not in fight.raw("ben") + fight.raw("anna")
    settle = "#tray [id^=tray-press-act-settle]"
    fight.click("ben", settle)
    for who in ("gm", "anna", "cleo"):
        expect(counted(fight, who, "clues")).to_have_text("1", timeout=SOON)
    fight.click("ben", "#tray-take-back")
    assert (fight.stored.table["clues"], fight.sheet("ben").play["help_white"]) == (0, "6")
    expect(counted(fight, "anna", "clues")).to_have_text("0", timeout=SOON)
    fight.click("ben", settle)
    assert fight.stored.table["clues"] == 1
    assert fight.pressed["anna"] <= 2


def a_weak_point_is_handed_on_and_back(fight):
    """One leaves, another takes over; one undo is one for both."""
    ben = fight.pages["ben"]
    fight.click("anna", "#press-button-act-leave-fight")
    landing = fight.landed().pk
    assert fight.stored.table["open_weak_point"] == 2
    assert f"apply:{landing}" not in fight.raw("anna") + fight.raw("cleo")
    expect(ben.locator(f"#landed-{landing}")).to_be_visible(timeout=SOON)
    fight.click("ben", f"#apply-{landing}")
    assert (fight.sheet("ben").play["taken_over"], fight.stored.table["open_weak_point"]) == ("2", None)
    fight.click("anna", f"#back-{fight.landed().applied_id}")
    assert fight.sheet("anna").play["weak_point"] == 2
    assert "taken_over" not in fight.sheet("ben").play
    assert fight.stored.table["open_weak_point"] is None


def a_round_is_fought_and_told(fight):
    """Who weakens the enemy throws no die; a round hits whose weak point fell, is told by dice, and taken back."""
    # Nobody is aimed at any more.
    fight.click("anna", f"#at-{fight.sheets['ben'].pk}")
    fight.click("anna", "#press-button-roll-move-weaken", [5, 3])
    fight.click("anna", "#tray [id^=tray-press-act-settle]")
    for who in ("gm", "ben", "cleo"):
        expect(counted(fight, who, "danger_level")).to_have_text("11", timeout=SOON)
    assert fight.pages["anna"].locator("#press-button-act-throw-combat-die").count() == 0
    fight.click("ben", "#press-button-act-throw-combat-die", [3])
    all_do(fight, "act-throw-combat-die", [6])
    all_do(fight, "act-settle-together")
    assert {who: (fight.sheet(who).play["rounds"], fight.sheet(who).play.get("conditions_due", 0))
            for who in ("anna", "ben", "cleo")} == {"anna": (1, 0), "ben": (1, 1), "cleo": (1, 0)}
    assert "erzählt mit der 3 als Nummer 1 von 2" in fight.raw("ben")
    assert "Cleopatra" not in fight.raw("ben") + fight.raw("anna")
    all_take_back(fight)
    assert [fight.sheet(who).play.get("rounds", 0) for who in ("anna", "ben", "cleo")] == [0, 0, 0]
    assert "conditions_due" not in fight.sheet("ben").play
    all_do(fight, "act-settle-together")


def the_fight_is_won(fight):
    """Who threw the highest die has two; a clue for each round is the group's, and the turns end for all."""
    all_do(fight, "act-throw-combat-die", [4, 5, 1, 6])
    all_do(fight, "act-settle-together")
    assert fight.stored.table["clues"] == 1 + 2
    for who in ("anna", "ben", "cleo"):
        expect(counted(fight, who, "clues")).to_have_text("3", timeout=SOON)
        assert "weak_point" not in fight.sheet(who).play
    fight.click("gm", "#turn-end")
    expect(fight.pages["ben"].locator(".turn-order")).to_have_count(0, timeout=SOON)
    assert "troll" not in fight.raw("stranger").lower()

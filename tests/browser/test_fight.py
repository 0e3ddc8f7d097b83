"""A fight at one table in three browsers: a GM and two players, while a third one plays too.

What each reads is asked of the raw answers; no dice fall but those that a press is told.
"""

import re
from dataclasses import dataclass, field

import pytest
from playwright.sync_api import expect

from rulesets import systems
from sheets.models import Event
from tests.support.browser.fighters import Browsers
from tests.support.everyday import everyday

pytestmark = pytest.mark.browser
KEY = re.compile(r"/[0-9a-f]{8}-[0-9a-f-]{27}")


@dataclass(frozen=True)
class Case:
    """How somebody attacks an opponent in a system, and what that is worth."""

    anna: dict
    """What of the data of Anna's sheet is stated."""
    troll: dict
    """The figures of the opponent that are stated."""
    presses: list[tuple[str, list[int]]]
    """The buttons of an attack, with the dice that fall."""
    answer: list[tuple[str, list[int]]]
    """The same for the opponent's attack on a player."""
    dealt: int
    taken: int
    together: str
    """What all do at once."""
    begins: list[int] = field(default_factory=list)
    """The dice that fall as a round begins."""
    secret: str = ""
    """What of the opponent a player's page must not say."""


CASES = {
    "condice": Case(
        {"attacks": [{"name": "Keule", "dice": 4, "range": 0, "description": ""}], "defence": 2, "life": 5},
        {"dice": 6, "defence": 3, "life": 16}, [("#press-button-roll-attack-attacks-0", [6, 5, 4, 4])],
        [("#press-button-roll-attack-attacks-0", [6, 6, 6, 5, 1, 1])], 2, 5, "act-end-adventure", secret="/16"),
    "dice-rumble": Case(
        {}, {"threshold": 6, "weapon": 2, "life": 18}, [("#press-button-roll-duel-damage", [2, 9])],
        [("#press-button-roll-attack-unarmed", [3])], 10, 3, "act-spend-die", [4, 7, 9, 2], secret="/18"),
    "daemmersturm": Case(
        {"weapons": [{"name": "Säbel", "kind": "one-handed", "hands": 1, "damage": "1-10", "reload_actions": 0,
                      "w": None, "targets": None}]},
        {"bonus": 5, "damage": "1-6", "life": 21, "melee": 10, "ranged": 10, "magic": 10},
        [("#press-button-roll-attack-weapons-0", [18]), ("#tray-press-roll-damage-roll-attack-weapons-0", [4])],
        [("#press-button-roll-attack-weapons-0", [19]), ("#tray-press-roll-damage-roll-attack-weapons-0", [3])],
        4, 3, "act-new-fight", secret="/21"),
}


@pytest.fixture(params=everyday(CASES))
def fight(request, visit, transactional_db, dice):
    case = CASES[request.param]
    side = systems()[request.param].crossing.side(**case.troll).model_dump()
    table = Browsers(visit, dice, request.param, case.anna, {
        "do": "figures", **{key: "" if value is None else value for key, value in side.items()}}, ("gm", "anna", "ben"))
    table.case = case
    return table


@pytest.mark.more
def test_a_fight_of_three_browsers(fight):
    order = turns_begin(fight)
    an_attack_is_applied_taken_back_and_applied_again(fight)
    the_opponent_strikes_back(fight)
    all_act_at_once(fight)
    # After the last one's turn the next round begins; the fight ends for all.
    for name in order[order.index("Anna"):]:
        fight.click("gm", "#turn-next", fight.case.begins if name == order[-1] else ())
    expect(fight.pages["anna"].locator("#turns")).to_have_text("Kampfrunde 2")
    # What the end of a turn did is taken back with it.
    fight.click("gm", f"#back-{Event.objects.filter(turn__isnull=False).latest('pk').pk}")
    expect(fight.pages["anna"].locator("#turns")).to_have_text("Kampfrunde 1")
    expect(fight.pages["gm"].locator(".turn-order > [aria-current] .called")).to_have_text(order[-1])
    fight.pages["gm"].locator("#turn-menu > summary").click()
    fight.click("gm", "#turn-end")
    expect(fight.pages["ben"].locator(".turn-order")).to_have_count(0)


def turns_begin(fight):
    """Begun by the GM, seen by all; the turn comes to Anna, who alone of the players may end it."""
    gm, anna, ben = (fight.pages[who] for who in ("gm", "anna", "ben"))
    fight.do(f"place:{fight.sheets['troll'].pk}:0")
    gm.reload()
    fight.click("gm", "#turn-begin", fight.case.begins)
    order = re.findall(r'class="called">([^<]+)<', fight.raw("gm").partition('class="turn-order"')[2])[:4]
    assert sorted(order) == ["Anna", "Ben", "Cleopatra", "Troll"]
    assert "Cleopatra" not in fight.raw("anna") + fight.raw("ben"), "hers is a private sheet"
    for page in (anna, ben):
        expect(page.locator(".turn-order")).to_be_visible()
    for now in order[:order.index("Anna")]:
        expect(gm.locator(".turn-order > [aria-current] .called")).to_have_text(now)
        fight.click("gm", "#turn-next")
    expect(anna.locator(".your-turn")).to_be_visible()
    expect(ben.locator("#turn-next")).to_have_count(0)
    return order


def an_attack_is_applied_taken_back_and_applied_again(fight):
    """At most three presses by who attacks and one by the other side, no number typed; an undo is one for both."""
    case, gm, full = fight.case, fight.pages["gm"], fight.life("troll")
    fight.pressed.clear()
    fight.attack("anna", "anna", "troll", case.presses)
    expect(gm.locator(".landed .change").first).to_be_visible()
    fight.click("gm", f"#apply-{fight.newest_effect().pk}")
    assert fight.pressed["anna"] <= 3
    assert fight.pressed["gm"] == 1
    assert fight.life("troll") == full - case.dealt
    for who in ("anna", "ben"):
        expect(fight.pages[who].locator(".participant.opponent .seat-name")).to_contain_text("wundet")
        assert case.secret not in KEY.sub("", fight.raw(who))
    rolled = Event.objects.filter(roll__gt="", sheet=fight.sheets["anna"]).latest("pk")
    assert rolled.aimed_at == {str(fight.sheets["troll"].pk): "Troll"}
    fight.click("anna", f"#back-{fight.newest_effect().applied_id}")
    assert (fight.life("troll"), fight.newest_effect().state) == (full, "open")
    fight.click("gm", f"#apply-{fight.newest_effect().pk}")
    assert fight.life("troll") == full - case.dealt


def the_opponent_strikes_back(fight):
    """Who is hit changes it, and dismisses the next one on the own sheet, which has been open all the while."""
    case, ben, full = fight.case, fight.pages["ben"], fight.life("ben")
    fight.attack("gm", "troll", "ben", case.answer)
    number = fight.newest_effect().pk
    assert f"apply:{number}" not in fight.raw("anna") + fight.raw("cleo")
    expect(ben.locator(f"#landed-{number}")).to_be_visible()
    ben.locator(f"#change-{number} summary").click()
    ben.locator(f"#change-{number} [name=points]").fill("1")
    fight.click("ben", f"#changed-{number}")
    assert fight.life("ben") == full - 1
    ben.goto(f"/sheets/{fight.sheets['ben'].pk}/")
    for button, dice in case.answer:
        fight.click("gm", button, dice)
    number = fight.newest_effect().pk
    expect(ben.locator(f"#landed-{number}")).to_be_visible()
    ben.locator(f"#dismiss-{number}").click()
    expect(ben.locator(f"#landed-{number}")).to_have_count(0)
    assert (fight.newest_effect().state, fight.life("ben")) == ("dismissed", full - 1)
    ben.goto(fight.address)


def all_act_at_once(fight):
    """It is asked first, and taken back for all."""
    gm, together = fight.pages["gm"], fight.case.together
    done = Event.objects.filter(act=together.removeprefix("act-"), undone=False, step_of=None)
    if together == "act-end-adventure":
        fight.play("anna", "act-damage", points=1, against="nothing")
        gm.reload()
    gm.locator(f"#ask-{together} summary").click()
    assert not done.exists()
    fight.click("gm", f"#round-{together}")
    assert done.count() >= 2
    fight.click("gm", f"#{gm.locator('[id^=all-back-]').first.get_attribute('id')}")
    assert done.count() == 0

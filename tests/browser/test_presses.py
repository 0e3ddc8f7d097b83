"""How many presses a turn takes: one for each decision that the rules leave to somebody, and none besides."""

import pytest
from playwright.sync_api import expect

from sheets.models import Event, Landing
from tests.support.browser.fighters import Browsers
from tests.support.sheets.fight import ATTACK, CLUB

pytestmark = pytest.mark.browser


@pytest.fixture
def fight(visit, transactional_db, dice):
    """A fight of ConDice in which the opponents are on: four of them against three players, GM and Anna in browsers."""
    table = Browsers(visit, dice, "condice", {"attacks": CLUB, "defence": 2, "life": 5}, {
        "do": "figures", "_name": "Ratte", "_count": "4", "dice": 6, "defence": 3, "life": 8}, ())
    table.settle("turn", "gm", "begin")
    table.settle("turn", "gm", "next")
    table.pages = {who: visit(table.address, client=table.browsers[who]) for who in ("gm", "anna")}
    return table


def rats(fight):
    """The keys of the opponents, in their order."""
    return [one.pk for one in fight.party.sheets.filter(opponent=True).order_by("name")]


def test_a_gm_runs_a_round_of_four_opponents_against_three_players_in_sixteen_presses(fight):
    gm = fight.pages["gm"]
    for number, rat in enumerate(rats(fight)):
        if number:
            fight.click("gm", f"#by-{rat}")
        at = fight.sheets[("anna", "ben", "cleo", "anna")[number]].pk
        if gm.locator(f"#at-{at}").get_attribute("aria-current") is None:
            fight.click("gm", f"#at-{at}")
        fight.click("gm", f"#press-button-{ATTACK}", [6, 6, 6, 5, 1, 1])
        # Cleo is away, and so the GM applies what hits her.
        if number == 2:
            fight.click("gm", f"#apply-{fight.landed().pk}")
        else:
            fight.settle("apply", ("anna", "ben", "", "anna")[number], fight.landed().pk)
    fight.click("gm", "#turn-next")
    assert (fight.scene.round, fight.pressed["gm"]) == (2, 13)
    assert list(Landing.objects.filter(act="damage").values_list("state", flat=True)) == ["applied"] * 4
    # The action of each is done by its attack.
    assert Event.objects.filter(act="take-action").count() == 4


def test_an_attack_takes_two_presses_by_the_attacker_and_one_by_the_other_side(fight):
    fight.settle("turn", "gm", "next")
    rat = rats(fight)[0]
    fight.click("anna", f"#at-{rat}")
    fight.click("anna", f"#press-button-{ATTACK}", [6, 6, 6, 6])
    assert fight.pages["anna"].locator("#tray .tray-follow:not(#tray-undo)").count() == 0
    fight.pages["gm"].reload()
    fight.click("gm", f"#apply-{fight.landed().pk}")
    assert (fight.pressed, fight.landed().state) == ({"anna": 2, "gm": 1}, "applied")
    # In the next round one is aimed at the same one again, and nothing is to be chosen.
    for _time in range(2):
        fight.settle("turn", "gm", "next")
    expect(fight.pages["anna"].locator("#your-turn")).to_be_visible()
    expect(fight.pages["anna"].locator(f"#at-{rat}")).to_have_attribute("aria-current", "true")

"""How many presses a turn takes: one for each decision that the rules leave to somebody, and none besides."""

import pytest
from playwright.sync_api import expect

from rulesets import systems
from sheets.models import Event, Party, PendingEffect, Question
from tests.support.browser.exchanges import DAMAGE, EXCHANGES
from tests.support.browser.fighters import Browsers
from tests.support.everyday import everyday
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
            fight.click("gm", f"#apply-{fight.newest_effect().pk}")
        else:
            fight.settle("apply", ("anna", "ben", "", "anna")[number], fight.newest_effect().pk)
    fight.click("gm", "#turn-next")
    assert (fight.scene.round, fight.pressed["gm"]) == (2, 13)
    assert list(PendingEffect.objects.filter(act="damage").values_list("state", flat=True)) == ["applied"] * 4
    # The action of each is done by its attack.
    assert Event.objects.filter(act="take-action").count() == 4


def test_an_attack_takes_two_presses_by_the_attacker_and_one_by_the_other_side(fight):
    fight.settle("turn", "gm", "next")
    rat = rats(fight)[0]
    fight.click("anna", f"#at-{rat}")
    fight.click("anna", f"#press-button-{ATTACK}", [6, 6, 6, 6])
    assert fight.pages["anna"].locator("#tray .tray-follow:not(#tray-undo)").count() == 0
    fight.pages["gm"].reload()
    fight.click("gm", f"#apply-{fight.newest_effect().pk}")
    assert (fight.pressed, fight.newest_effect().state) == ({"anna": 2, "gm": 1}, "applied")
    # In the next round one is aimed at the same one again, and nothing is to be chosen.
    for _time in range(2):
        fight.settle("turn", "gm", "next")
    expect(fight.pages["anna"].locator("#your-turn")).to_be_visible()
    expect(fight.pages["anna"].locator(f"#at-{rat}")).to_have_attribute("aria-current", "true")


@pytest.fixture
def exchange(request, visit, transactional_db, dice):
    """A fight in which Anna is on, with her and the GM in browsers; what she does there, and what that takes."""
    case = EXCHANGES[request.param]
    side = systems()[case.slug].crossing.side(**case.troll).model_dump()
    table = Browsers(visit, dice, case.slug, case.anna, {
        "do": "figures", **{key: "" if value is None else value for key, value in side.items()}}, ())
    Party.objects.filter(pk=table.party.pk).update(waits=case.waits)
    dice[:] = case.begins
    table.settle("turn", "gm", "begin")
    table.do(f"place:{table.sheets['anna'].pk}:0")
    table.pages = {who: visit(table.address, client=table.browsers[who]) for who in ("gm", "anna")}
    table.case = case
    return table


@pytest.mark.parametrize("exchange", everyday([*EXCHANGES], each=2), indirect=True)
def test_an_attack_takes_a_press_for_each_decision_of_either_side_until_it_is_applied(exchange):
    case, sheets, before = exchange.case, exchange.sheets, (exchange.life("troll"), exchange.life("anna"))
    last = "anna"
    for one in case.presses:
        if one.who != last:
            exchange.pages[one.who].reload()
        landed = PendingEffect.objects.filter(state="open").order_by("-pk").values_list("pk", flat=True).first()
        asked = Question.objects.order_by("-pk").values_list("pk", flat=True).first()
        exchange.click(one.who, one.button.format(troll=sheets["troll"].pk, landed=landed, question=asked), one.dice)
        last = one.who
    assert not PendingEffect.objects.filter(state="open").exists()
    assert not Question.objects.filter(response__isnull=True).exists()
    assert {"anna": 0, "gm": 0} | exchange.pressed == case.counts
    # Damage of Dämmersturm is thrown by a press of its own, which nobody decides anything by; all others are decisions.
    assert {one.button for one in case.presses if not one.what} <= {DAMAGE}
    assert (before[0] - exchange.life("troll"), before[1] - exchange.life("anna")) == (case.dealt, case.suffered)


@pytest.fixture
def danger(visit, transactional_db, dice):
    """A fight of Augen des Zwielichts against a danger level of 9, in which Anna, who is on, and Ben take part."""
    table = Browsers(visit, dice, "augen-des-zwielichts", {}, {}, ())
    for who, faces in (("anna", [3, 2]), ("ben", [5, 4])):
        dice[:] = faces
        table.press("act-begin-fight", who, who, None, danger_level=9)
    table.settle("turn", "gm", "begin")
    assert table.on == ["Anna"]
    table.pages = {who: visit(table.address, client=table.browsers[who]) for who in ("anna", "ben")}
    return table


@pytest.mark.rule("SZ-31", "SZ-32", "SZ-35")
def test_a_hero_who_fights_the_danger_level_presses_once_and_the_last_one_has_the_round_settled(danger):
    danger.click("anna", "#turn-next", [6])
    danger.pages["ben"].reload()
    danger.click("ben", "#turn-next", [5])
    assert danger.pressed == {"anna": 1, "ben": 1}
    assert danger.stored.table["clues"] == 1


@pytest.mark.rule("SZ-13", "SZ-14", "SZ-24", "SZ-33")
def test_a_hero_who_weakens_the_enemy_throws_and_leaves_it_at_that_or_throws_better(danger):
    """The second press is a decision: to improve what white dice have brought, or which condition black ones bring."""
    danger.click("anna", "#press-button-roll-move-weaken", [6, 3])
    expect(danger.pages["anna"].locator("#tray-press-roll-move-improve-roll-move-weaken")).to_be_visible()
    danger.click("anna", "#tray-press-act-settle-roll-move-weaken")
    assert (danger.pressed, danger.stored.table["danger_level"]) == ({"anna": 2}, 8)
    danger.click("anna", "#turn-next")
    assert danger.on == ["Ben"]

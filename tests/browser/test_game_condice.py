"""ConDice at the table: two characters to the loss of an attribute, rolls repeated, somebody who breaks free."""

import re

import pytest
from playwright.sync_api import expect

from rulesets.condice.examples import EXAMPLES
from tests.support.browser.kinds import either_way, in_both_languages
from tests.support.browser.on_the_board import OnTheBoard
from tests.support.browser.wizard_actions import seated

pytestmark = pytest.mark.browser

REPEAT = "Reroll the last roll|Letzten Wurf wiederholen"
DAMAGE, ARRIVES = "Take damage|Schaden erleiden", "How much damage is it?|Wie viel Schaden (vor Abzügen)?"
LOWERS = "What reduces it?|Was wird davon abgezogen?"
BACK = "How many life points are regained?|Wie viele Lebenspunkte kommen zurück?"
DEFENCE = "Defence|Verteidigung"
RESISTANCE = "Mental resistance of the target|Mentale Resistenz"
WHOM = "Who do you hold?|Wen hältst du fest?"
FREE = "Nebel tries to break free|Nebel versucht, sich loszureißen"


@pytest.mark.rule("CD-46")
@pytest.mark.rule("CD-49")
@pytest.mark.rule("CD-54")
@in_both_languages("de")
def test_two_fight_to_the_loss_of_an_attribute_and_one_breaks_free(sit):
    brocken, nebel = sit(EXAMPLES["guardian"]), sit(EXAMPLES["mind-control"])
    brocken.roll("Draw aggro|Aggro ziehen", against={RESISTANCE: 5}, dice=[1, 2, 3, 1, 1, 4, 5, 2, 3])
    # Only one's own four dice are thrown again.
    brocken.press(REPEAT, dice=[6, 4, 1, 1])
    assert not brocken.offers(REPEAT)
    brocken.press("Draw aggro took hold|„Aggro ziehen“ hat gewirkt", {WHOM: "Nebel"})
    brocken.press(FREE, against={RESISTANCE: 5}, dice=[6, 6, 1, 1, 6, 5, 1, 1, 1])
    # There is one try a round.
    assert not brocken.offers(FREE)
    brocken.press("End the round|Kampfrunde beenden")
    brocken.press(FREE, against={RESISTANCE: 5}, dice=[6, 1, 1, 1, 6, 2, 1, 1, 1])
    assert not brocken.offers(FREE)
    brocken.press("New fight|Neuer Kampf")

    nebel.roll("Stockdegen", against={DEFENCE: 5}, dice=[6, 6, 6, 4])
    brocken.press(DAMAGE, {ARRIVES: 7})
    brocken.press(DAMAGE, {ARRIVES: 15, LOWERS: "nothing (the damage ignores defence, or everything has been "
                           "subtracted)|nichts (der Schaden ignoriert die Verteidigung, oder es "
                           "ist schon alles abgezogen)"})
    brocken.press("Roll for the loss|Verlust auswürfeln", dice=[5])
    brocken.press("Roll how many points|Punkte auswürfeln", dice=[1])
    values = "Movement|Bewegung", "Mental resistance|Mentale Resistenz", "Life points|Lebenspunkte"
    assert [brocken.figure(title) for title in values] == [2, 1, 0]
    brocken.press("Be healed|Geheilt werden", {BACK: 3})
    brocken.roll("Mental defence|Mentale Abwehr", {"Attacker's successes|Erfolge des Angreifers": 2}, dice=[6])

    nebel.tells(("Stockdegen: 7 successes, 2 damage 6 6 6 4", "Stockdegen: 7 Erfolge, 2 Schaden 6 6 6 4"))
    brocken.tells(
        ("Draw aggro: 0 against 2: fails (rerolled) 1 2 3 1 1 4 5 2 3",
         "Aggro ziehen: 0 gegen 2: misslingt (wiederholt) 1 2 3 1 1 4 5 2 3"),
        ("Reroll the last roll: 3 against 2: works 6 4 1 1 1 4 5 2 3",
         "Letzten Wurf wiederholen: 3 gegen 2: gelingt 6 4 1 1 1 4 5 2 3"),
        ("Draw aggro took hold: Nebel is held", "„Aggro ziehen“ hat gewirkt: Nebel wird festgehalten"),
        ("Nebel tries to break free: 4 against 3: stays held · Their action was given up for it 6 6 1 1 6 5 1 1 1",
         ("Nebel versucht, sich loszureißen: 4 gegen 3: bleibt festgehalten · "
          "Die Aktion ist dafür verbraucht 6 6 1 1 6 5 1 1 1")),
        ("End the round", "Kampfrunde beenden"),
        ("Nebel tries to break free: 2 against 2: breaks free · Their action was given up for it 6 1 1 1 6 2 1 1 1",
         ("Nebel versucht, sich loszureißen: 2 gegen 2: reißt sich los · "
          "Die Aktion ist dafür verbraucht 6 1 1 1 6 2 1 1 1")),
        ("New fight", "Neuer Kampf"),
        ("Take damage: 2 of 7 got through, life 10", "Schaden erleiden: 2 von 7 durchgekommen, Lebenspunkte: 10"),
        ("Take damage: 15 damage taken, life 0", "Schaden erleiden: 15 Schaden erlitten, Lebenspunkte: 0"),
        ("Roll for the loss: Mental resistance 5", "Verlust auswürfeln: Mentale Resistenz 5"),
        ("Roll how many points: 1 point · They are lost until the end of the adventure 1",
         "Punkte auswürfeln: 1 Punkt · Sie sind bis zum Ende des Abenteuers verloren 1"),
        ("Be healed: 3 regained, life 3", "Geheilt werden: 3 zurückbekommen, Lebenspunkte: 3"),
        ("Mental defence: 2 successes: defended 6", "Mentale Abwehr: 2 Erfolge: abgewehrt 6"),
    )


@pytest.mark.rule("CD-41")
@pytest.mark.rule("CD-52")
@either_way
def test_a_turn_is_led_through_on_the_board_from_a_hit_to_its_end(visit, dice, javascript):
    page = seated(visit, EXAMPLES["juan"], javascript=javascript, locale="en")
    juan, turn = OnTheBoard(page, dice), page.locator("#board .turn")
    quiet = page.locator("article.roll-row button.roll").first.evaluate_handle
    loud = quiet("one => getComputedStyle(one).backgroundColor").json_value()
    juan.roll("attack-attacks-0", [6, 6, 4, 1])
    assert quiet("one => getComputedStyle(one).backgroundColor").json_value() != loud, "what fell leads on"
    juan.follow("The target loses 2 life points")
    expect(turn.locator(".ticked")).to_have_text(re.compile("Action"))
    juan.press(turn.get_by_role("button", name="Move"))
    expect(turn.locator(".ticked")).to_have_count(2)
    expect(turn.get_by_role("button")).to_have_text(["End the turn"])
    juan.press(turn.get_by_role("button"))
    expect(turn.locator(".ticked")).to_have_count(0)
    page.locator("#take-back, #tray-take-back").locator("visible=true").first.click()
    expect(turn.locator(".ticked")).to_have_count(2)

"""Augen des Zwielichts at the table: an enemy weakened before the fight and in it."""

import pytest
from playwright.sync_api import expect

from rulesets.augen_des_zwielichts.examples import EXAMPLES
from tests.support.browser.kinds import either_way, in_both_languages
from tests.support.browser.on_the_board import OnTheBoard
from tests.support.browser.sheet_actions import stored
from tests.support.browser.wizard_actions import seated

pytestmark = pytest.mark.browser

APPLY = "Apply the result|Ergebnis übernehmen"
OWN = "Settle the round just for me", "Kampfrunde nur für mich auswerten"
WEAKEN, SECOND = "Weaken the enemy|Den Gegner schwächen", "Second die|Zweiter Würfel"


@pytest.mark.rule("SZ-24")
@pytest.mark.rule("SZ-33")
@in_both_languages("en")
def test_an_enemy_is_weakened_before_the_fight_and_in_it(sit):
    mio = sit(EXAMPLES["ferrywoman"])
    mio.roll(WEAKEN, {SECOND: "black (|schwarz ("}, dice=[6, 5])
    mio.press(APPLY, {"Enemy's danger level so far|Gefahrenstufe des Gegners bisher": 9,
                      "Word for the condition that is due|Wort für den neuen Zustand": "Außer Atem"})
    mio.press("Start a fight|In den Kampf ziehen", dice=[5, 3])
    throw, settle = "Roll the combat die|Kampfwürfel werfen", f"{OWN[0]}|{OWN[1]}"
    mio.roll("Combat round|Kampfrunde", {"Fighters who roll|Kämpfende, die würfeln": 2}, dice=[4, 3])
    mio.press(settle, {"You rolled the highest die|Du hast am höchsten gewürfelt": True})
    mio.press("Note a condition|Einen Zustand eintragen", {"Which condition?|Welcher Zustand?": "Nass"})
    # Whoever weakens the enemy takes back even a die that lies there already, and needs the second one no more.
    mio.press(throw, dice=[2, 5])
    mio.roll(WEAKEN, {SECOND: "white (|weiß ("}, dice=[6, 6])
    mio.press(APPLY, on=WEAKEN)
    assert not mio.offers(throw)
    mio.press(settle)
    mio.press(throw, dice=[6])
    mio.press(settle)
    assert [mio.figure(title) for title in ("Conditions|Zustände", "The group's clues|Hinweise der Runde")] == [4, 3]
    mio.tells(
        ("Weaken the enemy: danger level −1, with a condition: 5–6, black only 6 5",
         "Den Gegner schwächen: Gefahrenstufe −1, mit Zustand: 5–6, nur Schwarz 6 5"),
        ("Weakened before the fight: costs no combat die; counts until the end of this fight",
         "Vor dem Kampf geschwächt: kostet keinen Kampfwürfel; zählt bis zum Ende dieses Kampfes"),
        ("Apply the result: Weaken the enemy: danger level −1, now 8, with a condition",
         "Ergebnis übernehmen: Den Gegner schwächen: Gefahrenstufe −1, jetzt 8, mit Zustand"),
        ("Start a fight: weak point 3 · Danger level 8 5 3",
         "In den Kampf ziehen: Schwachpunkt 3 · Gefahrenstufe 8 5 3"),
        ("Combat round: 7 against 8: not yet, dice 4, 3 4 3", "Kampfrunde: 7 gegen 8: noch nicht, Würfel 4, 3 4 3"),
        (f"{OWN[0]}: Round 1 is over, hits: 1", f"{OWN[1]}: Kampfrunde 1 ist vorbei, Treffer: 1"),
        ("Note a condition: Condition 3: Nass", "Einen Zustand eintragen: Zustand 3: Nass"),
        ("Roll the combat die: 5 2 5", "Kampfwürfel werfen: 5 2 5"),
        ("Weaken the enemy: danger level −3, with a condition: two sixes, black 6 against white 6 6 6",
         "Den Gegner schwächen: Gefahrenstufe −3, mit Zustand: zwei Sechsen, schwarz 6 gegen weiß 6 6 6"),
        ("The combat die of this round: spent on weakening the enemy",
         "Aktueller Kampfwürfel: fürs Schwächen des Gegners eingesetzt"),
        ("Apply the result: Weaken the enemy: danger level −3, now 5, with a condition",
         "Ergebnis übernehmen: Den Gegner schwächen: Gefahrenstufe −3, jetzt 5, mit Zustand"),
        (f"{OWN[0]}: Round 2 is over, dice –; not hit",
         f"{OWN[1]}: Kampfrunde 2 ist vorbei, Würfel –; nicht getroffen"),
        ("Roll the combat die: 6 6", "Kampfwürfel werfen: 6 6"),
        (f"{OWN[0]}: The fight is won; clues for the group: 3; not hit",
         f"{OWN[1]}: Der Kampf ist gewonnen; Hinweise der Runde: 3; nicht getroffen"),
    )


def throw(board, move, tile, dice, told=1):
    """Pick up a move and what gives its second die, and throw both; the log tells so many lines of it."""
    board.page.locator(".moves label").filter(has_text=move).click()
    board.page.locator(".word-tiles label:visible").filter(has_text=tile).click()
    assert board.page.locator(".pool .die:visible").count() == len(dice)
    board.press(board.page.locator("#board-move-roll"), dice, told)


@either_way
def test_an_evening_is_played_on_the_board_alone(visit, dice, javascript):
    page = seated(visit, EXAMPLES["ferrywoman"], javascript=javascript, locale="en")
    mio = OnTheBoard(page, dice)
    throw(mio, "Find something out", "Feilscht gern", [6, 3])
    mio.follow("Apply the result")
    page.get_by_role("link", name="Offer help").click()
    expect(page.locator("#press-button-roll-help")).to_be_in_viewport()
    mio.roll("help", [4], colour="white")
    throw(mio, "Weaken the enemy", "black", [6, 5], told=2)
    mio.follow("Apply the result", danger_level="9", word="Außer Atem")
    mio.act("begin-fight", [5, 3])
    # A fight that is under way stands open.
    mio.roll("combat-round", [4, 3], fighters="2")
    mio.follow(OWN[0])
    page.locator("#about-conditions > summary").click()
    mio.press(page.locator("#press-button-act-note-condition"), word="Nass")
    if not javascript:
        # A browser unfolds where one pressed last, which lies over the moves.
        page.locator("#about-conditions[open] > summary").click()
    # In a fight that costs the combat die of the round.
    throw(mio, "Weaken the enemy", "white", [6, 6], told=2)
    mio.follow("Apply the result")
    mio.act("settle-together")
    mio.act("throw-combat-die", [6])
    mio.act("settle-together")
    assert (mio.figure("conditions"), mio.figure("clues")) == ("4", "4")
    mio.act("end-session", chosen="3", solved=True, peaceful=True)
    mio.act("gain-level-level-1")
    # One step after the other, and nothing to throw beside it.
    steps = ["Drop a fear", "Change an attribute or item", "Change the mark", "Turn a field white", "One more ability"]
    for number, step in enumerate(steps):
        assert page.locator("#guide").inner_text() == step
        assert not page.locator("#board-move-roll").count()
        mio.act("leave-out" if number else "drop-fear-fears-0")
    assert page.locator("#board-move-roll").is_visible()
    data = stored(page).data
    assert (data["section"], data["shade"], data["fears"]) == (2, "light", ["Verlassen zu werden"])

"""Dice Rumble at the table: a duel with another attribute than the usual one, and a fate point for the own die."""

import pytest

from rulesets.dice_rumble.examples import EXAMPLES
from tests.support.browser.kinds import either_way, in_both_languages
from tests.support.browser.on_the_board import OnTheBoard
from tests.support.browser.wizard_actions import seated

pytestmark = pytest.mark.browser

DUEL = "Duel with Entermesser|Duell mit Entermesser"
KEEP, FIGHTERS = "Roll initiative|Initiative würfeln", \
    "How many fighters, including you?|Wie viele kämpfen, dich mitgezählt?"
SPEND = "Act or react|Handeln oder reagieren"
THRESHOLD = "Threshold|Schwellenwert"
FATE = "Fate: reroll|Schicksal: neu würfeln"
COSTS = "Fate: reroll costs 1 of 2 fate points|Schicksal: neu würfeln kostet 1 Schicksalspunkt (noch 2 vorhanden)"
LAST = "Fate: reroll costs 1 of 1 fate point|Schicksal: neu würfeln kostet 1 Schicksalspunkt (noch 1 vorhanden)"


@pytest.mark.rule("DR-03")
@pytest.mark.rule("DR-12")
@pytest.mark.rule("DR-17")
@in_both_languages("en")
def test_a_duel_with_another_attribute_and_a_fate_point(sit):
    captain, burglar = sit(EXAMPLES["captain"]), sit(EXAMPLES["burglar"])
    captain.press(KEEP, {FIGHTERS: 2}, dice=[4, 7])
    burglar.press(KEEP, {FIGHTERS: 2}, dice=[7, 4])
    captain.roll(DUEL, {THRESHOLD: "Charisma"}, against={THRESHOLD: 7}, dice=[9, 3])
    # The 9 is above Charisma 2 and Nahkampf 6; only the own die is thrown again.
    captain.press(COSTS, dice=[2])
    burglar.press("Take damage|Schaden erleiden", {"How much damage?|Wie viel Schaden?": 3})
    captain.press(SPEND)
    burglar.press(SPEND)
    captain.roll("Duel|Duell", against={THRESHOLD: 9}, dice=[5, 5, 4, 10])
    captain.roll("Duel|Duell", against={THRESHOLD: 9}, dice=[10, 1])
    # A tie of equals is thrown again by both.
    captain.press(LAST, dice=[1, 3, 6])
    assert not captain.offers(FATE)
    assert captain.figure("Fate points|Schicksalspunkte") == 0
    assert burglar.figure("Life points|Lebenspunkte") == 5
    captain.tells(
        ("Roll initiative: 4 (all rolls: 4, 7): place 1 · The initiative die shows 4 4 7",
         "Initiative würfeln: 4 (alle Würfe: 4, 7): Platz 1 · Der Initiative-Würfel zeigt 4 4 7"),
        ("Duel with Entermesser: 9 against 3: lose, difference 6 (rerolled) 9 3",
         "Duell mit Entermesser: 9 gegen 3: verloren, Differenz 6 (wiederholt) 9 3"),
        ("Fate: reroll: 2 against 3, difference 1 + weapon 2: win, 3 damage · Fate points left: 1 2 3",
         ("Schicksal: neu würfeln: 2 gegen 3, Differenz 1 + Waffe 2: gewonnen, 3 Schaden · "
          "Schicksalspunkte übrig: 1 2 3")),
        ("Act or react", "Handeln oder reagieren"),
        ("Duel: 4 against 10: win, difference 6 (opponent: critical failure) 5 5 | 4 10",
         "Duell: 4 gegen 10: gewonnen, Differenz 6 (Gegner: kritischer Misserfolg) 5 5 | 4 10"),
        ("Duel: 10 against 1: lose, difference 9 (critical failure, opponent: critical success) (rerolled) 10 1",
         ("Duell: 10 gegen 1: verloren, Differenz 9 (kritischer Misserfolg, Gegner: kritischer Erfolg) "
          "(wiederholt) 10 1")),
        ("Fate: reroll: 3 against 6: win, difference 3 · Fate points left: 0 1 1 | 3 6",
         ("Schicksal: neu würfeln: 3 gegen 6: gewonnen, Differenz 3 · Schicksalspunkte übrig: 0 "
         "1 1 | 3 6")),
    )
    burglar.tells(
        ("Roll initiative: 7 (all rolls: 4, 7): place 2 · The initiative die shows 7 7 4",
         "Initiative würfeln: 7 (alle Würfe: 4, 7): Platz 2 · Der Initiative-Würfel zeigt 7 7 4"),
        ("Take damage: 3 damage taken, life 5", "Schaden erleiden: 3 Schaden erlitten, Lebenspunkte: 5"),
        ("Act or react", "Handeln oder reagieren"),
    )


@either_way
def test_an_evening_is_played_on_the_board_alone(visit, dice, javascript):
    page = seated(visit, EXAMPLES["captain"], javascript=javascript, locale="en")
    captain = OnTheBoard(page, dice)
    captain.roll("test-talents-5", [7])
    captain.act("roll-initiative", [4, 7], fighters="2")
    page.locator("#against input").fill("7")
    page.locator("#against input").press("Enter")
    captain.roll("duel-damage-weapons-0", [9, 3], threshold="Charisma")
    captain.follow("Fate: reroll", [2])
    assert page.locator("#tray .tray-outcome").inner_text() == "Win, 3 damage"
    captain.follow("Announce 3 damage")
    page.locator("#take-back, #tray-take-back").locator("visible=true").first.click()
    captain.act("spend-die")
    captain.roll("duel-damage-weapons-0", [9, 4], threshold="Charisma")
    captain.follow("Take 5 damage")
    assert captain.figure("life") == "9"
    captain.follow("Another duel", [3, 8])
    assert "Announce 7 damage" in page.locator("#tray .tray-then").inner_text()
    captain.press(page.locator("#less-life"))
    page.locator("#about-life > summary").click()
    captain.press(page.locator("#press-button-act-damage"), points="3")
    captain.roll("attack-weapons-0", [2])
    assert (captain.figure("life"), captain.figure("fate_points")) == ("5", "1")
    page.locator("#take-back").click()
    captain.act("new-adventure")
    assert (captain.figure("life"), captain.figure("fate_points")) == ("14", "2")

"""Dämmersturm at the table: paired daggers, a pistol that is reloaded, exhaustion; what comes next is what is loud."""

import pytest

from rulesets.daemmersturm.examples import EXAMPLES
from rulesets.kit import patched
from tests.support.browser.kinds import in_both_languages
from tests.support.browser.on_the_board import OnTheBoard
from tests.support.browser.wizard_actions import seated

pytestmark = pytest.mark.browser

MAGPIE = EXAMPLES["two-weapons"]
MELEE = "Defence against melee|Verteidigung im Nahkampf"
RANGED = "Defence against shots|Verteidigung im Fernkampf"
PAIR, PISTOL = "Stilett 1 and Stilett 2|Stilett 1 und Stilett 2", "Faustpistole"
RELOAD = "Reload or fix Faustpistole|Faustpistole nachladen oder behandeln"
TURN = "Start the turn|Zug beginnen"


@pytest.mark.rule("DS-29")
@pytest.mark.rule("DS-26")
@pytest.mark.rule("DS-50")
@in_both_languages("de")
def test_paired_daggers_a_pistol_that_is_reloaded_and_exhaustion(sit):
    data = patched(MAGPIE["data"], {"weapons.2": MAGPIE["data"]["weapons"][0]})
    magpie = sit(MAGPIE | {"data": data})
    magpie.press(TURN)
    # The first dagger misses, but its total of 12 is enough for the second one.
    magpie.roll(PAIR, against={MELEE: 14}, dice=[9])
    magpie.roll("Attack with the second weapon|Angriff mit der zweiten Waffe", dice=[13], on=PAIR)
    magpie.roll("Damage|Schaden", dice=[4], on=PAIR)
    magpie.roll(PISTOL, against={RANGED: 14}, dice=[15])
    magpie.roll("Damage|Schaden", dice=[7], on=PISTOL)
    assert not magpie.offers("Faustpistole was fired|Faustpistole abgefeuert")
    magpie.press(TURN)
    magpie.press(RELOAD)
    assert not magpie.offers(RELOAD)
    magpie.roll(PISTOL, against={RANGED: 14}, dice=[1])
    magpie.press(RELOAD)
    magpie.press("Take damage|Schaden erleiden", {"How much damage?|Wie viel Schaden?": 15})
    magpie.page.keyboard.press("Escape")  # what is unfolded there lies over the board
    for face in (6, 5):
        magpie.press(TURN)
        magpie.press("Roll for exhaustion|Auf Erschöpfung würfeln", dice=[face])
    assert magpie.figure("Life points|Lebenspunkte") == 4
    magpie.tells(
        ("Start the turn", "Zug beginnen"),
        ("Stilett 1 and Stilett 2: 9 + 3 = 12, needed 15: miss; 10+ reached: a second attack 9",
         "Stilett 1 und Stilett 2: 9 + 3 = 12, nötig 15: daneben; 10+ geschafft: ein zweiter Angriff 9"),
        ("Attack with the second weapon: 13 + 3 = 16, needed 15: hit 13",
         "Angriff mit der zweiten Waffe: 13 + 3 = 16, nötig 15: Treffer 13"),
        ("Damage: 4 damage 4", "Schaden: 4 Schaden 4"),
        ("Faustpistole: 15 + 2 = 17, needed 15: hit 15", "Faustpistole: 15 + 2 = 17, nötig 15: Treffer 15"),
        ("Faustpistole was fired: Actions until it is ready: 1",
         "Faustpistole abgefeuert: Aktionen, bis sie bereit ist: 1"),
        ("Damage: 7 damage 7", "Schaden: 7 Schaden 7"),
        ("Start the turn", "Zug beginnen"),
        ("Reload or fix Faustpistole", "Faustpistole nachladen oder behandeln"),
        (("Faustpistole: 1 + 2 = 3, needed 15: fumble. No shot; you must spend a round fixing the weapon, then reload. "
          "1"),
         ("Faustpistole: 1 + 2 = 3, nötig 15: Patzer. Es löst sich kein Schuss; die Waffe muss eine Kampfrunde lang "
          "behandelt und nachgeladen werden. 1")),
        ("Faustpistole: a fumble: Actions until it is ready: 2",
         "Faustpistole: Patzer: Aktionen, bis sie bereit ist: 2"),
        ("Reload or fix Faustpistole", "Faustpistole nachladen oder behandeln"),
        ("Take damage: 15 damage taken, life 4", "Schaden erleiden: 15 Schaden erlitten, Lebenspunkte: 4"),
        ("Start the turn: The turn starts; due: exhaustion roll",
         "Zug beginnen: Der Zug beginnt; fällig: Erschöpfungswurf"),
        ("Roll for exhaustion: fights on 6", "Auf Erschöpfung würfeln: kämpft weiter 6"),
        ("Start the turn: The turn starts; due: exhaustion roll",
         "Zug beginnen: Der Zug beginnt; fällig: Erschöpfungswurf"),
        ("Roll for exhaustion: goes down · Out of the fight 5",
         "Auf Erschöpfung würfeln: geht zu Boden · Kampfunfähig 5"),
    )


@pytest.mark.rule("DS-40")
@pytest.mark.rule("DS-60")
def test_the_loudest_button_is_what_comes_next(visit, dice):
    page = seated(visit, EXAMPLES["knight"])
    osmund, tray = OnTheBoard(page, dice), page.locator("#tray")
    turn = page.locator("#board .leading button")
    first, other = (page.locator("article.roll-row button.roll").nth(place) for place in range(2))
    shield, damage = tray.locator("[id^=tray-roll-shield] summary"), tray.locator("[id^=tray-roll-damage] > button")

    def looks(button):
        return button.evaluate("one => getComputedStyle(one).backgroundColor")

    loud, quiet = looks(turn), looks(other)
    assert loud != quiet
    osmund.press(turn)
    assert looks(other) == loud != looks(turn)
    osmund.press(first, [14])
    assert looks(other) == quiet
    assert looks(turn) != loud
    # Nobody knows here whether the target bears a shield: that is asked, and the hit goes on.
    assert looks(shield) != looks(damage) == "rgb(255, 253, 244)"
    osmund.press(damage, [7])
    assert looks(turn) == loud
    osmund.press(first, [3])
    assert looks(turn) == loud, "a miss ends the turn"

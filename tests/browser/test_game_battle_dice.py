"""Battle Dice at the table: a whole game of two decks, each page in the hands of its player."""

import pytest

from rulesets.battle_dice.examples import EXAMPLES
from tests.support.browser.kinds import in_both_languages

pytestmark = pytest.mark.browser

BEGIN, WHO = "Start a game|Eine Partie beginnen", "Who hugged Ole last?|Wer hat Ole zuletzt umarmt?"
FOCUS, TO_BATTLE = "Gather time mana|Zeitmana sammeln", "On to the Battle Dice Phase|Zur Battle Dice Phase"
ATTACK, DD = "Attack|Angriff", "Defence dice (DD)|Verteidigungswürfel (DD)"
HIT = "Enter the opponent's damage|Schaden des Gegners eintragen"
DAMAGE, NEXT = "How much damage?|Wie viel Schaden?", "Start your turn|Deinen Zug beginnen"
REST = "Take the rest yourself|Den Rest selbst erleiden"
WIN = "Report the win|Sieg melden"
CORONA, PINA, MINION = "The Corona Look", "Piña ≠ Rohkinar", "Dice Minion Verteidigung"


def away(card):
    return f"Put away {card} and draw|{card} ablegen und ziehen"


def summon(card):
    return f"Summon {card}|{card} beschwören"


def block(card):
    return f"Block with {card}|Mit {card} blocken"


def settle(card):
    return f"See who dies: {card}|Klären, wer stirbt: {card}"


@pytest.mark.rule("BD-10", "BD-11", "BD-12", "BD-13", "BD-14", "BD-16")
@in_both_languages("de")
@pytest.mark.more
def test_a_whole_game_of_two_decks(sit):
    anna, ben = sit(EXAMPLES["attack"]), sit(EXAMPLES["quick"])
    anna.press(BEGIN, {WHO: "I did|Ich"}, dice=[1, 3])
    ben.press(BEGIN, {WHO: "Your opponent|Mein Gegner"}, dice=[1, 1])
    # So that the game is not too long.
    ben.press("Take damage|Schaden erleiden", {DAMAGE: 12})

    anna.press(away(PINA), dice=[3])
    anna.press(FOCUS)
    anna.press(summon(CORONA))
    anna.press(TO_BATTLE)
    anna.press(ATTACK, against={DD: 1}, dice=[5, 2])
    ben.press(HIT, {DAMAGE: 1})
    ben.press(REST)
    ben.press(NEXT)

    ben.press(away(CORONA), dice=[2])
    ben.press(FOCUS)
    ben.press(summon(PINA))
    ben.press(TO_BATTLE)
    ben.press("Skip the Battle Dice Phase|Battle Dice überspringen")
    anna.press("The opponent does not attack|Gegner greift nicht an")
    anna.press(NEXT)

    anna.press(away(PINA), dice=[3, 1])
    anna.press(FOCUS)
    anna.press(summon(PINA))
    anna.press("Summon a Dice Minion|Dice Minion beschwören",
               {"Which card do you discard?|Welche Karte wirfst du ab?": CORONA}, dice=[4])
    anna.press(TO_BATTLE)
    anna.press(ATTACK, against={DD: 1}, dice=[6, 4, 3])
    ben.press(HIT, {DAMAGE: 2})
    ben.press(block(PINA))
    ben.press(settle(PINA))
    ben.press(NEXT)

    ben.press(away(CORONA), dice=[2, 3])
    ben.press(FOCUS)
    ben.press(TO_BATTLE)
    ben.press(ATTACK, against={DD: 4}, dice=[6, 1, 2, 3, 4])
    anna.press(HIT, {DAMAGE: 1})
    anna.press(block(MINION))
    anna.press(settle(MINION))
    anna.press(NEXT)

    anna.press("Draw|Ziehen", dice=[1, 1])
    anna.press(FOCUS)
    anna.press(summon(CORONA))
    anna.press(TO_BATTLE)
    ben.press("Shield", {"How much time mana do you pay?|Wie viel Zeitmana zahlst du?": 1})
    anna.press(ATTACK, against={DD: 2}, dice=[6, 6, 1, 2])
    ben.press(HIT, {DAMAGE: 2})
    ben.press(REST)
    anna.press(WIN)
    anna.tells(
        ("Start a game: 2 cards drawn · The game starts, and the opponent goes second",
         "Eine Partie beginnen: 2 Karten gezogen · Die Partie beginnt; der Gegner ist danach dran"),
        (("Put away Piña ≠ Rohkinar and draw: 1 card drawn · Piña ≠ Rohkinar put away; in hand: The Corona "
          "Look, Piña ≠ Rohkinar"),
         ("Piña ≠ Rohkinar ablegen und ziehen: 1 Karte gezogen · Piña ≠ Rohkinar abgelegt; auf der Hand: The "
          "Corona Look, Piña ≠ Rohkinar")),
        ("Gather time mana: Time mana gathered, now 1", "Zeitmana sammeln: Zeitmana gesammelt, jetzt 1"),
        ("Summon The Corona Look: The Corona Look summoned, 0 time mana left",
         "The Corona Look beschwören: The Corona Look beschworen, jetzt 0 Zeitmana"),
        ("On to the Battle Dice Phase", "Zur Battle Dice Phase"),
        ("Attack: AD 5 against DD 2: 1 damage · Your attack hits 5 2",
         "Angriff: AD 5 gegen DD 2: 1 Schaden · Dein Angriff trifft 5 2"),
        ("The opponent does not attack", "Gegner greift nicht an"),
        ("Start your turn: Your turn: life 15, 0 time mana", "Deinen Zug beginnen: Dein Zug: Leben 15, 0 Zeitmana"),
        (("Put away Piña ≠ Rohkinar and draw: 2 cards drawn · Piña ≠ Rohkinar put away; in hand: Piña ≠ "
          "Rohkinar, The Corona Look"),
         ("Piña ≠ Rohkinar ablegen und ziehen: 2 Karten gezogen · Piña ≠ Rohkinar abgelegt; auf der Hand: "
          "Piña ≠ Rohkinar, The Corona Look")),
        ("Gather time mana: Time mana gathered, now 3", "Zeitmana sammeln: Zeitmana gesammelt, jetzt 3"),
        ("Summon Piña ≠ Rohkinar: Piña ≠ Rohkinar summoned, 1 time mana left",
         "Piña ≠ Rohkinar beschwören: Piña ≠ Rohkinar beschworen, jetzt 1 Zeitmana"),
        ("Summon a Dice Minion: Dice Minion Verteidigung · The Corona Look discarded 4",
         "Dice Minion beschwören: Dice Minion Verteidigung · The Corona Look abgeworfen 4"),
        ("On to the Battle Dice Phase", "Zur Battle Dice Phase"),
        ("Attack: AD 6 4 against DD 3: 2 damage · Your attack hits 6 4 3",
         "Angriff: AD 6 4 gegen DD 3: 2 Schaden · Dein Angriff trifft 6 4 3"),
        ("Enter the opponent's damage: 1 damage coming at you",
         "Schaden des Gegners eintragen: 1 Schaden kommt auf dich zu"),
        ("Block with Dice Minion Verteidigung: Dice Minion Verteidigung blocks, 0 still coming",
         "Mit Dice Minion Verteidigung blocken: Dice Minion Verteidigung blockt, offener Schaden: 0"),
        ("See who dies: Dice Minion Verteidigung: 2 avatars in play, 0 time mana",
         "Klären, wer stirbt: Dice Minion Verteidigung: 2 Avatare im Spiel, 0 Zeitmana"),
        ("Start your turn: Your turn: life 15, 0 time mana", "Deinen Zug beginnen: Dein Zug: Leben 15, 0 Zeitmana"),
        ("Draw: 2 cards drawn · In hand: The Corona Look, The Biggest Fan",
         "Ziehen: 2 Karten gezogen · Auf der Hand: The Corona Look, The Biggest Fan"),
        ("Gather time mana: Time mana gathered, now 3", "Zeitmana sammeln: Zeitmana gesammelt, jetzt 3"),
        ("Summon The Corona Look: The Corona Look summoned, 2 time mana left",
         "The Corona Look beschwören: The Corona Look beschworen, jetzt 2 Zeitmana"),
        ("On to the Battle Dice Phase", "Zur Battle Dice Phase"),
        ("Attack: AD 6 6 against DD 2 1: 2 damage · Your attack hits 6 6 1 2",
         "Angriff: AD 6 6 gegen DD 2 1: 2 Schaden · Dein Angriff trifft 6 6 1 2"),
        ("Report the win: Won with 15 life left", "Sieg melden: Gewonnen, mit 15 Leben"),
    )
    ben.tells(
        ("Start a game: 2 cards drawn · The game starts, and the opponent goes first; 1 time mana",
         "Eine Partie beginnen: 2 Karten gezogen · Die Partie beginnt mit dem Zug des Gegners; 1 Zeitmana"),
        ("Take damage: 12 damage, life 3", "Schaden erleiden: 12 Schaden, Leben 3"),
        ("Enter the opponent's damage: 1 damage coming at you",
         "Schaden des Gegners eintragen: 1 Schaden kommt auf dich zu"),
        ("Take the rest yourself: Not blocked, life 2", "Den Rest selbst erleiden: Nicht geblockt, Leben 2"),
        ("Start your turn: Your turn: life 2, 1 time mana", "Deinen Zug beginnen: Dein Zug: Leben 2, 1 Zeitmana"),
        (("Put away The Corona Look and draw: 1 card drawn · The Corona Look put away; in hand: The Corona "
          "Look, Piña ≠ Rohkinar"),
         ("The Corona Look ablegen und ziehen: 1 Karte gezogen · The Corona Look abgelegt; auf der Hand: The "
          "Corona Look, Piña ≠ Rohkinar")),
        ("Gather time mana: Time mana gathered, now 2", "Zeitmana sammeln: Zeitmana gesammelt, jetzt 2"),
        ("Summon Piña ≠ Rohkinar: Piña ≠ Rohkinar summoned, 0 time mana left",
         "Piña ≠ Rohkinar beschwören: Piña ≠ Rohkinar beschworen, jetzt 0 Zeitmana"),
        ("On to the Battle Dice Phase", "Zur Battle Dice Phase"),
        ("Skip the Battle Dice Phase", "Battle Dice überspringen"),
        ("Enter the opponent's damage: 2 damage coming at you",
         "Schaden des Gegners eintragen: 2 Schaden kommt auf dich zu"),
        ("Block with Piña ≠ Rohkinar: Piña ≠ Rohkinar blocks, 0 still coming",
         "Mit Piña ≠ Rohkinar blocken: Piña ≠ Rohkinar blockt, offener Schaden: 0"),
        ("See who dies: Piña ≠ Rohkinar: 0 avatars in play, 0 time mana",
         "Klären, wer stirbt: Piña ≠ Rohkinar: 0 Avatare im Spiel, 0 Zeitmana"),
        ("Start your turn: Your turn: life 2, 0 time mana", "Deinen Zug beginnen: Dein Zug: Leben 2, 0 Zeitmana"),
        (("Put away The Corona Look and draw: 2 cards drawn · The Corona Look put away; in hand: Piña ≠ "
          "Rohkinar, Snowbuddies"),
         ("The Corona Look ablegen und ziehen: 2 Karten gezogen · The Corona Look abgelegt; auf der Hand: "
          "Piña ≠ Rohkinar, Snowbuddies")),
        ("Gather time mana: Time mana gathered, now 1", "Zeitmana sammeln: Zeitmana gesammelt, jetzt 1"),
        ("On to the Battle Dice Phase", "Zur Battle Dice Phase"),
        ("Attack: AD 6 against DD 4 3 2 1: 1 damage · Your attack hits 6 1 2 3 4",
         "Angriff: AD 6 gegen DD 4 3 2 1: 1 Schaden · Dein Angriff trifft 6 1 2 3 4"),
        ("Shield: 0 time mana left", "Shield: jetzt 0 Zeitmana"),
        ("Enter the opponent's damage: 2 damage coming at you",
         "Schaden des Gegners eintragen: 2 Schaden kommt auf dich zu"),
        ("Take the rest yourself: Not blocked, life 0", "Den Rest selbst erleiden: Nicht geblockt, Leben 0"),
    )

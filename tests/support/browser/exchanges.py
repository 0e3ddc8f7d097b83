"""Attacks from their first press to what comes of them applied, each press with what the rules leave to be decided."""

from dataclasses import dataclass, field
from typing import Any

from tests.support.sheets.fight import ATTACK, CLUB

ONLY_ROLLS = ""
"""What is decided by a press by which dice fall that must fall."""


@dataclass(frozen=True)
class Decision:
    """A press of somebody's with the dice that fall by it; names in its button stand for what that is then."""

    who: str
    button: str
    what: str
    dice: tuple[int, ...] = ()


@dataclass(frozen=True)
class Exchange:
    """How Anna attacks an opponent of the GM's, in a fight that has begun, and what that takes."""

    slug: str
    presses: tuple[Decision, ...]
    dealt: int
    """Life that the opponent loses."""
    anna: dict[str, Any] = field(default_factory=dict)
    """What of her sheet is stated."""
    troll: dict[str, Any] = field(default_factory=dict)
    """The figures of the opponent that are stated."""
    begins: tuple[int, ...] = ()
    """The dice that fall as the fight begins."""
    waits: bool = False
    """Whether the party has the other side asked before a roll falls."""
    suffered: int = 0
    """Life that Anna loses."""

    @property
    def counts(self) -> dict[str, int]:
        """How often each presses."""
        return {who: sum(one.who == who for one in self.presses) for who in ("anna", "gm")}


AIM = Decision("anna", "#at-{troll}", "whom it is aimed at")
APPLY = Decision("gm", "#apply-{landed}", "that it is taken as it fell")
WITH = "what one attacks with"
REACTS = "whether one reacts, and how"

RUMBLE = {"slug": "dice-rumble", "anna": {"weapons": []}, "troll": {"threshold": 6, "weapon": 2, "life": 18},
          "begins": (4, 7, 9, 2)}
DUEL = "#press-button-roll-duel-damage"
SABRE = {"name": "Säbel", "kind": "one-handed", "hands": 1, "damage": "1-10", "reload_actions": 0, "w": None,
         "targets": None}
STORM = {"slug": "daemmersturm", "anna": {"weapons": [SABRE]}}
TROLL = {"bonus": 5, "damage": "1-6", "life": 21, "melee": 10, "ranged": 10, "magic": 10}
STRIKE = Decision("anna", "#press-button-roll-attack-weapons-0", WITH, (18,))
DAMAGE = "#tray-press-roll-damage-roll-attack-weapons-0"

EXCHANGES = {
    "ConDice": Exchange("condice", (AIM, Decision("anna", f"#press-button-{ATTACK}", WITH, (6, 5, 4, 4)), APPLY), 2,
                        {"attacks": CLUB}, {"dice": 6, "defence": 3, "life": 16}),
    "Dice Rumble, without a reaction": Exchange(
        presses=(AIM, Decision("anna", "#press-button-roll-attack-unarmed", WITH, (3,)), APPLY), dealt=3, **RUMBLE),
    "Dice Rumble, a duel": Exchange(
        presses=(AIM, Decision("anna", DUEL, WITH, (2, 9)), APPLY), dealt=7, **RUMBLE),
    "Dice Rumble, asked, without a reaction": Exchange(
        presses=(AIM, Decision("anna", DUEL, WITH), Decision("gm", "#respond-{question}-forgo", REACTS, (3,)), APPLY),
        dealt=3, waits=True, **RUMBLE),
    "Dice Rumble, asked, strikes back": Exchange(
        presses=(AIM, Decision("anna", DUEL, WITH),
                 Decision("gm", "#respond-{question}-weapon-0", REACTS, (9, 2)),
                 Decision("anna", "#apply-{landed}", "that it is taken as it fell")),
        dealt=0, suffered=9, waits=True, **RUMBLE),
    "Dämmersturm": Exchange(
        presses=(AIM, STRIKE, Decision("anna", DAMAGE, ONLY_ROLLS, (4,)), APPLY), dealt=4, troll=TROLL, **STORM),
    "Dämmersturm, against a shield that holds": Exchange(
        presses=(AIM, STRIKE, Decision("anna", DAMAGE, ONLY_ROLLS, (4,)),
                 Decision("gm", "#guard-roll-shield-landing-{landed}", "whether the shield is used", (18,))),
        dealt=0, troll=TROLL | {"shield": 12}, **STORM),
    "Dämmersturm, asked, without protection sought": Exchange(
        presses=(AIM, STRIKE, Decision("anna", DAMAGE, ONLY_ROLLS),
                 Decision("gm", "#respond-{question}-forgo", "whether shield or cover are used", (4,)), APPLY),
        dealt=4, troll=TROLL | {"shield": 12}, waits=True, **STORM),
}

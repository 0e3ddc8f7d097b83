"""The phases of a round, and the instructions for each (BD-11 to BD-18)."""

from typing import Literal

from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext_lazy

Phase = Literal["none", "chaos", "focus", "summon", "battle", "aim", "wait", "enemy", "quick", "aimed", "block", "heal",
                "end", "won", "lost"]
PHASES = {
    "none": _("No game"), "chaos": _("Zeitchaosphase"), "focus": _("Fokusphase"), "summon": _("Beschwörungsphase"),
    "battle": _("Battle Dice Phase"), "aim": _("Zielsuchend: taking aim"), "wait": _("Your opponent's move"),
    "enemy": _("The opponent's turn"), "quick": _("Flink on your dice"),
    "aimed": _("Zielsuchend: they take aim"), "block": _("Blocking"), "heal": _("Healing"),
    "end": _("End of the opponent's turn"), "won": _("Won"), "lost": _("Lost"),
}
GUIDE = {
    "chaos": ("BD-11", _("Zeitchaosphase: put away one card from your hand, then draw until you have two.")),
    "focus": ("BD-12", _("Fokusphase: gather your time mana.")),
    "summon": ("BD-13", _("Beschwörungsphase: summon as many avatars as you can pay for, then go on.")),
    "battle": ("BD-14", _("Battle Dice Phase: attack, or skip it.")),
    "aim": ("BD-17", _("{n} damage was rolled: aim as much of it as Zielsuchend allows, then let them block.")),
    "wait": ("BD-14", _("It is your opponent’s turn; you will be asked as soon as something concerns you.")),
    "quick": ("BD-15", _("{n} damage is coming: pay for Flink if you like, then let your opponent aim.")),
    "aimed": ("BD-17", _("{n} damage is coming; your opponent aims some of it first.")),
    "enemy": ("BD-14", _("The opponent's turn: when they attack, roll for both or enter the damage that they rolled.")),
    "block": ("BD-16", _("{n} damage is coming: block with one avatar after another, or take the rest yourself.")),
    "heal": ("BD-18", _("All damage is dealt: Heilung comes now, then avatars without life die.")),
    "end": ("BD-21", _("The opponent's turn is over except for reactions; then your next turn starts.")),
    "won": ("BD-16", _("You have won.")),
    "lost": ("BD-16", _("You have lost.")),
}
"""{phase: (rule, instructions)}."""
ATTACK_ANNOUNCED = ngettext_lazy("{n} attack die is coming: use effects if you like, then roll your defence.",
                                 "{n} attack dice are coming: use effects if you like, then roll your defence.", "n")
OWN_PHASES = ("chaos", "focus", "summon", "battle")
"""The phases of the player's own turn."""
TURN_STEPS = (*((key,) for key in OWN_PHASES[:3]), ("battle", "aim"))
"""The four phases of a turn (BD-11 to BD-14); aiming belongs to the last one."""
ENEMY_PHASES = ("enemy", "wait", "quick", "aimed", "block", "heal", "end")
"""The phases of the opponent's turn."""


def turn_steps(phase: str) -> list[tuple[str, bool]]:
    """Return (title, True if current) of the four phases of a turn; an empty list without a game.

    None of them is current in the opponent's turn.
    """
    if not any(phase in phases for phases in (*TURN_STEPS, ENEMY_PHASES)):
        return []
    return [(str(PHASES[phases[0]]), phase in phases) for phases in TURN_STEPS]


def next_turn_title(phase: str) -> str:
    """Return the title of the turn that follows the current phase, "" if another phase of the same turn follows."""
    if phase in TURN_STEPS[-1]:
        return str(PHASES[ENEMY_PHASES[0]])
    return str(PHASES[TURN_STEPS[0][0]]) if phase in ENEMY_PHASES else ""

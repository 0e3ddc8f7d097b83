"""The phases of a round, and what is to be done in each (BD-11 to BD-18)."""

from typing import Literal

from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext_lazy

Phase = Literal["none", "chaos", "focus", "summon", "battle", "aim", "wait", "enemy", "quick", "aimed", "block", "heal",
                "end", "won", "lost"]
PHASES = {
    "none": _("No game"), "chaos": _("Zeitchaosphase"), "focus": _("Fokusphase"), "summon": _("Beschwörungsphase"),
    "battle": _("Battle Dice Phase"), "aim": _("Zielsuchend: taking aim"), "wait": _("The other one's move"),
    "enemy": _("The enemy's turn"), "quick": _("Flink on your dice"),
    "aimed": _("Zielsuchend: they take aim"), "block": _("Blocking"), "heal": _("Healing"),
    "end": _("End of the enemy's turn"), "won": _("Won"), "lost": _("Lost"),
}
GUIDE = {
    "chaos": ("BD-11", _("Zeitchaosphase: put one hand card away, then draw until you hold two.")),
    "focus": ("BD-12", _("Fokusphase: gather your time mana.")),
    "summon": ("BD-13", _("Beschwörungsphase: summon as many avatars as your time mana pays for, then go on.")),
    "battle": ("BD-14", _("Battle Dice Phase: attack, or skip it.")),
    "aim": ("BD-17", _("{n} damage was rolled: aim what Zielsuchend lets you aim, then let them block.")),
    "wait": ("BD-14", _("It is your opponent’s turn; you are asked as soon as something concerns you.")),
    "quick": ("BD-15", _("{n} damage is coming: pay for Flink if you like, then let the other one aim.")),
    "aimed": ("BD-17", _("{n} damage is coming; the other one aims some of it first.")),
    "enemy": ("BD-14", _("The enemy's turn: when they attack, roll for both or enter the damage that they rolled.")),
    "block": ("BD-16", _("{n} damage is coming: block with one avatar after another, or take the rest yourself.")),
    "heal": ("BD-18", _("All damage is dealt: Heilung comes now, then avatars without life die.")),
    "end": ("BD-21", _("The enemy's turn is over but for reactions; then your next turn begins.")),
    "won": ("BD-16", _("You have won.")),
    "lost": ("BD-16", _("You have lost.")),
}
"""The text for what is to be done now, with its rule."""
COMING = ngettext_lazy("{n} attack die is coming: use effects if you like, then roll your defence.",
                       "{n} attack dice are coming: use effects if you like, then roll your defence.", "n")
OWN = ("chaos", "focus", "summon", "battle")
"""The phases of one's own turn."""
TURN = (*((key,) for key in OWN[:3]), ("battle", "aim"))
"""The four phases of a turn (BD-11 to BD-14), each with what belongs to it; the first names it."""
ENEMY = ("enemy", "wait", "quick", "aimed", "block", "heal", "end")
"""The enemy's turn, which has the same four."""


def steps(phase: str) -> list[tuple[str, bool]]:
    """Return (title, whether one stands there) of the four phases, of which none is one's own in the enemy's turn.

    There are none outside of a game.
    """
    return [(str(PHASES[one[0]]), phase in one) for one in TURN] if any(phase in one for one in (*TURN, ENEMY)) else []


def following(phase: str) -> str:
    """Return the turn after the one at hand, "" if the four phases show what comes, and outside of a game."""
    return next((str(PHASES[after[0]]) for one, after in ((TURN[-1], ENEMY), (ENEMY, TURN[0])) if phase in one), "")

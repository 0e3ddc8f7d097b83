"""The terms of the game: colours, fields, sections, moves, and the effect of each band of a move."""

from dataclasses import dataclass
from typing import Any, Literal

from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext_lazy, pgettext_lazy

from rulesets.kit import Wording

Colour = Literal["white", "black"]
COLOURS = {"white": pgettext_lazy("die", "white"), "black": pgettext_lazy("die", "black")}
Shade = Literal["light", "dark"]
SHADES = {"light": pgettext_lazy("section", "light"), "dark": pgettext_lazy("section", "dark")}
SECTIONS = dict(enumerate(("I", "II", "III", "IV", "V", "VI"), 1))
LAST_SECTION = len(SECTIONS)
"""The section of retirement (SZ-08)."""
PLACES = 6
"""The number of conditions, including the demon, that put a character out of action (SZ-07)."""
FEARS = 2

FIELDS = {
    "honour": _("1 Honour"), "mount": _("2 Mount"), "demon": _("3 Demon"), "origin_1": _("4 Origin"),
    "origin_2": _("5 Origin"), "item": _("6 Item of the origin"), "free_item": _("7 Free item"),
}
"""The seven attribute fields in their order (SZ-01)."""
FieldKey = Literal["honour", "mount", "demon", "origin_1", "origin_2", "item", "free_item"]
LASTING = ("demon", "origin_1", "origin_2", "item")
"""The fields that always have a word, from the start on."""

Move = Literal["investigate", "risk", "travel", "ability", "weaken"]
MOVES = {
    "investigate": _("Find something out"), "risk": _("Take a risk"), "travel": _("Travelling"),
    "ability": _("Use an ability"), "weaken": _("Weaken the enemy"),
}
MOVE_COLOURS = {"investigate": "white", "risk": "black", "travel": "white", "ability": "black", "weaken": "black"}
WITH_ABILITY = ("ability", "weaken")
"""The moves whose second die comes from an ability or a risk; fears add no die to them (SZ-11)."""
HELPED = ("investigate", "risk")
"""The moves that others can help with (SZ-25)."""
BANDS: dict[str, Wording] = {"1&1": _("two ones"), "1-2": "1–2", "3-4": "3–4", "5-6": "5–6", "6&6": _("two sixes")}
LOW, BOTH_LOW = ("1-2", "3-4"), "1–4"
"""The two lowest bands, and their common label if they have the same effect in a move."""

_ENEMY = {
    1: _("danger level +1"), 2: _("danger level +2"), -1: _("danger level −1"), -3: _("danger level −3"),
    -4: _("danger level −4"),
}
_CORRUPTION = ngettext_lazy("{n} corruption point", "{n} corruption points", "n")
_CLUES = ngettext_lazy("{n} clue", "{n} clues", "n")
_BONUS = ngettext_lazy("{n} white bonus die", "{n} white bonus dice", "n")
ALL_CONDITIONS = 99
"""The value of `Effect.removed` that removes all conditions but the demon (SZ-07)."""


@dataclass(frozen=True)
class Effect:
    """The effect of a band, including that of a critical result."""

    corruption: int = 0
    clues: int = 0
    bonus: int = 0
    danger: int = 0
    removed: int = 0
    """The number of conditions to remove, the newest first."""
    word: Any = ""
    """The meaning for the story."""

    def in_words(self, level: int | None = None) -> tuple[str, ...]:
        """Return each effect in words, the story first; `level` is the new danger level to state, if it is known."""
        said = [self.word] if self.word else []
        if self.removed:
            said.append(_("all conditions removed") if self.removed == ALL_CONDITIONS else
                        _("the last {n} conditions removed").format(n=self.removed))
        said += [text.format(n=n) for text, n in (
            (_CLUES, self.clues), (_BONUS, self.bonus), (_CORRUPTION, self.corruption)) if n]
        if self.danger:
            said.append(_ENEMY[self.danger] if level is None else
                        _("{change}, now {n}").format(change=_ENEMY[self.danger], n=level))
        return tuple(map(str, said)) or (str(_("nothing happens")),)


_FAILED, _DONE, _DANGER = _("failed"), pgettext_lazy("risk", "done"), _("failed, with immediate danger")
_WANTED = _("it works")

EFFECTS: dict[str, dict[str, Effect]] = {
    "investigate": {
        "1&1": Effect(corruption=2), "1-2": Effect(corruption=1), "3-4": Effect(corruption=1),
        "5-6": Effect(clues=1), "6&6": Effect(clues=2),
    },
    "risk": {
        "1&1": Effect(corruption=2, word=_DANGER), "1-2": Effect(word=_DANGER),
        "3-4": Effect(corruption=1, word=_FAILED), "5-6": Effect(word=_DONE),
        "6&6": Effect(clues=1, bonus=1, word=_DONE),
    },
    "travel": {
        "1&1": Effect(corruption=2), "1-2": Effect(corruption=1), "3-4": Effect(removed=2),
        "5-6": Effect(removed=3, clues=1), "6&6": Effect(removed=ALL_CONDITIONS, clues=1),
    },
    "ability": {
        "1&1": Effect(corruption=2, word=_WANTED), "1-2": Effect(corruption=1, word=_WANTED),
        "3-4": Effect(corruption=1, word=_WANTED), "5-6": Effect(bonus=1, word=_WANTED),
        "6&6": Effect(bonus=1, clues=1, word=_WANTED),
    },
    "weaken": {
        "1&1": Effect(danger=2), "1-2": Effect(danger=1), "3-4": Effect(), "5-6": Effect(danger=-1),
        "6&6": Effect(danger=-3),
    },
}
"""{move: {band: effect}}; a critical counts in addition to its band (SZ-12), so its entry is the sum of both."""


def effect(move: str, band: str, *, literal: bool = False) -> Effect:
    """Return the effect of a band of a move (SZ-20 to SZ-24); if `literal`, two sixes weaken the enemy by 1 and 3."""
    if (move, band) == ("weaken", "6&6") and literal:
        return Effect(danger=-4)
    return EFFECTS[move][band]


def band_label(move: str, band: str) -> Wording:
    """Return the label of a band, as in the source: "1–4" if both low bands have the same effect (SZ-20, SZ-23)."""
    effects = EFFECTS[move]
    return BOTH_LOW if band in LOW and effects[LOW[0]] == effects[LOW[1]] else BANDS[band]

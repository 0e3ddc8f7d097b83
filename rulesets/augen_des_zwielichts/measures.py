"""Figures to compare a character with its party: moves with its words, and a fight (SZ-11 to SZ-13, SZ-31)."""

from collections.abc import Iterator
from fractions import Fraction
from functools import lru_cache
from typing import TYPE_CHECKING, Literal

from django.utils.translation import gettext_lazy as _

from rulesets.augen_des_zwielichts import rolls
from rulesets.kit import Measure

if TYPE_CHECKING:
    from rulesets.augen_des_zwielichts.sheet import AugenDesZwielichts, AugenDesZwielichtsHouse

TOGETHER, DANGER = 3, 8
"""The number of fighters in the sample fight, and its danger level."""
Second = Literal["none", "white", "black"]
_GOOD = _("A 5–6 on “Find something out” with a word")
_CLEAN = _("No condition on “Take a risk” with a random word")
_WON = _("A round won against danger level {danger} by {n} fighters, including this one")


def for_sheet(sheet: "AugenDesZwielichts", house: "AugenDesZwielichtsHouse") -> Iterator[Measure]:
    """Yield the measures; without words only one die is rolled, and without a weapon only the others fight."""
    white, black = len(sheet.fields.words("white")), len(sheet.fields.words("black"))
    yield Measure("good", _GOOD, _good("white" if white else "black" if black else "none"), chance=True, path="fields")
    clean = Fraction(white * _clean("white") + black * _clean("black"), white + black) if white + black else \
        _clean("none")
    yield Measure("clean", _CLEAN, clean, chance=True, path="fields")
    yield Measure("won", _WON.format(n=TOGETHER, danger=DANGER),
                  _won(TOGETHER if sheet.may_fight(house) else TOGETHER - 1), chance=True)


@lru_cache(8)
def _good(word: Second) -> Fraction:
    bands = rolls.Move(move="investigate", attribute=word).odds().chances
    return sum((bands.get(one, Fraction(0)) for one in rolls.Move.good), Fraction(0))


@lru_cache(8)
def _clean(word: Second) -> Fraction:
    return rolls.Condition(move="risk", attribute=word).odds().chances.get("none", Fraction(0))


@lru_cache(8)
def _won(fighters: int) -> Fraction:
    return rolls.CombatRound(fighters=fighters, danger_level=DANGER).odds().chances.get("won", Fraction(0))

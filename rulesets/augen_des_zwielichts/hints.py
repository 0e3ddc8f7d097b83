"""Hints: fields that are empty at the start, and the odds with a white or black die, a fear, or an ability."""

from collections.abc import Iterator
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from django.utils.translation import gettext_lazy as _

from rulesets.augen_des_zwielichts import rolls
from rulesets.kit import Wording, cached_text, percent

if TYPE_CHECKING:
    from rulesets.augen_des_zwielichts.sheet import AugenDesZwielichts

_ALONE = _("“Find something out” alone: {good} for 5–6, no condition.")
_WITH = _("With a white word: {white} for 5–6, no condition. With a black one: {black}, and {due} for a condition.")
_RISK = _("“Take a risk” alone always brings a condition; with a white word {white} of the time, with a black one "
          "always.")
_FEAR = _("A fear is one more black die: with it, “Find something out” has {good} for 5–6 and {due} for a condition.")
_ABILITY = _("With a white die: {white} for 5–6, {due} for a condition; with a black one always a condition.")
_EMPTY = _("Empty at the start.")
_UNNAMED = _("No word at the start; its die may be the black one.")
_WALKING = _("Empty without a mount.")


def for_sheet(sheet: "AugenDesZwielichts") -> Iterator[tuple[str, Wording]]:
    """Yield (path, text) for words, fears and abilities."""
    yield "fields", _fields()
    if sheet.section == 1:
        yield "fields.honour.word", _EMPTY
        if sheet.mount is None:
            yield "fields.mount.word", _WALKING
        yield "fields.free_item.word", _UNNAMED
    yield "fears", _fears()
    yield "abilities", _ability()


@cached_text
def _fields() -> str:
    """Return the odds without a word and with one."""
    alone, white = _odds("investigate"), _odds("investigate", "white")
    black, risk = _odds("investigate", "black"), _odds("risk", "white")
    return " ".join((
        str(_ALONE.format(good=percent(alone[0]))),
        str(_WITH.format(white=percent(white[0]), black=percent(black[0]), due=percent(black[1]))),
        str(_RISK.format(white=percent(risk[1])))))


@cached_text
def _fears() -> str:
    """Return the odds with a fear."""
    good, due = _odds("investigate", "none", fear=True)
    return _FEAR.format(good=percent(good), due=percent(due))


@cached_text
def _ability() -> str:
    """Return the odds of using an ability."""
    good, due = _odds("ability", "white")
    return _ABILITY.format(white=percent(good), due=percent(due))


def _odds(move: str, attribute: str = "none", *, fear: bool = False) -> tuple[Fraction | int, Fraction | int]:
    """Return (chance of 5-6 or better, chance of a condition) of a pool."""
    given: dict[str, Any] = {"move": move, "attribute": attribute, "fear": fear}
    bands = rolls.Move(**given).odds().chances
    return bands.get("5-6", 0) + bands.get("6&6", 0), rolls.Condition(**given).odds().chances.get("condition", 0)
